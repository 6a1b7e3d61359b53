# SPDX-License-Identifier: BSD-3-Clause
"""Machines of the catalog, and the same with other parameters."""
from __future__ import annotations

from types import MappingProxyType
from typing import Any, Mapping

from ._program import Error, run_json, run_program


class Text(str):
    """A report; notebooks show it as it is."""

    def __repr__(self) -> str:
        return str(self)


class Platform:
    """A machine: a name of `tutti.platforms()` or the path of a SimGrid XML file, and parameters
    that replace its own. Immutable; `platform=` of all functions accepts it."""

    __slots__ = ("_name", "_overrides")

    def __init__(self, name: str, overrides: Mapping[str, Any] | None = None) -> None:
        self._name = str(name)
        self._overrides = dict(overrides or {})

    @property
    def name(self) -> str:
        return self._name

    @property
    def overrides(self) -> Mapping[str, Any]:
        """Replaced parameters: {"mpi/eager_limit": "64KiB"}."""
        return MappingProxyType(self._overrides)

    def with_(self, changes: Mapping[str, Any] | None = None, **keys: Any) -> "Platform":
        """The same machine with other parameters, as with `--set`: `with_(eager_limit="64KiB")` is
        `with_({"mpi/eager_limit": "64KiB"})`. The program checks keys and values."""
        added = {key if "/" in key else f"mpi/{key}": value
                 for key, value in {**(changes or {}), **keys}.items()}
        changed = Platform(self._name, {**self._overrides, **added})
        changed._description()
        return changed

    def _arguments(self) -> list[str]:
        words = [self._name]
        for key, value in self._overrides.items():
            words += ["--set", f"{key}={value}"]
        return words

    def _description(self) -> dict[str, Any]:
        return run_json(["platform", "show", *self._arguments()])

    def show(self) -> Text:
        """The machine, and the source of its numbers (`sim platform show`)."""
        return Text(run_program(["platform", "show", *self._arguments()]))

    @property
    def description(self) -> dict[str, Any]:
        """The same as nested dictionaries, in SI units: hosts, cores, links, messages, ..."""
        return self._description()

    def __repr__(self) -> str:
        changes = "".join(f", {key}={value}" for key, value in self._overrides.items())
        return f"<tutti.Platform {self._name}{changes}>"

    def __str__(self) -> str:
        return ", ".join([self._name, *(f"{k}={v}" for k, v in self._overrides.items())])

    def __eq__(self, other: object) -> bool:
        return (isinstance(other, Platform) and self._name == other._name
                and self._overrides == other._overrides)

    def __hash__(self) -> int:
        return hash((self._name, tuple(sorted((k, str(v)) for k, v in self._overrides.items()))))


def platform(name: str) -> Platform:
    """The machine of that name, or of a SimGrid XML file. Raises `Error` if there is none."""
    if isinstance(name, Platform):
        raise Error("the argument is a Platform already", "tutti.platform")
    found = Platform(name)
    found._description()
    return found
