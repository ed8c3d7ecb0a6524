// Role 0 sends role 1 three frames. A fault of a role or an edge that isn't there is refused before
// the run; one whose frame or event never comes is refused behind it, and no run looks like one that
// survives a fault.
// RUN: not alpha run %s --interpret=protocol --fault kill:9:1 2>&1 | filecheck %s --check-prefix=ROLE
// RUN: not alpha run %s --interpret=protocol --fault silence:9:1 2>&1 | filecheck %s --check-prefix=ROLE
// RUN: not alpha run %s --interpret=protocol --fault drop:9-1:0 2>&1 | filecheck %s --check-prefix=ROLE
// RUN: not alpha run %s --interpret=protocol --fault misroute:0-1:0:0-9 2>&1 | filecheck %s --check-prefix=ROLE
// ROLE: {{^}}{{.*}}.mlir:{{[0-9]+}}:1: error: [network-fault-place] expected one of the 3 roles of the protocol, stride(0, 1, 3), with --fault {{.*}}, found role 9{{$}}
// ROLE-NOT: finished

// RUN: not alpha run %s --interpret=protocol --fault drop:1-0:0 2>&1 | filecheck %s --check-prefix=WAY
// WAY: error: [network-fault-place] expected an edge on which frames go, with --fault drop:1-0:0, found no frame from role 1 to role 0; role 1 sends to 2
// RUN: not alpha run %s --interpret=protocol --fault partition:0-2:0 2>&1 | filecheck %s --check-prefix=EDGE
// EDGE: error: [network-fault-place] expected an edge on which frames go, with --fault partition:0-2:0, found no frame from role 0 to role 2; role 0 sends to 1

// RUN: not alpha run %s --interpret=protocol --fault drop:0-1:3 > %t.out 2> %t.err
// RUN: filecheck %s --check-prefix=FRAME < %t.err
// FRAME: error: [network-fault-place] expected a frame 3 from role 0 to role 1, for --fault drop:0-1:3, found 3 frames, numbered from 0
// RUN: filecheck %s --check-prefix=OUT < %t.out
// OUT: protocol line: 3 roles, over a simulated network
// OUT-NOT: finished
// RUN: not alpha run %s --interpret=protocol --fault partition:0-1:3 2>&1 | filecheck %s --check-prefix=CUT
// CUT: expected a frame of roles 0 and 1 behind the first 3, for --fault partition:0-1:3, found 3 frames
// RUN: not alpha run %s --interpret=protocol --fault kill:2:99999 --fault silence:0:3 2>&1 | filecheck %s --check-prefix=EVENT
// EVENT: error: [network-fault-place] expected an event of role 2 behind its first 99999, for --fault kill:2:99999, found 1 event{{$}}
// EVENT: note: --fault silence:0:3 wasn't made: expected an event of role 0 behind its first 3, found 3 events{{$}}

// Where another fault ends the run, its status stays, and what wasn't made is said beside it.
// RUN: python3 %S/../Inputs/status.py 4 alpha run %s --interpret=protocol --fault kill:0:1 --fault drop:0-1:2 2>&1 | filecheck %s --check-prefix=BESIDE
// BESIDE: {{^}}alpha: role 0: killed
// BESIDE: {{^}}alpha: --fault drop:0-1:2 wasn't made: expected a frame 2 from role 0 to role 1, found 1 frame, numbered from 0{{$}}

// Of several faults of one role each is made, or said; faults that undo one another aren't made.
// RUN: python3 %S/../Inputs/status.py 4 alpha run %s --interpret=protocol --fault kill:0:1 --fault kill:0:9999 2>&1 | filecheck %s --check-prefix=KILLS
// RUN: python3 %S/../Inputs/status.py 4 alpha run %s --interpret=protocol --fault kill:0:9999 --fault kill:0:1 2>&1 | filecheck %s --check-prefix=KILLS
// KILLS: {{^}}alpha: role 0: killed
// KILLS: {{^}}alpha: --fault kill:0:9999 wasn't made: expected an event of role 0 behind its first 9999, found 1 event{{$}}
// KILLS-NOT: network-fault-place
// RUN: not alpha run %s --interpret=protocol --fault append:0-1:1:8 --fault truncate:0-1:1:8 2>&1 | filecheck %s --check-prefix=UNDONE
// UNDONE: error: [network-fault-place] expected a frame 1 from role 0 to role 1 that it can change, for --fault append:0-1:1:8, found one that it can't beside the other faults{{$}}
// UNDONE: note: --fault truncate:0-1:1:8 wasn't made

// accepted: a frame that comes
// RUN: python3 %S/../Inputs/status.py 4 alpha run %s --interpret=protocol --fault drop:0-1:2 2>&1 | filecheck %s --check-prefix=LOST
// LOST: {{^}}alpha: role 1: lost: role 0 closed the edge
// LOST-NOT: network-fault-place

protocol.global @line group #protocol.group<universe = 3, epoch = 0, id = "", stride(0, 1, 3)> {
  %x = protocol.local at role 0 {
    %word = arith.constant 1.5 : f64
    protocol.yield %word
  }
  protocol.repeat 3 {
    %y = protocol.transfer %x from 0 to 1
  }
  %z = protocol.local at role 1 {
    %word = arith.constant 2.5 : f64
    protocol.yield %word
  }
  %w = protocol.transfer %z from 1 to 2
}
