// RUN: alpha-opt %s | filecheck %s
// RUN: %roundtrip

// Where a region physically is.

module attributes {f = #region.fragment<owner = 2, space = host, layout = row_major, lifetime = persistent>} {}

module attributes {f = #region.fragment<owner = 0, space = device, layout = row_major, lifetime = round>} {}

module attributes {f = #region.fragment<owner = 199999, space = host, layout = row_major, lifetime = replica>} {}
