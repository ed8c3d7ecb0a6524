// RUN: alpha-opt %s --split-input-file --verify-diagnostics

// The members of a gather own all words together, also in the program of a role.
protocol.role @kept role 0 group #protocol.group<universe = 3, epoch = 0, id = "6b", stride(0, 1, 3)> protocol "" edges [1] {
  %x = protocol.perform transfer site 0 {
    protocol.receive from 1 words 1 : f64
  } : !protocol.at<!shard.replica<f64, +0>, role 0>
  %own = protocol.perform scatter site 1 %x by [0, 0, 1] over stride(0, 1, 2) {
    protocol.send to 1 words 0 : f64
  } : !protocol.at<!shard.owned<f64, [0, 0, 1], +0>, role 0>
  // expected-error@+1 {{[protocol-payload-extent] expected members who own all 1 words together in the gather of site 2 at role 0, found 0}}
  %whole = protocol.perform gather site 2 %own by [0, 0, 1] over stride(0, 1, 2) {
    protocol.receive from 1 words 0 : f64
  } : !protocol.at<!shard.replica<f64, +0>, role 0>
}

// -----

// accepted:
protocol.role @kept role 0 group #protocol.group<universe = 3, epoch = 0, id = "6b", stride(0, 1, 3)> protocol "" edges [1] {
  %x = protocol.perform transfer site 0 {
    protocol.receive from 1 words 1 : f64
  } : !protocol.at<!shard.replica<f64, +0>, role 0>
  %own = protocol.perform scatter site 1 %x by [0, 1, 0] over stride(0, 1, 2) {
    protocol.send to 1 words 1 : f64
  } : !protocol.at<!shard.owned<f64, [0, 1, 0], +0>, role 0>
  %whole = protocol.perform gather site 2 %own by [0, 1, 0] over stride(0, 1, 2) {
    protocol.receive from 1 words 1 : f64
  } : !protocol.at<!shard.replica<f64, +0>, role 0>
}
