// RUN: alpha-opt %s | filecheck %s
// RUN: %roundtrip

// A literal is read and printed to the bit. Where six digits don't say the word, the shortest
// decimal that does is printed, and bits in hexadecimal where no decimal does.

// CHECK: region.state @a : f64 = 1.000000e-01
region.state @a : f64 = 0.1

// CHECK: region.state @b : f64 = 1.000000e-01
region.state @b : f64 = 0x3FB999999999999A

// CHECK: region.state @c : f64 = 0.30000000000000004
region.state @c : f64 = 0.30000000000000004

// CHECK: region.state @d : f64 = 123456789.0
region.state @d : f64 = 123456789.0

// CHECK: region.state @e : f64 = 1.000000e+22
region.state @e : f64 = 1.0e22

// CHECK: region.state @f : f64 = 9007199254740992.0
region.state @f : f64 = 9007199254740993.0

// CHECK: region.state @g : f64 = 1.500000e+00
region.state @g : f64 = 1.5

// Both zeros.
// CHECK: region.state @zeros : tensor<2xf64> = dense<[0.000000e+00, -0.000000e+00]>
region.state @zeros : tensor<2xf64> = dense<[0.0, -0.0]>

// CHECK: region.state @zero : f64 = -0.000000e+00
region.state @zero : f64 = 0x8000000000000000

// CHECK: region.state @zero_splat : tensor<2xf32> = dense<-0.000000e+00>
region.state @zero_splat : tensor<2xf32> = dense<-0.0>

// Subnormal words, the smallest normal one, and the largest.
// CHECK: region.state @tiny : tensor<4xf64> = dense<[4.940660e-324, 1.999980e-320, 2.225073858507201e-308, 2.2250738585072014e-308]>
region.state @tiny : tensor<4xf64> = dense<[4.9406564584124654e-324, 2.0e-320, 2.2250738585072009e-308, 2.2250738585072014e-308]>

// CHECK: region.state @large : tensor<2xf64> = dense<[1.7976931348623157e+308, -1.7976931348623157e+308]>
region.state @large : tensor<2xf64> = dense<[1.7976931348623157e308, -1.7976931348623157e308]>

// CHECK: region.state @tiny_single : tensor<3xf32> = dense<[1.401300e-45, 1.1754942106924411e-38, 1.1754943508222875e-38]>
region.state @tiny_single : tensor<3xf32> = dense<[1.0e-45, 1.1754942e-38, 1.17549435e-38]>

// CHECK: region.state @large_single : tensor<2xf32> = dense<[3.4028234663852886e+38, -3.4028234663852886e+38]>
region.state @large_single : tensor<2xf32> = dense<[3.4028234e38, 0xFF7FFFFF]>

// A decimal of an f32 word is rounded to the word, half to even.
// CHECK: region.state @rounded : tensor<4xf32> = dense<[1.000000e-01, 16777216.0, 16777220.0, 1.000000e-01]>
region.state @rounded : tensor<4xf32> = dense<[0.1, 16777217.0, 16777219.0, 0x3DCCCCCD]>

// Below half of the smallest word there is zero.
// CHECK: region.state @vanished : tensor<2xf32> = dense<[0.000000e+00, -0.000000e+00]>
region.state @vanished : tensor<2xf32> = dense<[1.0e-60, -1.0e-60]>

// Bits of words that aren't finite, in constants.
// CHECK: region.constant @bits : tensor<4xf64> = dense<[0x7FF0000000000000, 0xFFF0000000000000, 0x7FF8000000000000, 0x7FF0000000000001]>
region.constant @bits : tensor<4xf64> = dense<[0x7FF0000000000000, 0xFFF0000000000000, 0x7FF8000000000000, 0x7FF0000000000001]>

// CHECK: region.constant @bits_single : tensor<3xf32> = dense<[0x7F800000, 0xFF800000, 0x7FC00001]>
region.constant @bits_single : tensor<3xf32> = dense<[0x7F800000, 0xFF800000, 0x7FC00001]>

// So are those of the generic form, also as bytes in quotes.
// CHECK: region.constant @bytes : tensor<3xf32> = dense<[1.000000e+00, 0x7FC00001, 0xFFC00000]>
"region.constant"() <{sym_name = "bytes", type = tensor<3xf32>, initial = dense<"0x0000803F0100C07F0000C0FF"> : tensor<3xf32>}> : () -> ()
