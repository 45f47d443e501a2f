"""The recorded tree against the search's own result, and against all continuations by brute force."""

import dataclasses

import numpy as np
import pytest

from nmt.search.beam import BeamSettings, beam_search
from nmt.search.beam_trace import BeamTrace, trace_beam
from nmt.search.stepwise import END
from tests.oracles.brute_force import allowed, next_log_probabilities
from tests.oracles.forced import forced
from tests.oracles.toys import random_sources, random_toy

SETTINGS = [
    BeamSettings(beam=1, max_length=4),
    BeamSettings(beam=3, max_length=5),
    BeamSettings(beam=4, n_best=2, max_length=5, length_penalty=1.0),
    BeamSettings(beam=5, n_best=5, max_length=4, min_length=1, forbidden=(1,)),
]


def by_length(trace: BeamTrace, *fates: str) -> list[set[tuple[int, ...]]]:
    longest = max(node.length for node in trace.nodes)
    return [
        {
            trace.ids(k)
            for k, node in enumerate(trace.nodes)
            if node.length == length and (not fates or node.fate in fates)
        }
        for length in range(1, longest + 1)
    ]


@pytest.mark.parametrize("settings", SETTINGS)
@pytest.mark.parametrize("seed", range(6))
def test_the_tree_is_the_search(settings: BeamSettings, seed: int) -> None:
    model = random_toy(seed, size=4)
    sources = random_sources(seed).only(0)
    trace = trace_beam(model, sources.ids, sources.mask, settings, top=5)
    (outputs,) = beam_search(model, sources.ids, sources.mask, settings)
    assert [output.ids for output in trace.outputs] == [output.ids for output in outputs]
    finished = {trace.ids(k): node for k, node in enumerate(trace.nodes) if node.fate == "finished"}
    for output in outputs:
        node = finished[output.ids]
        assert node.log_probability == pytest.approx(output.log_probability, rel=1e-9)
        path, number = [], next(k for k, each in enumerate(trace.nodes) if each is node)
        while (parent := trace.nodes[number].parent) is not None:
            path.append(trace.nodes[number].alpha)
            number = parent
        assert output.alpha is not None
        np.testing.assert_array_equal(np.array(path[::-1]), output.alpha)


@pytest.mark.parametrize("settings", SETTINGS)
@pytest.mark.parametrize("seed", range(6))
def test_what_is_kept_is_what_brute_force_keeps(settings: BeamSettings, seed: int) -> None:
    model = random_toy(seed, size=4)
    sources = random_sources(seed).only(0)
    trace = trace_beam(model, sources.ids, sources.mask, settings, top=5)
    every, living = by_length(trace), by_length(trace, "continued", "pruned", "open")
    finished = by_length(trace, "finished")
    live: list[tuple[tuple[int, ...], float]] = [((), 0.0)]
    done = 0
    for step in range(len(every)):
        continuations = [
            ((*prefix, token), value + more)
            for prefix, value in live
            for token, more in allowed(model, sources, prefix, settings)
        ]
        continuations.sort(key=lambda continuation: -continuation[1])
        best = continuations[: settings.beam - done]
        assert {ids for ids, _ in best if ids[-1] == END} == finished[step]
        live = [(ids, value) for ids, value in best if ids[-1] != END]
        assert {ids for ids, _ in live} <= living[step]
        assert {ids for ids, _ in continuations[: settings.beam]} == every[step]
        done += len(best) - len(live)


@pytest.mark.parametrize("seed", range(3))
def test_fates_and_following_tokens(seed: int) -> None:
    settings = BeamSettings(beam=3, max_length=5)
    model = random_toy(seed, size=4)
    sources = random_sources(seed).only(0)
    trace = trace_beam(model, sources.ids, sources.mask, settings, top=2)
    parents = {
        node.parent
        for node in trace.nodes
        if node.parent is not None and node.fate in ("continued", "finished", "open")
    }
    for k, node in enumerate(trace.nodes):
        pruned_below = any(other.parent == k and other.fate == "pruned" and other.following for other in trace.nodes)
        assert (node.fate == "continued") == (k in parents or pruned_below)
        if node.fate == "finished":
            assert node.id == END
        if node.following:
            values = next_log_probabilities(model, sources, trace.ids(k))
            expected = sorted(values, reverse=True)[:2]
            if node.length < 5:
                assert [each.log_probability for each in node.following] == pytest.approx(expected, rel=1e-6)
        if node.parent is not None:
            above = trace.nodes[node.parent]
            assert node.log_probability == pytest.approx(above.log_probability + node.token_log_probability, rel=1e-6)


def test_without_attention_and_with_a_forced_output() -> None:
    model = dataclasses.replace(random_toy(1), attention=None)
    sources = random_sources(1).only(0)
    trace = trace_beam(model, sources.ids, sources.mask, BeamSettings(beam=3, max_length=4), top=5)
    assert all(node.alpha is None for node in trace.nodes)
    best = trace.outputs[0]
    (given,) = forced(model, sources.ids, sources.mask, [best.ids])
    assert best.log_probability == pytest.approx(given.log_probability, rel=1e-6)
