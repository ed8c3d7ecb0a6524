// SOURCE is replaced by a data file.
region.learner @from_file {
  region.state @w : tensor<2xf64> from SOURCE
  pointwise.update @keep(%w : tensor<2xf64>) -> (tensor<2xf64>) {
    pointwise.return %w
  }
  region.round {
    %w = region.read @w : tensor<2xf64>
    %w1 = pointwise.apply @keep(%w) : tensor<2xf64>
    region.advance @w = %w1
  }
}
