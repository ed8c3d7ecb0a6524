// RUN: alpha-opt %s --check-schedules --split-input-file --verify-diagnostics

// What programs of roles store fits together, whoever wrote them.

// A role that doesn't store its words leaves no whole generation, also where nobody waits for it.

region.learner @keep {
  region.state @w : f64 = 1.0
  region.state @v : tensor<3xf64> = dense<1.0>
  pointwise.update @halve(%w : f64, %v : tensor<3xf64>) -> (f64, tensor<3xf64>) {
    %half = arith.constant 0.5 : f64
    %w1 = arith.mulf %w, %half : f64
    %v1 = pointwise.map over [i : 3] (%a = %v[i]) {
      %b = arith.addf %a, %a : f64
      pointwise.yield %b
    } : tensor<3xf64>
    pointwise.return %w1, %v1
  }
  region.round {
    %w, %v = region.read @w, @v : f64, tensor<3xf64>
    %w1, %v1 = pointwise.apply @halve(%w, %v) : f64, tensor<3xf64>
    region.advance @w = %w1, @v = %v1
  }
}
shard.learner @keep owners #shard.owners<3, star> {
  shard.place @w replicated
  shard.place @v by cyclic
  shard.round {
    %w, %v = shard.read @w, @v : !shard.replica<f64, +0>, !shard.owned<tensor<3xf64>, cyclic, +0>
    %w1, %v1 = shard.update @halve(%w, %v) : !shard.replica<f64, +1>, !shard.owned<tensor<3xf64>, cyclic, +1>
    shard.agree %w1
    shard.advance @w = %w1, @v = %v1
  }
}
protocol.role @keep role 0 of @keep group #protocol.group<universe = 3, epoch = 0, id = "", stride(0, 1, 3)> protocol "5891b5b522d5df086d0ff0b110fbd9d21bb4fc7163af34d08286a2e846f6be03" edges [1] {
  protocol.local at role 0 {
    %w, %v = shard.read @w, @v : !shard.replica<f64, +0>, !shard.owned<tensor<3xf64>, cyclic, +0>
    %w1, %v1 = shard.update @halve(%w, %v) : !shard.replica<f64, +1>, !shard.owned<tensor<3xf64>, cyclic, +1>
    shard.advance @w = %w1, @v = %v1
  }
  // expected-error@+1 {{[protocol-step-differs] expected each of the members stride(0, 1, 3) to take part in site 0, found role 2 doesn't}}
  protocol.perform checkpoint site 0 over stride(0, 1, 3) {
    protocol.receive from 1 words 5 : i64
    protocol.send to 1 part 1 words 1 : i64
  }
  protocol.publish at role 0
}
protocol.role @keep role 1 of @keep group #protocol.group<universe = 3, epoch = 0, id = "", stride(0, 1, 3)> protocol "5891b5b522d5df086d0ff0b110fbd9d21bb4fc7163af34d08286a2e846f6be03" edges [0] {
  protocol.local at role 1 {
    %w, %v = shard.read @w, @v : !shard.replica<f64, +0>, !shard.owned<tensor<3xf64>, cyclic, +0>
    %w1, %v1 = shard.update @halve(%w, %v) : !shard.replica<f64, +1>, !shard.owned<tensor<3xf64>, cyclic, +1>
    shard.advance @w = %w1, @v = %v1
  }
  protocol.perform checkpoint site 0 over stride(0, 1, 3) {
    protocol.send to 0 words 5 : i64
    protocol.receive from 0 part 1 words 1 : i64
  }
  protocol.publish at role 1
}
protocol.role @keep role 2 of @keep group #protocol.group<universe = 3, epoch = 0, id = "", stride(0, 1, 3)> protocol "5891b5b522d5df086d0ff0b110fbd9d21bb4fc7163af34d08286a2e846f6be03" edges [] {
  protocol.local at role 2 {
    %w, %v = shard.read @w, @v : !shard.replica<f64, +0>, !shard.owned<tensor<3xf64>, cyclic, +0>
    %w1, %v1 = shard.update @halve(%w, %v) : !shard.replica<f64, +1>, !shard.owned<tensor<3xf64>, cyclic, +1>
    shard.advance @w = %w1, @v = %v1
  }
  protocol.publish at role 2
}

// -----

// accepted:
region.learner @keep {
  region.state @w : f64 = 1.0
  region.state @v : tensor<3xf64> = dense<1.0>
  pointwise.update @halve(%w : f64, %v : tensor<3xf64>) -> (f64, tensor<3xf64>) {
    %half = arith.constant 0.5 : f64
    %w1 = arith.mulf %w, %half : f64
    %v1 = pointwise.map over [i : 3] (%a = %v[i]) {
      %b = arith.addf %a, %a : f64
      pointwise.yield %b
    } : tensor<3xf64>
    pointwise.return %w1, %v1
  }
  region.round {
    %w, %v = region.read @w, @v : f64, tensor<3xf64>
    %w1, %v1 = pointwise.apply @halve(%w, %v) : f64, tensor<3xf64>
    region.advance @w = %w1, @v = %v1
  }
}
shard.learner @keep owners #shard.owners<3, star> {
  shard.place @w replicated
  shard.place @v by cyclic
  shard.round {
    %w, %v = shard.read @w, @v : !shard.replica<f64, +0>, !shard.owned<tensor<3xf64>, cyclic, +0>
    %w1, %v1 = shard.update @halve(%w, %v) : !shard.replica<f64, +1>, !shard.owned<tensor<3xf64>, cyclic, +1>
    shard.agree %w1
    shard.advance @w = %w1, @v = %v1
  }
}
protocol.role @keep role 0 of @keep group #protocol.group<universe = 3, epoch = 0, id = "", stride(0, 1, 3)> protocol "5891b5b522d5df086d0ff0b110fbd9d21bb4fc7163af34d08286a2e846f6be03" edges [1, 2] {
  protocol.local at role 0 {
    %w, %v = shard.read @w, @v : !shard.replica<f64, +0>, !shard.owned<tensor<3xf64>, cyclic, +0>
    %w1, %v1 = shard.update @halve(%w, %v) : !shard.replica<f64, +1>, !shard.owned<tensor<3xf64>, cyclic, +1>
    shard.advance @w = %w1, @v = %v1
  }
  protocol.perform checkpoint site 0 over stride(0, 1, 3) {
    protocol.receive from 1 words 5 : i64
    protocol.receive from 2 words 5 : i64
    protocol.send to 1 part 1 words 1 : i64
    protocol.send to 2 part 1 words 1 : i64
  }
  protocol.publish at role 0
}
protocol.role @keep role 1 of @keep group #protocol.group<universe = 3, epoch = 0, id = "", stride(0, 1, 3)> protocol "5891b5b522d5df086d0ff0b110fbd9d21bb4fc7163af34d08286a2e846f6be03" edges [0] {
  protocol.local at role 1 {
    %w, %v = shard.read @w, @v : !shard.replica<f64, +0>, !shard.owned<tensor<3xf64>, cyclic, +0>
    %w1, %v1 = shard.update @halve(%w, %v) : !shard.replica<f64, +1>, !shard.owned<tensor<3xf64>, cyclic, +1>
    shard.advance @w = %w1, @v = %v1
  }
  protocol.perform checkpoint site 0 over stride(0, 1, 3) {
    protocol.send to 0 words 5 : i64
    protocol.receive from 0 part 1 words 1 : i64
  }
  protocol.publish at role 1
}
protocol.role @keep role 2 of @keep group #protocol.group<universe = 3, epoch = 0, id = "", stride(0, 1, 3)> protocol "5891b5b522d5df086d0ff0b110fbd9d21bb4fc7163af34d08286a2e846f6be03" edges [0] {
  protocol.local at role 2 {
    %w, %v = shard.read @w, @v : !shard.replica<f64, +0>, !shard.owned<tensor<3xf64>, cyclic, +0>
    %w1, %v1 = shard.update @halve(%w, %v) : !shard.replica<f64, +1>, !shard.owned<tensor<3xf64>, cyclic, +1>
    shard.advance @w = %w1, @v = %v1
  }
  protocol.perform checkpoint site 0 over stride(0, 1, 3) {
    protocol.send to 0 words 5 : i64
    protocol.receive from 0 part 1 words 1 : i64
  }
  protocol.publish at role 2
}

// -----

// And where somebody does.

region.learner @keep {
  region.state @w : f64 = 1.0
  region.state @v : tensor<3xf64> = dense<1.0>
  pointwise.update @halve(%w : f64, %v : tensor<3xf64>) -> (f64, tensor<3xf64>) {
    %half = arith.constant 0.5 : f64
    %w1 = arith.mulf %w, %half : f64
    %v1 = pointwise.map over [i : 3] (%a = %v[i]) {
      %b = arith.addf %a, %a : f64
      pointwise.yield %b
    } : tensor<3xf64>
    pointwise.return %w1, %v1
  }
  region.round {
    %w, %v = region.read @w, @v : f64, tensor<3xf64>
    %w1, %v1 = pointwise.apply @halve(%w, %v) : f64, tensor<3xf64>
    region.advance @w = %w1, @v = %v1
  }
}
shard.learner @keep owners #shard.owners<3, star> {
  shard.place @w replicated
  shard.place @v by cyclic
  shard.round {
    %w, %v = shard.read @w, @v : !shard.replica<f64, +0>, !shard.owned<tensor<3xf64>, cyclic, +0>
    %w1, %v1 = shard.update @halve(%w, %v) : !shard.replica<f64, +1>, !shard.owned<tensor<3xf64>, cyclic, +1>
    shard.agree %w1
    shard.advance @w = %w1, @v = %v1
  }
}
protocol.role @keep role 0 of @keep group #protocol.group<universe = 3, epoch = 0, id = "", stride(0, 1, 3)> protocol "5891b5b522d5df086d0ff0b110fbd9d21bb4fc7163af34d08286a2e846f6be03" edges [1, 2] {
  protocol.local at role 0 {
    %w, %v = shard.read @w, @v : !shard.replica<f64, +0>, !shard.owned<tensor<3xf64>, cyclic, +0>
    %w1, %v1 = shard.update @halve(%w, %v) : !shard.replica<f64, +1>, !shard.owned<tensor<3xf64>, cyclic, +1>
    shard.advance @w = %w1, @v = %v1
  }
  protocol.perform checkpoint site 0 over stride(0, 1, 3) {
    protocol.receive from 1 words 5 : i64
    protocol.receive from 2 words 5 : i64
    protocol.send to 1 part 1 words 1 : i64
    // expected-error@+2 {{[protocol-orphan-send] expected a receive of site 0 part 1 words 1 : i64 by role 2, found none}}
    // expected-note@+1 {{role 0 is to send to 2, site 0 part 1 words 1 : i64}}
    protocol.send to 2 part 1 words 1 : i64
  }
  protocol.publish at role 0
}
protocol.role @keep role 1 of @keep group #protocol.group<universe = 3, epoch = 0, id = "", stride(0, 1, 3)> protocol "5891b5b522d5df086d0ff0b110fbd9d21bb4fc7163af34d08286a2e846f6be03" edges [0] {
  protocol.local at role 1 {
    %w, %v = shard.read @w, @v : !shard.replica<f64, +0>, !shard.owned<tensor<3xf64>, cyclic, +0>
    %w1, %v1 = shard.update @halve(%w, %v) : !shard.replica<f64, +1>, !shard.owned<tensor<3xf64>, cyclic, +1>
    shard.advance @w = %w1, @v = %v1
  }
  protocol.perform checkpoint site 0 over stride(0, 1, 3) {
    protocol.send to 0 words 5 : i64
    protocol.receive from 0 part 1 words 1 : i64
  }
  protocol.publish at role 1
}
protocol.role @keep role 2 of @keep group #protocol.group<universe = 3, epoch = 0, id = "", stride(0, 1, 3)> protocol "5891b5b522d5df086d0ff0b110fbd9d21bb4fc7163af34d08286a2e846f6be03" edges [0] {
  protocol.local at role 2 {
    %w, %v = shard.read @w, @v : !shard.replica<f64, +0>, !shard.owned<tensor<3xf64>, cyclic, +0>
    %w1, %v1 = shard.update @halve(%w, %v) : !shard.replica<f64, +1>, !shard.owned<tensor<3xf64>, cyclic, +1>
    shard.advance @w = %w1, @v = %v1
  }
  protocol.publish at role 2
}

// -----

// All owners store their words.

region.learner @keep {
  region.state @w : f64 = 1.0
  region.state @v : tensor<3xf64> = dense<1.0>
  pointwise.update @halve(%w : f64, %v : tensor<3xf64>) -> (f64, tensor<3xf64>) {
    %half = arith.constant 0.5 : f64
    %w1 = arith.mulf %w, %half : f64
    %v1 = pointwise.map over [i : 3] (%a = %v[i]) {
      %b = arith.addf %a, %a : f64
      pointwise.yield %b
    } : tensor<3xf64>
    pointwise.return %w1, %v1
  }
  region.round {
    %w, %v = region.read @w, @v : f64, tensor<3xf64>
    %w1, %v1 = pointwise.apply @halve(%w, %v) : f64, tensor<3xf64>
    region.advance @w = %w1, @v = %v1
  }
}
shard.learner @keep owners #shard.owners<3, star> {
  shard.place @w replicated
  shard.place @v by cyclic
  shard.round {
    %w, %v = shard.read @w, @v : !shard.replica<f64, +0>, !shard.owned<tensor<3xf64>, cyclic, +0>
    %w1, %v1 = shard.update @halve(%w, %v) : !shard.replica<f64, +1>, !shard.owned<tensor<3xf64>, cyclic, +1>
    shard.agree %w1
    shard.advance @w = %w1, @v = %v1
  }
}
protocol.role @keep role 0 of @keep group #protocol.group<universe = 3, epoch = 0, id = "", stride(0, 1, 3)> protocol "5891b5b522d5df086d0ff0b110fbd9d21bb4fc7163af34d08286a2e846f6be03" edges [1, 2] {
  protocol.local at role 0 {
    %w, %v = shard.read @w, @v : !shard.replica<f64, +0>, !shard.owned<tensor<3xf64>, cyclic, +0>
    %w1, %v1 = shard.update @halve(%w, %v) : !shard.replica<f64, +1>, !shard.owned<tensor<3xf64>, cyclic, +1>
    shard.advance @w = %w1, @v = %v1
  }
  // expected-error@+1 {{[protocol-publish-missing] expected all 3 owners to store their words in the checkpoint of site 0 at role 0, found those of stride(0, 1, 2)}}
  protocol.perform checkpoint site 0 over stride(0, 1, 2) {
    protocol.receive from 1 words 5 : i64
    protocol.receive from 2 words 5 : i64
    protocol.send to 1 part 1 words 1 : i64
    protocol.send to 2 part 1 words 1 : i64
  }
  protocol.publish at role 0
}
protocol.role @keep role 1 of @keep group #protocol.group<universe = 3, epoch = 0, id = "", stride(0, 1, 3)> protocol "5891b5b522d5df086d0ff0b110fbd9d21bb4fc7163af34d08286a2e846f6be03" edges [0] {
  protocol.local at role 1 {
    %w, %v = shard.read @w, @v : !shard.replica<f64, +0>, !shard.owned<tensor<3xf64>, cyclic, +0>
    %w1, %v1 = shard.update @halve(%w, %v) : !shard.replica<f64, +1>, !shard.owned<tensor<3xf64>, cyclic, +1>
    shard.advance @w = %w1, @v = %v1
  }
  protocol.perform checkpoint site 0 over stride(0, 1, 3) {
    protocol.send to 0 words 5 : i64
    protocol.receive from 0 part 1 words 1 : i64
  }
  protocol.publish at role 1
}
protocol.role @keep role 2 of @keep group #protocol.group<universe = 3, epoch = 0, id = "", stride(0, 1, 3)> protocol "5891b5b522d5df086d0ff0b110fbd9d21bb4fc7163af34d08286a2e846f6be03" edges [0] {
  protocol.local at role 2 {
    %w, %v = shard.read @w, @v : !shard.replica<f64, +0>, !shard.owned<tensor<3xf64>, cyclic, +0>
    %w1, %v1 = shard.update @halve(%w, %v) : !shard.replica<f64, +1>, !shard.owned<tensor<3xf64>, cyclic, +1>
    shard.advance @w = %w1, @v = %v1
  }
  protocol.perform checkpoint site 0 over stride(0, 1, 3) {
    protocol.send to 0 words 5 : i64
    protocol.receive from 0 part 1 words 1 : i64
  }
  protocol.publish at role 2
}

// -----

// Five words say how long a manifest is, and its digest.

region.learner @keep {
  region.state @w : f64 = 1.0
  region.state @v : tensor<3xf64> = dense<1.0>
  pointwise.update @halve(%w : f64, %v : tensor<3xf64>) -> (f64, tensor<3xf64>) {
    %half = arith.constant 0.5 : f64
    %w1 = arith.mulf %w, %half : f64
    %v1 = pointwise.map over [i : 3] (%a = %v[i]) {
      %b = arith.addf %a, %a : f64
      pointwise.yield %b
    } : tensor<3xf64>
    pointwise.return %w1, %v1
  }
  region.round {
    %w, %v = region.read @w, @v : f64, tensor<3xf64>
    %w1, %v1 = pointwise.apply @halve(%w, %v) : f64, tensor<3xf64>
    region.advance @w = %w1, @v = %v1
  }
}
shard.learner @keep owners #shard.owners<3, star> {
  shard.place @w replicated
  shard.place @v by cyclic
  shard.round {
    %w, %v = shard.read @w, @v : !shard.replica<f64, +0>, !shard.owned<tensor<3xf64>, cyclic, +0>
    %w1, %v1 = shard.update @halve(%w, %v) : !shard.replica<f64, +1>, !shard.owned<tensor<3xf64>, cyclic, +1>
    shard.agree %w1
    shard.advance @w = %w1, @v = %v1
  }
}
protocol.role @keep role 0 of @keep group #protocol.group<universe = 3, epoch = 0, id = "", stride(0, 1, 3)> protocol "5891b5b522d5df086d0ff0b110fbd9d21bb4fc7163af34d08286a2e846f6be03" edges [1, 2] {
  protocol.local at role 0 {
    %w, %v = shard.read @w, @v : !shard.replica<f64, +0>, !shard.owned<tensor<3xf64>, cyclic, +0>
    %w1, %v1 = shard.update @halve(%w, %v) : !shard.replica<f64, +1>, !shard.owned<tensor<3xf64>, cyclic, +1>
    shard.advance @w = %w1, @v = %v1
  }
  protocol.perform checkpoint site 0 over stride(0, 1, 3) {
    protocol.receive from 1 words 5 : i64
    protocol.receive from 2 words 5 : i64
    protocol.send to 1 part 1 words 1 : i64
    protocol.send to 2 part 1 words 1 : i64
  }
  protocol.publish at role 0
}
protocol.role @keep role 1 of @keep group #protocol.group<universe = 3, epoch = 0, id = "", stride(0, 1, 3)> protocol "5891b5b522d5df086d0ff0b110fbd9d21bb4fc7163af34d08286a2e846f6be03" edges [0] {
  protocol.local at role 1 {
    %w, %v = shard.read @w, @v : !shard.replica<f64, +0>, !shard.owned<tensor<3xf64>, cyclic, +0>
    %w1, %v1 = shard.update @halve(%w, %v) : !shard.replica<f64, +1>, !shard.owned<tensor<3xf64>, cyclic, +1>
    shard.advance @w = %w1, @v = %v1
  }
  protocol.perform checkpoint site 0 over stride(0, 1, 3) {
    protocol.send to 0 words 5 : i64
    protocol.receive from 0 part 1 words 1 : i64
  }
  protocol.publish at role 1
}
protocol.role @keep role 2 of @keep group #protocol.group<universe = 3, epoch = 0, id = "", stride(0, 1, 3)> protocol "5891b5b522d5df086d0ff0b110fbd9d21bb4fc7163af34d08286a2e846f6be03" edges [0] {
  protocol.local at role 2 {
    %w, %v = shard.read @w, @v : !shard.replica<f64, +0>, !shard.owned<tensor<3xf64>, cyclic, +0>
    %w1, %v1 = shard.update @halve(%w, %v) : !shard.replica<f64, +1>, !shard.owned<tensor<3xf64>, cyclic, +1>
    shard.advance @w = %w1, @v = %v1
  }
  protocol.perform checkpoint site 0 over stride(0, 1, 3) {
    // expected-error@+1 {{[protocol-step-frames] expected words 5 : i64 in the checkpoint of site 0 at role 2, found words 4 : i64}}
    protocol.send to 0 words 4 : i64
    protocol.receive from 0 part 1 words 1 : i64
  }
  protocol.publish at role 2
}

// -----

// A manifest says what those below it are, so they come first.

region.learner @keep {
  region.state @w : f64 = 1.0
  region.state @v : tensor<3xf64> = dense<1.0>
  pointwise.update @halve(%w : f64, %v : tensor<3xf64>) -> (f64, tensor<3xf64>) {
    %half = arith.constant 0.5 : f64
    %w1 = arith.mulf %w, %half : f64
    %v1 = pointwise.map over [i : 3] (%a = %v[i]) {
      %b = arith.addf %a, %a : f64
      pointwise.yield %b
    } : tensor<3xf64>
    pointwise.return %w1, %v1
  }
  region.round {
    %w, %v = region.read @w, @v : f64, tensor<3xf64>
    %w1, %v1 = pointwise.apply @halve(%w, %v) : f64, tensor<3xf64>
    region.advance @w = %w1, @v = %v1
  }
}
shard.learner @keep owners #shard.owners<3, star> {
  shard.place @w replicated
  shard.place @v by cyclic
  shard.round {
    %w, %v = shard.read @w, @v : !shard.replica<f64, +0>, !shard.owned<tensor<3xf64>, cyclic, +0>
    %w1, %v1 = shard.update @halve(%w, %v) : !shard.replica<f64, +1>, !shard.owned<tensor<3xf64>, cyclic, +1>
    shard.agree %w1
    shard.advance @w = %w1, @v = %v1
  }
}
protocol.role @keep role 0 of @keep group #protocol.group<universe = 3, epoch = 0, id = "", stride(0, 1, 3)> protocol "5891b5b522d5df086d0ff0b110fbd9d21bb4fc7163af34d08286a2e846f6be03" edges [1] {
  protocol.local at role 0 {
    %w, %v = shard.read @w, @v : !shard.replica<f64, +0>, !shard.owned<tensor<3xf64>, cyclic, +0>
    %w1, %v1 = shard.update @halve(%w, %v) : !shard.replica<f64, +1>, !shard.owned<tensor<3xf64>, cyclic, +1>
    shard.advance @w = %w1, @v = %v1
  }
  protocol.perform checkpoint site 0 over stride(0, 1, 3) {
    protocol.receive from 1 words 5 : i64
    protocol.send to 1 part 1 words 1 : i64
  }
  protocol.publish at role 0
}
protocol.role @keep role 1 of @keep group #protocol.group<universe = 3, epoch = 0, id = "", stride(0, 1, 3)> protocol "5891b5b522d5df086d0ff0b110fbd9d21bb4fc7163af34d08286a2e846f6be03" edges [0, 2] {
  protocol.local at role 1 {
    %w, %v = shard.read @w, @v : !shard.replica<f64, +0>, !shard.owned<tensor<3xf64>, cyclic, +0>
    %w1, %v1 = shard.update @halve(%w, %v) : !shard.replica<f64, +1>, !shard.owned<tensor<3xf64>, cyclic, +1>
    shard.advance @w = %w1, @v = %v1
  }
  protocol.perform checkpoint site 0 over stride(0, 1, 3) {
    // expected-error@+1 {{[protocol-step-frames] expected what is received before what is made of it is sent in the checkpoint of site 0 at role 1, found a frame that is sent before}}
    protocol.send to 0 words 5 : i64
    protocol.receive from 2 words 5 : i64
    protocol.receive from 0 part 1 words 1 : i64
    protocol.send to 2 part 1 words 1 : i64
  }
  protocol.publish at role 1
}
protocol.role @keep role 2 of @keep group #protocol.group<universe = 3, epoch = 0, id = "", stride(0, 1, 3)> protocol "5891b5b522d5df086d0ff0b110fbd9d21bb4fc7163af34d08286a2e846f6be03" edges [1] {
  protocol.local at role 2 {
    %w, %v = shard.read @w, @v : !shard.replica<f64, +0>, !shard.owned<tensor<3xf64>, cyclic, +0>
    %w1, %v1 = shard.update @halve(%w, %v) : !shard.replica<f64, +1>, !shard.owned<tensor<3xf64>, cyclic, +1>
    shard.advance @w = %w1, @v = %v1
  }
  protocol.perform checkpoint site 0 over stride(0, 1, 3) {
    protocol.send to 1 words 5 : i64
    protocol.receive from 1 part 1 words 1 : i64
  }
  protocol.publish at role 2
}

// -----

// accepted: a chain, whatever the topology of the learner is
region.learner @keep {
  region.state @w : f64 = 1.0
  region.state @v : tensor<3xf64> = dense<1.0>
  pointwise.update @halve(%w : f64, %v : tensor<3xf64>) -> (f64, tensor<3xf64>) {
    %half = arith.constant 0.5 : f64
    %w1 = arith.mulf %w, %half : f64
    %v1 = pointwise.map over [i : 3] (%a = %v[i]) {
      %b = arith.addf %a, %a : f64
      pointwise.yield %b
    } : tensor<3xf64>
    pointwise.return %w1, %v1
  }
  region.round {
    %w, %v = region.read @w, @v : f64, tensor<3xf64>
    %w1, %v1 = pointwise.apply @halve(%w, %v) : f64, tensor<3xf64>
    region.advance @w = %w1, @v = %v1
  }
}
shard.learner @keep owners #shard.owners<3, star> {
  shard.place @w replicated
  shard.place @v by cyclic
  shard.round {
    %w, %v = shard.read @w, @v : !shard.replica<f64, +0>, !shard.owned<tensor<3xf64>, cyclic, +0>
    %w1, %v1 = shard.update @halve(%w, %v) : !shard.replica<f64, +1>, !shard.owned<tensor<3xf64>, cyclic, +1>
    shard.agree %w1
    shard.advance @w = %w1, @v = %v1
  }
}
protocol.role @keep role 0 of @keep group #protocol.group<universe = 3, epoch = 0, id = "", stride(0, 1, 3)> protocol "5891b5b522d5df086d0ff0b110fbd9d21bb4fc7163af34d08286a2e846f6be03" edges [1] {
  protocol.local at role 0 {
    %w, %v = shard.read @w, @v : !shard.replica<f64, +0>, !shard.owned<tensor<3xf64>, cyclic, +0>
    %w1, %v1 = shard.update @halve(%w, %v) : !shard.replica<f64, +1>, !shard.owned<tensor<3xf64>, cyclic, +1>
    shard.advance @w = %w1, @v = %v1
  }
  protocol.perform checkpoint site 0 over stride(0, 1, 3) {
    protocol.receive from 1 words 5 : i64
    protocol.send to 1 part 1 words 1 : i64
  }
  protocol.publish at role 0
}
protocol.role @keep role 1 of @keep group #protocol.group<universe = 3, epoch = 0, id = "", stride(0, 1, 3)> protocol "5891b5b522d5df086d0ff0b110fbd9d21bb4fc7163af34d08286a2e846f6be03" edges [0, 2] {
  protocol.local at role 1 {
    %w, %v = shard.read @w, @v : !shard.replica<f64, +0>, !shard.owned<tensor<3xf64>, cyclic, +0>
    %w1, %v1 = shard.update @halve(%w, %v) : !shard.replica<f64, +1>, !shard.owned<tensor<3xf64>, cyclic, +1>
    shard.advance @w = %w1, @v = %v1
  }
  protocol.perform checkpoint site 0 over stride(0, 1, 3) {
    protocol.receive from 2 words 5 : i64
    protocol.send to 0 words 5 : i64
    protocol.receive from 0 part 1 words 1 : i64
    protocol.send to 2 part 1 words 1 : i64
  }
  protocol.publish at role 1
}
protocol.role @keep role 2 of @keep group #protocol.group<universe = 3, epoch = 0, id = "", stride(0, 1, 3)> protocol "5891b5b522d5df086d0ff0b110fbd9d21bb4fc7163af34d08286a2e846f6be03" edges [1] {
  protocol.local at role 2 {
    %w, %v = shard.read @w, @v : !shard.replica<f64, +0>, !shard.owned<tensor<3xf64>, cyclic, +0>
    %w1, %v1 = shard.update @halve(%w, %v) : !shard.replica<f64, +1>, !shard.owned<tensor<3xf64>, cyclic, +1>
    shard.advance @w = %w1, @v = %v1
  }
  protocol.perform checkpoint site 0 over stride(0, 1, 3) {
    protocol.send to 1 words 5 : i64
    protocol.receive from 1 part 1 words 1 : i64
  }
  protocol.publish at role 2
}

// -----

// Nobody hears that a generation is published before its own manifest is there.

region.learner @keep {
  region.state @w : f64 = 1.0
  region.state @v : tensor<3xf64> = dense<1.0>
  pointwise.update @halve(%w : f64, %v : tensor<3xf64>) -> (f64, tensor<3xf64>) {
    %half = arith.constant 0.5 : f64
    %w1 = arith.mulf %w, %half : f64
    %v1 = pointwise.map over [i : 3] (%a = %v[i]) {
      %b = arith.addf %a, %a : f64
      pointwise.yield %b
    } : tensor<3xf64>
    pointwise.return %w1, %v1
  }
  region.round {
    %w, %v = region.read @w, @v : f64, tensor<3xf64>
    %w1, %v1 = pointwise.apply @halve(%w, %v) : f64, tensor<3xf64>
    region.advance @w = %w1, @v = %v1
  }
}
shard.learner @keep owners #shard.owners<3, star> {
  shard.place @w replicated
  shard.place @v by cyclic
  shard.round {
    %w, %v = shard.read @w, @v : !shard.replica<f64, +0>, !shard.owned<tensor<3xf64>, cyclic, +0>
    %w1, %v1 = shard.update @halve(%w, %v) : !shard.replica<f64, +1>, !shard.owned<tensor<3xf64>, cyclic, +1>
    shard.agree %w1
    shard.advance @w = %w1, @v = %v1
  }
}
protocol.role @keep role 0 of @keep group #protocol.group<universe = 3, epoch = 0, id = "", stride(0, 1, 3)> protocol "5891b5b522d5df086d0ff0b110fbd9d21bb4fc7163af34d08286a2e846f6be03" edges [1, 2] {
  protocol.local at role 0 {
    %w, %v = shard.read @w, @v : !shard.replica<f64, +0>, !shard.owned<tensor<3xf64>, cyclic, +0>
    %w1, %v1 = shard.update @halve(%w, %v) : !shard.replica<f64, +1>, !shard.owned<tensor<3xf64>, cyclic, +1>
    shard.advance @w = %w1, @v = %v1
  }
  protocol.perform checkpoint site 0 over stride(0, 1, 3) {
    protocol.receive from 1 words 5 : i64
    // expected-error@+2 {{[protocol-wait-cycle] expected an order in which roles never wait for each other in a circle, found role 0: receive from 2, site 0 words 5 : i64; role 2: receive from 0, site 0 part 1 words 1 : i64; role 0}}
    // expected-note@+1 {{role 0 waits for role 2: receive from 2, site 0 words 5 : i64}}
    protocol.receive from 2 words 5 : i64
    protocol.send to 1 part 1 words 1 : i64
    protocol.send to 2 part 1 words 1 : i64
  }
  protocol.publish at role 0
}
protocol.role @keep role 1 of @keep group #protocol.group<universe = 3, epoch = 0, id = "", stride(0, 1, 3)> protocol "5891b5b522d5df086d0ff0b110fbd9d21bb4fc7163af34d08286a2e846f6be03" edges [0] {
  protocol.local at role 1 {
    %w, %v = shard.read @w, @v : !shard.replica<f64, +0>, !shard.owned<tensor<3xf64>, cyclic, +0>
    %w1, %v1 = shard.update @halve(%w, %v) : !shard.replica<f64, +1>, !shard.owned<tensor<3xf64>, cyclic, +1>
    shard.advance @w = %w1, @v = %v1
  }
  protocol.perform checkpoint site 0 over stride(0, 1, 3) {
    protocol.send to 0 words 5 : i64
    protocol.receive from 0 part 1 words 1 : i64
  }
  protocol.publish at role 1
}
protocol.role @keep role 2 of @keep group #protocol.group<universe = 3, epoch = 0, id = "", stride(0, 1, 3)> protocol "5891b5b522d5df086d0ff0b110fbd9d21bb4fc7163af34d08286a2e846f6be03" edges [0] {
  protocol.local at role 2 {
    %w, %v = shard.read @w, @v : !shard.replica<f64, +0>, !shard.owned<tensor<3xf64>, cyclic, +0>
    %w1, %v1 = shard.update @halve(%w, %v) : !shard.replica<f64, +1>, !shard.owned<tensor<3xf64>, cyclic, +1>
    shard.advance @w = %w1, @v = %v1
  }
  protocol.perform checkpoint site 0 over stride(0, 1, 3) {
    // expected-note@+1 {{role 2 waits for role 0: receive from 0, site 0 part 1 words 1 : i64}}
    protocol.receive from 0 part 1 words 1 : i64
    protocol.send to 0 words 5 : i64
  }
  protocol.publish at role 2
}

// -----

// One role publishes it.

region.learner @keep {
  region.state @w : f64 = 1.0
  region.state @v : tensor<3xf64> = dense<1.0>
  pointwise.update @halve(%w : f64, %v : tensor<3xf64>) -> (f64, tensor<3xf64>) {
    %half = arith.constant 0.5 : f64
    %w1 = arith.mulf %w, %half : f64
    %v1 = pointwise.map over [i : 3] (%a = %v[i]) {
      %b = arith.addf %a, %a : f64
      pointwise.yield %b
    } : tensor<3xf64>
    pointwise.return %w1, %v1
  }
  region.round {
    %w, %v = region.read @w, @v : f64, tensor<3xf64>
    %w1, %v1 = pointwise.apply @halve(%w, %v) : f64, tensor<3xf64>
    region.advance @w = %w1, @v = %v1
  }
}
shard.learner @keep owners #shard.owners<3, star> {
  shard.place @w replicated
  shard.place @v by cyclic
  shard.round {
    %w, %v = shard.read @w, @v : !shard.replica<f64, +0>, !shard.owned<tensor<3xf64>, cyclic, +0>
    %w1, %v1 = shard.update @halve(%w, %v) : !shard.replica<f64, +1>, !shard.owned<tensor<3xf64>, cyclic, +1>
    shard.agree %w1
    shard.advance @w = %w1, @v = %v1
  }
}
protocol.role @keep role 0 of @keep group #protocol.group<universe = 3, epoch = 0, id = "", stride(0, 1, 3)> protocol "5891b5b522d5df086d0ff0b110fbd9d21bb4fc7163af34d08286a2e846f6be03" edges [1] {
  protocol.local at role 0 {
    %w, %v = shard.read @w, @v : !shard.replica<f64, +0>, !shard.owned<tensor<3xf64>, cyclic, +0>
    %w1, %v1 = shard.update @halve(%w, %v) : !shard.replica<f64, +1>, !shard.owned<tensor<3xf64>, cyclic, +1>
    shard.advance @w = %w1, @v = %v1
  }
  protocol.perform checkpoint site 0 over stride(0, 1, 3) {
    protocol.receive from 1 words 5 : i64
    protocol.send to 1 part 1 words 1 : i64
  }
  protocol.publish at role 0
}
protocol.role @keep role 1 of @keep group #protocol.group<universe = 3, epoch = 0, id = "", stride(0, 1, 3)> protocol "5891b5b522d5df086d0ff0b110fbd9d21bb4fc7163af34d08286a2e846f6be03" edges [0] {
  protocol.local at role 1 {
    %w, %v = shard.read @w, @v : !shard.replica<f64, +0>, !shard.owned<tensor<3xf64>, cyclic, +0>
    %w1, %v1 = shard.update @halve(%w, %v) : !shard.replica<f64, +1>, !shard.owned<tensor<3xf64>, cyclic, +1>
    shard.advance @w = %w1, @v = %v1
  }
  protocol.perform checkpoint site 0 over stride(0, 1, 3) {
    protocol.send to 0 words 5 : i64
    protocol.receive from 0 part 1 words 1 : i64
  }
  protocol.publish at role 1
}
protocol.role @keep role 2 of @keep group #protocol.group<universe = 3, epoch = 0, id = "", stride(0, 1, 3)> protocol "5891b5b522d5df086d0ff0b110fbd9d21bb4fc7163af34d08286a2e846f6be03" edges [] {
  protocol.local at role 2 {
    %w, %v = shard.read @w, @v : !shard.replica<f64, +0>, !shard.owned<tensor<3xf64>, cyclic, +0>
    %w1, %v1 = shard.update @halve(%w, %v) : !shard.replica<f64, +1>, !shard.owned<tensor<3xf64>, cyclic, +1>
    shard.advance @w = %w1, @v = %v1
  }
  // expected-error@+1 {{[protocol-step-differs] expected one role that publishes the generation at site 0, found 0, 2}}
  protocol.perform checkpoint site 0 over stride(0, 1, 3) {
  }
  protocol.publish at role 2
}

// -----

// A version is stored once.

region.learner @keep {
  region.state @w : f64 = 1.0
  region.state @v : tensor<3xf64> = dense<1.0>
  pointwise.update @halve(%w : f64, %v : tensor<3xf64>) -> (f64, tensor<3xf64>) {
    %half = arith.constant 0.5 : f64
    %w1 = arith.mulf %w, %half : f64
    %v1 = pointwise.map over [i : 3] (%a = %v[i]) {
      %b = arith.addf %a, %a : f64
      pointwise.yield %b
    } : tensor<3xf64>
    pointwise.return %w1, %v1
  }
  region.round {
    %w, %v = region.read @w, @v : f64, tensor<3xf64>
    %w1, %v1 = pointwise.apply @halve(%w, %v) : f64, tensor<3xf64>
    region.advance @w = %w1, @v = %v1
  }
}
shard.learner @keep owners #shard.owners<3, star> {
  shard.place @w replicated
  shard.place @v by cyclic
  shard.round {
    %w, %v = shard.read @w, @v : !shard.replica<f64, +0>, !shard.owned<tensor<3xf64>, cyclic, +0>
    %w1, %v1 = shard.update @halve(%w, %v) : !shard.replica<f64, +1>, !shard.owned<tensor<3xf64>, cyclic, +1>
    shard.agree %w1
    shard.advance @w = %w1, @v = %v1
  }
}
protocol.role @keep role 0 of @keep group #protocol.group<universe = 3, epoch = 0, id = "", stride(0, 1, 3)> protocol "5891b5b522d5df086d0ff0b110fbd9d21bb4fc7163af34d08286a2e846f6be03" edges [1, 2] {
  protocol.local at role 0 {
    %w, %v = shard.read @w, @v : !shard.replica<f64, +0>, !shard.owned<tensor<3xf64>, cyclic, +0>
    %w1, %v1 = shard.update @halve(%w, %v) : !shard.replica<f64, +1>, !shard.owned<tensor<3xf64>, cyclic, +1>
    shard.advance @w = %w1, @v = %v1
  }
  // expected-note@+1 {{it is stored here}}
  protocol.perform checkpoint site 0 over stride(0, 1, 3) {
    protocol.receive from 1 words 5 : i64
    protocol.receive from 2 words 5 : i64
    protocol.send to 1 part 1 words 1 : i64
    protocol.send to 2 part 1 words 1 : i64
  }
  // expected-error@+1 {{[region-identity] expected one checkpoint of a version, found two}}
  protocol.perform checkpoint site 1 over stride(0, 1, 3) {
    protocol.receive from 1 words 5 : i64
    protocol.receive from 2 words 5 : i64
    protocol.send to 1 part 1 words 1 : i64
    protocol.send to 2 part 1 words 1 : i64
  }
  protocol.publish at role 0
}
protocol.role @keep role 1 of @keep group #protocol.group<universe = 3, epoch = 0, id = "", stride(0, 1, 3)> protocol "5891b5b522d5df086d0ff0b110fbd9d21bb4fc7163af34d08286a2e846f6be03" edges [0] {
  protocol.local at role 1 {
    %w, %v = shard.read @w, @v : !shard.replica<f64, +0>, !shard.owned<tensor<3xf64>, cyclic, +0>
    %w1, %v1 = shard.update @halve(%w, %v) : !shard.replica<f64, +1>, !shard.owned<tensor<3xf64>, cyclic, +1>
    shard.advance @w = %w1, @v = %v1
  }
  protocol.perform checkpoint site 0 over stride(0, 1, 3) {
    protocol.send to 0 words 5 : i64
    protocol.receive from 0 part 1 words 1 : i64
  }
  protocol.perform checkpoint site 1 over stride(0, 1, 3) {
    protocol.send to 0 words 5 : i64
    protocol.receive from 0 part 1 words 1 : i64
  }
  protocol.publish at role 1
}
protocol.role @keep role 2 of @keep group #protocol.group<universe = 3, epoch = 0, id = "", stride(0, 1, 3)> protocol "5891b5b522d5df086d0ff0b110fbd9d21bb4fc7163af34d08286a2e846f6be03" edges [0] {
  protocol.local at role 2 {
    %w, %v = shard.read @w, @v : !shard.replica<f64, +0>, !shard.owned<tensor<3xf64>, cyclic, +0>
    %w1, %v1 = shard.update @halve(%w, %v) : !shard.replica<f64, +1>, !shard.owned<tensor<3xf64>, cyclic, +1>
    shard.advance @w = %w1, @v = %v1
  }
  protocol.perform checkpoint site 0 over stride(0, 1, 3) {
    protocol.send to 0 words 5 : i64
    protocol.receive from 0 part 1 words 1 : i64
  }
  protocol.perform checkpoint site 1 over stride(0, 1, 3) {
    protocol.send to 0 words 5 : i64
    protocol.receive from 0 part 1 words 1 : i64
  }
  protocol.publish at role 2
}

// -----

// accepted: the version advances in between
region.learner @keep {
  region.state @w : f64 = 1.0
  region.state @v : tensor<3xf64> = dense<1.0>
  pointwise.update @halve(%w : f64, %v : tensor<3xf64>) -> (f64, tensor<3xf64>) {
    %half = arith.constant 0.5 : f64
    %w1 = arith.mulf %w, %half : f64
    %v1 = pointwise.map over [i : 3] (%a = %v[i]) {
      %b = arith.addf %a, %a : f64
      pointwise.yield %b
    } : tensor<3xf64>
    pointwise.return %w1, %v1
  }
  region.round {
    %w, %v = region.read @w, @v : f64, tensor<3xf64>
    %w1, %v1 = pointwise.apply @halve(%w, %v) : f64, tensor<3xf64>
    region.advance @w = %w1, @v = %v1
  }
}
shard.learner @keep owners #shard.owners<3, star> {
  shard.place @w replicated
  shard.place @v by cyclic
  shard.round {
    %w, %v = shard.read @w, @v : !shard.replica<f64, +0>, !shard.owned<tensor<3xf64>, cyclic, +0>
    %w1, %v1 = shard.update @halve(%w, %v) : !shard.replica<f64, +1>, !shard.owned<tensor<3xf64>, cyclic, +1>
    shard.agree %w1
    shard.advance @w = %w1, @v = %v1
  }
}
protocol.role @keep role 0 of @keep group #protocol.group<universe = 3, epoch = 0, id = "", stride(0, 1, 3)> protocol "5891b5b522d5df086d0ff0b110fbd9d21bb4fc7163af34d08286a2e846f6be03" edges [1, 2] {
  protocol.local at role 0 {
    %w, %v = shard.read @w, @v : !shard.replica<f64, +0>, !shard.owned<tensor<3xf64>, cyclic, +0>
    %w1, %v1 = shard.update @halve(%w, %v) : !shard.replica<f64, +1>, !shard.owned<tensor<3xf64>, cyclic, +1>
    shard.advance @w = %w1, @v = %v1
  }
  protocol.perform checkpoint site 0 over stride(0, 1, 3) {
    protocol.receive from 1 words 5 : i64
    protocol.receive from 2 words 5 : i64
    protocol.send to 1 part 1 words 1 : i64
    protocol.send to 2 part 1 words 1 : i64
  }
  protocol.local at role 0 {
    %w, %v = shard.read @w, @v : !shard.replica<f64, +0>, !shard.owned<tensor<3xf64>, cyclic, +0>
    %w1, %v1 = shard.update @halve(%w, %v) : !shard.replica<f64, +1>, !shard.owned<tensor<3xf64>, cyclic, +1>
    shard.advance @w = %w1, @v = %v1
  }
  protocol.perform checkpoint site 1 over stride(0, 1, 3) {
    protocol.receive from 1 words 5 : i64
    protocol.receive from 2 words 5 : i64
    protocol.send to 1 part 1 words 1 : i64
    protocol.send to 2 part 1 words 1 : i64
  }
  protocol.publish at role 0
}
protocol.role @keep role 1 of @keep group #protocol.group<universe = 3, epoch = 0, id = "", stride(0, 1, 3)> protocol "5891b5b522d5df086d0ff0b110fbd9d21bb4fc7163af34d08286a2e846f6be03" edges [0] {
  protocol.local at role 1 {
    %w, %v = shard.read @w, @v : !shard.replica<f64, +0>, !shard.owned<tensor<3xf64>, cyclic, +0>
    %w1, %v1 = shard.update @halve(%w, %v) : !shard.replica<f64, +1>, !shard.owned<tensor<3xf64>, cyclic, +1>
    shard.advance @w = %w1, @v = %v1
  }
  protocol.perform checkpoint site 0 over stride(0, 1, 3) {
    protocol.send to 0 words 5 : i64
    protocol.receive from 0 part 1 words 1 : i64
  }
  protocol.local at role 1 {
    %w, %v = shard.read @w, @v : !shard.replica<f64, +0>, !shard.owned<tensor<3xf64>, cyclic, +0>
    %w1, %v1 = shard.update @halve(%w, %v) : !shard.replica<f64, +1>, !shard.owned<tensor<3xf64>, cyclic, +1>
    shard.advance @w = %w1, @v = %v1
  }
  protocol.perform checkpoint site 1 over stride(0, 1, 3) {
    protocol.send to 0 words 5 : i64
    protocol.receive from 0 part 1 words 1 : i64
  }
  protocol.publish at role 1
}
protocol.role @keep role 2 of @keep group #protocol.group<universe = 3, epoch = 0, id = "", stride(0, 1, 3)> protocol "5891b5b522d5df086d0ff0b110fbd9d21bb4fc7163af34d08286a2e846f6be03" edges [0] {
  protocol.local at role 2 {
    %w, %v = shard.read @w, @v : !shard.replica<f64, +0>, !shard.owned<tensor<3xf64>, cyclic, +0>
    %w1, %v1 = shard.update @halve(%w, %v) : !shard.replica<f64, +1>, !shard.owned<tensor<3xf64>, cyclic, +1>
    shard.advance @w = %w1, @v = %v1
  }
  protocol.perform checkpoint site 0 over stride(0, 1, 3) {
    protocol.send to 0 words 5 : i64
    protocol.receive from 0 part 1 words 1 : i64
  }
  protocol.local at role 2 {
    %w, %v = shard.read @w, @v : !shard.replica<f64, +0>, !shard.owned<tensor<3xf64>, cyclic, +0>
    %w1, %v1 = shard.update @halve(%w, %v) : !shard.replica<f64, +1>, !shard.owned<tensor<3xf64>, cyclic, +1>
    shard.advance @w = %w1, @v = %v1
  }
  protocol.perform checkpoint site 1 over stride(0, 1, 3) {
    protocol.send to 0 words 5 : i64
    protocol.receive from 0 part 1 words 1 : i64
  }
  protocol.publish at role 2
}

// -----

// All roles begin at one version.

region.learner @keep {
  region.state @w : f64 = 1.0
  region.state @v : tensor<3xf64> = dense<1.0>
  pointwise.update @halve(%w : f64, %v : tensor<3xf64>) -> (f64, tensor<3xf64>) {
    %half = arith.constant 0.5 : f64
    %w1 = arith.mulf %w, %half : f64
    %v1 = pointwise.map over [i : 3] (%a = %v[i]) {
      %b = arith.addf %a, %a : f64
      pointwise.yield %b
    } : tensor<3xf64>
    pointwise.return %w1, %v1
  }
  region.round {
    %w, %v = region.read @w, @v : f64, tensor<3xf64>
    %w1, %v1 = pointwise.apply @halve(%w, %v) : f64, tensor<3xf64>
    region.advance @w = %w1, @v = %v1
  }
}
shard.learner @keep owners #shard.owners<3, star> {
  shard.place @w replicated
  shard.place @v by cyclic
  shard.round {
    %w, %v = shard.read @w, @v : !shard.replica<f64, +0>, !shard.owned<tensor<3xf64>, cyclic, +0>
    %w1, %v1 = shard.update @halve(%w, %v) : !shard.replica<f64, +1>, !shard.owned<tensor<3xf64>, cyclic, +1>
    shard.agree %w1
    shard.advance @w = %w1, @v = %v1
  }
}
// expected-note@+1 {{the other role is here}}
protocol.role @keep role 0 of @keep group #protocol.group<universe = 3, epoch = 0, id = "", stride(0, 1, 3)> resumed #protocol.start<7, "5891b5b522d5df086d0ff0b110fbd9d21bb4fc7163af34d08286a2e846f6be03"> protocol "5891b5b522d5df086d0ff0b110fbd9d21bb4fc7163af34d08286a2e846f6be03" edges [1, 2] {
  protocol.local at role 0 {
    %w, %v = shard.read @w, @v : !shard.replica<f64, +0>, !shard.owned<tensor<3xf64>, cyclic, +0>
    %w1, %v1 = shard.update @halve(%w, %v) : !shard.replica<f64, +1>, !shard.owned<tensor<3xf64>, cyclic, +1>
    shard.advance @w = %w1, @v = %v1
  }
  protocol.perform checkpoint site 0 over stride(0, 1, 3) {
    protocol.receive from 1 words 5 : i64
    protocol.receive from 2 words 5 : i64
    protocol.send to 1 part 1 words 1 : i64
    protocol.send to 2 part 1 words 1 : i64
  }
  protocol.publish at role 0
}
protocol.role @keep role 1 of @keep group #protocol.group<universe = 3, epoch = 0, id = "", stride(0, 1, 3)> resumed #protocol.start<7, "5891b5b522d5df086d0ff0b110fbd9d21bb4fc7163af34d08286a2e846f6be03"> protocol "5891b5b522d5df086d0ff0b110fbd9d21bb4fc7163af34d08286a2e846f6be03" edges [0] {
  protocol.local at role 1 {
    %w, %v = shard.read @w, @v : !shard.replica<f64, +0>, !shard.owned<tensor<3xf64>, cyclic, +0>
    %w1, %v1 = shard.update @halve(%w, %v) : !shard.replica<f64, +1>, !shard.owned<tensor<3xf64>, cyclic, +1>
    shard.advance @w = %w1, @v = %v1
  }
  protocol.perform checkpoint site 0 over stride(0, 1, 3) {
    protocol.send to 0 words 5 : i64
    protocol.receive from 0 part 1 words 1 : i64
  }
  protocol.publish at role 1
}
// expected-error@+1 {{[protocol-digest-mismatch] expected the start of role 0, resumed 7, "5891b5b522d5df086d0ff0b110fbd9d21bb4fc7163af34d08286a2e846f6be03", found resumed 8, "5891b5b522d5df086d0ff0b110fbd9d21bb4fc7163af34d08286a2e846f6be03" of role 2}}
protocol.role @keep role 2 of @keep group #protocol.group<universe = 3, epoch = 0, id = "", stride(0, 1, 3)> resumed #protocol.start<8, "5891b5b522d5df086d0ff0b110fbd9d21bb4fc7163af34d08286a2e846f6be03"> protocol "5891b5b522d5df086d0ff0b110fbd9d21bb4fc7163af34d08286a2e846f6be03" edges [0] {
  protocol.local at role 2 {
    %w, %v = shard.read @w, @v : !shard.replica<f64, +0>, !shard.owned<tensor<3xf64>, cyclic, +0>
    %w1, %v1 = shard.update @halve(%w, %v) : !shard.replica<f64, +1>, !shard.owned<tensor<3xf64>, cyclic, +1>
    shard.advance @w = %w1, @v = %v1
  }
  protocol.perform checkpoint site 0 over stride(0, 1, 3) {
    protocol.send to 0 words 5 : i64
    protocol.receive from 0 part 1 words 1 : i64
  }
  protocol.publish at role 2
}

// -----

// accepted:
region.learner @keep {
  region.state @w : f64 = 1.0
  region.state @v : tensor<3xf64> = dense<1.0>
  pointwise.update @halve(%w : f64, %v : tensor<3xf64>) -> (f64, tensor<3xf64>) {
    %half = arith.constant 0.5 : f64
    %w1 = arith.mulf %w, %half : f64
    %v1 = pointwise.map over [i : 3] (%a = %v[i]) {
      %b = arith.addf %a, %a : f64
      pointwise.yield %b
    } : tensor<3xf64>
    pointwise.return %w1, %v1
  }
  region.round {
    %w, %v = region.read @w, @v : f64, tensor<3xf64>
    %w1, %v1 = pointwise.apply @halve(%w, %v) : f64, tensor<3xf64>
    region.advance @w = %w1, @v = %v1
  }
}
shard.learner @keep owners #shard.owners<3, star> {
  shard.place @w replicated
  shard.place @v by cyclic
  shard.round {
    %w, %v = shard.read @w, @v : !shard.replica<f64, +0>, !shard.owned<tensor<3xf64>, cyclic, +0>
    %w1, %v1 = shard.update @halve(%w, %v) : !shard.replica<f64, +1>, !shard.owned<tensor<3xf64>, cyclic, +1>
    shard.agree %w1
    shard.advance @w = %w1, @v = %v1
  }
}
protocol.role @keep role 0 of @keep group #protocol.group<universe = 3, epoch = 0, id = "", stride(0, 1, 3)> resumed #protocol.start<7, "5891b5b522d5df086d0ff0b110fbd9d21bb4fc7163af34d08286a2e846f6be03"> protocol "5891b5b522d5df086d0ff0b110fbd9d21bb4fc7163af34d08286a2e846f6be03" edges [1, 2] {
  protocol.local at role 0 {
    %w, %v = shard.read @w, @v : !shard.replica<f64, +0>, !shard.owned<tensor<3xf64>, cyclic, +0>
    %w1, %v1 = shard.update @halve(%w, %v) : !shard.replica<f64, +1>, !shard.owned<tensor<3xf64>, cyclic, +1>
    shard.advance @w = %w1, @v = %v1
  }
  protocol.perform checkpoint site 0 over stride(0, 1, 3) {
    protocol.receive from 1 words 5 : i64
    protocol.receive from 2 words 5 : i64
    protocol.send to 1 part 1 words 1 : i64
    protocol.send to 2 part 1 words 1 : i64
  }
  protocol.publish at role 0
}
protocol.role @keep role 1 of @keep group #protocol.group<universe = 3, epoch = 0, id = "", stride(0, 1, 3)> resumed #protocol.start<7, "5891b5b522d5df086d0ff0b110fbd9d21bb4fc7163af34d08286a2e846f6be03"> protocol "5891b5b522d5df086d0ff0b110fbd9d21bb4fc7163af34d08286a2e846f6be03" edges [0] {
  protocol.local at role 1 {
    %w, %v = shard.read @w, @v : !shard.replica<f64, +0>, !shard.owned<tensor<3xf64>, cyclic, +0>
    %w1, %v1 = shard.update @halve(%w, %v) : !shard.replica<f64, +1>, !shard.owned<tensor<3xf64>, cyclic, +1>
    shard.advance @w = %w1, @v = %v1
  }
  protocol.perform checkpoint site 0 over stride(0, 1, 3) {
    protocol.send to 0 words 5 : i64
    protocol.receive from 0 part 1 words 1 : i64
  }
  protocol.publish at role 1
}
protocol.role @keep role 2 of @keep group #protocol.group<universe = 3, epoch = 0, id = "", stride(0, 1, 3)> resumed #protocol.start<7, "5891b5b522d5df086d0ff0b110fbd9d21bb4fc7163af34d08286a2e846f6be03"> protocol "5891b5b522d5df086d0ff0b110fbd9d21bb4fc7163af34d08286a2e846f6be03" edges [0] {
  protocol.local at role 2 {
    %w, %v = shard.read @w, @v : !shard.replica<f64, +0>, !shard.owned<tensor<3xf64>, cyclic, +0>
    %w1, %v1 = shard.update @halve(%w, %v) : !shard.replica<f64, +1>, !shard.owned<tensor<3xf64>, cyclic, +1>
    shard.advance @w = %w1, @v = %v1
  }
  protocol.perform checkpoint site 0 over stride(0, 1, 3) {
    protocol.send to 0 words 5 : i64
    protocol.receive from 0 part 1 words 1 : i64
  }
  protocol.publish at role 2
}

// -----

// What is stored are states of a learner.

protocol.role @keep role 0 group #protocol.group<universe = 1, epoch = 0, id = "", stride(0, 1, 1)> protocol "5891b5b522d5df086d0ff0b110fbd9d21bb4fc7163af34d08286a2e846f6be03" edges [] {
  // expected-error@+1 {{[protocol-unrealized] expected a learner whose states are stored in the checkpoint of site 0 at role 0, found none}}
  protocol.perform checkpoint site 0 over role 0 {
  }
}

// -----

// And those that a run begins with.

// expected-error@+1 {{[protocol-unrealized] expected a learner whose states begin with those of a generation, found none}}
protocol.role @keep role 0 group #protocol.group<universe = 1, epoch = 0, id = "", stride(0, 1, 1)> resumed #protocol.start<7, "5891b5b522d5df086d0ff0b110fbd9d21bb4fc7163af34d08286a2e846f6be03"> protocol "5891b5b522d5df086d0ff0b110fbd9d21bb4fc7163af34d08286a2e846f6be03" edges [] {
}
