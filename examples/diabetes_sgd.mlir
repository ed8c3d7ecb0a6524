// Least squares by plain steps on 442 patients: ten standardized measurements predict the
// standardized progression of diabetes after a year. The data is scikit-learn's diabetes set;
// data/make_data.py made the files. Four owners hold 265, 133, 44 and 0 of the samples.

region.learner @diabetes_sgd attributes {owners = #shard.owners<4, star, samples = [265, 133, 44, 0]>} {
  region.state @w : tensor<10xf64> = dense<0.0>
  region.constant @rate : f64 = 0.1
  region.samples @data[442] : (tensor<10xf64>, f64) from "data/diabetes_x.npy", "data/diabetes_y.npy"

  pointwise.contribution @gradient(%w : tensor<10xf64>) sample(%x : tensor<10xf64>, %y : f64)
      -> (tensor<10xf64>, observed "loss" : f64) {
    %p = pointwise.fold add left along [k : 10] (%a = %w[k], %b = %x[k]) {
      %ab = arith.mulf %a, %b : f64
      pointwise.yield %ab
    } : f64
    %r = arith.subf %p, %y : f64
    %g = pointwise.map over [i : 10] (%xi = %x[i], %ri = %r) {
      %gi = arith.mulf %ri, %xi : f64
      pointwise.yield %gi
    } : tensor<10xf64>
    %l = arith.mulf %r, %r : f64
    pointwise.return %g, %l
  }

  pointwise.update @plain_step(%w : tensor<10xf64>, %g : tensor<10xf64>, %rate : f64)
      -> (tensor<10xf64>) {
    %w1 = pointwise.map over [i : 10] (%wi = %w[i], %gi = %g[i], %r = %rate) {
      %step = arith.mulf %r, %gi : f64
      %wi1 = arith.subf %wi, %step : f64
      pointwise.yield %wi1
    } : tensor<10xf64>
    pointwise.return %w1
  }

  region.round {
    %w, %rate = region.read @w, @rate : tensor<10xf64>, f64
    %sum, %count = pointwise.sum @gradient(%w) over @data : tensor<10xf64>
    %g = pointwise.mean %sum, %count
    %w1 = pointwise.apply @plain_step(%w, %g, %rate) : tensor<10xf64>
    region.advance @w = %w1
  }
}
