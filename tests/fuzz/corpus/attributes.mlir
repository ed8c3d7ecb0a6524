builtin.module attributes {
    a = 1 : i32, b = -7 : i64, c = true, d = false, e = 3 : index, f = 0x1F : i8,
    g = 1.5, h = -2.0e-10 : f32, i = 0x7FF8000000000000 : f64, j = 0xFF800000 : f32, k = 1.0 : bf16,
    "quoted name" = "text with \"quotes\", \\ and \n", t = "caf\C3\A9", u = "é", v = "\FF\00", w = unit
} {
  func.func private @attributes() -> i1 attributes {
      n = dense<[[1, 2], [3, 4]]> : tensor<2x2xi32>, o = dense<0.5> : vector<4xf32>,
      p = dense<[true, false]> : tensor<2xi1>, q = dense<> : tensor<0xf64>, r = dense<(1.0, 2.0)> : tensor<2xcomplex<f64>>,
      s = array<i32: 1, -2, 3>, s2 = array<f64: 1.0, 2.5>, s3 = array<i8>,
      aff = affine_map<(d0, d1)[s0] -> (d0 + d1 * 2, s0 floordiv 3, -d0 mod 4)>,
      set = affine_set<(d0)[s0] : (d0 >= 0, s0 - d0 == 1)>,
      str = strided<[1, ?], offset: 4>, ref = @outer::@inner::@"odd name", arr = [1, "two", @three, [unit]],
      ty = tensor<?x4xf64>, m = memref<4x?xf32, strided<[8, 1]>, 2 : i32>, fn = (i32, f64) -> (index, none),
      vec = vector<[4]x2xf32>, tup = tuple<i32, tuple<f64>>, un = tensor<*xf32>, um = memref<*xi8>,
      cplx = complex<f32>, si = si8, ui = ui16, opq = opaque<"dialect", "content">
  }
}
