#!/bin/sh
# Trains on the diabetes data with four owners, each a native process of its own, and once more by
# the interpreter; both have to end in the same state, to the last bit. Owners alternate between
# x86-64 and AArch64 where an emulator can run the latter.
#
# usage: examples/demo.sh FOLDER      (the folder of alpha and python)
set -eu

bin=$1
targets=x86-64
if [ "$(uname -m)" = aarch64 ]; then
  targets=aarch64
elif command -v qemu-aarch64 > /dev/null; then
  targets=x86-64,aarch64
fi

# An assembler and a linker for each target: GNU's, else those of the package ziglang.
needed=as
case $targets in
  *,aarch64) needed="as aarch64-linux-gnu-as" ;;
esac
for tool in $needed; do
  if ! command -v "$tool" > /dev/null && ! "$bin/python" -c 'import ziglang' 2> /dev/null; then
    "$bin/python" -m pip install --quiet 'ziglang>=0.13,<0.18'
  fi
done

learner=$(dirname "$0")/diabetes_adam.mlir
how="--partition optimizer,gradients --rounds 2000"
set -x
{ "$bin/alpha" run "$learner" $how --targets "$targets" || echo failed; } | tee build/demo.txt
set +x
if [ "$(tail -n 1 build/demo.txt)" = failed ]; then
  exit 1
fi
native=$(tail -n 1 build/demo.txt)
interpreted=$("$bin/alpha" run "$learner" $how --interpret=shard | tail -n 1)
if [ "$native" != "$interpreted" ]; then
  echo "the interpreter ends otherwise: $interpreted" >&2
  exit 1
fi
echo "the interpreter ends in the same state"
