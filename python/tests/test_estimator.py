"""The estimator: scikit-learn's conventions, predictions, features, files."""

from __future__ import annotations

import copy
import inspect
import pickle

import numpy as np
import pytest
from conftest import QUICK
from sklearn.base import clone
from sklearn.metrics import roc_auc_score
from sklearn.utils.validation import check_is_fitted

import dlfrm
from dlfrm import _dlfrm


def test_arguments_are_the_settings_of_the_command():
    parameters = inspect.signature(dlfrm.DLFRM).parameters
    others = {"model", "random_state", "n_jobs", "verbose", "asymmetric", "share_features", "negatives", "hold_out", "memory"}
    settings = {name: text for name, _, text, _ in _dlfrm.settings() if name != "seed"}
    assert set(parameters) == others | set(settings)
    assert all(parameters[name].default is None for name in settings)
    assert parameters["model"].default is None
    lines = inspect.getdoc(dlfrm.DLFRM).splitlines()
    for name, text in settings.items():
        assert lines[lines.index(name) + 1].strip() == text + ".", name
    assert all(model in inspect.getdoc(dlfrm.DLFRM) for model in _dlfrm.models())


def test_parameters_are_got_set_and_cloned():
    model = dlfrm.DLFRM("dlfrm-l", chains=3)
    assert model.set_params(draws=7).get_params()["draws"] == 7
    other = clone(model)
    assert other.get_params() == model.get_params() and other is not model
    with pytest.raises(ValueError, match="no parameter 'drawz'"):
        model.set_params(drawz=1)
    assert repr(model) == "DLFRM(model='dlfrm-l', chains=3, draws=7)"


def test_warnings_of_the_fit_name_arguments(misery):
    model = dlfrm.DLFRM(**QUICK, step_decay=0.6, max_new=0).fit(misery)
    first = model.warnings_[0]
    assert "step_decay has no effect" in " ".join(model.warnings_) and "max_new is 0" in " ".join(model.warnings_)
    assert pickle.loads(pickle.dumps(first)).code == first.code and "learn_alpha" in first and "learn-alpha" not in first


def test_what_is_not_fitted_says_so(fitted):
    model = dlfrm.DLFRM()
    for use in (lambda: model.nodes_, lambda: model.top_links(), lambda: model.predict_proba([(1, 2)])):
        with pytest.raises(dlfrm.NotFittedError, match="not fitted"):
            use()
    assert "not fitted" in model._repr_html_()
    check_is_fitted(fitted)


def test_predictions(fitted, misery):
    pairs = misery.links()[:20] + [("Valjean", "Napoleon"), ("Myriel", "Gavroche")]
    both = fitted.predict_proba(pairs)
    assert both.shape == (22, 2) and np.allclose(both.sum(axis=1), 1)
    assert (fitted.predict(pairs) == (both[:, 1] > 0.5)).all()
    turned = fitted.link_probability([(b, a) for a, b in pairs])
    assert (turned == both[:, 1]).all()
    ninety, half = fitted.interval(pairs), fitted.interval(pairs, 0.5)
    assert (ninety[:, 0] <= half[:, 0]).all() and (half[:, 1] <= ninety[:, 1]).all()
    assert np.allclose(fitted.interval(pairs, 0.9 + 1e-12), ninety)
    labels = [1] * 20 + [0, 0]
    assert fitted.score(pairs, labels) == pytest.approx(roc_auc_score(labels, fitted.decision_function(pairs)))


def test_top_links_are_the_best_pairs_without_a_link(fitted, misery):
    known = {frozenset(link) for link in misery.links()}
    nodes = misery.nodes
    missing = [(a, b) for i, a in enumerate(nodes) for b in nodes[i + 1 :] if frozenset((a, b)) not in known]
    best = np.sort(fitted.decision_function(missing))[::-1][:8]
    links = fitted.top_links(8)
    assert [link.score for link in links] == best.tolist()
    assert links[0].low <= links[0].probability <= links[0].high
    assert all("Valjean" in (link.source, link.target) for link in fitted.top_links(4, "Valjean"))
    assert "probability" in repr(links) and "<table>" in links._repr_html_()
    assert len(links[2:4]) == 2 and fitted.top_links(0) == dlfrm.Links([])


def test_features_and_figures(fitted):
    sizes = [feature.size for feature in fitted.features_]
    assert sizes == sorted(sizes, reverse=True) and sizes
    members = fitted.features_[0].members
    assert set(members) <= set(fitted.nodes_) and all(0 < value <= 1 for value in members.values())
    assert fitted.weights_.shape == (len(sizes), len(sizes))
    assert fitted.weights_[0, 0] == fitted.features_[0].own_weight
    count = fitted.n_features_
    assert count.low <= count.mean <= count.high and sum(count.distribution.values()) == pytest.approx(1)
    assert fitted.diagnostics_["draws"] == 24 and "K" in fitted.diagnostics_["convergence"]
    assert fitted.settings_["draws"] == 12 and not fitted.interrupted_
    assert "<table>" in fitted._repr_html_()
    assert all(low <= mean <= high for mean, low, high in fitted.coefficients_.values())


def test_an_explanation_adds_up(fitted, misery):
    found = fitted.explain("Valjean", "Javert")
    assert sum(part.log_odds for part in found.parts) == pytest.approx(found.by_covariates + found.by_features)
    assert all(part.low <= part.log_odds <= part.high for part in found.parts)
    meets = lambda name: {other for link in misery.links() if name in link for other in link} - {name}
    assert set(found.common_neighbours) == meets("Valjean") & meets("Javert")
    assert found.probability == fitted.link_probability([("Valjean", "Javert")])[0]
    assert "Javert and Valjean" in str(found) and found.parts[0].sentence in str(found)


def test_files_pickles_and_copies_predict_the_same(fitted, misery, tmp_path):
    pairs = misery.links()[:50]
    expected = fitted.link_probability(pairs)
    fitted.save(tmp_path / "model.dlfrm")
    loaded = dlfrm.DLFRM.load(tmp_path / "model.dlfrm")
    assert loaded.get_params()["draws"] == 12 and loaded.random_state == 3
    for other in (loaded, pickle.loads(pickle.dumps(fitted)), copy.copy(fitted), copy.deepcopy(fitted)):
        assert (other.link_probability(pairs) == expected).all()
        assert other.features_ == fitted.features_ and other.nodes_ == fitted.nodes_
    with pytest.raises(FileNotFoundError):
        dlfrm.DLFRM.load(tmp_path / "none.dlfrm")
    (tmp_path / "bad.dlfrm").write_bytes(b"nothing")
    with pytest.raises(ValueError, match="bad.dlfrm"):
        dlfrm.DLFRM.load(tmp_path / "bad.dlfrm")


def test_the_same_on_any_number_of_threads(misery, fitted):
    pairs = misery.links()[:50]
    one = dlfrm.DLFRM(**QUICK, n_jobs=1).fit(misery)
    assert (one.link_probability(pairs) == fitted.link_probability(pairs)).all()
    other = dlfrm.DLFRM(**{**QUICK, "random_state": np.random.default_rng(1)}).fit(misery)
    assert (other.link_probability(pairs) != fitted.link_probability(pairs)).any()


@pytest.mark.parametrize(
    ("params", "error", "text"),
    [
        ({"chains": 0}, ValueError, "chains must be at least 1, is 0"),
        ({"burn_in": -1}, ValueError, "burn_in must be a whole number, is -1"),
        ({"draws": 2.5}, TypeError, "draws must be a whole number, is 2.5"),
        ({"nu": "x"}, TypeError, "nu must be a number, is 'x'"),
        ({"nu": float("nan")}, ValueError, "nu must be a positive number, is NaN"),
        ({"intercept": 1}, TypeError, "intercept must be True or False, is 1"),
        ({"covariates": "all"}, ValueError, "unknown covariates 'all'"),
        ({"model": "lfrm-x"}, ValueError, "unknown model 'lfrm-x'"),
        ({"model": 3}, TypeError, "model must be a name, is 3"),
        ({"n_jobs": 0}, ValueError, "n_jobs must be None, -1 or a number from 1 to 1024, is 0"),
        ({"random_state": "x"}, TypeError, "random_state must be a number, is 'x'"),
        ({"memory": 10.0}, MemoryError, "10 are allowed"),
        ({"share_features": True}, ValueError, "there is one relation"),
    ],
)
def test_wrong_parameters(misery, params, error, text):
    with pytest.raises(error) as raised:
        dlfrm.DLFRM(**params).fit(misery)
    assert text in str(raised.value)


@pytest.mark.parametrize(
    ("pairs", "error", "text"),
    [
        ([("Valjean", "Zoe")], KeyError, "'Zoe' is not one of the 77 nodes"),
        ([("Valjean",)], ValueError, "pairs[0] must be a pair"),
        ([("Valjean", "Valjean")], ValueError, "'Valjean' is paired with itself"),
        ([("Valjean", float("nan"))], ValueError, "a node is missing (nan)"),
        ([("Valjean", 1.5)], TypeError, "not float (1.5)"),
        ([("Valjean", None)], ValueError, "a node is missing (None)"),
        ([("Valjean", [1])], TypeError, "must be hashable, is [1]"),
        ("Valjean", TypeError, "pairs must be a sequence of pairs"),
        (iter([("Valjean", "Javert")]), TypeError, "not a generator"),
        (np.zeros((2, 3)), ValueError, "shape (m, 2), is (2, 3)"),
        (np.array([[1.0, np.nan]]), ValueError, "a node is missing (nan)"),
        (7, TypeError, "is 7"),
    ],
)
def test_wrong_pairs(fitted, pairs, error, text):
    with pytest.raises(error) as raised:
        fitted.predict_proba(pairs)
    assert text in str(raised.value)


def test_other_wrong_questions(fitted):
    with pytest.raises(ValueError, match="level must be between 0 and 1, is 1.5"):
        fitted.interval([("Valjean", "Javert")], 1.5)
    with pytest.raises(ValueError, match="n must be a number from 0, is -1"):
        fitted.top_links(-1)
    with pytest.raises(ValueError, match="output must be one of"):
        fitted.top_links(1, output="excel")
    with pytest.raises(KeyError, match="relation: 'x'"):
        fitted.predict_proba([("Valjean", "Javert")], relation="x")
    with pytest.raises(KeyError, match="'Zoe'"):
        fitted.explain("Zoe", "Valjean")
    with pytest.raises(ValueError, match="labels must be 0 or 1, one is 0.5"):
        fitted.score([("Valjean", "Javert")], [0.5])
    assert len(fitted.predict_proba([])) == 0
