// RUN: alpha-opt %s | filecheck %s
// RUN: alpha-opt %s --print-op-generic | filecheck %s --check-prefix=GENERIC
// RUN: %roundtrip

// One role's program: its own frames and local work, with the edges that it uses.

#all = #protocol.group<universe = 4, epoch = 0, id = "6c73", stride(0, 1, 4)>
// CHECK: protocol.role @nothing role 3 group #protocol.group<universe = 4, epoch = 0, id = "6c73", stride(0, 1, 4)> protocol "00" edges [] {
// GENERIC: "protocol.role"() <{title = "nothing", role = #builtin.int<3>, group = #protocol.group<universe = 4, epoch = 0, id = "6c73", stride(0, 1, 4)>, protocol = "00", edges = []}> ({
protocol.role @nothing role 3 group #all protocol "00" edges [] {
}

// CHECK: protocol.role @everything role 2 group #protocol.group<universe = 4, epoch = 0, id = "6c73", stride(0, 1, 4)> protocol "c0ffee" edges [0, 1, 3] attributes {note} {
// GENERIC: "protocol.role"() <{title = "everything", role = #builtin.int<2>, group = #protocol.group<universe = 4, epoch = 0, id = "6c73", stride(0, 1, 4)>, protocol = "c0ffee", edges = [#builtin.int<0>, #builtin.int<1>, #builtin.int<3>]}> ({
protocol.role @everything role 2 group #all protocol "c0ffee" edges [0, 1, 3] attributes {note} {
  // CHECK: %x = protocol.local at role 2 {
  // GENERIC: %x = "protocol.local"() <{roles = #region.select<stride(2, 1, 1)>}> ({
  %x = protocol.local at role 2 {
    %a = arith.constant 1.5 : f64
    // CHECK: protocol.yield %a
    // GENERIC: "protocol.yield"(%a) : (f64) -> ()
    protocol.yield %a
  }
  // CHECK: %s = protocol.perform decide site 0 arms 2 {
  // GENERIC: %s = "protocol.perform"() <{kind = "decide", site = #builtin.int<0>, arms = #builtin.int<2>}> ({
  %s = protocol.perform decide site 0 arms 2 {
    // CHECK: protocol.receive from 0 words 1 : i64
    // GENERIC: "protocol.receive"() <{peer = #builtin.int<0>, part = #builtin.int<0>, count = #builtin.int<0>, words = #builtin.int<1>, element = i64}> : () -> ()
    protocol.receive from 0 words 1 : i64
    // CHECK: protocol.send to 3 words 1 : i64 attributes {note}
    // GENERIC: "protocol.send"() <{peer = #builtin.int<3>, part = #builtin.int<0>, count = #builtin.int<0>, words = #builtin.int<1>, element = i64}> {note} : () -> ()
    protocol.send to 3 words 1 : i64 attributes {note}
  } : !protocol.at<i64, role 2>
  // A repeat and a choice have the site that they have in the protocol.
  // CHECK: %z = protocol.repeat 5 site 1 (%y = %x) {
  // GENERIC: %z = "protocol.repeat"(%x) <{bound = #builtin.int<5>, site = #builtin.int<1>}> ({
  %z = protocol.repeat 5 site 1 (%y = %x) {
    // CHECK: %r = protocol.choice %s site 2 {
    // GENERIC: %r = "protocol.choice"(%s) <{site = #builtin.int<2>}> ({
    %r = protocol.choice %s site 2 {
      // CHECK: %q = protocol.perform transfer site 3 {
      // GENERIC: %q = "protocol.perform"() <{kind = "transfer", site = #builtin.int<3>}> ({
      %q = protocol.perform transfer site 3 {
        // CHECK: protocol.receive from 1 words 1 : f64
        // GENERIC: "protocol.receive"() <{peer = #builtin.int<1>, part = #builtin.int<0>, count = #builtin.int<0>, words = #builtin.int<1>, element = f64}> : () -> ()
        protocol.receive from 1 words 1 : f64
      } : !protocol.at<f64, role 2>
      // CHECK: protocol.yield %q
      // GENERIC: "protocol.yield"(%q) : (!protocol.at<f64, role 2>) -> ()
      protocol.yield %q
    } {
      // CHECK: protocol.perform transfer site 4 %y attributes {note} {
      // GENERIC: "protocol.perform"(%y) <{kind = "transfer", site = #builtin.int<4>}> ({
      protocol.perform transfer site 4 %y attributes {note} {
        // CHECK: protocol.send to 1 words 1 : f64
        // GENERIC: "protocol.send"() <{peer = #builtin.int<1>, part = #builtin.int<0>, count = #builtin.int<0>, words = #builtin.int<1>, element = f64}> : () -> ()
        protocol.send to 1 words 1 : f64
      }
      // CHECK: protocol.yield %y
      // GENERIC: "protocol.yield"(%y) : (!protocol.at<f64, role 2>) -> ()
      protocol.yield %y
    }
    // CHECK: protocol.until %s yields %r
    // GENERIC: "protocol.until"(%s, %r) : (!protocol.at<i64, role 2>, !protocol.at<f64, role 2>) -> ()
    protocol.until %s yields %r
  }
  // Groups that are summed, one after the other, with the number of their samples.
  // CHECK: protocol.perform reduce site 5 %x, %x contract #region.contract<groups = [1, 2, 3, 0, 1, 2, 1, 2, 1, 2, 1, 2, 1], combine = tree<3>> part 1 {
  // GENERIC: "protocol.perform"(%x, %x) <{kind = "reduce", site = #builtin.int<5>, contract = #region.contract<groups = [1, 2, 3, 0, 1, 2, 1, 2, 1, 2, 1, 2, 1], combine = tree<3>>, part = #builtin.int<1>}> ({
  protocol.perform reduce site 5 %x, %x contract #region.contract<groups = [1, 2, 3, 0, 1, 2, 1, 2, 1, 2, 1, 2, 1], combine = tree<3>> part 1 {
    // CHECK: protocol.receive from 3 part 2 count 3 words 1 : f64
    // GENERIC: "protocol.receive"() <{peer = #builtin.int<3>, part = #builtin.int<2>, count = #builtin.int<3>, words = #builtin.int<1>, element = f64}> : () -> ()
    protocol.receive from 3 part 2 count 3 words 1 : f64
    // CHECK: protocol.add [2] into 1
    // GENERIC: "protocol.add"() <{groups = [#builtin.int<2>], into = #builtin.int<1>}> : () -> ()
    protocol.add [2] into 1
    // CHECK: protocol.receive from 3 part 3 words 1 : f64
    // GENERIC: "protocol.receive"() <{peer = #builtin.int<3>, part = #builtin.int<3>, count = #builtin.int<0>, words = #builtin.int<1>, element = f64}> : () -> ()
    protocol.receive from 3 part 3 words 1 : f64
    // CHECK: protocol.receive from 3 part 4 count 1 words 1 riding 5 : f64
    // GENERIC: "protocol.receive"() <{peer = #builtin.int<3>, part = #builtin.int<4>, count = #builtin.int<1>, words = #builtin.int<1>, element = f64, riding = #builtin.int<5>}> : () -> ()
    protocol.receive from 3 part 4 count 1 words 1 riding 5 : f64
    // CHECK: protocol.add [3, 4] into 1 attributes {note}
    // GENERIC: "protocol.add"() <{groups = [#builtin.int<3>, #builtin.int<4>], into = #builtin.int<1>}> {note} : () -> ()
    protocol.add [3, 4] into 1 attributes {note}
    // CHECK: protocol.send to 0 part 1 count 6 words 1 riding 5 : f64
    // GENERIC: "protocol.send"() <{peer = #builtin.int<0>, part = #builtin.int<1>, count = #builtin.int<6>, words = #builtin.int<1>, element = f64, riding = #builtin.int<5>}> : () -> ()
    protocol.send to 0 part 1 count 6 words 1 riding 5 : f64
  }
  // Words for the owners of a map; pieces, by a map and over the roles that have them.
  // CHECK: %own = protocol.perform reduce site 6 %x contract #region.contract<groups = [1, 1, 1, 1], combine = left> part 2 owners [0, 1, 0, 0] {
  // GENERIC: %own = "protocol.perform"(%x) <{kind = "reduce", site = #builtin.int<6>, contract = #region.contract<groups = [1, 1, 1, 1], combine = left>, part = #builtin.int<2>, deliver = #shard.map<[0, 1, 0, 0]>}> ({
  %own = protocol.perform reduce site 6 %x contract #region.contract<groups = [1, 1, 1, 1], combine = left> part 2 owners [0, 1, 0, 0] {
    // CHECK: protocol.send to 1 part 2 count 1 words 1 : f64
    // GENERIC: "protocol.send"() <{peer = #builtin.int<1>, part = #builtin.int<2>, count = #builtin.int<1>, words = #builtin.int<1>, element = f64}> : () -> ()
    protocol.send to 1 part 2 count 1 words 1 : f64
  } : !protocol.at<!shard.owned<f64, [0, 1, 0, 0], +0>, role 2>
  // CHECK: %w = protocol.perform gather site 7 %own by [0, 1, 0, 0] over stride(0, 1, 4) {
  // GENERIC: %w = "protocol.perform"(%own) <{kind = "gather", site = #builtin.int<7>, map = #shard.map<[0, 1, 0, 0]>, members = #region.select<stride(0, 1, 4)>}> ({
  %w = protocol.perform gather site 7 %own by [0, 1, 0, 0] over stride(0, 1, 4) {
    // CHECK: protocol.receive from 1 words 1 : f64
    // GENERIC: "protocol.receive"() <{peer = #builtin.int<1>, part = #builtin.int<0>, count = #builtin.int<0>, words = #builtin.int<1>, element = f64}> : () -> ()
    protocol.receive from 1 words 1 : f64
  } : !protocol.at<!shard.replica<f64, +0>, role 2>
  // CHECK: %other = protocol.perform exchange site 8 %own by [0, 1, 0, 0] owners [0, 0, 1, 0] over stride(0, 1, 4) {
  // GENERIC: %other = "protocol.perform"(%own) <{kind = "exchange", site = #builtin.int<8>, map = #shard.map<[0, 1, 0, 0]>, deliver = #shard.map<[0, 0, 1, 0]>, members = #region.select<stride(0, 1, 4)>}> ({
  %other = protocol.perform exchange site 8 %own by [0, 1, 0, 0] owners [0, 0, 1, 0] over stride(0, 1, 4) {
    // CHECK: protocol.receive from 1 words 1 : f64
    // GENERIC: "protocol.receive"() <{peer = #builtin.int<1>, part = #builtin.int<0>, count = #builtin.int<0>, words = #builtin.int<1>, element = f64}> : () -> ()
    protocol.receive from 1 words 1 : f64
  } : !protocol.at<!shard.owned<f64, [0, 0, 1, 0], +0>, role 2>
  // CHECK: protocol.perform agree site 9 %x, %x {
  // GENERIC: "protocol.perform"(%x, %x) <{kind = "agree", site = #builtin.int<9>}> ({
  protocol.perform agree site 9 %x, %x {
    // CHECK: protocol.send to 0 words 5 : i64
    // GENERIC: "protocol.send"() <{peer = #builtin.int<0>, part = #builtin.int<0>, count = #builtin.int<0>, words = #builtin.int<5>, element = i64}> : () -> ()
    protocol.send to 0 words 5 : i64
    // CHECK: protocol.receive from 0 part 1 words 1 : i64
    // GENERIC: "protocol.receive"() <{peer = #builtin.int<0>, part = #builtin.int<1>, count = #builtin.int<0>, words = #builtin.int<1>, element = i64}> : () -> ()
    protocol.receive from 0 part 1 words 1 : i64
  }
}

region.learner @keep {
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
shard.learner @keep owners #shard.owners<4, star> {
  shard.place @w replicated
  shard.round {
    %w = shard.read @w : !shard.replica<f64, +0>
    %w1 = shard.update @halve(%w) : !shard.replica<f64, +1>
    shard.agree %w1
    shard.advance @w = %w1
  }
}
// CHECK: protocol.role @train role 0 of @keep group #protocol.group<universe = 4, epoch = 0, id = "6c73", stride(0, 1, 4)> protocol "00" edges [] {
// GENERIC: "protocol.role"() <{title = "train", role = #builtin.int<0>, learner = @keep, group = #protocol.group<universe = 4, epoch = 0, id = "6c73", stride(0, 1, 4)>, protocol = "00", edges = []}> ({
protocol.role @train role 0 of @keep group #all protocol "00" edges [] {
  // CHECK: protocol.publish at role 0
  // GENERIC: "protocol.publish"() <{roles = #region.select<stride(0, 1, 1)>}> : () -> ()
  protocol.publish at role 0
}
