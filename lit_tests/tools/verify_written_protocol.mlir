// A protocol in the file is compared as it is, in the rounds that it makes.
// RUN: alpha verify %s | filecheck %s
// CHECK:      one round, for every input; 3 rounds, by their bits
// CHECK:      as written  w      1      proved
// CHECK-NEXT: protocol    w      1      proved
// CHECK:      3 rounds of 20 compared by their bits: the protocol in the file makes at most 3 rounds

// As many as it makes, or fewer, need no word.
// RUN: alpha verify %s --rounds 3 | filecheck %s --check-prefix=THREE
// RUN: alpha verify %s --rounds 2 | filecheck %s --check-prefix=TWO
// THREE-NOT: the protocol in the file
// TWO: 2 rounds, by their bits
// TWO-NOT: the protocol in the file

// One that makes no round isn't compared.
// RUN: sed -e '/^  protocol.repeat/,/^  }/d' %s > %t.none.mlir
// RUN: alpha verify %t.none.mlir --rounds 1 | filecheck %s --check-prefix=NONE
// NONE: 1 round, by their bits
// NONE-NOT: protocol    w
// NONE: the protocol in the file isn't compared: it makes no round

// What --check-protocol refuses is refused.
// RUN: sed -e '/^  protocol.publish/d' %s > %t.silent.mlir
// RUN: not alpha verify %t.silent.mlir 2>&1 | filecheck %s --check-prefix=SILENT
// SILENT: [protocol-publish-missing]

// Whoever has too many owners hears it before anything runs.
// RUN: not alpha verify %examples/least_squares_adam.mlir --owners 4097 --topology star 2>&1 | filecheck %s --check-prefix=MANY
// MANY: [target-unsupported] expected at most 4096 owners, which run in one process, found 4097; alpha simulate models more

region.learner @keep attributes {owners = #shard.owners<3, star>} {
  region.state @w : f64 = 1.0
  pointwise.update @halve(%w : f64) -> (f64) {
    %half = arith.constant 0.5 : f64
    %w1 = arith.mulf %w, %half : f64
    pointwise.return %w1
  }
  region.round {
    %w = region.read @w : f64
    %w1 = pointwise.apply @halve(%w) : f64
    region.advance @w = %w1
  }
}
shard.learner @keep owners #shard.owners<3, star> {
  shard.place @w replicated
  shard.round {
    %w = shard.read @w : !shard.replica<f64, +0>
    %w1 = shard.update @halve(%w) : !shard.replica<f64, +1>
    shard.agree %w1
    shard.advance @w = %w1
  }
}
protocol.global @keep of @keep group #protocol.group<universe = 3, epoch = 0, id = "", stride(0, 1, 3)> {
  protocol.repeat 3 {
    protocol.local at stride(0, 1, 3) {
      %w = shard.read @w : !shard.replica<f64, +0>
      %w1 = shard.update @halve(%w) : !shard.replica<f64, +1>
      shard.advance @w = %w1
    }
  }
  protocol.publish at stride(0, 1, 3)
}
