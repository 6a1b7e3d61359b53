# SPDX-License-Identifier: BSD-3-Clause
"""Finds calls of generators whose result is not used: a forgotten `yield from`."""
from __future__ import annotations

import ast
import inspect
import textwrap
import tokenize
import types
from typing import Any, Iterator, NamedTuple

from ._program import line_of_file


class UnusedCall(NamedTuple):
    callee: str
    line: str  # FILE:LINE


def unused_calls(function: Any, programs: type) -> Iterator[UnusedCall]:
    """Statements `other(me, call)` of a function, and of the generators that it names, where
    `other` is a generator function or one of the class `programs`. Functions without source text
    (of `exec`) are not examined."""
    seen: set[types.CodeType] = set()
    pending = [function]
    while pending:
        each = pending.pop()
        if isinstance(each, programs):
            each = each.function  # type: ignore[attr-defined]
        if not inspect.isgeneratorfunction(each) or each.__code__ in seen:
            continue
        seen.add(each.__code__)
        tree = _tree(each)
        if tree is None:
            continue
        names = _names(each)
        for node in ast.walk(tree):
            if isinstance(node, ast.Name) and node.id in names:
                pending.append(names[node.id])
            if not isinstance(node, ast.Expr) or not isinstance(node.value, ast.Call):
                continue
            callee = _value(node.value.func, names)
            if isinstance(callee, programs) or inspect.isgeneratorfunction(callee):
                yield UnusedCall(ast.unparse(node.value.func),
                                 line_of_file(each.__code__.co_filename, node.lineno))


def _tree(function: Any) -> ast.AST | None:
    try:
        lines, first = inspect.getsourcelines(function)
        tree = ast.parse(textwrap.dedent("".join(lines)))
    except (OSError, TypeError, SyntaxError, tokenize.TokenError):
        return None
    definition = tree.body[0] if tree.body else None
    if not isinstance(definition, ast.FunctionDef) or definition.name != function.__name__:
        return None  # the file has changed
    return ast.increment_lineno(tree, first - 1)


def _names(function: Any) -> dict[str, Any]:
    """Global names and those of enclosing functions; local ones hide them."""
    names = dict(function.__globals__)
    for name in function.__code__.co_varnames:
        names.pop(name, None)
    for name, cell in zip(function.__code__.co_freevars, function.__closure__ or ()):
        try:
            names[name] = cell.cell_contents
        except ValueError:  # not assigned yet
            names.pop(name, None)
    return names


def _value(node: ast.expr, names: dict[str, Any]) -> Any:
    """What `name` or `module.name` is; None if unknown."""
    if isinstance(node, ast.Name):
        return names.get(node.id)
    if isinstance(node, ast.Attribute):
        owner = _value(node.value, names)
        return getattr(owner, node.attr, None) if isinstance(owner, types.ModuleType) else None
    return None
