"""Fits that go on: more draws, an end that was too early, new links. The same bits as the command."""

from __future__ import annotations

import copy
import json
import pickle
from pathlib import Path

import numpy as np
import pytest
from conftest import needs_command, run, write_links

import dlfrm

SHORT = {"chains": 2, "burn_in": 10, "draws": 6, "random_state": 3}


def same(one: dlfrm.DLFRM, other: dlfrm.DLFRM) -> bool:
    """Whether two models have the same draws, and predict the same with them."""
    nodes = one.nodes_
    pairs = [(a, b) for a in nodes[:20] for b in nodes[30:]]
    draws = [model._model().draws(0) for model in (one, other)]
    return (
        nodes == other.nodes_
        and np.array_equal(*draws)
        and bool((one.link_probability(pairs) == other.link_probability(pairs)).all())
        and bool((one.interval(pairs) == other.interval(pairs)).all())
    )


def ended_early(network: dlfrm.Network, sweeps: int = 13, **settings: object) -> dlfrm.DLFRM:
    model = dlfrm.DLFRM(**{**SHORT, "draws": 300, "thin": 1, "covariates": "none", **settings})
    with pytest.warns(dlfrm.InterruptedFitWarning, match="resume goes on with it"):
        model.fit(network, callback=lambda progress: progress.sweep > sweeps)
    assert model.interrupted_
    return model


@pytest.fixture(scope="module")
def whole(misery: dlfrm.Network) -> dlfrm.DLFRM:
    return dlfrm.DLFRM(**{**SHORT, "draws": 300, "thin": 1, "covariates": "none"}).fit(misery)


def test_more_draws_are_those_of_a_longer_fit(misery):
    model = dlfrm.DLFRM(**SHORT).fit(misery)
    before = model.link_probability([("Valjean", "Javert")])
    assert model.resume(draws=5) is model and not model.interrupted_
    assert model.diagnostics_["draws"] == 22 and (model.link_probability([("Valjean", "Javert")]) != before).all()
    assert same(model, dlfrm.DLFRM(**{**SHORT, "draws": 11}).fit(misery))
    assert model.get_params()["draws"] == 6


def test_a_fit_that_was_ended_early_ends_as_if_it_had_not_been(misery, whole, tmp_path: Path):
    model = ended_early(misery)
    file = tmp_path / "early.dlfrm"
    model.save(file)
    assert (tmp_path / "early.dlfrm.checkpoint").exists()
    copies = [model, pickle.loads(pickle.dumps(model)), copy.copy(model), dlfrm.DLFRM.load(file)]
    for one in copies:
        assert one.interrupted_ and same(one.resume(), whole) and not one.interrupted_
    copies[-1].save(file)
    # A model that is complete has no checkpoint.
    assert [path.name for path in tmp_path.iterdir()] == ["early.dlfrm"]
    assert same(dlfrm.DLFRM.load(file), whole)


def test_a_fit_that_goes_on_may_be_ended_early_again(misery, whole):
    model = ended_early(misery)
    seen = []
    with pytest.warns(dlfrm.InterruptedFitWarning):
        model.resume(callback=lambda progress: seen.append(progress.sweep) or progress.sweep > 20)
    assert min(seen) > 10 and 0 < model.diagnostics_["draws"] < 600
    assert same(model.resume(), whole)


@needs_command
def test_the_command_goes_on_in_the_same_way(misery, whole, tmp_path: Path):
    links, file = tmp_path / "links.tsv", tmp_path / "command.dlfrm"
    write_links(links, misery.links())
    run("fit", links, "--undirected", "--chains", 2, "--burn-in", 10, "--draws", 6, "-o", file, "-q")
    model = dlfrm.DLFRM.load(file)
    run("resume", file, "--draws", "+7", "-q")
    assert same(model.resume(draws=7), dlfrm.DLFRM.load(file))
    # And with what Python left.
    ended_early(misery).save(tmp_path / "early.dlfrm")
    run("resume", tmp_path / "early.dlfrm", "-q")
    assert same(dlfrm.DLFRM.load(tmp_path / "early.dlfrm"), whole)


def fitted_by_command(network: dlfrm.Network, folder: Path) -> Path:
    """The file of a short fit."""
    links, file = folder / "links.tsv", folder / "model.dlfrm"
    write_links(links, network.links())
    run("fit", links, "--undirected", "--chains", 2, "--burn-in", 40, "--draws", 6, "-o", file, "-q")
    return file


@needs_command
def test_the_command_adds_the_same_links(misery, tmp_path: Path):
    file, more = fitted_by_command(misery, tmp_path), tmp_path / "more.tsv"
    new = [("Cosette", "Azelma"), ("Azelma", "Cosette's doll"), ("Cosette's doll", "Cosette")]
    write_links(more, new)
    run("update", file, more, "-o", tmp_path / "new.dlfrm", "-q")
    expected = dlfrm.DLFRM.load(tmp_path / "new.dlfrm")
    for given in (new, more):
        model = dlfrm.DLFRM.load(file)
        model.update(given)
        assert same(model, expected)
        assert model.nodes_[-1] == "Cosette's doll"
        (added,) = (text for text in model.warnings_ if getattr(text, "code", "") == "added")
        assert added.startswith("new: 2 nodes, 3 links") and added.data["nodes"] == 2


@needs_command
def test_new_nodes_are_predicted_as_by_the_command(misery, tmp_path: Path):
    file, new = fitted_by_command(misery, tmp_path), tmp_path / "new.tsv"
    given = [("Inspector", "Javert"), ("Inspector", "Valjean"), ("Clerk", "Inspector")]
    write_links(new, given)
    shown = json.loads(run("predict", file, "--new", new, "--top", 4, "--json"))
    expected = [(one["source"], one["target"], one["probability"]) for one in shown]
    model = dlfrm.DLFRM.load(file)
    for source in (given, new):
        wider = model.with_new_nodes(source)
        found = [link for node in ("Inspector", "Clerk") for link in wider.top_links(4, node=node)]
        assert [(link.source, link.target, link.probability) for link in found] == expected
        assert wider.nodes_ == [*model.nodes_, "Inspector", "Clerk"]
        assert "Inspector" in str(wider.explain("Inspector", "Cosette"))
        with pytest.raises(ValueError, match="has no states of its chains"):
            wider.resume(draws=2)
    with pytest.raises(ValueError, match="the model knows both 'Javert' and 'Valjean'"):
        model.with_new_nodes([("Javert", "Valjean"), ("Clerk", "Javert")])
    with pytest.raises(ValueError, match="there is no new node"):
        model.with_new_nodes(dlfrm.Network([], nodes=["Javert"], directed=False))


def test_integers_stay_integers(tmp_path: Path):
    links = [(a, b) for a in range(12) for b in range(a) if (a * b) % 3 == 0]
    model = dlfrm.DLFRM(**SHORT).fit(links, directed=False)
    assert model.update([(20, 3), (5, 20)]).nodes_ == [*range(12), 20]
    assert model.link_probability([(20, 3)]).shape == (1,)
    # New nodes come after the others, whatever their size.
    assert model.update(np.array([[-4, 3], [15, 3], [15, 20]])).nodes_ == [*range(12), 20, -4, 15]
    assert model.predict_proba(np.array([[15, -4], [20, 0]])).shape == (2, 2)
    file = tmp_path / "more.tsv"
    file.write_text("3\t30\n")
    assert model.update(file).nodes_[-1] == 30
    with pytest.raises(TypeError, match="mixed types: 0 and 'x'"):
        model.update([("x", "y")])
    with pytest.raises(ValueError, match="the model is undirected, the new pairs are directed"):
        model.update(dlfrm.Network([(1, 2)]))


def test_until_and_time(misery):
    model = dlfrm.DLFRM(**{**SHORT, "covariates": "none"}).fit(misery)
    agreed = model.resume(until=1.5)
    assert agreed.settings_["draws"] >= 6 and not agreed.interrupted_
    with pytest.warns(dlfrm.InterruptedFitWarning):
        agreed.resume(draws=900_000, time=0.5)
    assert agreed.interrupted_
    with pytest.warns(dlfrm.InterruptedFitWarning):
        dlfrm.DLFRM(chains=1, burn_in=1, draws=1_000_000, covariates="none").fit(misery, time=0.5)
    with pytest.raises(TimeoutError, match="over before the first draw was kept"):
        dlfrm.DLFRM(chains=1, burn_in=1_000_000, covariates="none").fit(misery, time=0.2)
    assert dlfrm.DLFRM(**{**SHORT, "covariates": "none"}).fit(misery, until=1.5).settings_["draws"] >= 6


def test_what_cannot_go_on_says_why(misery):
    with pytest.raises(dlfrm.NotFittedError):
        dlfrm.DLFRM().resume(draws=3)
    model = dlfrm.DLFRM(**SHORT).fit(misery)
    with pytest.raises(ValueError, match="the fit is complete; draws or until goes on with it"):
        model.resume()
    for wrong in (0, -1, True, 1.5, "3", 2**63):
        with pytest.raises(ValueError, match="draws must be a number from 1, is"):
            model.resume(draws=wrong)
    for wrong in (1.0, 0, float("nan")):
        with pytest.raises(ValueError, match="until must be a number above 1, is"):
            model.resume(until=wrong)
    for wrong in (-1, float("nan"), float("inf")):
        with pytest.raises(ValueError, match="time must be a number of seconds, is"):
            model.resume(draws=1, time=wrong)
    with pytest.raises(MemoryError):
        model.set_params(memory=10).resume(draws=3)
    assert model.diagnostics_["draws"] == 12
    with pytest.raises(ValueError, match="resume it before it is updated"):
        ended_early(misery).update([("Cosette", "Azelma")])
