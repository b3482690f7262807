"""What `dlfrm export` writes is read by networkx, with groups, probabilities and predicted links."""

from __future__ import annotations

import csv
import json
import re
from pathlib import Path
from xml.etree import ElementTree

import networkx
import pytest
from conftest import needs_command, run, write_links

pytestmark = needs_command


@pytest.fixture(scope="module", params=["--undirected", "--directed"])
def model(request, tmp_path_factory) -> Path:
    graph = networkx.les_miserables_graph()
    folder = tmp_path_factory.mktemp("export")
    links = write_links(folder / "links.tsv", graph.edges)
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
    assert len(graph) == info["nodes"] == 77
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


# What the formats allow for the elements that are written: the children in order, and the attributes with whether they are
# needed (no question mark) and what they may be. The schemas themselves are not distributed with any package.
NAME = r"[\w.:-]+"
WORD = {"GraphML": "boolean|int|long|float|double|string", "GEXF": "integer|long|double|float|boolean|string"}
RULES = {
    "GraphML": {
        "graphml": ("(key )*(graph )*", {}),
        "key": ("", {"id": NAME, "for": "node|edge", "attr.name": NAME + r"[\w .]*", "attr.type": WORD["GraphML"]}),
        "graph": ("(node )*(edge )*", {"edgedefault": "directed|undirected", "id?": NAME}),
        "node": ("(data )*", {"id": NAME}),
        "edge": ("(data )*", {"id?": NAME, "source": NAME, "target": NAME}),
        "data": ("", {"key": NAME}),
    },
    "GEXF": {
        "gexf": ("graph ", {"version": r"1\.2"}),
        "graph": ("(attributes )*nodes edges ", {"defaultedgetype?": "directed|undirected|mutual"}),
        "attributes": ("(attribute )*", {"class": "node|edge"}),
        "attribute": ("", {"id": ".+", "title": ".+", "type": WORD["GEXF"]}),
        "nodes": ("(node )*", {}),
        "edges": ("(edge )*", {}),
        "node": ("(attvalues )?", {"id": ".+", "label?": ".*"}),
        "edge": ("(attvalues )?", {"id": ".+", "source": ".+", "target": ".+"}),
        "attvalues": ("(attvalue )*", {}),
        "attvalue": ("", {"for": ".+", "value": ".*"}),
    },
}
SPACES = {"GraphML": "http://graphml.graphdrawing.org/xmlns", "GEXF": "http://www.gexf.net/1.2draft"}
VALUES = {"int": int, "integer": int, "double": float, "string": str}


@pytest.mark.parametrize("form", ["GraphML", "GEXF"])
def test_exports_keep_the_rules_of_their_formats(model: Path, form: str):
    file = model.with_suffix(f".{form.lower()}")
    run("export", model, "-o", file, "--top", 7, "--force")
    root = ElementTree.parse(file).getroot()
    rules, space = RULES[form], f"{{{SPACES[form]}}}"
    kinds: dict[tuple[str, str], str] = {}
    ids: dict[str, set[str]] = {}
    for element in root.iter():
        assert element.tag.startswith(space), element.tag
        name = element.tag.removeprefix(space)
        children, attributes = rules[name]
        found = "".join(f"{child.tag.removeprefix(space)} " for child in element)
        assert re.fullmatch(children, found), (name, found[:80])
        given = {key for key in element.attrib if not key.startswith("{http://www.w3.org/2001/XMLSchema-instance}")}
        known = {key.rstrip("?"): value for key, value in attributes.items()}
        needed = {key for key in attributes if not key.endswith("?")}
        assert needed <= given <= set(known), (name, given)
        for key in given:
            assert re.fullmatch(known[key], element.attrib[key], re.DOTALL), (name, key, element.attrib[key])
        if "id" in given and name in ("node", "edge", "key"):
            assert element.attrib["id"] not in ids.setdefault(name, set()), element.attrib
            ids[name].add(element.attrib["id"])
        if name == "key":
            kinds[element.attrib["for"], element.attrib["id"]] = element.attrib["attr.type"]
        if name == "attributes":
            kinds.update({(element.attrib["class"], one.attrib["id"]): one.attrib["type"] for one in element})
    # Every value is declared for what it is a value of, and of its type; every end is a node.
    for of in ("node", "edge"):
        for element in root.iter(f"{space}{of}"):
            for value in [*element.iter(f"{space}data"), *element.iter(f"{space}attvalue")]:
                key = value.attrib.get("key", value.attrib.get("for", ""))
                VALUES[kinds[of, key]](value.text if form == "GraphML" else value.attrib["value"])
            if of == "edge":
                assert {element.attrib["source"], element.attrib["target"]} <= ids["node"]
