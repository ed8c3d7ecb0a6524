#!/usr/bin/env bash
# Builds pycuda, which has no wheels, and what stands in for NVIDIA's driver in the tests, and
# installs both into .venv: pycuda runs there as it is, and finds the stand-in in the driver's place.
# It takes a minute or two, with a C++ compiler and Python's headers; the wheel is kept in build.
set -euo pipefail
cd "$(dirname "$0")/.."

PYCUDA=2026.1
wheels=build/pycuda
bin=.venv/bin
pip=("$bin/python" -m pip --disable-pip-version-check --quiet)

"${pip[@]}" install --constraint constraints.txt --requirement .ci/driver_requirements.txt
site=$("$bin/python" -c 'import sysconfig; print(sysconfig.get_path("purelib"))')
"$bin/python" tests/ptx/stand_in/library.py "$site/nvidia" .venv/stand-in

if ! compgen -G "$wheels/pycuda-$PYCUDA-*.whl" >/dev/null; then
  mkdir -p "$wheels"
  # Its set-up reads the home folder alone. It has no use for optimized code here.
  cat >"$wheels/.aksetup-defaults.py" <<END
CUDA_ROOT = "$PWD/$wheels"
CUDA_INC_DIR = ["$site/nvidia/cuda_runtime/include", "$site/nvidia/cuda_profiler_api/include"]
CUDA_ENABLE_CURAND = False
CUDADRV_LIB_DIR = ["$PWD/.venv/stand-in"]
CXXFLAGS = ["-O0", "-g0", "-w"]
END
  HOME=$PWD/$wheels "${pip[@]}" wheel --no-build-isolation --no-cache-dir --no-deps \
    --wheel-dir "$wheels" "pycuda==$PYCUDA"
fi
"${pip[@]}" install --no-index --find-links "$wheels" --no-deps "pycuda==$PYCUDA"
