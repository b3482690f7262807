"""Networks in every form, the same fit from each, and the wrong ones."""

from __future__ import annotations

import sys
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
    matrix[0, 1] = 0
    assert dlfrm.Network(matrix).directed and not dlfrm.Network(graph()).directed
    hidden = np.ma.masked_array(matrix, mask=np.eye(10, dtype=bool)[::-1])
    assert dlfrm.Network(hidden)._inner.observed_count(0) == 90 - 10


def test_outputs_are_of_the_callers_kind(fitted):
    kinds = {"pandas": pandas.DataFrame, "polars": polars.DataFrame, "pyarrow": pyarrow.Table, "networkx": dlfrm.Links}
    for form, kind in kinds.items():
        links = dlfrm.DLFRM(**QUICK).fit(FORMS[form](), directed=False).top_links(3)
        assert isinstance(links, kind), form
    table = fitted.top_links(3, output="pandas")
    assert list(table.columns) == ["source", "target", "probability", "low", "high"]
    frame_of_pairs = table[["source", "target"]]
    assert fitted.link_probability(frame_of_pairs).tolist() == table["probability"].tolist()
    polar = polars.DataFrame({"source": table["source"].tolist(), "target": table["target"].tolist()})
    assert fitted.link_probability(polar).tolist() == table["probability"].tolist()
    drawn = fitted.to_networkx()
    assert drawn.number_of_edges() == 254 and any(values for _, values in drawn.nodes(data="features"))


def test_columns_of_strings_are_numbered_as_lists_are(monkeypatch, misery):
    from dlfrm import _strings

    # Arrays as long ones are.
    monkeypatch.setattr(_strings, "MANY", 0)
    for links in (misery.links(), [(str(a), str(b)) for a, b in NUMBERS]):
        expected = dlfrm.Network(links)
        table = pandas.DataFrame(links, columns=["source", "target"])
        arrow = pyarrow.Table.from_pandas(table)
        split = pyarrow.concat_tables([arrow.slice(0, 4), arrow.slice(4)])
        forms = [table, table.astype(object), table.astype("category"), arrow, split, polars.from_pandas(table)]
        forms += [polars.from_pandas(table).cast(polars.Categorical), np.array(links), np.array(links, dtype=object)]
        for form in forms:
            found = dlfrm.Network(form)
            assert found.nodes == expected.nodes and found.links() == expected.links(), form
            if not isinstance(form, np.ndarray):
                pairs = form.slice(0, 5) if isinstance(form, pyarrow.Table) else form[:5]
                numbers = [expected.labels.numbers(np.array(ends, dtype=object), "") for ends in zip(*links[:5], strict=True)]
                assert (dlfrm._labels.pairs_array(pairs, found.labels) == np.stack(numbers, axis=1)).all()
    with pytest.raises(ValueError, match="the first of node 'b'"):
        dlfrm.Network(pandas.DataFrame({"source": ["a", "b"], "target": ["b", "b"]}))
    with pytest.raises(ValueError, match="a node is missing"):
        dlfrm.Network(pandas.DataFrame({"source": ["a", None], "target": ["b", "b"]}))
    with pytest.raises(ValueError, match="a node is missing"):
        dlfrm.Network(polars.DataFrame({"source": ["a", None], "target": ["b", "b"]}))
    with pytest.raises(TypeError, match="mixed types"):
        dlfrm.Network(pandas.DataFrame({"source": ["a", "c"], "target": [1, 2]}))
    two = dlfrm.Network({"x": pandas.DataFrame({"source": ["a"], "target": ["b"]}), "y": [("c", "a")]})
    assert two.nodes == ["a", "b", "c"] and two.links("y") == [("c", "a")]
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    few = dlfrm.Network(pandas.DataFrame({"source": ["a", "b"], "target": ["b", "c"]}).astype(object))
    assert few.nodes == ["a", "b", "c"]


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
    assert len(dlfrm.Network([(a, b, 1) for a, b in NUMBERS]).links()) == 8


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
    with pytest.raises(KeyError, match="node_attributes: node 'Zoe'"):
        dlfrm.DLFRM().fit(misery, node_attributes={"Zoe": {"age": 3}})
    with pytest.raises(KeyError, match="'age' is neither"):
        dlfrm.DLFRM().fit(misery, node_attributes=["age"])
    with pytest.raises(ValueError, match="stands twice"):
        dlfrm.DLFRM().fit(misery, pair_covariates=pandas.concat([known, known]))
    with pytest.raises(TypeError, match="pair_covariates must be a frame or a path, is 3"):
        dlfrm.DLFRM().fit(misery, pair_covariates=3)


@pytest.mark.parametrize(
    ("data", "error", "text"),
    [
        (np.array([[0.0, np.nan, 1], [1, 0, 0], [0, 1, 0]]), ValueError, "has the value nan"),
        (np.array([[0, -1, 1], [1, 0, 0], [0, 1, 0]]), ValueError, "negative value -1"),
        (np.array([["a", "b", "c"]] * 3), TypeError, "must have numbers"),
        (np.zeros((3, 4)), ValueError, "has shape (3, 4)"),
        (np.zeros(3), ValueError, "has shape (3,)"),
        (np.zeros((2, 2)), ValueError, "may be a matrix or two links"),
        (np.array([[0.5, 1.5], [2, 3], [4, 5]]), TypeError, "not float (0.5)"),
        (np.array([[0, np.nan], [2, 3], [4, 5]]), ValueError, "a node is missing (nan)"),
        (sparse.csr_matrix((3, 4)), ValueError, "must be square, has shape (3, 4)"),
        (networkx.Graph(), ValueError, "it has no nodes"),
        ([], ValueError, "it has no nodes"),
        ({}, ValueError, "the dict of relations is empty"),
        ([(1, 1), (1, 2)], ValueError, "1 self links, the first of node 1"),
        (networkx.Graph([("a", "a"), ("a", "b")]), ValueError, "the first of node 'a'"),
        ([(1, "a"), ("a", 2)], TypeError, "mixed types: 1 and 'a'"),
        ([(1, 2, 0.5), (2, 3, 1)], ValueError, "label of row 0 must be 1, 0 or missing, is 0.5"),
        ([(1, 2), (2, 3, 1)], ValueError, "some pairs have a label"),
        ([(1, 2), 5], ValueError, "network[1] must be a pair of nodes, is 5"),
        (((a, b) for a, b in NUMBERS), TypeError, "a generator"),
        (pandas.DataFrame({"a": [1]}), ValueError, "a table needs two columns, has ['a']"),
        (pandas.DataFrame({"a": [1, None], "b": [2, 3]}), ValueError, "a node is missing (nan)"),
        (polars.DataFrame({"a": ["x", None], "b": ["y", "z"]}), ValueError, "a node is missing (None)"),
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
    with pytest.raises(KeyError, match="nodes: 9 has links"):
        dlfrm.Network(NUMBERS, nodes=6)
    with pytest.raises(ValueError, match="self_links must be"):
        dlfrm.Network(NUMBERS, self_links="keep")
    with pytest.raises(ValueError, match="unlisted must be"):
        dlfrm.Network(NUMBERS, unlisted="x")
    assert len(dlfrm.Network([(1, 1), (1, 2)], self_links="drop").links()) == 1
    with pytest.raises(ValueError, match="have the same name"):
        dlfrm.Network(networkx.Graph([(1, "1"), ("1", 2)]))
    for empty in (np.zeros((4, 4)), np.ones((4, 4)) - np.eye(4)):
        with pytest.raises(ValueError, match="nothing to learn"):
            dlfrm.DLFRM().fit(empty)
    with pytest.raises(ValueError, match="given both as"):
        dlfrm.Network([(1, 2, 1), (1, 2, 0)])
    with pytest.raises(TypeError):
        dlfrm.DLFRM().fit(misery, drected=True)


def test_bipartites_are_found_asked_for_and_refused() -> None:
    pairs = [(f"p{i}", f"b{(i + step) % 6}") for i in range(12) for step in (0, 1, 3)[: 2 + i % 2]]
    network = dlfrm.Network(pairs)
    assert repr(network) == "Network(18 nodes, 30 links, bipartite)"
    assert network.bipartite and not network.directed
    assert network.modes is not None
    rows, columns = network.modes
    assert sorted(columns) == [f"b{i}" for i in range(6)] and len(rows) == 12
    assert "bipartite=False" in network.warnings[0]
    for options in ({"bipartite": False}, {"directed": True}):
        assert dlfrm.Network(pairs, **options).directed
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


def test_what_may_be_meant_otherwise_is_a_warning(tmp_path):
    pairs = [(f"p{i}", f"b{j}") for i in range(6) for j in range(4) if (i + j) % 3]
    with pytest.warns(dlfrm.DataWarning, match="bipartite=False lets any two nodes be linked") as caught:
        dlfrm.Network(pairs)
    assert caught[0].filename == __file__
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert dlfrm.Network(pairs, bipartite=True).bipartite
        assert not dlfrm.Network(pairs, bipartite=False).bipartite
    path = tmp_path / "links.csv"
    path.write_text("source,target,label\nAda,Bob,1\nBob,Cleo,1\nAda,Cleo,0\nNA,Ada,1\n")
    with pytest.warns(dlfrm.DataWarning, match="'NA' as an end, which is taken for the name of a node"):
        model = dlfrm.DLFRM(chains=2, burn_in=4, draws=4).fit(path, directed=False)
    assert any("'NA'" in text for text in model.warnings_)
    path.write_text("Ada Bob x 3\nBob Cleo y 4\n")
    with pytest.raises(ValueError, match="columns='source,target,") as refused:
        dlfrm.Network(path)
    assert "--" not in str(refused.value)


def test_options_without_effect_are_refused(tmp_path):
    path = tmp_path / "links.csv"
    path.write_text("source,target\nAda,Bob\nBob,Cleo\n")
    network = dlfrm.Network(path, directed=False)
    with pytest.raises(TypeError, match="directed: a Network has its options already"):
        dlfrm.DLFRM().fit(network, directed=True)
    with pytest.raises(TypeError, match="label: a file has columns='source,target,...'"):
        dlfrm.Network(path, label="kind")
    with pytest.raises(TypeError, match="header: it says how a file is read"):
        dlfrm.Network([("Ada", "Bob")], header=True)
