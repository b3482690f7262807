"""ArviZ, plots and the report; what plain import needs."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import arviz
import matplotlib
import numpy as np
import pytest

import dlfrm

matplotlib.use("Agg")


def test_diagnostics_are_those_of_arviz(misery):
    model = dlfrm.DLFRM(chains=4, burn_in=20, draws=40, covariates="none").fit(misery)
    data = model.to_arviz()
    found = model.diagnostics_["convergence"]
    names = {"K": "K", "alpha": "alpha", "nu": "nu", "intercept": "intercept"}
    for ours, theirs in names.items():
        values = data["posterior"][theirs]
        assert found[ours]["r_hat"] == pytest.approx(float(arviz.rhat(values)[theirs]), abs=1e-9)
        assert found[ours]["ess_bulk"] == pytest.approx(float(arviz.ess(values)[theirs]), rel=1e-6)
    joint = data["sample_stats"]["lp"]
    assert found["log joint"]["r_hat"] == pytest.approx(float(arviz.rhat(joint)["lp"]), abs=1e-9)
    probes = data["predictions"]["probability"]
    assert probes.shape[:2] == (4, 40)
    pairs = [("Valjean", "Javert"), ("Myriel", "Cosette")]
    chosen = model.to_arviz(pairs=pairs)["predictions"]["probability"]
    assert np.allclose(chosen.mean(("chain", "draw")), model.link_probability(pairs))


def test_every_plot_returns_axes(fitted, misery):
    from dlfrm import plots

    pairs = misery.links()[:30] + [("Valjean", "Napoleon"), ("Myriel", "Gavroche")]
    labels = [1] * 30 + [0, 0]
    for axes in (
        plots.plot_trace(fitted),
        plots.plot_features(fitted),
        plots.plot_weights(fitted),
        plots.plot_adjacency(fitted),
        plots.plot_network(fitted),
        plots.plot_roc(fitted, pairs, labels),
        plots.plot_calibration(fitted, pairs, labels),
    ):
        assert isinstance(axes, matplotlib.axes.Axes) and axes.has_data()
        axes.figure.canvas.draw()
        matplotlib.pyplot.close(axes.figure)
    with pytest.raises(ValueError, match="quantity must be one of K, alpha"):
        plots.plot_trace(fitted, "x")


def test_the_report_is_one_page(fitted, misery, tmp_path: Path):
    page = tmp_path / "report.html"
    fitted.report(page, top=5)
    assert "les-miserables" in page.read_text()
    fitted.report(page, misery.links()[:5] + [("Valjean", "Napoleon")], [1] * 5 + [0], top=0)
    assert page.stat().st_size > 10_000
    with pytest.raises(OSError):
        fitted.report(tmp_path / "none" / "report.html")


def test_plain_import_needs_numpy_alone():
    code = "import sys, dlfrm; print([m for m in ('pandas', 'polars', 'networkx', 'scipy', 'sklearn', 'arviz', 'matplotlib', 'tqdm', 'pyarrow') if m in sys.modules])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
