# SPDX-License-Identifier: BSD-3-Clause
"""Options of the program as Python keywords."""
from __future__ import annotations

import re
from typing import Any, Iterable, Mapping

from ._platforms import Platform
from ._program import Error

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


def in_bytes(size: int | str) -> int:
    """A size in bytes: 1024, "1KiB", "64kB" (`sim help units`)."""
    if not isinstance(size, str):
        value = int(size)
    else:
        match = re.fullmatch(r"\s*(\d+(?:\.\d+)?)\s*([A-Za-z]*)\s*", size)
        if not match or match[2].lower() not in _UNITS:
            raise Error(f"invalid size '{size}'", "", "expected for example 1024, 64KiB, 1MB")
        exact = float(match[1]) * _UNITS[match[2].lower()]
        value = int(exact)
        if value != exact:
            raise Error(f"'{size}' is not a whole number of bytes")
    if value < 0:
        raise Error(f"invalid size '{size}': expected 0 or more bytes")
    return value


def normalized(options: Mapping[str, Any]) -> dict[str, Any]:
    """With long names and without trailing underscores; those without a value are omitted."""
    result: dict[str, Any] = {}
    for key, value in options.items():
        name = key.rstrip("_").replace("-", "_")
        name = _LONG.get(name, name)
        if name in _RESERVED:
            raise Error(f"'{key}' is chosen by the package", "",
                        "write tables with pandas, for example table.to_csv(FILE)")
        if name in result:
            raise Error(f"'{name}' is given twice")
        if value is not None and value is not False:
            result[name] = value
    return result


def _word(value: Any) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if callable(value):
        raise Error(f"unexpected function {value!r} as a value", "",
                    "decorate rank programs: @tutti.algorithm(COLLECTIVE)")
    return str(value)


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
        given = dict(str(each).split("=", 1) for each in ([given] if isinstance(given, str)
                                                          else given))
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
                words += [option, f"{name}={_word(each)}"]
        elif is_list(value) and key in _REPEATED:
            for each in value:
                words += [option, _word(each)]
        elif is_list(value):
            listed = ",".join(_word(each) for each in value)
            if not listed:
                raise Error("the list is empty", option, "expected at least one value")
            words += [option, listed]
        else:
            words += [option, _word(value)]
    return words
