"""Types of calls and attributes of pandas, numpy and scikit-learn, by their own stubs.

`returns.json` is written by `scripts/return-types`. If a function has several signatures, those
count that fit the literals in a call; if they do not agree, the type is unknown. `returns.yaml` has
removed functions, which are in no stub of today, and those of other libraries.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import cache
from importlib import resources
from typing import TypedDict

import libcst as cst

from mle_modernizer_server.code.calls import table
from mle_modernizer_server.code.tree import argument, literal
from mle_modernizer_server.code.types.type import Type


class Signature(TypedDict):
    """One of a function's signatures."""

    takes: list[str]
    needs: list[str]
    values: dict[str, list[str]]
    gives: str


Given = str | list[Signature]


@dataclass(frozen=True)
class _Tables:
    functions: dict[str, Given]
    methods: dict[str, Given]
    attributes: dict[str, str]
    names: frozenset[str]
    methods_of_arrays: frozenset[str]
    ufuncs: frozenset[str]
    others: dict[str, str]


@cache
def _tables() -> _Tables:
    text = (resources.files(__package__) / "returns.json").read_text(encoding="utf-8")
    found = json.loads(text)
    functions, attributes, removed = (
        {name: made for made, names in group.items() for name in names.split()}
        for group in table(__file__).values()
    )
    return _Tables(
        functions=found["functions"],
        methods=found["methods"] | removed,
        attributes=found["attributes"],
        names=frozenset((*found["all_methods"], *found["all_attributes"], *removed)),
        methods_of_arrays=frozenset(found["methods_of_arrays"]),
        ufuncs=frozenset(found["ufuncs"]),
        others=functions | attributes,
    )


def of_function(address: str, call: cst.Call, guess: bool = False) -> Type | None:
    """Return the type of a function's result for a call; None if unknown.

    Args:
        address: Of the function.
        call: The call.
        guess: If several types are possible, take the one the stubs name first.
    """
    return _resolved(_tables().functions.get(address), call, guess)


def of_method(owner: Type, name: str, call: cst.Call, guess: bool = False) -> Type | None:
    """Return the type of the result of a method of an object of that type."""
    return _resolved(_tables().methods.get(f"{owner.name}.{name}"), call, guess)


def of_attribute(owner: Type, name: str) -> Type | None:
    """Return the type of an attribute of an object of that type."""
    return _type(_tables().attributes.get(f"{owner.name}.{name}", ""))


def of_other_library(address: str) -> Type | None:
    """Return the type of a function's result, or of an attribute, in a library without stubs."""
    return _type(_tables().others.get(address, ""))


def has(owner: Type, name: str) -> bool:
    """Return whether such objects have, or once had, a method or attribute of that name."""
    return f"{owner.name}.{name}" in _tables().names


def classes() -> frozenset[str]:
    """Return the addresses of the classes whose methods are known."""
    return frozenset(name.rpartition(".")[0] for name in _tables().methods)


def hands_over(name: str) -> bool:
    """Return whether a numpy function calls its argument's method of that name."""
    return name in _tables().methods_of_arrays


def is_ufunc(name: str) -> bool:
    """Return whether a numpy function works element by element and returns pandas' type."""
    return name in _tables().ufuncs


def _resolved(given: Given | None, call: cst.Call, guess: bool) -> Type | None:
    if given is None:
        return None
    every = (
        [given] if isinstance(given, str) else [one["gives"] for one in given if _fits(one, call)]
    )
    if guess:
        every = [
            inferred for one in every for inferred in one.split("|") if inferred not in ("", "?")
        ][:1]
    found = set(every)
    return _type(found.pop()) if len(found) == 1 else None


def _fits(signature: Signature, call: cst.Call) -> bool:
    """Return whether a call may be of this signature, as far as its literals show."""
    starred = any(arg.star for arg in call.args)
    takes = signature["takes"]
    for name in {*signature["needs"], *signature["values"]}:
        arg = argument(call, name, takes.index(name) if name in takes else None)
        if arg is None:
            if name in signature["needs"] and not starred:
                return False
            continue
        wanted = signature["values"].get(name)
        value = literal(arg.value)
        if wanted is not None and value is not NotImplemented and repr(value) not in wanted:
            return False
    return True


@cache
def _type(text: str) -> Type | None:
    if not text or "|" in text:
        return None
    if text.startswith("("):
        items = text[1:-1].split(", ")
        return Type("builtins.tuple", tuple(None if one == "?" else Type(one) for one in items))
    return Type(text)
