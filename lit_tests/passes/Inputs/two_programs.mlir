func.func private @same()
region.learner @l {
  region.state @w : f64 = 0.0
  pointwise.update @same(%w : f64) -> (f64) {
    pointwise.return %w
  }
  region.round {
    %w = region.read @w : f64
    %w1 = pointwise.apply @same(%w) : f64
    region.advance @w = %w1
  }
}
