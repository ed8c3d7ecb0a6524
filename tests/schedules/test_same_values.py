"""What programs have in common is made alike in all of them: one role is changed, and refused."""

from __future__ import annotations

import pytest
from schedules.role_texts import ADVANCE, READ, UPDATE, programs
from xdsl.dialects.builtin import ArrayAttr, IntAttr

from alpha.ir.refusals import Refusal
from alpha.passes.protocol.schedules import check_programs

PUBLISH = "protocol.publish at role ROLE\n"


def local(given: str, work: str, made: str) -> str:
    """Local work that is given values, and makes others."""
    bound = f" ({given})" if given else ""
    results = f"{made} = " if made else ""
    return f"{results}protocol.local at role ROLE{bound} {{\n{work}\n}}\n"


def constant(word: int, name: str = "%s") -> str:
    return local("", f"%a = arith.constant {word} : i64\nprotocol.yield %a", name)


def of_state(relation: str = "olt", state: str = "%w") -> str:
    """A selector by the words of the copy that each role has."""
    work = (
        f"{READ}%words = protocol.words {state}\n%limit = arith.constant 3.0 : f64\n"
        f"%low = arith.cmpf {relation}, %words, %limit : f64\n"
        "%a = arith.extui %low : i1 to i64\nprotocol.yield %a"
    )
    return local("", work, "%s")


def choice(first: str = "", second: str = "", site: str = " site 7") -> str:
    return f"protocol.choice %s{site} {{\n{first}}} {{\n{second}}}\n"


def until(first: int, later: int) -> str:
    """Rounds until a word that is carried round says to stop."""
    body = constant(later, "%next") + ADVANCE + "protocol.until %word yields %next"
    return constant(first) + f"%end = protocol.repeat 3 site 5 (%word = %s) {{\n{body}\n}}\n"


SPLIT = (
    local("", f"{READ}protocol.yield %w, %v", "%a, %b")
    + local(
        "%w = %a, %v = %b",
        f"{UPDATE}protocol.yield %w1, %v1",
        "%c, %d",
    )
    + local("%w1 = %c, %v1 = %d", "shard.advance @w = %w1, @v = %v1", "")
)
"""A round as three pieces of local work."""

ARMS = choice("", ADVANCE)
ALIKE = {
    "constant": (constant(1) + ARMS, constant(1) + ARMS),
    "words of a copy": (of_state() + ARMS, of_state() + ARMS),
    "carried": (until(0, 1), until(0, 1)),
    "other pieces": (ADVANCE, SPLIT),
    "one version": (ADVANCE + of_state() + ARMS, SPLIT + of_state() + ARMS),
}
PARTED = {
    "another constant": (constant(1) + ARMS, constant(0) + ARMS, "arith.constant"),
    "another relation": (of_state() + ARMS, of_state("ole") + ARMS, "arith.cmpf"),
    "another source": (of_state() + ARMS, constant(1) + ARMS, "arith.constant"),
    "another beginning": (until(0, 1), until(1, 1), "arith.constant"),
    "another word carried": (until(0, 1), until(0, 0), "arith.constant"),
}


def refusal_of(one: str, other: str) -> Refusal | None:
    try:
        check_programs(programs(one + PUBLISH, other + PUBLISH))
    except Refusal as refusal:
        return refusal
    return None


@pytest.mark.parametrize("name", ALIKE)
def test_what_is_made_alike_is_accepted(name: str) -> None:
    assert refusal_of(*ALIKE[name]) is None


@pytest.mark.parametrize("name", PARTED)
def test_what_is_made_otherwise_is_refused_where_it_is_used(name: str) -> None:
    one, other, found = PARTED[name]
    refusal = refusal_of(one, other)
    assert refusal is not None and refusal.code == "protocol-step-differs", refusal
    assert refusal.place is not None and found in refusal.found
    assert refusal_of(one, one) is None and refusal_of(other, other) is None


def test_words_of_two_versions_are_two_words() -> None:
    """One role chooses by the words from before the version advanced."""
    before, behind = of_state() + ADVANCE + ARMS, ADVANCE + of_state() + ARMS
    refusal = refusal_of(before, behind)
    assert refusal is not None and refusal.code == "protocol-step-differs"
    assert "shard.read" in refusal.found
    assert refusal_of(before, before) is None and refusal_of(behind, behind) is None


def test_a_choice_without_a_site_is_nobody_elses() -> None:
    lonely = constant(1) + choice("", ADVANCE, "")
    refusal = refusal_of(lonely, lonely)
    assert refusal is not None and refusal.code == "shard-version-mixed"


def moved(site: int, name: str, peer: int, receive: bool) -> str:
    """A selector that goes to a peer, or comes from one."""
    frame = f"protocol.{'receive from' if receive else 'send to'} {peer} words 1 : i64"
    made = f"{name} = " if receive else ""
    type = " : !protocol.at<i64, role ROLE>" if receive else ""
    given = "" if receive else f" {name}"
    return f"{made}protocol.perform transfer site {site}{given} {{\n{frame}\n}}{type}\n"


def test_a_site_is_one_transfer() -> None:
    """Two words at one site would be one word for whoever looks at the site."""
    sends = constant(0, "%a") + constant(1, "%b")
    twice = sends + moved(3, "%a", 1, False) + moved(3, "%b", 1, False)
    takes = moved(3, "%c", 0, True) + moved(3, "%d", 0, True)
    refusal = refusal_of(twice, takes)
    assert refusal is not None and refusal.code == "protocol-step-differs"
    assert refusal.expected == "one operation of role 0 at site 3" and refusal.found == "two"
    other = sends + moved(3, "%a", 1, False) + moved(4, "%b", 1, False)
    assert refusal_of(other, moved(3, "%c", 0, True) + moved(4, "%d", 0, True)) is None


SEVERAL_READS = (
    "%v = shard.read @v : !shard.owned<tensor<3xf64>, cyclic, +0>\n"
    "%w = shard.read @w : !shard.replica<f64, +0>\n"
)


def test_reads_may_be_cut_otherwise() -> None:
    work = f"{SEVERAL_READS}{UPDATE}shard.advance @w = %w1, @v = %v1"
    assert refusal_of(local("", work, ""), ADVANCE) is None


def test_other_states_dont_advance_for_one_role() -> None:
    fewer = ADVANCE.replace("shard.advance @w = %w1, @v = %v1", "shard.advance @w = %w1")
    assert fewer != ADVANCE
    refusal = refusal_of(ADVANCE, fewer)
    assert refusal is not None and refusal.code == "protocol-step-differs"
    assert refusal.expected == "role 1 to advance @v, @w, as role 0" and refusal.found == "@w"


def test_an_edge_has_two_ends() -> None:
    roles = programs(ADVANCE + PUBLISH, ADVANCE + PUBLISH)
    check_programs(roles)
    roles[1].properties["edges"] = ArrayAttr[IntAttr]([])
    with pytest.raises(Refusal) as caught:
        check_programs(roles)
    assert caught.value.code == "protocol-step-differs"
    assert caught.value.expected == "an edge of role 1 to role 0, as role 0 has one"


def test_what_is_exchanged_in_a_choice_is_found_by_its_site() -> None:
    """Without one, two choices by two words would be taken for one."""
    arms = {
        word: constant(word)
        + choice(moved(3, "%s", 1, False) if word else moved(3, "%x", 0, True), "", "")
        for word in (0, 1)
    }
    refusal = refusal_of(arms[1], arms[0])
    assert refusal is not None and refusal.expected == "the site of what role 0 decides with others"


def test_a_version_is_published_by_all_or_in_the_same_arms() -> None:
    early = constant(1) + ADVANCE
    late = ADVANCE + PUBLISH
    inside, outside = early + choice(PUBLISH, "") + late, early + PUBLISH + late
    both = early + choice(PUBLISH, PUBLISH) + late
    assert refusal_of(inside, inside) is None and refusal_of(both, outside) is None
    for one, other in ((inside, outside), (inside, early + choice("", PUBLISH) + late)):
        refusal = refusal_of(one, other)
        assert refusal is not None and refusal.code == "protocol-publish-version"


def test_a_role_may_have_the_word_that_another_is_told() -> None:
    """Role 0 decides, role 1 has the same word itself."""
    told = "%t = protocol.perform decide site 4 %s arms 2 {\n} : !protocol.at<i64, role 0>\n"
    chosen = f"protocol.choice %t site 7 {{\n}} {{\n{ADVANCE}}}\n"
    assert refusal_of(constant(1) + told + chosen, constant(1) + ARMS) is None
    refusal = refusal_of(constant(1) + told + chosen, constant(0) + ARMS)
    assert refusal is not None and refusal.code == "protocol-step-differs"
