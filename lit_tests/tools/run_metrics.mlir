// One line of JSON a round, whatever is printed.
// RUN: alpha run %examples/partitioned_regression.mlir --interpret --rounds 4 --metrics %t.json
// RUN: filecheck %s < %t.json
// CHECK:      {{^}}{"version": 0, "observations": {"loss": {"total": 38.25, "count": 3, "mean": 12.75}}}{{$}}
// CHECK-NEXT: {{^}}{"version": 1, "observations": {"loss": {"total": 12.375, "count": 3, "mean": 4.125}}}{{$}}
// CHECK-NEXT: {{^}}{"version": 2, "observations": {"loss": {"total": 5.015000000000003, "count": 3, "mean": 1.6716666666666677}}}{{$}}
// CHECK-NEXT: {{^}}{"version": 3, "observations": {"loss": {"total": {{[0-9.]+}}, "count": 3, "mean": {{[0-9.]+}}}}}{{$}}
// RUN: python3 -c "import json, sys; assert [json.loads(line)['version'] for line in open(sys.argv[1])] == [0, 1, 2, 3]" %t.json

// The file is written anew.
// RUN: alpha run %examples/partitioned_regression.mlir --interpret --rounds 1 --metrics %t.json
// RUN: python3 -c "import sys; assert len(open(sys.argv[1]).readlines()) == 1" %t.json

// A learner that observes nothing.
// RUN: alpha run %examples/local_correlation.mlir --interpret --rounds 2 --metrics %t.none
// RUN: filecheck %s --check-prefix=NONE < %t.none
// NONE:      {{^}}{"version": 0, "observations": {}}{{$}}
// NONE-NEXT: {{^}}{"version": 1, "observations": {}}{{$}}

// A name that is observed over several samples is told apart by theirs, at every level.
// RUN: alpha run %S/Inputs/two_losses.mlir --interpret --metrics %t.two > %t.table
// RUN: filecheck %s --check-prefix=TWO < %t.two
// TWO: {{^}}{"version": 0, "observations": {"loss @train": {"total": 7.0, "count": 3, "mean": 2.3333333333333335}, "size": {"total": 40.0, "count": 2, "mean": 20.0}, "loss @test": {"total": -40.0, "count": 2, "mean": -20.0}}}{{$}}
// RUN: filecheck %s --check-prefix=TABLE < %t.table
// TABLE: version {{ +}}loss @train {{ +}}size {{ +}}loss @test{{$}}
// RUN: alpha run %S/Inputs/two_losses.mlir --interpret=shard --owners 2 --topology pair --metrics %t.shards
// RUN: diff %t.two %t.shards
// RUN: alpha-opt --distribute="owners=2 topology=pair" %S/Inputs/two_losses.mlir | filecheck %s --check-prefix=SHARDS
// SHARDS: shard.observe "loss @train" %{{.*}} over @train
// SHARDS: shard.observe "size" %{{.*}} over @test
// SHARDS: shard.observe "loss @test" %{{.*}} over @test
