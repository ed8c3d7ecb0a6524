// Programs that fit together pass, and nothing is changed; other modules are left alone.
// RUN: alpha-opt %s --project-role -o %t.roles && alpha-opt %t.roles --check-schedules | diff %t.roles -
// RUN: alpha-opt %s -o %t && alpha-opt %s --check-schedules | diff %t -
// RUN: alpha-opt %examples/diabetes_adam.mlir --distribute="owners=7 topology=tree<2>" --lower-shard-to-protocol="rounds=200000" --project-role --check-schedules -o %t.learner

// It reads what stands there, whoever made it: an edit by hand, in one role, is found.
// RUN: sed '/role 2 group/,/^  }/s/words 1 : f64/words 1 : f32/; /role 2 group/,/^  }/s/at<f64/at<f32/' %t.roles > %t.words
// RUN: not alpha-opt %t.words --check-schedules 2>&1 | filecheck %s --check-prefix=WORDS
// WORDS: error: [protocol-dual-mismatch] expected site 1 words 1 : f64 as frame 0 from role 0 to role 2 in the loop of site 0 with 9 rounds, found site 1 words 1 : f32
// WORDS: note: role 2 is to receive from 0, site 1 words 1 : f32
// WORDS: note: role 0 is to send to 2, site 1 words 1 : f64
// RUN: sed '/role 1 group/,/^  }/s/repeat 9/repeat 8/' %t.roles > %t.rounds
// RUN: not alpha-opt %t.rounds --check-schedules 2>&1 | filecheck %s --check-prefix=ROUNDS
// ROUNDS: error: [protocol-role-unfinished] expected role 1 in the loop of site 0 with 9 rounds, as role 0, at site 1 words 1 : f64, found the loop of site 0 with 8 rounds

// Programs of one protocol are checked with one another, and not with those of another one.
// RUN: sed 's/@spread/@again/' %t.roles > %t.again && cat %t.roles %t.again | sed '/^builtin.module {$/d; /^}$/d' > %t.both
// RUN: alpha-opt %t.both --check-schedules -o /dev/null
// RUN: sed '/@again role 2/,/^  }/d' %t.both > %t.missing
// RUN: not alpha-opt %t.missing --check-schedules 2>&1 | filecheck %s --check-prefix=MISSING
// MISSING: error: [protocol-role-unfinished] expected a schedule of role 2, found none

// More than a limit may not be on its way: in frames or in bytes, of rounds that role 0 may be ahead.
// RUN: alpha-opt %t.roles --check-schedules="in-flight-frames-max=9" -o /dev/null
// RUN: not alpha-opt %t.roles --check-schedules="in-flight-frames-max=8" 2>&1 | filecheck %s --check-prefix=FRAMES
// FRAMES: error: [protocol-buffer-unbounded] expected at most 8 frames in flight from role 0 to role 1, found up to 9 if sends don't wait
// RUN: alpha-opt %t.roles --check-schedules="in-flight-bytes-max=72" -o /dev/null
// RUN: not alpha-opt %t.roles --check-schedules="in-flight-bytes-max=71" 2>&1 | filecheck %s --check-prefix=BYTES
// BYTES: error: [protocol-buffer-unbounded] expected at most 71 bytes in flight from role 0 to role 1, found up to 72 if sends don't wait

protocol.global @spread group #protocol.group<universe = 3, epoch = 0, id = "6c73", stride(0, 1, 3)> {
  %x = protocol.local at role 0 {
    %a = arith.constant 1.5 : f64
    protocol.yield %a
  }
  protocol.repeat 9 {
    %y = protocol.replicate %x along star over stride(0, 1, 3)
  }
}
