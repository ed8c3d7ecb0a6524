"""The memory of this host, and what of it the roles may have."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import pytest

from alpha.ir.refusals import Refusal
from alpha.tools.running.memory import Available, available_memory, check_memory

MEMINFO = "MemTotal: 9000 kB\nMemFree: 10 kB\nMemAvailable:    1000 kB\nSwapFree: 7000 kB\n"


def host(root: Path, files: Mapping[str, str]) -> Path:
    """A host of which only these files are there."""
    for name, text in files.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    return root


def test_what_is_available_and_not_what_is_free(tmp_path: Path) -> None:
    root = host(tmp_path, {"proc/meminfo": MEMINFO})
    assert available_memory(root) == Available(1_024_000, "MemAvailable of /proc/meminfo")


def second(limit: str, current: int, stat: str = "", where: str = "a/b") -> dict[str, str]:
    folder = f"sys/fs/cgroup/{where}"
    return {
        "proc/meminfo": MEMINFO,
        "proc/self/cgroup": "0::/a/b\n",
        f"{folder}/memory.max": limit,
        f"{folder}/memory.current": f"{current}\n",
        f"{folder}/memory.stat": stat,
    }


@pytest.mark.parametrize(
    ("files", "bytes"),
    [
        (second("700000\n", 200_000), 500_000),
        (second("700000\n", 200_000, "anon 9\nactive_file 9\ninactive_file 90000\n"), 590_000),
        (second("700000\n", 800_000), 0),
        # More can't be had than the limit, whatever the cache is said to hold.
        (second("700000\n", 0, "inactive_file 90000\n"), 700_000),
        (second("max\n", 200_000), 1_024_000),
        (second("9000000\n", 200_000), 1_024_000),
        # Of a group that this one is in, also the top, as a container sees its own.
        (second("700000\n", 200_000, where="a"), 500_000),
        (second("700000\n", 200_000, where="."), 500_000),
        (second("600000\n", 200_000) | second("500000\n", 200_000, where="a"), 300_000),
    ],
)
def test_limits_of_groups(files: dict[str, str], bytes: int, tmp_path: Path) -> None:
    found = available_memory(host(tmp_path, files))
    assert found is not None and found.bytes == bytes


def test_limits_of_groups_of_the_first_version(tmp_path: Path) -> None:
    folder = "sys/fs/cgroup/memory/job"
    files = {
        "proc/meminfo": MEMINFO,
        "proc/self/cgroup": "3:cpu,cpuacct:/x\n2:hugetlb,memory:/job\n0::/\n",
        f"{folder}/memory.limit_in_bytes": "600000\n",
        f"{folder}/memory.usage_in_bytes": "500000\n",
        f"{folder}/memory.stat": "total_inactive_file 4000\ninactive_file 7\n",
    }
    root = host(tmp_path, files)
    source = str(root / folder / "memory.limit_in_bytes")
    assert available_memory(root) == Available(104_000, source)


def test_nobody_knows(tmp_path: Path) -> None:
    assert available_memory(tmp_path) is None
    check_memory(1 << 60, 3, tmp_path)


def test_what_does_not_fit_is_refused_with_both_numbers(tmp_path: Path) -> None:
    root = host(tmp_path, {"proc/meminfo": MEMINFO})
    check_memory(1_024_000, 2, root)
    with pytest.raises(Refusal) as refused:
        check_memory(1_024_001, 2, root)
    assert (refused.value.code, refused.value.message) == (
        "target-unsupported",
        "expected 1024001 bytes of memory on this host for 2 roles, "
        "found 1024000, by MemAvailable of /proc/meminfo",
    )


def test_this_host_has_some() -> None:
    found = available_memory()
    assert found is not None and 1 << 20 < found.bytes < 1 << 50
