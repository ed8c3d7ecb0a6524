// RUN: alpha-opt %s -o %t && alpha-opt %s --check-separability | diff %t -

// Separable updates pass, and nothing is changed. Plain steps with weight decay:
region.learner @decay {
  region.state @w : tensor<4xf64> = dense<1.0>
  region.constant @rate : f64 = 0.5
  region.constant @decay : f64 = 0.25
  region.samples @data[2] : (tensor<4xf64>) = dense<1.0>
  pointwise.contribution @pull(%w : tensor<4xf64>) sample(%x : tensor<4xf64>) -> (tensor<4xf64>) {
    pointwise.return %x
  }
  pointwise.update @step(%w : tensor<4xf64>, %g : tensor<4xf64>, %rate : f64, %decay : f64) -> (tensor<4xf64>) {
    // A product of constants outside of the map is the same for all coordinates.
    %shrink = arith.mulf %rate, %decay : f64
    %w1 = pointwise.map over [i : 4] (%wi = %w[i], %gi = %g[i], %r = %rate, %s = %shrink) {
      %a = arith.mulf %s, %wi : f64
      %b = arith.mulf %r, %gi : f64
      %c = arith.subf %wi, %a : f64
      %d = arith.subf %c, %b : f64
      pointwise.yield %d
    } : tensor<4xf64>
    pointwise.return %w1
  }
  region.round {
    %w, %rate, %decay = region.read @w, @rate, @decay : tensor<4xf64>, f64, f64
    %sum, %count = pointwise.sum @pull(%w) over @data : tensor<4xf64>
    %g = pointwise.mean %sum, %count
    %w1 = pointwise.apply @step(%w, %g, %rate, %decay) : tensor<4xf64>
    region.advance @w = %w1
  }
}

// The sign of a moment (Lion), and a vector of constants of which each coordinate reads another word.
region.learner @sign {
  region.state @w : tensor<4xf64> = dense<1.0>
  region.state @m : tensor<4xf64> = dense<0.0>
  region.constant @rates : tensor<4xf64> = dense<[0.5, 0.25, 0.125, 0.0625]>
  region.samples @data[2] : (tensor<4xf64>) = dense<1.0>
  pointwise.contribution @pull(%w : tensor<4xf64>) sample(%x : tensor<4xf64>) -> (tensor<4xf64>) {
    pointwise.return %x
  }
  pointwise.update @step(%w : tensor<4xf64>, %m : tensor<4xf64>, %g : tensor<4xf64>, %rates : tensor<4xf64>) -> (tensor<4xf64>, tensor<4xf64>) {
    // A fold over constants is a constant, too.
    %most = pointwise.fold max left along [i : 4] (%ri = %rates[i]) {
      pointwise.yield %ri
    } : f64
    %w1, %m1 = pointwise.map over [i : 4] (%wi = %w[i], %mi = %m[i], %gi = %g[i], %r = %rates[3 - i], %t = %most) {
      %s = arith.addf %mi, %gi : f64
      %d = math.copysign %r, %s : f64
      %wi1 = arith.subf %wi, %d : f64
      %mi1 = arith.mulf %s, %t : f64
      pointwise.yield %wi1, %mi1
    } : tensor<4xf64>, tensor<4xf64>
    pointwise.return %w1, %m1
  }
  region.round {
    %w, %m, %rates = region.read @w, @m, @rates : tensor<4xf64>, tensor<4xf64>, tensor<4xf64>
    %sum, %count = pointwise.sum @pull(%w) over @data : tensor<4xf64>
    %g = pointwise.mean %sum, %count
    %w1, %m1 = pointwise.apply @step(%w, %m, %g, %rates) : tensor<4xf64>, tensor<4xf64>
    region.advance @w = %w1, @m = %m1
  }
}

// A transposition that is undone, in two updates one after the other.
region.learner @undone {
  region.state @w : tensor<2x3xf64> = dense<1.0>
  pointwise.update @turn(%w : tensor<2x3xf64>) -> (tensor<3x2xf64>) {
    %t = pointwise.map over [i : 3, j : 2] (%x = %w[j, i]) {
      pointwise.yield %x
    } : tensor<3x2xf64>
    pointwise.return %t
  }
  pointwise.update @turn_back(%t : tensor<3x2xf64>) -> (tensor<2x3xf64>) {
    %w = pointwise.map over [i : 2, j : 3] (%x = %t[j, i]) {
      pointwise.yield %x
    } : tensor<2x3xf64>
    pointwise.return %w
  }
  region.round {
    %w = region.read @w : tensor<2x3xf64>
    %t = pointwise.apply @turn(%w) : tensor<3x2xf64>
    %w1 = pointwise.apply @turn_back(%t) : tensor<2x3xf64>
    region.advance @w = %w1
  }
}

// A fold along an axis of one element reads one coordinate; a word that is read and not used doesn't count.
region.learner @unused {
  region.state @w : tensor<3x1xf64> = dense<1.0>
  pointwise.update @step(%w : tensor<3x1xf64>) -> (tensor<3x1xf64>) {
    %s = pointwise.fold add left over [i : 3] along [j : 1] (%x = %w[i, j]) {
      pointwise.yield %x
    } : tensor<3xf64>
    %w1 = pointwise.map over [i : 3, j : 1] (%x = %s[i], %y = %w[2 - i, j]) {
      pointwise.yield %x
    } : tensor<3x1xf64>
    pointwise.return %w1
  }
  region.round {
    %w = region.read @w : tensor<3x1xf64>
    %w1 = pointwise.apply @step(%w) : tensor<3x1xf64>
    region.advance @w = %w1
  }
}

// Fields without words, and a module's other operations.
region.learner @wordless {
  region.state @w : tensor<0xf64> = dense<>
  pointwise.update @step(%w : tensor<0xf64>) -> (tensor<0xf64>) {
    %w1 = pointwise.map over [i : 0] (%x = %w[i + 1]) {
      pointwise.yield %x
    } : tensor<0xf64>
    pointwise.return %w1
  }
  region.round {
    %w = region.read @w : tensor<0xf64>
    %w1 = pointwise.apply @step(%w) : tensor<0xf64>
    region.advance @w = %w1
  }
}

func.func private @other()
