"""What `dlfrm export` writes is read by networkx, with groups, probabilities and predicted links."""

from __future__ import annotations

import csv
import json
import os
import subprocess
from pathlib import Path

import networkx
import pytest

COMMAND = os.environ.get("DLFRM_COMMAND")

pytestmark = pytest.mark.skipif(COMMAND is None, reason="DLFRM_COMMAND does not name the command")


def run(*arguments: object) -> str:
    words = [str(COMMAND), *(str(argument) for argument in arguments)]
    return subprocess.run(words, check=True, capture_output=True, text=True).stdout


@pytest.fixture(scope="module", params=["--undirected", "--directed"])
def model(request, tmp_path_factory) -> Path:
    graph = networkx.les_miserables_graph()
    folder = tmp_path_factory.mktemp("export")
    links = folder / "links.tsv"
    links.write_text("".join(f"{a}\t{b}\n" for a, b in graph.edges))
    file = folder / "links.dlfrm"
    run("fit", links, request.param, "-q", "--no-header", "--chains", 2, "--burn-in", 20, "--draws", 20, "-o", file)
    return file


@pytest.mark.parametrize(("ending", "read"), [("graphml", networkx.read_graphml), ("gexf", networkx.read_gexf)])
def test_networkx_reads_what_is_exported(model: Path, ending: str, read):
    file = model.with_suffix(f".{ending}")
    run("export", model, "-o", file, "--top", 7, "--force")
    graph = read(file)
    info = json.loads(run("info", model, "--json"))
    assert graph.is_directed() == info["directed"] and not graph.is_multigraph()
    assert len(graph) == info["entities"] == 77
    kinds = [kind for _, _, kind in graph.edges(data="kind")]
    assert (kinds.count("link"), kinds.count("predicted"), len(kinds)) == (254, 7, 261)
    names = dict(graph.nodes(data="label"))
    predicted = json.loads(run("predict", model, "--top", 7, "--json"))
    expected = {(line["source"], line["target"]): line["probability"] for line in predicted}
    found = {}
    for source, target, values in graph.edges(data=True):
        assert 0 <= values["low"] <= values["high"] <= 1
        if values["kind"] == "predicted":
            pair = (names[source], names[target])
            found[pair if pair in expected else pair[::-1]] = values["probability"]
            assert values["why"]
    assert found == expected
    groups = {feature["feature"]: feature for feature in json.loads(run("features", model, "--json"))[0]["features"]}
    for _, values in graph.nodes(data=True):
        numbers = [int(number) for number in str(values.get("groups", "")).split()]
        assert [values[f"in group {number}"] for number in numbers[:1]] == ([values["certainty"]] if numbers else [])
        for number in numbers:
            assert values["label"] in {member["name"] for member in groups[number]["members"]}


def test_tables_are_csv(model: Path, tmp_path: Path):
    run("export", model, "--format", "csv", "-o", tmp_path / "tables", "--top", 5)

    def rows(name: str) -> list[dict[str, str]]:
        with (tmp_path / "tables" / f"{name}.csv").open(newline="") as file:
            return list(csv.DictReader(file))

    assert (len(rows("links")), len(rows("predicted"))) == (254, 5)
    assert sum(int(group["size"]) for group in rows("groups")) == len(rows("members"))
