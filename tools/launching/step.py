"""What a node does for one role, as a text of POSIX sh: the same for every engine.

Invariant: the executable is the one that was built, and whatever happens on the node before and
    behind it is said in the role's own files, from which the run is told afterwards: what it tells
    in `role-R.out`, what it says in `role-R.err`, and its status in `role-R.end`, which is there
    when it has ended, and as a whole.
Why: addresses are known on the nodes alone, and an executable without libc asks no name server.
Entry: `STEP`, `step_words`.
"""

from __future__ import annotations

from alpha.backends.toolchain.machines import MACHINES
from alpha.ir.refusals import Refusal
from alpha.tools.building.description import RoleDescription

STEP = r"""
# One role on this node. The arguments: the role, its executable, the digest of that, the machine
# that it is for, what `uname -m` says there, an emulator of it, seconds for a wait and for all, the
# folder of generations or -, the folder of results, the first port at which it listens or -, its
# lower peers as HOST:PORT.
role=$1 executable=$2 digest=$3 machine=$4 named=$5 emulator=$6 wait=$7 deadline=$8
shift 8
store=$1 out=$2 port=$3
shift 3
file=$out/role-$role
rm -f "$file.end" && : >"$file.out" && : >"$file.err" || exit 5

end() { # with this status
  printf '%s\n' "$1" >"$file.ending" && mv "$file.ending" "$file.end"
  exit "$1"
}
stop() { # with this status, and this text behind whose it is
  printf 'alpha: role %s: %s\n' "$role" "$2" >>"$file.err"
  end "$1"
}

# What ends this shell ends the role, and is its status if that hasn't begun. The role is told once:
# while it ends its own way, it needn't be able to hear of it again.
child= told=
trap 'case $child in
  "") end 143 ;;
  starting) told=1 ;;
  *) [ -n "$told" ] || { told=1; kill -TERM "$child" 2>/dev/null; } ;;
esac' TERM INT HUP

[ -x "$executable" ] || stop 5 "failed: there is no executable $executable on $(uname -n)"
found=$(sha256sum "$executable")
found=${found#\\}
found=${found%% *}
[ "$found" = "$digest" ] ||
  stop 3 "refused build-file-differs: expected sha256:$digest as was launched, found sha256:$found"
here=$(uname -m)
case " $named " in
  *" $here "*) through= ;;
  *)
    through=$(command -v "$emulator" || command -v "$emulator-static") || {
      wanted="expected a node for $machine or with $emulator"
      stop 3 "refused target-unsupported: $wanted, found $here"
    }
    ;;
esac

until=$(($(date +%s) + ${wait%%.*} + 1))
address() { # becomes that of a host; a name may come into being later than this role
  case $1 in
    *[!0-9.]*) ;;
    *)
      address=$1
      return
      ;;
  esac
  command -v getent >/dev/null || stop 5 "failed: there is no getent on $(uname -n)"
  until address=$(getent ahostsv4 "$1" | { read -r first rest && printf %s "$first"; }); do
    [ "$(date +%s)" -lt "$until" ] ||
      stop 4 "overdue: the host $1 had no IPv4 address in the $wait s of waiting for one"
    sleep 1
  done
}
peers=
for peer; do
  address "${peer%:*}"
  peers=$peers${peers:+,}$address:${peer##*:}
done

set -- "$executable" --wait "$wait" --deadline "$deadline"
if [ "$store" != - ]; then
  mkdir -p "$store" 2>>"$file.err" || stop 5 "failed: cannot make $store"
  set -- "$@" --checkpoint "$store"
fi
[ -z "$through" ] || set -- "$through" "$@"
[ "$port" = - ] || set -- "$@" --listen "0.0.0.0:$port"
[ -z "$peers" ] || set -- "$@" --peers "$peers"

child=starting
"$@" </dev/null >"$file.out" 2>>"$file.err" &
child=$!
[ -z "$told" ] || kill -TERM "$child" 2>/dev/null
# A wait that a signal has ended says so, and a further one can lose the status; so once the role
# was told to end, it is waited for with signals ignored, until it is gone.
wait "$child" 2>/dev/null
status=$?
if [ -n "$told" ]; then
  trap "" TERM INT HUP
  while kill -0 "$child" 2>/dev/null; do sleep 0.1; done
  wait "$child" 2>/dev/null
  waited=$?
  [ "$waited" -eq 127 ] || status=$waited
fi
end "$status"
""".lstrip()


def step_words(
    role: RoleDescription, executable: str, wait: str, deadline: str, store: str | None
) -> list[str]:
    """What stands first behind the text of the step: what is known before any node is.

    `executable` is a path; `wait` and `deadline` are seconds in digits; `store` is the folder of
    generations, None where none are written.

    Raises:
        Refusal: target-unsupported, the role is for a machine that nothing is known of.
    """
    machine = MACHINES.get(role.target)
    if machine is None:
        wanted = f"roles for {' or '.join(MACHINES)}"
        raise Refusal("target-unsupported", wanted, f"role {role.role} for {role.target}")
    named = " ".join(sorted(machine.hosts))
    about = (role.sha256, machine.name, named, machine.qemu)
    return [str(role.role), executable, *about, wait, deadline, "-" if store is None else store]
