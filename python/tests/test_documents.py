"""The README's example, the typed example and the notebooks run."""

from __future__ import annotations

import re
import runpy
from pathlib import Path

import nbformat
import pytest
from nbclient import NotebookClient

ROOT = Path(__file__).parent.parent


def test_the_readme_goes_from_data_to_a_table_in_ten_lines(capsys):
    code = re.search(r"```python\n(.*?)```", (ROOT / "README.md").read_text(), re.DOTALL).group(1)
    assert len([line for line in code.splitlines() if line.strip()]) <= 10
    exec(code, {})
    printed = capsys.readouterr().out
    assert "probability" in printed and "to the log-odds" in printed and "Feature(1" in printed


def test_the_example_runs(capsys):
    runpy.run_path(str(ROOT / "examples" / "missing_links.py"), run_name="__main__")
    assert "degrees" in capsys.readouterr().out


@pytest.mark.parametrize("name", ["les_miserables", "comparison"])
def test_notebooks_run(name):
    book = nbformat.read(ROOT / "notebooks" / f"{name}.ipynb", as_version=4)
    assert not any(cell.get("outputs") for cell in book.cells), "notebooks are kept without outputs"
    NotebookClient(book, timeout=120, kernel_name="python3").execute()
    shown = [output for cell in book.cells for output in cell.get("outputs", [])]
    assert any("data" in output for output in shown)
