// What a learner is made of: state, constants, samples, programs, sums, separability, digests.
// RUN: alpha inspect %s | filecheck %s

// CHECK:      {{^}}learner everything
// CHECK-NEXT:   digest sha256:{{[0-9a-f]+$}}
// CHECK-EMPTY:
// CHECK-NEXT: {{^}}state
// CHECK-NEXT:   field  type            words  bytes  kind
// CHECK-NEXT:   w      tensor<2x2xf64> 4      32     parameter
// CHECK-NEXT:   m      tensor<2x2xf64> 4      32     optimizer state
// CHECK-NEXT:   p      f32             1      4      optimizer state, shared
// CHECK-NEXT:   all                    9      68
// CHECK-EMPTY:
// CHECK-NEXT: {{^}}constants
// CHECK-NEXT:   name  type words bytes
// CHECK-NEXT:   rate  f64  1     8
// CHECK-EMPTY:
// CHECK-NEXT: {{^}}samples
// CHECK-NEXT:   name  samples components            bytes
// CHECK-NEXT:   data  3       tensor<2x2xf64>, f32  108
// CHECK-EMPTY:
// CHECK-NEXT: {{^}}programs
// CHECK-NEXT:   name kind         signature                                                                                     operations
// CHECK-NEXT:   pull contribution (tensor<2x2xf64>, tensor<2x2xf64>, f32) -> (tensor<2x2xf64>, f32)                              1
// CHECK-NEXT:   step update       (tensor<2x2xf64>, tensor<2x2xf64>, f32, tensor<2x2xf64>, f64) -> (tensor<2x2xf64>, tensor<2x2xf64>, f32) 5
// CHECK-EMPTY:
// CHECK-NEXT: {{^}}sums
// CHECK-NEXT:   contribution samples contract                              digest
// CHECK-NEXT:   pull         data    groups = [2, 1], combine = left {{[0-9a-f]+$}}
// CHECK-EMPTY:
// CHECK-NEXT: {{^}}separable
// CHECK-EMPTY:
// CHECK-NEXT: {{^}}2 owners, pair
// CHECK-EMPTY:
// CHECK-NEXT: {{^}}words of state that each owner keeps
// CHECK-NEXT:   partitioned role 0 role 1
// CHECK-NEXT:   none 9 9
// CHECK-NEXT:   optimizer 7 7
// CHECK-NEXT:   parameters 7 7
// CHECK-NEXT:   gradients 9 9
// CHECK-NEXT:   optimizer, parameters 5 5
// CHECK-NEXT:   optimizer, gradients 7 7
// CHECK-NEXT:   parameters, gradients 7 7
// CHECK-NEXT:   optimizer, parameters, gradients 5 5
// CHECK-EMPTY:
// CHECK-NEXT: {{^}}digests
// CHECK-NEXT:   part sha256
// CHECK-NEXT:   state w {{[0-9a-f]+$}}
// CHECK-NEXT:   state m {{[0-9a-f]+$}}
// CHECK-NEXT:   state p {{[0-9a-f]+$}}
// CHECK-NEXT:   constant rate {{[0-9a-f]+$}}
// CHECK-NEXT:   samples data {{[0-9a-f]+$}}
// CHECK-NEXT:   contribution pull {{[0-9a-f]+$}}
// CHECK-NEXT:   update step {{[0-9a-f]+$}}
// CHECK-NEXT:   round {{[0-9a-f]+$}}
// CHECK-EMPTY:
// CHECK-NEXT: {{^}}state sha256:{{[0-9a-f]+$}}

region.learner @everything attributes {owners = #shard.owners<2, pair>} {
  region.state @w : tensor<2x2xf64> = dense<[[1.0, 2.0], [3.0, 4.0]]>
  region.state @m : tensor<2x2xf64> = dense<0.0>
  region.state @p : f32 = 1.0 {shared}
  region.constant @rate : f64 = 0.5
  region.samples @data[3] : (tensor<2x2xf64>, f32) = dense<1.0>, dense<[1.0, 2.0, 3.0]>
  pointwise.contribution @pull(%w : tensor<2x2xf64>) sample(%x : tensor<2x2xf64>, %y : f32) -> (tensor<2x2xf64>, observed "y" : f32) {
    pointwise.return %x, %y
  }
  pointwise.update @step(%w : tensor<2x2xf64>, %m : tensor<2x2xf64>, %p : f32, %g : tensor<2x2xf64>, %rate : f64)
      -> (tensor<2x2xf64>, tensor<2x2xf64>, f32) {
    %w1 = pointwise.map over [i : 2, j : 2] (%x = %w[i, j], %gx = %g[i, j], %r = %rate) {
      %s = arith.mulf %gx, %r : f64
      %y = arith.subf %x, %s : f64
      pointwise.yield %y
    } : tensor<2x2xf64>
    pointwise.return %w1, %g, %p
  }
  region.round {
    %w, %m, %p, %rate = region.read @w, @m, @p, @rate : tensor<2x2xf64>, tensor<2x2xf64>, f32, f64
    %sum, %count = pointwise.sum @pull(%w) over @data : tensor<2x2xf64>
    %g = pointwise.mean %sum, %count
    %w1, %m1, %p1 = pointwise.apply @step(%w, %m, %p, %g, %rate) : tensor<2x2xf64>, tensor<2x2xf64>, f32
    region.advance @w = %w1, @m = %m1, @p = %p1
  }
}
