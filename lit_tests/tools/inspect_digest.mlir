// The learner's digest covers programs, initial state, constants and samples, and nothing else.
// RUN: alpha inspect %s | grep 'digest sha256' > %t.digest

// Not who owns the samples, and not the contract.
// RUN: sed 's/@learner {/@learner attributes {owners = #shard.owners<3, star>} {/' %s | alpha inspect - | grep 'digest sha256' | diff %t.digest -
// RUN: sed 's/over @data :/over @data contract #region.contract<groups = [1, 2], combine = tree<2>> :/' %s | alpha inspect - | grep 'digest sha256' | diff %t.digest -

// Not the names of values and axes, comments, attributes that mean nothing, or how words are written.
// RUN: sed 's/%w1/%next/;s/\[i : 2\]/[axis : 2]/;s/\[i\]/[axis]/g' %s | alpha inspect - | grep 'digest sha256' | diff %t.digest -
// RUN: sed 's/: f64 = 0.5/: f64 = 0x3FE0000000000000 {note}/;s/dense<0.0>/dense<[0.0, 0.0]>/' %s | alpha inspect - | grep 'digest sha256' | diff %t.digest -
// RUN: alpha-opt %s --print-op-generic | alpha inspect - | grep 'digest sha256' | diff %t.digest -

// But every word: of state, of a constant, of a sample, down to the sign of zero.
// RUN: sed 's/dense<0.0>/dense<-0.0>/' %s | alpha inspect - | grep 'digest sha256' | not diff %t.digest -
// RUN: sed 's/: f64 = 0.5/: f64 = 0.25/' %s | alpha inspect - | grep 'digest sha256' | not diff %t.digest -
// RUN: sed 's/\[5.0, 6.0\]/[5.0, 7.0]/' %s | alpha inspect - | grep 'digest sha256' | not diff %t.digest -

// And what the programs do: an operation, the order of operands, an index, a declared order, a flag.
// RUN: sed 's/arith.subf/arith.addf/' %s | alpha inspect - | grep 'digest sha256' | not diff %t.digest -
// RUN: sed 's/subf \(.*\), \(.*\) :/subf \2, \1 :/' %s | alpha inspect - | grep 'digest sha256' | not diff %t.digest -
// RUN: sed 's/%gx = %g\[i\]/%gx = %g[1 - i]/' %s | alpha inspect - | grep 'digest sha256' | not diff %t.digest -
// RUN: sed 's/add left/add pairs/' %s | alpha inspect - | grep 'digest sha256' | not diff %t.digest -
// RUN: sed 's/dense<0.0>/dense<0.0> {shared}/' %s | alpha inspect - | grep 'digest sha256' | not diff %t.digest -
// RUN: sed 's/observed "norm"/observed "size"/' %s | alpha inspect - | grep 'digest sha256' | not diff %t.digest -

region.learner @learner {
  region.state @w : tensor<2xf64> = dense<0.0>
  region.constant @rate : f64 = 0.5
  region.samples @data[3] : (tensor<2xf64>) = dense<[[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]]>
  pointwise.contribution @pull(%w : tensor<2xf64>) sample(%x : tensor<2xf64>) -> (tensor<2xf64>, observed "norm" : f64) {
    %n = pointwise.fold add left along [k : 2] (%y = %x[k]) {
      pointwise.yield %y
    } : f64
    pointwise.return %x, %n
  }
  pointwise.update @step(%w : tensor<2xf64>, %g : tensor<2xf64>, %rate : f64) -> (tensor<2xf64>) {
    %v = pointwise.map over [i : 2] (%x = %w[i], %gx = %g[i], %r = %rate) {
      %s = arith.mulf %gx, %r : f64
      %y = arith.subf %x, %s : f64
      pointwise.yield %y
    } : tensor<2xf64>
    pointwise.return %v
  }
  region.round {
    %w, %rate = region.read @w, @rate : tensor<2xf64>, f64
    %sum, %count = pointwise.sum @pull(%w) over @data : tensor<2xf64>
    %g = pointwise.mean %sum, %count
    %w1 = pointwise.apply @step(%w, %g, %rate) : tensor<2xf64>
    region.advance @w = %w1
  }
}
