region.learner @elsewhere attributes {owners = #shard.owners<3, star>} {
  region.state @w : f64 = 0.0
  region.samples @data[6] : (f64) from "not_there.npy"
  pointwise.contribution @pull(%w : f64) sample(%x : f64) -> (f64) {
    pointwise.return %x
  }
  pointwise.update @step(%w : f64, %g : f64) -> (f64) {
    pointwise.return %g
  }
  region.round {
    %w = region.read @w : f64
    %sum, %count = pointwise.sum @pull(%w) over @data : f64
    %g = pointwise.mean %sum, %count
    %w1 = pointwise.apply @step(%w, %g) : f64
    region.advance @w = %w1
  }
}
