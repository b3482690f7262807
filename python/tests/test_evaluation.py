"""Splits, metrics, baselines, evaluations of other people's models, tuning, generated networks."""

from __future__ import annotations

import networkx
import numpy as np
import pytest
import sklearn.metrics
from conftest import QUICK
from sklearn.linear_model import LogisticRegression

import dlfrm


def test_splits_hide_the_test_pairs(misery):
    for protocol in ("pairs", "connected", "links"):
        split = dlfrm.splits.split(misery, protocol=protocol, seed=2)[0]
        pairs, labels = split.train.labelled()
        train, test = set(map(tuple, pairs.tolist())), set(map(tuple, split.test_numbers.tolist()))
        assert not train & test and labels.sum() == len(split.train.links)
        known = set(map(tuple, misery.link_numbers().tolist()))
        assert all((tuple(pair) in known) == label for pair, label in zip(split.test_numbers.tolist(), split.test_labels, strict=True))
        assert split.network is not None and len(split.network.links()) == len(split.train.links)
    folds = dlfrm.splits.split(misery, folds=4)
    assert len(folds) == 4 and sum(len(fold.test_labels) for fold in folds) == 77 * 76 // 2
    assert dlfrm.splits.split(misery, protocol="paper-pairs")[0].network is None
    model = dlfrm.DLFRM(**QUICK).fit(folds[0].network)
    assert model.score(folds[0].test_pairs, folds[0].test_labels) > 0.6
    matrix = folds[0].train.adjacency()
    assert (matrix != matrix.T).nnz == 0 and matrix.sum() == 2 * len(folds[0].train.links)


@pytest.mark.parametrize(
    ("options", "error", "text"),
    [
        ({"protocol": "half"}, ValueError, "unknown split 'half'"),
        ({"protocol": 3}, TypeError, "split must be one of"),
        ({"test_fraction": 1.5}, ValueError, "test_fraction must be between 0 and 1, both excluded, is 1.5"),
        ({"folds": 1}, ValueError, "folds must be at least 2, is 1"),
        ({"runs": 0}, ValueError, "runs must be at least 1, is 0"),
    ],
)
def test_wrong_splits(misery, options, error, text):
    with pytest.raises(error) as raised:
        dlfrm.splits.split(misery, **options)
    assert text in str(raised.value)


def test_metrics_are_those_of_scikit_learn():
    random = np.random.default_rng(1)
    labels, scores = random.random(200) < 0.3, np.round(random.random(200), 2)
    assert dlfrm.metrics.auc(labels, scores) == pytest.approx(sklearn.metrics.roc_auc_score(labels, scores))
    assert dlfrm.metrics.average_precision(labels, scores) == pytest.approx(
        sklearn.metrics.average_precision_score(labels, scores)
    )
    assert dlfrm.metrics.brier(labels, scores) == pytest.approx(sklearn.metrics.brier_score_loss(labels, scores))
    kept = np.clip(scores, 0.01, 0.99)
    assert dlfrm.metrics.log_loss(labels, kept) == pytest.approx(sklearn.metrics.log_loss(labels, kept))
    false, true = dlfrm.metrics.roc_curve(labels, scores)
    assert np.trapezoid(true, false) == pytest.approx(dlfrm.metrics.auc(labels, scores))
    precision, recall = dlfrm.metrics.precision_recall_curve(labels, scores)
    assert recall[-1] == 1 and precision[-1] == pytest.approx(labels.mean())
    rates, means, counts = dlfrm.metrics.calibration_curve(labels, scores)
    assert counts.sum() == 200 and (rates * counts).sum() == pytest.approx(labels.sum())
    assert dlfrm.metrics.onmi([["a", "b"]], [["a", "b"]], ["a", "b", "c"]) == 1
    assert np.isnan(dlfrm.metrics.auc([1, 1], [0.1, 0.2]))
    assert dlfrm.metrics.precision_at(1, [1, 0], [2.0, 1.0]) == dlfrm.metrics.hits_at(1, [1, 0], [2.0, 1.0]) == 1
    assert dlfrm.metrics.mean_reciprocal_rank([1, 0], [2.0, 1.0], [(0, 1), (0, 2)]) == 1


@pytest.mark.parametrize(
    ("labels", "scores", "error", "text"),
    [
        ([1, 0], [0.1], ValueError, "1 scores of 2 labels"),
        ([1, 0], [0.1, float("nan")], ValueError, "scores[1] must be a number, is NaN"),
        ([1, 2], [0.1, 0.2], ValueError, "labels must be 0 or 1, one is 2"),
        (["a", "b"], [0.1, 0.2], TypeError, "labels must be 0 or 1"),
        ([1, 0], ["a", "b"], TypeError, "scores must be numbers"),
        ([[1, 0]], [0.1, 0.2], ValueError, "one dimension"),
    ],
)
def test_wrong_scores(labels, scores, error, text):
    with pytest.raises(error) as raised:
        dlfrm.metrics.auc(labels, scores)
    assert text in str(raised.value)


def test_baselines_are_those_of_networkx(misery):
    graph = misery.to_networkx()
    pairs = [("Valjean", "Napoleon"), ("Myriel", "Javert"), ("Gavroche", "Cosette")]
    expected = {
        "jaccard": networkx.jaccard_coefficient,
        "aa": networkx.adamic_adar_index,
        "ra": networkx.resource_allocation_index,
        "pa": networkx.preferential_attachment,
    }
    for name, function in expected.items():
        found = dlfrm.baselines.score(name, misery, pairs)
        assert found == pytest.approx([value for _, _, value in function(graph, pairs)]), name
    assert set(dlfrm.baselines.NAMES) >= {"cn", "katz", "irm", "mmsb"}
    with pytest.raises(ValueError, match="unknown model 'none'"):
        dlfrm.baselines.score("none", misery, pairs)
    with pytest.raises(KeyError, match="'Zoe'"):
        dlfrm.baselines.score("cn", misery, [("Zoe", "Valjean")])


def regression(train: dlfrm.splits.Training, pairs: np.ndarray) -> np.ndarray:
    """A model of scikit-learn over an embedding by singular vectors."""
    vectors, values, _ = np.linalg.svd(train.adjacency().toarray())
    places = vectors[:, :8] * np.sqrt(values[:8])
    known, labels = train.labelled()
    model = LogisticRegression().fit(places[known[:, 0]] * places[known[:, 1]], labels)
    return model.predict_proba(places[pairs[:, 0]] * places[pairs[:, 1]])[:, 1]


regression.probabilities = True


def test_any_function_is_evaluated(misery):
    seen = []

    def nodes(train, pairs):
        seen.append((train.relation, train.seed, train.nodes == misery.nodes))
        return pairs.sum(axis=1)

    methods = {"embedding": regression, "ids": nodes, "neighbours": "cn", "mine": dlfrm.DLFRM(chains=1, burn_in=4, draws=4)}
    found = dlfrm.evaluate(misery, methods, runs=2, scores=["auc", "log-loss"])
    assert list(found.figures) == list(methods) and len(found.runs) == 8
    assert found.mean("embedding") > 0.6 and found.mean("embedding", "log-loss") < 0.7
    assert np.isnan(found.mean("ids", "log-loss"))
    assert len(seen) == 2 and seen[0][2] and seen[0][1] != seen[1][1]
    direct = dlfrm.splits.split(misery)[0]
    by_hand = dlfrm.metrics.auc(direct.test_labels, regression(direct.train, direct.test_numbers))
    assert [run["auc"] for run in found.runs if run["method"] == "embedding"][0] == by_hand
    assert len(found.to_pandas()) == 8 and "embedding" in repr(found)
    with pytest.raises(KeyError, match="method: 'x'"):
        found.mean("x")


def test_wrong_methods(misery):
    def broken(train, pairs):
        raise LookupError("mine")

    cases = [
        (broken, LookupError, "mine"),
        (lambda train, pairs: np.zeros(3), ValueError, "gave 3 scores"),
        (lambda train, pairs: np.full(len(pairs), np.nan), ValueError, "gave the score NaN to pair 0"),
        (lambda train, pairs: np.zeros((len(pairs), 2)), ValueError, "a score per pair"),
        ("none", ValueError, "unknown model 'none'"),
        (3, TypeError, "methods['one'] must be a name, a DLFRM or a function, is 3"),
    ]
    for method, error, text in cases:
        with pytest.raises(error) as raised:
            dlfrm.evaluate(misery, {"one": method}, runs=1)
        assert text in str(raised.value)
    with pytest.raises(ValueError, match="methods: there is none"):
        dlfrm.evaluate(misery, {})
    with pytest.raises(ValueError, match="unknown score 'x'"):
        dlfrm.evaluate(misery, ["cn"], scores=["x"])


def test_tuning(misery):
    base = dlfrm.DLFRM(chains=1, burn_in=3, draws=3)
    search = dlfrm.tune(misery, base, budget=0.0)
    assert search.trials and search.best_score == max(trial["auc"] for trial in search.trials)
    best = dlfrm.DLFRM(**search.best_params, chains=1, burn_in=3, draws=3).fit(misery)
    assert best.settings_["c_pos"] == search.best_params["c_pos"]
    with pytest.raises(ValueError, match="budget must be a number of seconds, is -1"):
        dlfrm.tune(misery, base, budget=-1)
    with pytest.raises(TypeError, match="estimator must be a DLFRM, is 3"):
        dlfrm.tune(misery, 3)


def test_generated_networks():
    made = dlfrm.generate(40, seed=2)
    assert len(made.network) == 40 and made.weights.shape == (len(made.features),) * 2
    planted = dlfrm.plant(100, mixing=0.1, overlapping=10, seed=2)
    counts = np.bincount(np.concatenate(planted.groups), minlength=100)
    assert (counts == 2).sum() == 10 and (counts == 1).sum() == 90
    with pytest.raises(ValueError, match="mixing"):
        dlfrm.plant(100, mixing=2.0)
    with pytest.raises(ValueError, match="alpha"):
        dlfrm.generate(10, alpha=-1.0)
