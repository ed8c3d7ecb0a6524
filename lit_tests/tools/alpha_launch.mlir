// What an engine takes to run a build is written beside the build, and is the same every time.
// RUN: rm -rf %t && mkdir %t && cd %t
// RUN: alpha build %examples/least_squares_adam.mlir -o built --targets x86-64,aarch64 --rounds 12
// RUN: alpha launch built --engine slurm --no-submit --deadline 600 --option=--partition=short | filecheck %s --check-prefix=SLURM
// SLURM: {{^}}launch least_squares_adam: 4 roles: built.slurm/job.sh{{$}}
// SLURM-NEXT: {{^}}submit it by: sbatch --chdir={{/.*}}built.slurm {{/.*}}built.slurm/job.sh{{$}}
// RUN: filecheck %s --check-prefix=SCRIPT < built.slurm/job.sh
// SCRIPT: {{^}}#!/bin/sh{{$}}
// SCRIPT-NEXT: {{^}}# 4 roles of least_squares_adam, run sha256:{{[0-9a-f]{64}$}}
// SCRIPT-NEXT: {{^}}#SBATCH --job-name=alpha-least-squares-adam{{$}}
// SCRIPT-NEXT: {{^}}#SBATCH --ntasks=4{{$}}
// SCRIPT: {{^}}#SBATCH --time=12{{$}}
// SCRIPT-NEXT: {{^}}#SBATCH --partition=short{{$}}
// SCRIPT: {{^}}start "$host_0" 0 {{.*}}/built/role-0 {{[0-9a-f]+}} x86-64 'amd64 x86_64' qemu-x86_64 60 600 - "$out" "$((first + 0))"{{$}}
// SCRIPT-NEXT: {{^}}start "$host_1" 1 {{.*}}/built/role-1 {{[0-9a-f]+}} aarch64 'aarch64 arm64' qemu-aarch64 60 600 - "$out" - "$host_0:$((first + 0))"{{$}}
// SCRIPT-NEXT: {{^}}start "$host_2" 2 {{.*}} "$out" - "$host_0:$((first + 1))"{{$}}
// SCRIPT-NEXT: {{^}}start "$host_3" 3 {{.*}} "$out" - "$host_0:$((first + 2))"{{$}}
// RUN: sh -n built.slurm/job.sh

// RUN: cp built.slurm/job.sh first
// RUN: alpha launch built --engine slurm --no-submit --deadline 600 --option=--partition=short
// RUN: diff first built.slurm/job.sh

// RUN: alpha launch built --engine kubernetes --no-submit --image registry.example/adam:1 --claim results --name adam --first-port 30000 -o cluster | filecheck %s --check-prefix=CLUSTER
// CLUSTER: {{^}}launch least_squares_adam: 4 roles: cluster/job.yaml{{$}}
// CLUSTER-NEXT: {{^}}its image is made by: docker build -t registry.example/adam:1 -f cluster/Dockerfile built{{$}}
// CLUSTER-NEXT: {{^}}its results go to adam-{{[0-9a-f]+}} of the claim results{{$}}
// CLUSTER-NEXT: {{^}}submit it by: kubectl apply -f cluster/job.yaml{{$}}
// RUN: filecheck %s --check-prefix=MANIFEST < cluster/job.yaml
// MANIFEST: {{^}}kind: Service{{$}}
// MANIFEST: {{^}}  clusterIP: None{{$}}
// MANIFEST: arm64-1) set -- 3 /alpha/role-3 {{.*}} "$out" - adam-amd64-0.adam:30002 ;;
// MANIFEST: {{^}}kind: Job{{$}}
// MANIFEST: {{^}}  name: adam-amd64{{$}}
// MANIFEST: {{^}}  completionMode: Indexed{{$}}
// MANIFEST-NEXT: {{^}}  completions: 2{{$}}
// MANIFEST: {{^}}        kubernetes.io/arch: amd64{{$}}
// MANIFEST: {{^}}  name: adam-arm64{{$}}
