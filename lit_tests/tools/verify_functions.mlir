// exp, log, tanh and sigmoid in a contribution and in an update: to the proof each is an operation of
// one word, at all levels alike, and an update with them is separable.
// RUN: alpha verify %s --rounds 3 | filecheck %s
// CHECK:      {{^}}learner logistic: 3 owners, star; partitioned: optimizer, parameters, gradients
// CHECK:      replicated s 3 proved [[S:[0-9a-f]+]]
// CHECK-NEXT: replicated w 3 proved [[W:[0-9a-f]+]]
// CHECK-NEXT: replicated observed "loss" 1 proved [[L:[0-9a-f]+]]
// CHECK-NEXT: partitioned s 3 proved [[S]]
// CHECK-NEXT: partitioned w 3 proved [[W]]
// CHECK-NEXT: partitioned observed "loss" 1 proved [[L]]
// CHECK-NEXT: protocol s 3 proved [[S]]
// CHECK-NEXT: protocol w 3 proved [[W]]
// CHECK-NEXT: protocol observed "loss" 1 proved [[L]]

// The first round reads w = 0: each of the four losses is log 2.
// RUN: alpha run %s --interpret --rounds 1 --metrics %t
// RUN: filecheck %s --check-prefix=LOSS < %t
// LOSS: "loss": {"total": 2.772588722239781,

region.learner @logistic attributes {owners = #shard.owners<3, star, samples = [1, 2, 1]>} {
  region.state @w : tensor<3xf64> = dense<0.0>
  region.state @s : tensor<3xf32> = dense<0.0>
  region.constant @rate : f64 = 0.5
  region.samples @data[4] : (tensor<3xf64>, f64) =
    dense<[[1.0, -0.5, 0.25], [0.3, 1.7, -1.1], [-2.0, 0.4, 0.9], [0.1, 0.2, 0.3]]>,
    dense<[1.0, 0.0, 0.0, 1.0]>

  pointwise.contribution @gradient(%w : tensor<3xf64>) sample(%x : tensor<3xf64>, %y : f64)
      -> (tensor<3xf64>, observed "loss" : f64) {
    %z = pointwise.fold add left along [k : 3] (%a = %w[k], %b = %x[k]) {
      %ab = arith.mulf %a, %b : f64
      pointwise.yield %ab
    } : f64
    %p = pointwise.sigmoid %z : f64
    %r = arith.subf %p, %y : f64
    %g = pointwise.map over [i : 3] (%xi = %x[i], %ri = %r) {
      %gi = arith.mulf %ri, %xi : f64
      pointwise.yield %gi
    } : tensor<3xf64>
    // log(1 + exp(z)) - y z
    %one = arith.constant 1.0 : f64
    %e = math.exp %z : f64
    %e1 = arith.addf %one, %e : f64
    %l = math.log %e1 : f64
    %yz = arith.mulf %y, %z : f64
    %loss = arith.subf %l, %yz : f64
    pointwise.return %g, %loss
  }

  pointwise.update @step(%w : tensor<3xf64>, %s : tensor<3xf32>, %g : tensor<3xf64>, %rate : f64)
      -> (tensor<3xf64>, tensor<3xf32>) {
    %w1 = pointwise.map over [i : 3] (%wi = %w[i], %gi = %g[i], %r = %rate) {
      %small = math.tanh %gi : f64
      %step = arith.mulf %r, %small : f64
      %wi1 = arith.subf %wi, %step : f64
      pointwise.yield %wi1
    } : tensor<3xf64>
    %s1 = pointwise.map over [i : 3] (%si = %s[i]) {
      %e = math.exp %si : f32
      %q = pointwise.sigmoid %e : f32
      %l = math.log %q : f32
      %t = math.tanh %l : f32
      pointwise.yield %t
    } : tensor<3xf32>
    pointwise.return %w1, %s1
  }

  region.round {
    %w, %s, %rate = region.read @w, @s, @rate : tensor<3xf64>, tensor<3xf32>, f64
    %sum, %count = pointwise.sum @gradient(%w) over @data : tensor<3xf64>
    %g = pointwise.mean %sum, %count
    %w1, %s1 = pointwise.apply @step(%w, %s, %g, %rate) : tensor<3xf64>, tensor<3xf32>
    region.advance @w = %w1, @s = %s1
  }
}
