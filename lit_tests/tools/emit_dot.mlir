// The graph of a protocol: what goes over each edge in a round, and what each role does, in order.
// RUN: alpha-translate --emit-dot %s | filecheck %s

// Of every level below it is the same graph.
// RUN: alpha-translate --emit-dot %s -o %t.dot
// RUN: alpha-opt %s | alpha-translate --emit-dot | diff %t.dot -
// RUN: alpha-opt --project-role %s | alpha-translate --emit-dot | diff %t.dot -
// RUN: alpha inspect %s --dot - | diff %t.dot -

// CHECK:      {{^}}digraph "session" {
// CHECK-NEXT:   graph [label="@session: 3 roles\nBytes are those of payloads; header and digest of a frame add {{[0-9]+}}.", newrank="true", labelloc="t"
// CHECK-NEXT:   node [shape="box"
// CHECK-NEXT:   edge [
// CHECK-NEXT:   subgraph "cluster topology" {
// CHECK-NEXT:     label="topology: what goes over each edge in a round";
// CHECK-NEXT:     style=dotted;
// CHECK-NEXT:     "topology 0" [label="role 0", style="filled"
// CHECK-NEXT:     "topology 1" [label="role 1", style="filled"
// CHECK-NEXT:     "topology 2" [label="role 2", style="filled"
// CHECK-NEXT:     "topology 0" -> "topology 1" [label="once: 2 frames, 16 bytes"];
// CHECK-NEXT:     "topology 1" -> "topology 2" [label="1 frame\n8 bytes\nonce: at most 2 frames, at most 16 bytes"];
// CHECK-NEXT:     "topology 2" -> "topology 0" [label="1 frame\n8 bytes", constraint="false"];
// CHECK-NEXT:   }
// CHECK-NEXT:   subgraph "cluster schedule" {
// CHECK-NEXT:     label="schedule: what each role does, in order";
// CHECK-NEXT:     style=dotted;
// CHECK-NEXT:     subgraph "cluster lane 0" {
// CHECK-NEXT:       label="role 0";
// CHECK-NEXT:       style=solid;
// CHECK-NEXT:       "step 0.0" [label="compute", style="filled", fillcolor="{{#[0-9a-f]+}}"];
// CHECK-NEXT:       "step 0.1" [label="send transfer to 1\n8 bytes", style="rounded"];
// CHECK-NEXT:       "step 0.2" [label="send decide to 1\n8 bytes", style="rounded"];
// CHECK-NEXT:       subgraph "cluster lane 0.0" {
// CHECK-NEXT:         label="repeat 5 times";
// CHECK-NEXT:         style="filled,rounded"; fillcolor="{{#[0-9a-f]+}}";
// CHECK-NEXT:         "step 0.3" [label="receive transfer from 2\n8 bytes", style="rounded"];
// CHECK-NEXT:       }
// CHECK-NEXT:     }
// CHECK-NEXT:     subgraph "cluster lane 1" {
// CHECK-NEXT:       label="role 1";
// CHECK-NEXT:       style=solid;
// CHECK-NEXT:       "step 1.0" [label="receive transfer from 0\n8 bytes", style="rounded"];
// CHECK-NEXT:       "step 1.1" [label="receive decide from 0\n8 bytes", style="rounded"];
// CHECK-NEXT:       "step 1.2" [label="send decide to 2\n8 bytes", style="rounded"];
// CHECK-NEXT:       subgraph "cluster lane 1.0" {
// CHECK-NEXT:         label="arm 0";
// CHECK-NEXT:         style="filled,rounded"; fillcolor="{{#[0-9a-f]+}}";
// CHECK-NEXT:         "step 1.3" [label="send transfer to 2\n8 bytes", style="rounded"];
// CHECK-NEXT:       }
// CHECK-NEXT:       subgraph "cluster lane 1.2" {
// CHECK-NEXT:         label="repeat 5 times";
// CHECK-NEXT:         style="filled,rounded"; fillcolor="{{#[0-9a-f]+}}";
// CHECK-NEXT:         "step 1.4" [label="send transfer to 2\n8 bytes", style="rounded"];
// CHECK-NEXT:       }
// CHECK-NEXT:     }
// CHECK-NEXT:     subgraph "cluster lane 2" {
// CHECK-NEXT:       label="role 2";
// CHECK-NEXT:       style=solid;
// CHECK-NEXT:       "step 2.0" [label="receive decide from 1\n8 bytes", style="rounded"];
// CHECK-NEXT:       subgraph "cluster lane 2.0" {
// CHECK-NEXT:         label="arm 0";
// CHECK-NEXT:         style="filled,rounded"; fillcolor="{{#[0-9a-f]+}}";
// CHECK-NEXT:         "step 2.1" [label="receive transfer from 1\n8 bytes", style="rounded"];
// CHECK-NEXT:       }
// CHECK-NEXT:       subgraph "cluster lane 2.2" {
// CHECK-NEXT:         label="repeat 5 times";
// CHECK-NEXT:         style="filled,rounded"; fillcolor="{{#[0-9a-f]+}}";
// CHECK-NEXT:         "step 2.2" [label="receive transfer from 1\n8 bytes", style="rounded"];
// CHECK-NEXT:         "step 2.3" [label="send transfer to 0\n8 bytes", style="rounded"];
// CHECK-NEXT:       }
// CHECK-NEXT:     }
// CHECK-NEXT:   }
// CHECK-NEXT:   "step 0.0" -> "step 0.1" [color="[[FAINT:#[0-9a-f]+]]", style="dotted", arrowhead="none", weight="8"];
// CHECK-NEXT:   "step 0.1" -> "step 0.2" [color="[[FAINT]]", style="dotted", arrowhead="none", weight="8"];
// CHECK-NEXT:   "step 0.2" -> "step 0.3" [color="[[FAINT]]", style="dotted", arrowhead="none", weight="8"];
// CHECK-NEXT:   "step 0.3" -> "step 0.3" [color="[[INK:#[0-9a-f]+]]", style="dashed", constraint="false"];
// CHECK-NEXT:   "step 1.0" -> "step 1.1" [color="[[FAINT]]", style="dotted", arrowhead="none", weight="8"];
// CHECK-NEXT:   "step 1.1" -> "step 1.2" [color="[[FAINT]]", style="dotted", arrowhead="none", weight="8"];
// CHECK-NEXT:   "step 1.2" -> "step 1.3" [color="[[FAINT]]", style="dotted", arrowhead="none", weight="8"];
// CHECK-NEXT:   "step 1.3" -> "step 1.4" [color="[[FAINT]]", style="dotted", arrowhead="none", weight="8"];
// CHECK-NEXT:   "step 1.2" -> "step 1.4" [color="[[FAINT]]", style="dotted", arrowhead="none", weight="8"];
// CHECK-NEXT:   "step 1.4" -> "step 1.4" [color="[[INK]]", style="dashed", constraint="false"];
// CHECK-NEXT:   "step 2.0" -> "step 2.1" [color="[[FAINT]]", style="dotted", arrowhead="none", weight="8"];
// CHECK-NEXT:   "step 2.1" -> "step 2.2" [color="[[FAINT]]", style="dotted", arrowhead="none", weight="8"];
// CHECK-NEXT:   "step 2.0" -> "step 2.2" [color="[[FAINT]]", style="dotted", arrowhead="none", weight="8"];
// CHECK-NEXT:   "step 2.2" -> "step 2.3" [color="[[FAINT]]", style="dotted", arrowhead="none", weight="8"];
// CHECK-NEXT:   "step 2.3" -> "step 2.2" [color="[[INK]]", style="dashed", constraint="false"];
// CHECK-NEXT:   "step 0.1" -> "step 1.0" [color="[[DATA:#[0-9a-f]+]]"];
// CHECK-NEXT:   "step 0.2" -> "step 1.1" [color="[[TALK:#[0-9a-f]+]]"];
// CHECK-NEXT:   "step 1.2" -> "step 2.0" [color="[[TALK]]"];
// CHECK-NEXT:   "step 1.3" -> "step 2.1" [color="[[DATA]]"];
// CHECK-NEXT:   "step 1.4" -> "step 2.2" [color="[[DATA]]"];
// CHECK-NEXT:   "step 2.3" -> "step 0.3" [color="[[DATA]]"];
// CHECK-NEXT: {{^}}}
protocol.global @session group #protocol.group<universe = 3, epoch = 0, id = "", stride(0, 1, 3)> {
  %x, %s = protocol.local at role 0 {
    %c = arith.constant 0.5 : f64
    %n = arith.cmpf olt, %c, %c : f64
    %w = arith.extui %n : i1 to i64
    protocol.yield %c, %w
  }
  %y = protocol.transfer %x from 0 to 1
  protocol.choice %s by 0 along [0 -> 1, 1 -> 2] {
    %a = protocol.transfer %y from 1 to 2
  } {
  }
  protocol.repeat 5 {
    %b = protocol.transfer %y from 1 to 2
    %c = protocol.transfer %b from 2 to 0
  }
}
