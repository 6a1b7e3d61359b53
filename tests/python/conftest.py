# SPDX-License-Identifier: BSD-3-Clause
"""Tests run on the package of the source tree."""
import sys
from pathlib import Path

import matplotlib

sys.dont_write_bytecode = True
ROOT = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT / "python"), str(Path(__file__).parent)]
matplotlib.use("Agg")
