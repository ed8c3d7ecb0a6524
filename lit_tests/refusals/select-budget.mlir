// No text asks yet whether two selections meet; the question is asked of the library here.

// Two sets that differ at every level: whether they meet is a search, which ends at its budget.
// RUN: not python3 %S/Inputs/alpha_selections.py disjoint 'repeat(3, 14762985939, repeat(3, 4920995313, repeat(3, 1640331771, repeat(3, 546777258, repeat(2, 273388629, repeat(3, 91129542, repeat(3, 30376515, repeat(3, 10125504, repeat(3, 3375168, repeat(2, 1687584, repeat(2, 843792, repeat(2, 421896, repeat(2, 210948, repeat(3, 70317, repeat(3, 23439, repeat(3, 7812, repeat(2, 3906, repeat(3, 1302, repeat(3, 435, repeat(2, 216, repeat(2, 108, repeat(3, 36, repeat(3, 12, repeat(2, 6, stride(0, 3, 2)))))))))))))))))))))))))' 'repeat(2, 14191635456, repeat(3, 4730545152, repeat(2, 2365272576, repeat(2, 1182636288, repeat(2, 591318144, repeat(2, 295659072, repeat(3, 98553024, repeat(2, 49276512, repeat(3, 16425504, repeat(2, 8212752, repeat(3, 2737584, repeat(2, 1368792, repeat(3, 456264, repeat(2, 228132, repeat(2, 114066, repeat(3, 38022, repeat(3, 12675, repeat(2, 6336, repeat(3, 2112, repeat(3, 705, repeat(3, 234, repeat(3, 78, repeat(3, 27, repeat(3, 9, stride(1, 3, 2)))))))))))))))))))))))))' 2>&1 | filecheck %s
// CHECK: [select-budget] expected common members of two selections within {{[0-9]+}} visits of index nodes, found one that takes more

// accepted: strides of as many members
// RUN: python3 %S/Inputs/alpha_selections.py disjoint 'stride(0, 2, 1000000000000)' 'stride(1, 2, 1000000000000)' | filecheck %s --check-prefix=YES
// YES: disjoint

// RUN: python3 %S/Inputs/alpha_selections.py disjoint 'stride(0, 2, 1000000000000)' 'stride(1, 3, 1000000000000)' | filecheck %s --check-prefix=NO
// NO: common member 4
