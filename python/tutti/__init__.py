# SPDX-License-Identifier: BSD-3-Clause
"""Tutti: predicted run times of MPI collectives and collective I/O, as tables.

    import tutti
    table = tutti.run("allreduce", platform="leonardo", procs=1024, algorithm="all",
                      message_size="1KiB:1MiB")
    tutti.plot(table)

The package runs the program `sim` and reads its results; `python/README.md` is the manual.
Quantities are in SI base units: seconds, bytes, bytes per second.
"""
from ._memory import Call, Slice
from ._platforms import Platform, platform
from ._plots import plot
from ._program import Error, SimulationWarning, program, text
from ._rank import Rank, Request
from ._runs import compare, run, schedule
from ._schedules import Algorithm, NotApplicable, Schedule, algorithm
from ._studies import open, sweep  # pylint: disable=redefined-builtin
from ._tables import algorithms, columns, platforms
from ._version import __version__

__all__ = [
    "__version__",
    "Algorithm", "Call", "Error", "NotApplicable", "Platform", "Rank", "Request", "Schedule",
    "SimulationWarning", "Slice", "algorithm", "algorithms", "columns", "compare", "open",
    "platform", "platforms", "plot", "program", "run", "schedule", "sweep", "text",
]
