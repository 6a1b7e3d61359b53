# SPDX-License-Identifier: BSD-3-Clause
"""Figures of result tables."""
from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any, Mapping, Sequence

import pandas as pd

from ._program import Error

if TYPE_CHECKING:
    from matplotlib.axes import Axes

# Okabe and Ito's colors, which readers with color blindness distinguish; markers and dashes repeat
# at other lengths, so that lines of one color differ.
_COLORS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#000000")
_MARKERS = ("o", "s", "^", "D", "v", "x", "+", "*", "p")
_DASHES = ("-", "--", ":", "-.")

# Columns that distinguish lines, if their values differ.
_DISTINGUISHING = ("operation", "implementation", "platform", "algorithm", "procs", "ppn", "map",
                   "message_bytes", "segment_bytes", "fanout", "root", "element_bytes",
                   "aggregators", "buffer_bytes", "engine", "contention", "benchmark", "noise",
                   "skew")
_NAMES = {"message_bytes": "Message size", "procs": "Processes", "time_s": "Time",
          "time_mean_s": "Mean time", "time_min_s": "Minimum time", "algorithm": "Algorithm",
          "bandwidth_Bps": "Bandwidth", "segment_bytes": "Segment size",
          "ppn": "Processes per node"}
# Results, which do not explain why two rows differ.
_RESULTS = ("messages", "finished", "steps", "starts", "start_spread", "confidence_basis",
            "slower_chance", "extrapolation_error", "platform_hash")


def plot(table: pd.DataFrame, x: str | None = None, y: str = "time_s",
         by: str | Sequence[str] | None = None, ax: "Axes | None" = None,
         confidence: bool = False, title: str | None = None) -> "Axes":
    """Draws a result table, and returns the axes of matplotlib.

    x: a column; default: message_bytes if it varies, else procs if it varies, else bars
    y: a column; times have a fitting unit
    by: columns of which each combination of values has a line; default: the algorithm, and what
        varies besides (platform, replaced parameters, segment size, ...). A line with two rows
        for the same x is an error.
    ax: axes to draw on; default: a new figure
    confidence: shade the interval that contains nine of ten measured times, where it is known
    title: default: collective, platform and processes
    """
    try:
        import matplotlib.pyplot as plt
    except ModuleNotFoundError:
        raise Error("matplotlib is not installed", "tutti.plot",
                    "install Debian's python3-matplotlib, or pip install matplotlib") from None
    if y not in table:
        raise Error(f"unknown column '{y}'", "tutti.plot",
                    f"expected one of: {', '.join(map(str, table.columns))}")
    shown = table[table[y].notna()]
    if shown.empty:
        raise Error(f"no row has a value in '{y}'", "tutti.plot")
    if x is None:
        x = next((each for each in ("message_bytes", "procs")
                  if each in shown and shown[each].nunique() > 1), None)
    elif x not in shown:
        raise Error(f"unknown column '{x}'", "tutti.plot")
    lines = [by] if isinstance(by, str) else list(by) if by is not None else _lines_by(shown, x)
    if ax is None:
        _, ax = plt.subplots(figsize=(7, 4.2), layout="constrained")
    factor, unit = _scale(shown[y], y, table)
    groups = _groups(shown, lines)
    for label, rows in groups:
        _require_one_row_each(label, rows, x)
    if x is None:
        _draw_bars(ax, groups, y, factor)
        ax.set_xlabel(_axis_name(y, unit))
    else:
        _draw_lines(ax, groups, x, y, factor, confidence)
        _label_x(ax, shown, x)
        _label_y(ax, shown[y] / factor)
        ax.set_ylabel(_axis_name(y, unit))
    ax.set_title(_title(shown, x, lines) if title is None else title, fontsize="medium")
    return ax


def _label_column(table: pd.DataFrame) -> pd.Series:
    """The algorithm as requested: "auto" stays one line, whatever it chooses."""
    if "requested_algorithm" in table:
        return table["requested_algorithm"].fillna(table["algorithm"])
    return table["algorithm"]


def _lines_by(table: pd.DataFrame, x: str | None) -> list[str]:
    candidates = [name for name in _DISTINGUISHING if name in table]
    candidates += [name for name in table.columns if "/" in str(name)]
    found = []
    for name in candidates:
        values = _label_column(table) if name == "algorithm" else table[name]
        if name == x or values.nunique(dropna=False) < 2:
            continue
        # A column that x determines (a default number of nodes) does not distinguish lines.
        if x is None or name in ("algorithm", "platform") or (
                values.groupby(table[x]).nunique(dropna=False).max() > 1):
            found.append(name)
    # Columns that the algorithm determines (a default fan-out) do not distinguish lines.
    if "algorithm" in found:
        label = _label_column(table)
        found = [name for name in found if name not in ("segment_bytes", "fanout")
                 or table.groupby(label)[name].nunique(dropna=False).max() > 1]
    return found or [name for name in ("algorithm", "implementation", "platform")
                     if name in table][:1]


def _groups(table: pd.DataFrame, lines: Sequence[str]) -> list[tuple[str, pd.DataFrame]]:
    if not lines:
        return [("", table)]
    keys = pd.DataFrame({name: _label_column(table) if name == "algorithm" else table[name]
                         for name in lines}).astype(object).fillna("default")
    labels = keys.apply(lambda row: ", ".join(_part(name, row[name])
                                              for name in lines), axis=1)
    return [(label, table[labels == label]) for label in dict.fromkeys(labels)]


def _require_one_row_each(label: str, rows: pd.DataFrame, x: str | None) -> None:
    same = rows
    value = None
    if x is not None:
        again = rows[rows.duplicated(subset=[x])]
        value = again[x].iloc[0] if len(again) else None
        same = rows[rows[x] == value]
    if len(same) < 2:
        return
    where = f" for {x} {value}" if x is not None else ""
    differ = [name for name in rows.columns if name not in _RESULTS
              and not str(name).endswith(("_s", "_Bps")) and same[name].nunique(dropna=False) > 1
              and not (str(name).endswith(("_bytes", "_messages")) and name not in _DISTINGUISHING)]
    raise Error(f"'{label}' has {len(same)} rows{where}", "tutti.plot",
                f"they differ in {', '.join(differ)}: select rows, or name columns: by=[...]"
                if differ else "select rows, or drop the repeated ones")


def _part(name: str, value: Any) -> str:
    if name in ("algorithm", "platform", "operation", "implementation"):
        return str(value)
    if isinstance(value, float) and value.is_integer():
        value = int(value)
    is_size = name.endswith("_bytes") and isinstance(value, (int, float))
    short = name.removeprefix("mpi/").removesuffix("_bytes")
    return f"{short} {_size(value) if is_size else value}"


def _size(value: float) -> str:
    for power, unit in ((30, "GiB"), (20, "MiB"), (10, "KiB")):
        if value >= 1 << power:
            return f"{value / (1 << power):g} {unit}"
    return f"{value:g} B"


def _scale(values: pd.Series, column: str, table: pd.DataFrame) -> tuple[float, str]:
    unit = table.attrs.get("units", {}).get(column, "")
    if not unit:
        unit = "s" if column.endswith("_s") else "B/s" if column.endswith("_Bps") else ""
    middle = float(values.median())
    if unit == "s":
        scales = ((1.0, "s"), (1e-3, "ms"), (1e-6, "µs"))
    elif unit == "B/s":
        scales = ((1e9, "GB/s"), (1e6, "MB/s"))
    else:
        return 1.0, unit
    return next((each for each in scales if middle >= each[0]), scales[-1])


def _axis_name(column: str, unit: str) -> str:
    name = _NAMES.get(column, column)
    return f"{name} ({unit})" if unit else name


def _draw_lines(ax: "Axes", groups: Sequence[tuple[str, pd.DataFrame]], x: str, y: str,
                factor: float, confidence: bool) -> None:
    for index, (label, rows) in enumerate(groups):
        rows = rows.sort_values(x)
        color = _COLORS[index % len(_COLORS)]
        ax.plot(rows[x], rows[y] / factor, label=label, color=color, linewidth=1.4, markersize=4.5,
                marker=_MARKERS[index % len(_MARKERS)],
                linestyle=_DASHES[index // len(_COLORS) % len(_DASHES)])
        if confidence and y == "time_s" and "confidence_low_s" in rows:
            ax.fill_between(rows[x], rows["confidence_low_s"].astype(float) / factor,
                            rows["confidence_high_s"].astype(float) / factor, color=color,
                            alpha=0.15, linewidth=0)
    ax.grid(True, which="major", linewidth=0.4, color="0.8")
    if len(groups) > 8:
        ax.legend(fontsize="x-small", loc="center left", bbox_to_anchor=(1.0, 0.5), frameon=False)
    elif len(groups) > 1 or groups[0][0]:
        ax.legend(fontsize="small", frameon=False)


def _label_x(ax: "Axes", table: pd.DataFrame, x: str) -> None:
    from matplotlib.ticker import FixedLocator, NullFormatter, NullLocator
    ax.set_xlabel(_NAMES.get(x, x))
    if not pd.api.types.is_numeric_dtype(table[x]):
        return
    values = [float(each) for each in sorted(table[x].unique())]
    positive = [each for each in values if each > 0]
    is_log = len(positive) > 1 and positive[-1] / positive[0] >= 4
    if is_log and len(positive) == len(values):
        ax.set_xscale("log", base=2)
    elif is_log:  # a value of 0
        ax.set_xscale("symlog", base=2, linthresh=positive[0])
    names = {each: _size(each) if x.endswith("_bytes") else f"{each:g}" for each in values}
    positions = {each: _log2(each, positive[0]) if is_log else each for each in values}
    marks = _apart(positions, 0.025 + 0.0115 * max(map(len, names.values())))
    ax.xaxis.set_major_locator(FixedLocator(marks))
    ax.xaxis.set_minor_locator(NullLocator())
    ax.xaxis.set_minor_formatter(NullFormatter())
    ax.set_xticklabels([names[each] for each in marks])


def _log2(value: float, least: float) -> float:
    return math.log2(value) if value > 0 else math.log2(least) - 1


def _apart(positions: Mapping[float, float], distance: float) -> list[float]:
    """Of sorted values at their positions, those that are a fraction of the whole range apart: the
    first and the last, then powers of two, then the others."""
    values = list(positions)
    span = (positions[values[-1]] - positions[values[0]]) or 1.0
    first = {values[0]: 0, values[-1]: 0}
    chosen: list[float] = []
    for each in sorted(values, key=lambda v: (first.get(v, 1 + (math.frexp(v)[0] != 0.5)), v)):
        if all(abs(positions[each] - positions[other]) >= distance * span for other in chosen):
            chosen.append(each)
    return sorted(chosen)


def _label_y(ax: "Axes", values: pd.Series) -> None:
    """Linear from 0 if the values are within a factor of 10, else log; plain numbers."""
    from matplotlib.ticker import FuncFormatter, LogLocator, NullFormatter
    least, most = float(values.min()), float(values.max())
    if least <= 0 or most / least < 10:
        if least >= 0:
            ax.set_ylim(bottom=0)
    else:
        ax.set_yscale("log")
        ax.yaxis.set_major_locator(LogLocator(
            10, subs=(1, 2, 5) if most / least < 300 else (1,)))
        ax.yaxis.set_minor_formatter(NullFormatter())
    ax.yaxis.set_major_formatter(FuncFormatter(lambda value, _: _plain(value)))


def _plain(value: float) -> str:
    return f"{value:,.0f}" if abs(value) >= 1000 else f"{value:.6g}"


def _draw_bars(ax: "Axes", groups: Sequence[tuple[str, pd.DataFrame]], y: str,
               factor: float) -> None:
    """Horizontal, the smallest value at the top: names of algorithms are long."""
    bars = sorted(((float(rows[y].median()) / factor, label) for label, rows in groups),
                  reverse=True)
    names = [label for _, label in bars]
    drawn = ax.barh(range(len(bars)), [value for value, _ in bars], color=_COLORS[0], height=0.7)
    ax.set_yticks(range(len(bars)), names, fontsize="small")
    ax.bar_label(drawn, fmt=" %.3g", fontsize="small")
    ax.margins(x=0.12)
    ax.set_xlim(left=0)


def _title(table: pd.DataFrame, x: str | None, lines: Sequence[str]) -> str:
    parts = []
    for name in ("collective", "workload", "operation"):
        if name in table and table[name].nunique() == 1 and name not in lines:
            parts.append(str(table[name].iloc[0]))
            break
    if "platform" in table and table["platform"].nunique() == 1:
        parts.append(str(table["platform"].iloc[0]))
    if "procs" in table and x != "procs" and table["procs"].nunique() == 1:
        procs = f"{int(table['procs'].iloc[0])} processes"
        if "nodes" in table and table["nodes"].nunique() == 1 and pd.notna(table["nodes"].iloc[0]):
            count = int(table["nodes"].iloc[0])
            procs += f" on {count} node{'s' if count != 1 else ''}"
        parts.append(procs)
    if (x != "message_bytes" and "message_bytes" in table and table["message_bytes"].nunique() == 1
            and table["message_bytes"].iloc[0] > 0):
        parts.append(_size(float(table["message_bytes"].iloc[0])))
    return ", ".join(parts)
