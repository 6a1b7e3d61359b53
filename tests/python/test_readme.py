# SPDX-License-Identifier: BSD-3-Clause
"""The Python code of python/README.md runs."""
import re
from pathlib import Path

import matplotlib.pyplot as plt

ROOT = Path(__file__).resolve().parents[2]


def test_the_code_of_the_manual_runs(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    blocks = re.findall(r"```python\n(.*?)```", (ROOT / "python/README.md").read_text(), re.S)
    assert len(blocks) == 2
    names, counts = {}, []
    for block in blocks:
        exec(compile(block, "python/README.md", "exec"), names)
        counts.append(names["table"]["algorithm"].nunique())
    assert counts[0] > 5
    assert list(names["table"]["algorithm"]) == ["ring (Python)", "ring", "rabenseifner"]
    assert (tmp_path / "ring.goal").read_text().startswith("// tutti schedule 1\n")
    plt.close("all")
