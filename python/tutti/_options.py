# SPDX-License-Identifier: BSD-3-Clause
"""Options of the program as Python keywords."""
from __future__ import annotations

import difflib
import itertools
import numbers
import operator
import os
import re
from fractions import Fraction
from typing import Any, Callable, Collection, Iterable, Mapping

from ._platforms import Platform
from ._program import Error, checked_text

# Iterables as values of options have at most this number of values.
MOST_VALUES = 100_000

# Short options, and the keyword of each.
_LONG = {"p": "platform", "n": "procs", "j": "jobs"}
# Chosen by the package.
_RESERVED = {"format", "output", "o", "quiet", "q", "provenance", "color", "verbose", "v", "help",
             "h"}
# A list repeats these options; for others, it is written with commas.
_REPEATED = {"set", "where", "override", "also_in"}

_UNITS = {"": 1, "b": 1, "k": 1 << 10, "kib": 1 << 10, "m": 1 << 20, "mib": 1 << 20, "g": 1 << 30,
          "gib": 1 << 30, "t": 1 << 40, "tib": 1 << 40, "kb": 10**3, "mb": 10**6, "gb": 10**9,
          "tb": 10**12}


def in_bytes(size: int | str, what: str = "message_size") -> int:
    """A size in bytes, the argument `what`: 1024, "1KiB", "64kB" (`sim help units`)."""
    if not isinstance(size, str):
        value = whole_number(what, size)
    else:
        match = re.fullmatch(r"\s*(\d+(?:\.\d+)?)\s*([A-Za-z]*)\s*", size, re.ASCII)
        if not match or match[2].lower() not in _UNITS:
            raise Error(f"invalid size {size!r}", what, "expected for example 1024, 64KiB, 1MB")
        exact = Fraction(match[1]) * _UNITS[match[2].lower()]
        if exact.denominator != 1:
            raise Error(f"{size!r} is not a whole number of bytes", what)
        value = int(exact)
    if not 0 <= value < 1 << 63:
        raise Error(f"invalid size {size!r}: expected 0 to 2^63 - 1 bytes", what)
    return value


def whole_number(what: str, value: Any, place: str = "") -> int:
    """The value of the argument `what`."""
    try:
        if isinstance(value, bool):
            raise TypeError
        return operator.index(value)
    except TypeError:
        raise Error(f"invalid {what} {value!r}: expected a whole number", place or what) from None


def listed(values: Iterable[Any], what: str) -> list[Any]:
    """The values of an iterable, which must end."""
    found = list(itertools.islice(values, MOST_VALUES + 1))
    if len(found) > MOST_VALUES:
        raise Error(f"more than {MOST_VALUES:,} values", what, "does the iterable end?")
    return found


def normalized(options: Mapping[str, Any], known: Callable[[], Collection[str]]) -> dict[str, Any]:
    """With long names and without trailing underscores, and with lists in place of iterables.
    Those without a value are omitted if they are `known`: the program does not see them."""
    result: dict[str, Any] = {}
    for key, value in options.items():
        name = key.rstrip("_").replace("-", "_")
        name = _LONG.get(name, name)
        if name in _RESERVED:
            raise Error(f"'{key}' is chosen by the package", "",
                        "write tables with pandas, for example table.to_csv(FILE)")
        if name in result:
            raise Error(f"'{name}' is given twice", key)
        if value is None or value is False:
            _require_known(name, known())
        else:
            result[name] = listed(value, name) if is_list(value) else value
    return result


def _require_known(name: str, known: Collection[str]) -> None:
    if name in known:
        return
    near = difflib.get_close_matches(name, sorted(known), 1)
    raise Error(f"unknown option '{name}'", name,
                f"did you mean '{near[0]}'?" if near else "`sim help` lists the options")


def _word(value: Any, option: str) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if callable(value):
        raise Error(f"unexpected function {value!r} as a value", option,
                    "decorate rank programs: @tutti.algorithm(COLLECTIVE)")
    if isinstance(value, numbers.Real):
        return str(value)
    if value is None or isinstance(value, (bytes, bytearray, Mapping)) or is_list(value):
        raise Error(f"unexpected value {value!r}", option, "expected a string or a number")
    return checked_text(value if isinstance(value, os.PathLike) else str(value), option)


def is_list(value: Any) -> bool:
    return not isinstance(value, (str, bytes, Mapping)) and isinstance(value, Iterable)


def with_platform(options: Mapping[str, Any]) -> dict[str, Any]:
    """A `Platform` becomes its name and the option `set`."""
    result = dict(options)
    platform = result.get("platform")
    if not isinstance(platform, Platform):
        return result
    result["platform"] = platform.name
    given = result.get("set", {})
    if not isinstance(given, Mapping):
        pairs = [str(each).split("=", 1) for each in (given if is_list(given) else [given])]
        if any(len(each) != 2 for each in pairs):
            raise Error(f"invalid parameters {given!r}", "set", "expected {KEY: VALUE}")
        given = dict(pairs)
    merged = {**platform.overrides, **given}
    if merged:
        result["set"] = merged
    return result


def arguments(options: Mapping[str, Any]) -> list[str]:
    """The command line of normalized options: True is a flag, a list is written with commas, a
    mapping (and a list, for options that repeat) repeats the option."""
    words: list[str] = []
    for key, value in with_platform(options).items():
        option = ("-" if len(key) == 1 else "--") + key.replace("_", "-")
        if value is True:
            words.append(option)
        elif isinstance(value, Mapping):
            for name, each in value.items():
                words += [option, f"{_word(name, option)}={_word(each, option)}"]
        elif is_list(value) and key in _REPEATED:
            for each in value:
                words += [option, _word(each, option)]
        elif is_list(value):
            joined = ",".join(_word(each, option) for each in value)
            if not joined:
                raise Error("the list is empty", option, "expected at least one value")
            words += [option, joined]
        else:
            words += [option, _word(value, option)]
    return words
