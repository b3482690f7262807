"""Networks in every form, the same fit from each, and the wrong ones."""

from __future__ import annotations

import warnings

import igraph
import networkx
import numpy as np
import pandas
import polars
import pyarrow
import pytest
from conftest import QUICK
from scipy import sparse

import dlfrm

NUMBERS = [(0, 1), (0, 2), (1, 2), (2, 3), (3, 4), (3, 5), (4, 5), (5, 9)]


def frame() -> pandas.DataFrame:
    return pandas.DataFrame(NUMBERS, columns=["source", "target"])


def graph() -> networkx.Graph:
    made = networkx.Graph(NUMBERS)
    networkx.set_node_attributes(made, {node: node % 2 for node in made}, "parity")
    return made


class Stream:
    """Anything with the C data interface of Arrow, and nothing else."""

    def __arrow_c_stream__(self, requested_schema=None):
        return pyarrow.table(frame()).__arrow_c_stream__(requested_schema)


FORMS = {
    "list": lambda: NUMBERS,
    "array": lambda: np.array(NUMBERS),
    "int32 array": lambda: np.array(NUMBERS, dtype=np.int32),
    "strided array": lambda: np.array([[a, 7, b, 7] for a, b in NUMBERS])[:, ::2],
    "pandas": frame,
    "polars": lambda: polars.DataFrame(frame().to_dict("list")),
    "pyarrow": lambda: pyarrow.table(frame().to_dict("list")),
    "arrow stream": Stream,
    "networkx": graph,
    "igraph": lambda: igraph.Graph.TupleList([(str(a), str(b)) for a, b in NUMBERS]),
    "objects": lambda: pandas.DataFrame(NUMBERS, columns=["a", "b"]).astype(object),
    "strings": lambda: [(str(a), str(b)) for a, b in NUMBERS],
}


@pytest.fixture(scope="module")
def expected() -> np.ndarray:
    model = dlfrm.DLFRM(**QUICK).fit(NUMBERS, directed=False)
    return model.link_probability([(0, 3), (1, 9), (2, 5)])


@pytest.mark.parametrize("form", FORMS)
def test_every_form_gives_the_same_fit(form, expected):
    model = dlfrm.DLFRM(**QUICK).fit(FORMS[form](), directed=False)
    text = form in ("igraph", "strings")
    pairs = [(0, 3), (1, 9), (2, 5)]
    found = model.link_probability([(str(a), str(b)) for a, b in pairs] if text else pairs)
    assert (found == expected).all()
    assert model.nodes_ == [str(node) if text else node for node in (0, 1, 2, 3, 4, 5, 9)]
    assert all(type(node) is (str if text else int) for node in model.nodes_)


def test_a_file_gives_the_same_fit(tmp_path, expected):
    file = tmp_path / "links.tsv"
    file.write_text("".join(f"{a}\t{b}\n" for a, b in NUMBERS))
    for path in (file, str(file)):
        model = dlfrm.DLFRM(**QUICK).fit(path, directed=False)
        assert (model.link_probability([(0, 3), (1, 9), (2, 5)]) == expected).all()
    with pytest.raises(FileNotFoundError, match="none.tsv"):
        dlfrm.Network(tmp_path / "none.tsv")
    file.write_text("a\n")
    with pytest.raises(ValueError, match="line 1"):
        dlfrm.Network(file)


def test_matrices():
    matrix = np.zeros((10, 10))
    for a, b in NUMBERS:
        matrix[a, b] = matrix[b, a] = 1
    reference = dlfrm.DLFRM(**QUICK).fit(NUMBERS, directed=False, nodes=10)
    for form in (matrix, matrix.astype(bool), sparse.csr_matrix(matrix), sparse.coo_array(matrix)):
        model = dlfrm.DLFRM(**QUICK).fit(form)
        assert (model.link_probability([(0, 3), (6, 7)]) == reference.link_probability([(0, 3), (6, 7)])).all()
    hidden = np.ma.masked_array(matrix, mask=np.eye(10, dtype=bool)[::-1])
    assert dlfrm.Network(hidden, directed=True)._inner.observed_count(0) == 90 - 10
    matrix[0, 1] = 0
    with pytest.raises(ValueError, match="1 of 15 entries have none across the diagonal, the first in row 1, column 0; directed=True"):
        dlfrm.Network(matrix)
    assert len(dlfrm.Network(matrix, directed=True).links()) == 15 and len(dlfrm.Network(matrix, directed=False).links()) == 8


def test_outputs_are_of_the_callers_kind(fitted):
    kinds = {"pandas": pandas.DataFrame, "polars": polars.DataFrame, "pyarrow": pyarrow.Table, "networkx": dlfrm.Links}
    for form, kind in kinds.items():
        links = dlfrm.DLFRM(**QUICK).fit(FORMS[form](), directed=False).top_links(3)
        assert isinstance(links, kind), form
    table = fitted.top_links(3, output="pandas")
    assert list(table.columns) == ["source", "target", "probability", "low", "high", "score"]
    frame_of_pairs = table[["source", "target"]]
    assert fitted.link_probability(frame_of_pairs).tolist() == table["probability"].tolist()
    polar = polars.DataFrame({"source": table["source"].tolist(), "target": table["target"].tolist()})
    assert fitted.link_probability(polar).tolist() == table["probability"].tolist()
    drawn = fitted.to_networkx()
    assert drawn.number_of_edges() == 254 and any(values for _, values in drawn.nodes(data="features"))


def test_columns_of_strings_are_numbered_as_lists_are(misery, tmp_path):
    for links in (misery.links(), [(str(a), str(b)) for a, b in NUMBERS]):
        expected = dlfrm.Network(links, directed=True)
        table = pandas.DataFrame(links, columns=["source", "target"])
        arrow = pyarrow.Table.from_pandas(table)
        split = pyarrow.concat_tables([arrow.slice(0, 4), arrow.slice(4)])
        forms = [table, table.astype(object), table.astype("category"), arrow, split, polars.from_pandas(table)]
        forms += [polars.from_pandas(table).cast(polars.Categorical), np.array(links), np.array(links, dtype=object)]
        for form in forms:
            found = dlfrm.Network(form, directed=True)
            assert found.nodes == expected.nodes and found.links() == expected.links(), form
            if not isinstance(form, np.ndarray):
                pairs = form.slice(0, 5) if isinstance(form, pyarrow.Table) else form[:5]
                numbers = [expected.labels.numbers(np.array(ends, dtype=object), "") for ends in zip(*links[:5], strict=True)]
                assert (dlfrm._labels.pairs_array(pairs, found.labels) == np.stack(numbers, axis=1)).all()
    rows = [("x", "d", "b"), ("y", "c", "a"), ("x", "b", "a")]
    table = pandas.DataFrame(rows, columns=["relation", "source", "target"])
    table.to_csv(tmp_path / "links.csv", index=False)
    for data in (table, tmp_path / "links.csv"):
        two = dlfrm.Network(data, directed=True)
        assert two.nodes == ["d", "b", "c", "a"] and two.links("y") == [("c", "a")]


def test_relations_from_a_column_and_from_a_dict():
    rows = [("likes", a, b) for a, b in NUMBERS] + [("helps", b, a) for a, b in NUMBERS[:6]]
    table = pandas.DataFrame(rows, columns=["relation", "source", "target"])
    one = dlfrm.DLFRM(**QUICK, share_features=False).fit(table)
    two = dlfrm.DLFRM(**QUICK, share_features=False).fit({"likes": NUMBERS, "helps": [(b, a) for a, b in NUMBERS[:6]]})
    assert one.relations_ == two.relations_ == ["likes", "helps"]
    for name in one.relations_:
        pairs = [(0, 3), (9, 1)]
        found = one.link_probability(pairs, relation=name)
        assert (found == two.link_probability(pairs, relation=name)).all()
    assert set(one.features_) == set(one.n_features_) == {"likes", "helps"}
    assert "relation" in one.top_links(3).columns
    with pytest.raises(ValueError, match="relation: name one of"):
        one.predict_proba([(0, 3)])


def test_labels_of_pairs():
    table = frame().assign(label=[1, 1, 1, 0, 1, 1, None, 0])
    network = dlfrm.Network(table, directed=False)
    assert network._inner.observed_count(0) == 7 and len(network.links()) == 5
    shown = dlfrm.Network(table, directed=False, unlisted="non-links")
    assert shown._inner.observed_count(0) == 7 * 6 // 2 - 1
    assert len(dlfrm.Network([(a, b, 1) for a, b in NUMBERS], columns="source,target,label").links()) == 8


@pytest.mark.parametrize("form", ["list", "array", "pandas", "polars", "pyarrow"])
def test_labels_are_what_scikit_learn_calls_y(form):
    labels = [1, 1, 1, 0, 1, 1, 0, 0]
    model = dlfrm.DLFRM(**QUICK).fit(FORMS[form](), np.array(labels), directed=False)
    assert (model.network_.links, model.network_.non_links) == (5, 3) and model.network_.others_unobserved
    expected = dlfrm.DLFRM(**QUICK).fit(frame().assign(label=labels), directed=False)
    assert (model.link_probability(NUMBERS) == expected.link_probability(NUMBERS)).all()


def test_wrong_labels():
    fit = dlfrm.DLFRM(**QUICK).fit
    for wrong, error, text in (([1] * 7 + [2], ValueError, "one is 2"), (["yes"] * 8, TypeError, "must be 0 or 1"), ([1] * 7, ValueError, "7 labels of 8 pairs")):
        with pytest.raises(error, match=text):
            fit(NUMBERS, wrong)
    for data in (graph(), np.ones((8, 8)), {"x": NUMBERS}, dlfrm.Network(NUMBERS)):
        with pytest.raises(TypeError, match="label"):
            fit(data, [1] * 8)
    with pytest.raises(TypeError, match="given both beside the data and in its column"):
        fit(frame().assign(label=1), [1] * 8)


def test_attributes_of_nodes_and_pairs(misery):
    numbers = {node: {"letter": node[0], "length": float(len(node))} for node in misery.nodes}
    by_dict = dlfrm.DLFRM(**QUICK).fit(misery, node_attributes=numbers)
    table = pandas.DataFrame.from_dict(numbers, orient="index")
    by_frame = dlfrm.DLFRM(**QUICK).fit(misery, node_attributes=table)
    pairs = [("Valjean", "Napoleon"), ("Myriel", "Javert")]
    assert (by_dict.link_probability(pairs) == by_frame.link_probability(pairs)).all()
    assert any("length" in name for name in by_dict.coefficients_)
    graph_model = dlfrm.DLFRM(**QUICK).fit(graph(), node_attributes=["parity"])
    assert any("parity" in name for name in graph_model.coefficients_)
    ends = misery.links()[:60]
    known = pandas.DataFrame(ends, columns=["source", "target"]).assign(distance=[float(k % 7) for k in range(60)])
    with_pairs = dlfrm.DLFRM(**QUICK).fit(misery, pair_covariates=known)
    assert "distance" in with_pairs.coefficients_
    with pytest.raises(KeyError, match="none of its nodes is in the network, the first is 'Zoe'"):
        dlfrm.DLFRM().fit(misery, node_attributes={"Zoe": {"age": 3}})
    few = {node: {"age": float(k)} for k, node in enumerate([*misery.nodes[:10], "Zoe", "Yves"])}
    with pytest.warns(dlfrm.DataWarning, match="67 of 77 nodes without attributes; attributes of 2 that are not in the network ignored"):
        partly = dlfrm.DLFRM(**QUICK).fit(misery, node_attributes=few)
    assert (partly.network_.nodes_without_attributes, partly.network_.attributes_without_node) == (67, 2)
    ages = pandas.DataFrame({"node": range(6), "age": [3.0, 1, 4, 1, 5, 9]})
    with pytest.raises(ValueError, match=r"both the row numbers and the column 'node' may name nodes: table.set_index\('node'\)"):
        dlfrm.DLFRM().fit(graph(), node_attributes=ages)
    assert any("age" in name for name in dlfrm.DLFRM(**QUICK).fit(graph(), node_attributes=ages.set_index("node")).coefficients_)
    with pytest.raises(KeyError, match="'age' is neither"):
        dlfrm.DLFRM().fit(misery, node_attributes=["age"])
    with pytest.raises(ValueError, match="stands twice"):
        dlfrm.DLFRM().fit(misery, pair_covariates=pandas.concat([known, known]))
    with pytest.raises(TypeError, match="pair_covariates must be a table or a path, is 3"):
        dlfrm.DLFRM().fit(misery, pair_covariates=3)


@pytest.mark.parametrize(
    ("data", "error", "text"),
    [
        (np.array([[0.0, np.nan, 1], [1, 0, 0], [0, 1, 0]]), ValueError, "has the value nan"),
        (np.array([[0, -1, 1], [1, 0, 0], [0, 1, 0]]), ValueError, "negative value -1"),
        (np.array([["a", "b", "c"]] * 3), TypeError, "weights must be numbers"),
        (np.zeros((3, 4)), ValueError, "has shape (3, 4)"),
        (np.zeros(3), ValueError, "has shape (3,)"),
        (np.zeros((2, 2)), ValueError, "may be a matrix or two links"),
        (np.array([[0.5, 1.5], [2, 3], [4, 5]]), TypeError, "not float (0.5)"),
        (np.array([[0, np.nan], [2, 3], [4, 5]]), ValueError, "a node is missing (nan)"),
        (sparse.csr_matrix((3, 4)), ValueError, "must be square, has shape (3, 4)"),
        (networkx.Graph(), ValueError, "it has no nodes"),
        ([], ValueError, "it has no nodes"),
        ({}, ValueError, "the dict of relations is empty"),
        ([(1, "a"), ("a", 2)], TypeError, "mixed types: 1 and 'a'"),
        ([(1, 2, 0.5), (2, 3, 1)], ValueError, "has 3 values per row: columns='source,target,weight' or"),
        (np.ones((4, 3), dtype=int), ValueError, "columns='source,target,weight' or columns='source,target,label' (1 a link"),
        ([(1, 2), (2, 3, 1)], ValueError, "network[1] has 3 values, the first row has 2: (2, 3, 1)"),
        (frame().assign(weight=[1, 2, 3, 4, 5, 6, 7, None]), ValueError, "a weight must be a number, is nan"),
        (frame().assign(weight=[1, 2, 3, 4, 5, 6, 7, -8]), ValueError, "the negative value -8"),
        (networkx.Graph([(1, 2, {"weight": float("nan")})]), ValueError, "a weight must be a number, is nan"),
        (networkx.Graph([(1, 2, {"weight": -1})]), ValueError, "the negative value -1"),
        (networkx.Graph([(1, 2, {"weight": "a"})]), ValueError, "a weight must be a number, is 'a'"),
        (pandas.DataFrame({"a": [1], "b": [2], "c": [3]}), ValueError, "source= and target= have to name two of the columns ['a', 'b', 'c']"),
        ({"x": networkx.Graph([(1, 2)]), "y": networkx.DiGraph([(1, 2)])}, ValueError, "some of the relations have a direction"),
        ([(1, 2), 5], ValueError, "network[1] must be a pair of nodes, is 5"),
        (((a, b) for a, b in NUMBERS), TypeError, "a generator"),
        (pandas.DataFrame({"a": [1]}), ValueError, "a table needs two columns, has ['a']"),
        (pandas.DataFrame({"a": [1, None], "b": [2, 3]}), ValueError, "a node is missing (nan)"),
        (polars.DataFrame({"a": ["x", None], "b": ["y", "z"]}), ValueError, "a node is missing (None)"),
        (pandas.DataFrame({"a": ["x", None], "b": ["y", "z"]}), ValueError, "a node is missing"),
        (pandas.DataFrame({"a": ["x", "y"], "b": [1, 2]}), TypeError, "mixed types: 1 and 'x'"),
        (5, TypeError, "int is none of the kinds that can be read: 5"),
        (None, TypeError, "NoneType"),
        ([(2**70, 1), (1, 3)], ValueError, str(2**70)),
    ],
)
def test_wrong_networks(data, error, text):
    with pytest.raises(error) as raised:
        dlfrm.Network(data)
    assert text in str(raised.value)


def test_wrong_options(misery):
    with pytest.raises(KeyError, match="source: 'from' is not one of the columns"):
        dlfrm.Network(frame(), source="from")
    with pytest.raises(KeyError, match="nodes: node 9 is not one of the 6 nodes"):
        dlfrm.Network(NUMBERS, nodes=6)
    with pytest.raises(ValueError, match="self_links must be"):
        dlfrm.Network(NUMBERS, self_links="keep")
    with pytest.raises(ValueError, match="unlisted must be"):
        dlfrm.Network(NUMBERS, unlisted="x")
    assert dlfrm.Network([(1, 1), (1, 2)]).report.self_loops == 1
    with pytest.raises(ValueError, match="1 self-loop; self_links='drop' ignores them"):
        dlfrm.Network(networkx.Graph([("a", "a"), ("a", "b")]), self_links="raise")
    with pytest.raises(ValueError, match="have the same name"):
        dlfrm.Network(networkx.Graph([(1, "1"), ("1", 2)]))
    for empty in (np.zeros((4, 4)), np.ones((4, 4)) - np.eye(4)):
        with pytest.raises(ValueError, match="nothing to learn"):
            dlfrm.DLFRM().fit(empty)
    with pytest.raises(ValueError, match="given both as"):
        dlfrm.Network([(1, 2, 1), (1, 2, 0)], columns="source,target,label")
    with pytest.raises(ValueError, match="columns: 'wieght' is not one of source, target, relation, label, weight, skip"):
        dlfrm.Network([(1, 2, 1)], columns="source,target,wieght")
    for columns in ("source,target", "source,source,target"):
        with pytest.raises(ValueError, match="columns: "):
            dlfrm.Network([(1, 2, 1)], columns=columns)
    with pytest.raises(ValueError, match="the graph is undirected"):
        dlfrm.Network(graph(), directed=True)
    with pytest.raises(KeyError, match="relation: 'kind' is not an attribute of the graph's edges"):
        dlfrm.Network(graph(), relation="kind")
    with pytest.raises(TypeError, match="source: a list of rows such as"):
        dlfrm.Network(NUMBERS, source="a")
    with pytest.raises(TypeError):
        dlfrm.DLFRM().fit(misery, drected=True)
    with pytest.raises(TypeError, match="directed: a Network has its options already"):
        dlfrm.DLFRM().fit(misery, directed=True)
    with pytest.raises(TypeError, match="header: it says how a file is read"):
        dlfrm.Network([("Ada", "Bob")], header=True)


def test_bipartite_networks_are_asked_for_and_suggested() -> None:
    pairs = [(f"p{i}", f"b{(i + step) % 6}") for i in range(12) for step in (0, 1, 3)[: 2 + i % 2]]
    with pytest.warns(dlfrm.DataWarning, match="no source is a target: bipartite=True") as caught:
        assert not dlfrm.Network(pairs).bipartite
    assert caught[0].filename == __file__
    network = dlfrm.Network(pairs, bipartite=True)
    assert repr(network) == "Network(18 nodes, 30 links, bipartite)" and not network.directed
    made = networkx.Graph(pairs)
    networkx.set_node_attributes(made, {node: int(node[0] == "b") for node in made}, "bipartite")
    assert dlfrm.Network(made).bipartite and not dlfrm.Network(made, bipartite=False).bipartite
    assert network.modes is not None
    rows, columns = network.modes
    assert sorted(columns) == [f"b{i}" for i in range(6)] and len(rows) == 12
    with pytest.raises(ValueError, match="no direction"):
        dlfrm.Network(pairs, directed=True, bipartite=True)
    with pytest.raises(ValueError, match="cycle of odd length"):
        dlfrm.Network([("a", "b"), ("b", "c"), ("c", "a")], bipartite=True)
    (split,) = dlfrm.splits.split(network, protocol="links", seed=3)
    assert all({a[0], b[0]} == {"p", "b"} for a, b in split.test_pairs)
    assert split.network is not None and split.network.bipartite
    model = dlfrm.DLFRM(**QUICK).fit(network)
    links = model.top_links(50)
    assert len(links) == 42 and all(link.source[0] == "p" and link.target[0] == "b" for link in links)
    with pytest.raises(ValueError, match="'p1', 'p2' is not possible in a bipartite network: both are rows"):
        model.predict_proba([("p1", "p2")])
    assert dlfrm.generate(40, rows=10, seed=2).network.bipartite


def test_one_line_says_what_was_read(capsys):
    table = pandas.DataFrame({"from": ["a", "b", "b", "c"], "to": ["b", "a", "a", "c"], "weight": [1, 2, 3, 4], "year": 1})
    with pytest.warns(dlfrm.DataWarning) as caught:
        network = dlfrm.Network(table)
    line = (
        "DataFrame: columns from, to, weight, first link a -> b; 3 nodes, 2 links (1 repeated, 1 self-loop ignored, weights 1 to 4 "
        "ignored), directed by default (directed=False if links have no direction); links are listed in both directions; 1 column ignored: year"
    )
    assert [str(one.message) for one in caught] == [line] == network.warnings and str(network.report) == line
    quiet = dict(directed=False, weight="weight")
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        known = dlfrm.Network(table, **quiet)
        dlfrm.Network(networkx.les_miserables_graph(), weight="weight")
        dlfrm.Network([(1, 2, 3)], columns="source,target,weight", directed=True)
    assert (known.report.links, known.report.repeated, known.report.self_loops) == (1, 2, 1)
    with pytest.warns(dlfrm.DataWarning, match=r"254 links \(weights 1 to 31 ignored\), undirected"):
        model = dlfrm.DLFRM(**QUICK, verbose=True).fit(networkx.les_miserables_graph())
    assert model.network_.weights == (1, 31) and str(model.network_) in model._repr_html_() and str(model.network_) in model.warnings_
    assert str(model.network_) in capsys.readouterr().err


def test_relations_of_graphs_are_an_attribute_or_the_keys_of_edges():
    made = networkx.MultiGraph()
    for key, kind, (a, b) in [("x", "likes", (1, 2)), ("y", "helps", (1, 2)), ("x", "likes", (2, 3)), ("z", "likes", (2, 1))]:
        made.add_edge(a, b, key=key, kind=kind)
    assert dlfrm.Network(made).report.repeated == 2
    by_kind = dlfrm.Network(made, relation="kind")
    assert by_kind.relations == ["likes", "helps"] and by_kind.links("helps") == [(1, 2)]
    assert by_kind.report.repeated == 1 and dlfrm.Network(made, relation="key").relations == ["x", "y", "z"]
    same = igraph.Graph([(0, 1), (1, 2)], edge_attrs={"kind": ["likes", "helps"]})
    assert dlfrm.Network(same, relation="kind").links("helps") == [(1, 2)]


def test_files_are_read_by_the_same_rules(tmp_path):
    path = tmp_path / "links.csv"
    path.write_text("protein A,protein B,score\nAda,Bob,2\nBob,Cleo,3\nBob,Ada,1\n")
    with pytest.raises(ValueError, match="columns='source,target,...'") as refused:
        dlfrm.Network(path, directed=True)
    assert "--" not in str(refused.value)
    with pytest.warns(dlfrm.DataWarning, match="directed by default"):
        dlfrm.Network(path, source="protein A", target="protein B")
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        named = dlfrm.Network(path, source="protein A", target="protein B", weight="score", directed=False)
    line = "links.csv: comma, header protein A protein B score, first link Ada - Bob; 3 nodes, 2 links (1 repeated, weights 1 to 3 ignored), undirected"
    assert str(named.report) == line
    path.write_text("Ada,Bob\nBob,Cleo\nBob,Ada\nCleo,Bob\nCleo,Cleo\n")
    with pytest.warns(dlfrm.DataWarning, match="1 self-loop ignored.*links are listed in both directions"):
        assert dlfrm.Network(path).report.looks == "undirected"
    path.write_text("person,friend\nBob,Cleo\nBob,Ada\n")
    with pytest.warns(dlfrm.DataWarning, match="is it a header") as caught:
        network = dlfrm.Network(path, directed=True)
    assert len(caught) == 1 and network.warnings[0].code == "first-row"
    ages = tmp_path / "ages.csv"
    ages.write_text("node,age\nBob,3\nCleo,4\nZoe,5\n")
    with pytest.warns(dlfrm.DataWarning) as caught:
        model = dlfrm.DLFRM(**QUICK).fit([("Bob", "Cleo"), ("Cleo", "Ada"), ("Ada", "Eve")], directed=False, node_attributes=ages)
    assert {text.code for text in model.warnings_[:3]} == {"columns", "other-nodes", "absent-nodes"} and len(caught) == 2
    lists = tmp_path / "lists.txt"
    lists.write_text("Ada Bob Cleo\nDan Bob\n")
    assert dlfrm.Network(lists, format="adjacency", directed=False).links() == [("Ada", "Bob"), ("Ada", "Cleo"), ("Bob", "Dan")]
    with pytest.raises(TypeError, match="label: a file has no list of labels"):
        dlfrm.DLFRM().fit(path, [1, 0])
