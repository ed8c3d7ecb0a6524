// Both contributions observe a loss, over samples of their own.
region.learner @two_losses {
  region.state @w : f64 = 0.5
  region.samples @train[3] : (f64) = dense<[1.0, 2.0, 4.0]>
  region.samples @test[2] : (f64) = dense<[10.0, 30.0]>
  pointwise.contribution @itself() sample(%x : f64) -> (f64, observed "loss" : f64) {
    pointwise.return %x, %x
  }
  pointwise.contribution @unsummed() sample(%x : f64)
      -> (observed "size" : f64, observed "loss" : f64) {
    %y = arith.negf %x : f64
    pointwise.return %x, %y
  }
  pointwise.update @take(%w : f64, %g : f64) -> (f64) {
    pointwise.return %g
  }
  region.round {
    %w = region.read @w : f64
    %sum, %count = pointwise.sum @itself() over @train : f64
    %tested = pointwise.sum @unsummed() over @test
    %g = pointwise.mean %sum, %count
    %w1 = pointwise.apply @take(%w, %g) : f64
    region.advance @w = %w1
  }
}
