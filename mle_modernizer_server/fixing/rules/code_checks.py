"""Checks of the pieces of Python that a rule file holds: addresses, literals, templates.

Built-in rules pass them in the tests, not in each process that loads them.
"""

from __future__ import annotations

import builtins
import re
from collections.abc import Collection, Mapping

from pydantic import ValidationInfo

from mle_modernizer_server.code.ipython import literal_value, parse_python
from mle_modernizer_server.code.names import names

BUILT_IN = "built in"
"""Validation context of the product's own rules, which skips these checks."""
_PLACEHOLDER = re.compile(r"\{(\w+)\}")
_REST = re.compile(r",? *\{rest\}")


def check_address(value: str, info: ValidationInfo) -> str:
    """Return a dotted address, which may have one colon before the name of a class.

    Raises:
        ValueError: It is no address.
    """
    if info.context != BUILT_IN and not all(map(str.isidentifier, re.split("[.:]", value))):
        raise ValueError(f"{value!r} is no address: names with dots between them")
    return value


def check_name(value: str, info: ValidationInfo) -> str:
    """Return a name.

    Raises:
        ValueError: It is none that Python allows.
    """
    if info.context != BUILT_IN and not value.isidentifier():
        raise ValueError(f"{value!r} is no name in Python")
    return value


def check_builtin(value: str, info: ValidationInfo) -> str:
    """Return the name of a builtin function.

    Raises:
        ValueError: There is no such builtin.
    """
    if info.context != BUILT_IN and not callable(getattr(builtins, value, None)):
        raise ValueError(f"{value!r} is no builtin function")
    return value


def check_literal(value: str, info: ValidationInfo) -> str:
    """Return the code of a literal: `None`, `0.1`, `'auto'`, `(1, 2)`.

    Raises:
        ValueError: It is no literal.
    """
    if info.context != BUILT_IN:
        try:
            literal_value(value)
        except (SyntaxError, ValueError, TypeError, MemoryError, RecursionError):
            raise ValueError(f"{value!r} is no literal, such as None, 0.1 or 'auto'") from None
    return value


def check_template(write: str, arguments: Collection[str], imports: Mapping[str, str]) -> None:
    """Check that a template is Python and that all its names can be filled in.

    Args:
        write: The template.
        arguments: Names of the arguments that it may use.
        imports: Aliases by module.

    Raises:
        ValueError: A placeholder or a name has no meaning, or it is no expression.
    """
    placeholders = set(_PLACEHOLDER.findall(write))
    unknown = placeholders - {*arguments, *imports.values(), "self", "rest"}
    if unknown:
        raise ValueError(
            f"{{{min(unknown)}}} is none of `parameters`, `keywords` and the aliases of `imports`"
        )
    unused = set(imports.values()) - placeholders
    if unused:
        raise ValueError(f"`write` does not use {{{min(unused)}}} of `imports`")
    try:
        # In brackets, so that it can only be an expression.
        code = _PLACEHOLDER.sub(r"\1", _REST.sub("", write))
        used = names(parse_python(f"({code}\n)"))
    except (SyntaxError, ValueError, MemoryError, RecursionError):
        raise ValueError(f"{write!r} is no Python") from None
    free = used.read.keys() - used.bound.keys() - placeholders - {*dir(builtins)}
    if free:
        raise ValueError(f"{min(free)!r} is not defined: add its module to `imports`")
