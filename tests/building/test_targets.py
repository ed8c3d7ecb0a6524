"""Targets of roles: a list that is repeated, and features for those that know them."""

from __future__ import annotations

import pytest

from alpha.ir.refusals import Refusal
from alpha.tools.building import targets as module
from alpha.tools.building.targets import BuildTarget, Targets

X86, ARM = BuildTarget("x86-64"), BuildTarget("aarch64")


def test_the_list_is_repeated() -> None:
    both = Targets.of(("x86-64", "aarch64"), None)
    assert [both.at(rank) for rank in range(5)] == [X86, ARM, X86, ARM, X86]
    three = Targets.of(("x86-64", "x86-64", "aarch64"), ())
    assert [three.at(rank) for rank in range(4)] == [X86, X86, ARM, X86]
    assert three.machines() == ["x86-64", "aarch64"]


def test_a_feature_goes_to_the_targets_that_know_it() -> None:
    found = Targets.of(("x86-64", "aarch64"), ("avx512", "sha2", "avx512")).listed
    assert found == (BuildTarget("x86-64", ("avx512",)), BuildTarget("aarch64", ("sha2",)))
    assert [str(each) for each in found] == ["x86-64+avx512", "aarch64+sha2"]
    assert BuildTarget("x86-64", ("avx512", "sha")).feature_text == "avx512,sha"


def test_without_a_list_it_is_this_host(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "host_machine", lambda: module.MACHINES["aarch64"])
    assert Targets.of(None, None).listed == (ARM,)
    monkeypatch.setattr(module, "host_machine", lambda: None)
    assert Targets.of(None, None).listed == (X86,)


@pytest.mark.parametrize(
    ("names", "features", "expected", "found"),
    [
        (("x86-64", "sm86"), None, "some of the targets x86-64, aarch64", "sm86, whose roles"),
        (("x86_64",), None, "some of the targets x86-64, aarch64", "'x86_64'"),
        (("x86-64",), ("sha2",), "some of the features avx512, sha of x86-64", "'sha2'"),
        (("aarch64",), ("sha2", "sve"), "some of the features sha2 of aarch64", "'sve'"),
        (("x86-64",), ("a" * 100,), "features", "and 40 letters more"),
    ],
)
def test_what_is_not_built_is_refused_by_name(
    names: tuple[str, ...], features: tuple[str, ...] | None, expected: str, found: str
) -> None:
    with pytest.raises(Refusal) as refused:
        Targets.of(names, features)
    assert refused.value.code == "target-unsupported"
    assert expected in refused.value.expected
    assert found in refused.value.found
