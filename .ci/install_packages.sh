#!/usr/bin/env bash
# Installs the Debian packages that the tests need beside what is in .venv, where they are missing.
#
# The tests compare GNU's assemblers with ziglang's, run AArch64 programs under Debian's QEMU, submit
# jobs to a Slurm of their own, have kubectl read manifests, start roles over OpenSSH and in networks
# of their own, have strace interfere with what roles ask of the system, and build pycuda.
# When all is there this takes no time and needs no right. Otherwise it needs root and apt; without
# them it says what is missing and fails, since a test that is left out proves nothing.
set -euo pipefail

ATTEMPTS=4 # of apt, with 5, 10 and 15 s between them

missing=()
need() { # the package $1 has the command $2
  command -v "$2" >/dev/null || missing+=("$1")
}

case "$(uname -s) $(uname -m)" in
  "Linux x86_64") foreign=(binutils-aarch64-linux-gnu aarch64-linux-gnu qemu-aarch64) ;;
  "Linux aarch64") foreign=(binutils-x86-64-linux-gnu x86_64-linux-gnu qemu-x86_64) ;;
  *)
    echo "The tests run compiled programs, for which they need Linux on x86-64 or AArch64;" \
      "this is $(uname -s) on $(uname -m)." >&2
    exit 1
    ;;
esac
need binutils as
need binutils ld
need "${foreign[0]}" "${foreign[1]}-as"
need "${foreign[0]}" "${foreign[1]}-ld"
need qemu-user "${foreign[2]}"
need openssh-client ssh
PATH=$PATH:/usr/sbin need openssh-server sshd
PATH=$PATH:/usr/sbin need iproute2 ip
need util-linux unshare
need strace strace
need gcc gcc
need g++ g++
PATH=$PATH:/usr/sbin need slurm-wlm slurmctld
PATH=$PATH:/usr/sbin need slurm-wlm slurmd
need slurm-wlm sbatch
need kubernetes-client kubectl
[ ${#missing[@]} -eq 0 ] && exit 0

mapfile -t missing < <(printf '%s\n' "${missing[@]}" | sort -u)
if [ "$(id -u)" -ne 0 ] || ! command -v apt-get >/dev/null; then
  echo "The tests need programs that are missing. On Debian or Ubuntu, as root:" >&2
  echo "  apt-get install ${missing[*]}" >&2
  exit 1
fi

echo "Installing ${missing[*]}"
export DEBIAN_FRONTEND=noninteractive
apt() { # a hanging mirror is an attempt that failed; another apt may have the lock for a while
  timeout --kill-after=10 600 apt-get --yes -o DPkg::Lock::Timeout=120 -o Acquire::Retries=2 "$@"
}
log=$(mktemp)
trap 'rm -f "$log"' EXIT
for attempt in $(seq "$ATTEMPTS"); do
  if apt update >"$log" 2>&1 &&
    apt install --no-install-recommends "${missing[@]}" >>"$log" 2>&1; then
    exit 0
  fi
  [ "$attempt" -eq "$ATTEMPTS" ] || sleep $((attempt * 5))
done
tail -n 20 "$log" >&2
echo "apt-get couldn't install ${missing[*]}, in $ATTEMPTS attempts." >&2
exit 1
