"""Dominators, loops and next-use distances against their definitions, on random functions."""

from __future__ import annotations

import heapq
from random import Random

import pytest
from allocation.random_functions import random_function
from allocation.toy import NAMES, TARGET

from alpha.backends.core.allocation.banks import Banks
from alpha.backends.core.allocation.distances import OUT_OF_LOOP, distances_of
from alpha.backends.core.allocation.dominance import dominators
from alpha.backends.core.allocation.flow import Flow, flow_of
from alpha.backends.core.allocation.loops import loops_of
from alpha.backends.core.program import Value


def random_flow(seed: int, blocks: int = 8, length: int = 4) -> Flow:
    random = Random(seed)
    function = random_function(TARGET, random, NAMES, random.randint(1, blocks), length)
    return flow_of(function, TARGET, Banks(TARGET))


def successors(flow: Flow) -> list[list[int]]:
    return [[link.target for link in node.successors] for node in flow.nodes]


def reached(graph: list[list[int]], start: int, inside: set[int]) -> set[int]:
    """What can be reached from a block in one step or more."""
    seen: set[int] = set()
    work = [start]
    while work:
        for each in graph[work.pop()]:
            if each in inside and each not in seen:
                seen.add(each)
                work.append(each)
    return seen


@pytest.mark.parametrize("seed", range(40))
def test_blocks_are_in_reverse_postorder_and_all_are_reached(seed: int) -> None:
    flow = random_flow(seed)
    graph = successors(flow)
    count = len(graph)
    assert reached(graph, 0, set(range(count))) | {0} == set(range(count))
    assert not flow.nodes[0].predecessors
    loops = flow.loops
    for block, following in enumerate(graph):
        for each in following:
            # Only edges inside a loop go back, and of those of a reducible loop only to its header.
            assert each > block or set(loops.around[block]) & set(loops.around[each])


@pytest.mark.parametrize("seed", range(40))
def test_a_block_dominates_what_is_not_reached_without_it(seed: int) -> None:
    graph = successors(random_flow(seed))
    blocks = set(range(len(graph)))
    tree = dominators([[a for a in blocks for b in graph[a] if b == each] for each in blocks])
    for above in blocks:
        rest = blocks - {above}
        free = (reached(graph, 0, rest) | {0}) - {above} if above else set()
        for below in blocks:
            assert tree.dominates(above, below) == (below not in free), (above, below)
    for one in blocks:
        for other in blocks:
            common = tree.common([one, other])
            shared = [
                each for each in blocks if tree.dominates(each, one) and tree.dominates(each, other)
            ]
            assert common in shared
            assert all(tree.dominates(each, common) for each in shared)


def loops_by_definition(graph: list[list[int]], blocks: set[int], header: int) -> dict[int, tuple]:
    """The headers around each block, by mutual reachability."""
    inside = blocks - {header}
    around: dict[int, tuple] = {}
    reach = {block: reached(graph, block, inside) for block in inside}
    for block in inside:
        together = {each for each in reach[block] if block in reach[each]}
        if not together:
            continue
        first = min(together)
        inner = loops_by_definition(graph, together, first)
        around[block] = (first, *inner.get(block, ()))
    return around


@pytest.mark.parametrize("seed", range(60))
def test_loops_are_what_is_mutually_reachable(seed: int) -> None:
    flow = random_flow(seed, blocks=10)
    graph = successors(flow)
    expected = loops_by_definition(graph, set(range(len(graph))), -1)
    loops = loops_of(graph)
    for block in range(len(graph)):
        assert loops.around[block] == expected.get(block, ())
    for header, body in loops.body.items():
        assert set(body) == {b for b in range(len(graph)) if header in loops.around[b]}


def distance_by_search(flow: Flow, start: int, value: Value) -> int | None:
    """The shortest way from the start of a block to a use: Dijkstra over all positions."""
    queue = [(0, start, 0, value)]
    seen: set[tuple[int, int, Value]] = set()
    while queue:
        far, block, at, name = heapq.heappop(queue)
        if (block, at, name) in seen:
            continue
        seen.add((block, at, name))
        node = flow.nodes[block]
        if at < len(node.steps):
            step = node.steps[at]
            if name in step.instruction.uses:
                return far
            if name not in step.instruction.defs:
                heapq.heappush(queue, (far + 1, block, at + 1, name))
            continue
        for link in node.successors:
            target = flow.nodes[link.target]
            further = far + OUT_OF_LOOP * flow.loops.left(block, link.target)
            names = {p for p, a in zip(target.parameters, link.arguments, strict=True) if a == name}
            if name not in target.parameters:
                names.add(name)
            for each in names:
                heapq.heappush(queue, (further, link.target, 0, each))
    return None


@pytest.mark.parametrize("seed", range(40))
def test_distances_are_the_shortest_ways_to_a_use(seed: int) -> None:
    flow = random_flow(seed, blocks=7)
    found = distances_of(flow.nodes, flow.loops)
    for block, node in enumerate(flow.nodes):
        defined = {value for step in node.steps for value in step.defs}
        for value in range(len(flow.views)):
            expected = distance_by_search(flow, block, value)
            if value not in defined:
                assert found.entry[block].get(value) == expected, (block, value)
