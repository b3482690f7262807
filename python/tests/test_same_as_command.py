"""Python, the command and its files: the same predictions, bit by bit."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from conftest import needs_command, run, write_links

import dlfrm

pytestmark = needs_command

CASES = {
    "default": {},
    "full": {"model": "dlfrm-l", "covariates": "topology", "node_effects": True},
    "hinge": {"model": "diag-dlfrm-h", "covariates": "none", "nu": 0.3, "learn_alpha": False},
}


@pytest.mark.parametrize("case", CASES)
def test_predictions_and_files_are_the_same(case, misery, tmp_path: Path):
    links, file = write_links(tmp_path / "links.tsv", misery.links()), tmp_path / "command.dlfrm"
    params = {**CASES[case], "chains": 2, "burn_in": 10, "draws": 8}
    flags: list[str] = []
    for name, value in params.items():
        flag = name.replace("_", "-")
        flags += [f"--{'' if value else 'no-'}{flag}"] if isinstance(value, bool) else [f"--{flag}", str(value)]
    run("fit", links, "--undirected", "--seed", 5, "-o", file, "-q", *flags)
    model = dlfrm.DLFRM(**params, random_state=5).fit(links, directed=False)
    asked = [(a, b) for a in misery.nodes[:12] for b in misery.nodes[40:50]]
    pairs = write_links(tmp_path / "pairs.tsv", asked)
    printed = json.loads(run("predict", file, "--pairs", pairs, "--json"))
    expected = np.array([[line["probability"], line["low"], line["high"]] for line in printed])
    loaded = dlfrm.DLFRM.load(file)
    from_list = dlfrm.DLFRM(**params, random_state=5).fit(
        [tuple(line.split("\t")) for line in links.read_text().splitlines()], directed=False
    )
    for one in (model, loaded, from_list):
        assert (one.link_probability(asked) == expected[:, 0]).all()
        assert (one.interval(asked) == expected[:, 1:]).all()
        assert one.decision_function(asked).tolist() == [line["score"] for line in printed]
    best = json.loads(run("predict", file, "--top", 5, "--json"))
    assert [link.score for link in model.top_links(5)] == [line["score"] for line in best]
    assert [link.probability for link in model.top_links(5)] == [line["probability"] for line in best]
    saved = tmp_path / "python.dlfrm"
    model.save(saved)
    assert json.loads(run("predict", saved, "--pairs", pairs, "--json")) == printed
    shown = json.loads(run("features", file, "--json"))[0]["features"]
    assert [feature["size"] for feature in shown] == [feature.size for feature in model.features_]


def test_evaluations_and_splits_are_the_same(misery, tmp_path: Path):
    links, folder = write_links(tmp_path / "links.tsv", misery.links()), tmp_path / "splits"
    folder.mkdir()
    short = ["--chains", 1, "--burn-in", 4, "--draws", 4]
    run("evaluate", links, "--undirected", "--model", "cn", "--runs", 2, "--seed", 9, "--write-splits", folder, "-q")
    network = dlfrm.Network(links, directed=False)
    for number, split in enumerate(dlfrm.splits.split(network, runs=2, seed=9), start=1):
        lines = (folder / f"run-{number}-test.tsv").read_text().splitlines()[1:]
        written = [tuple(line.split("\t")) for line in lines]
        assert written == [(a, b, str(int(y))) for (a, b), y in zip(split.test_pairs, split.test_labels, strict=True)]
    out = run("evaluate", links, "--undirected", "--model", "diag-dlfrm-l,katz", "--runs", 2, "--seed", 9,
              "--json", "-q", *short)
    report = json.loads(out)
    model = dlfrm.DLFRM("diag-dlfrm-l", chains=1, burn_in=4, draws=4)
    found = dlfrm.evaluate(network, {"diag-dlfrm-l": model, "katz": "katz"}, runs=2, seed=9)
    for one in report["models"]:
        assert found.figures[one["model"]]["auc_mean"] == one["auc_mean"]
        assert found.mean(one["model"]) == pytest.approx(one["auc_mean"])


def test_generated_networks_are_the_same(tmp_path: Path):
    file = tmp_path / "links.tsv"
    run("generate", "-o", file, "--nodes", 30, "--seed", 4, "-q")
    network = dlfrm.Network(file, directed=False, nodes=30)
    assert network.links() == dlfrm.generate(30, seed=4).network.links()


def test_held_out_pairs_are_the_same(misery, tmp_path: Path):
    links, file = write_links(tmp_path / "links.tsv", misery.links()), tmp_path / "command.dlfrm"
    short = ["--chains", 2, "--burn-in", 10, "--draws", 8]
    printed = run("fit", links, "--undirected", "--hold-out", 0.1, *short, "--json", "-q", "-o", file)
    expected = json.loads(printed)["relations"][0]["held_out"]
    model = dlfrm.DLFRM(chains=2, burn_in=10, draws=8, hold_out=0.1).fit(links, directed=False)
    assert model.held_out_ == expected == dlfrm.DLFRM.load(file).held_out_
    assert expected["pairs"] == 293 and expected["auc"] > 0.5
    longer = dlfrm.DLFRM(chains=2, burn_in=10, draws=11, hold_out=0.1).fit(links, directed=False)
    assert model.resume(draws=3).held_out_ == longer.held_out_ != expected
    assert dlfrm.DLFRM(chains=1, burn_in=5, draws=5).fit(links, directed=False).held_out_ is None
    with pytest.raises(ValueError, match="hold_out must be between 0 and 1, both excluded, is 1"):
        dlfrm.DLFRM(hold_out=1).fit(links)
