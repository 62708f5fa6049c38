"""Keras has several addresses: rules for `keras` also apply to `tensorflow.keras`."""

from __future__ import annotations

from collections.abc import Iterable

from mle_modernizer_server.fixing.rules.rule import (
    CallFix,
    Fixing,
    MethodRename,
    Move,
    Rule,
    Template,
)

_PREFIXES = ("tensorflow.keras.", "tensorflow.python.keras.", "tensorflow.compat.v2.keras.")
_ONLY_KERAS = (
    "keras.backend",
    "keras.losses.kld",
    "keras.losses.kullback_leibler_divergence",
    "keras.losses.logcosh",
    "keras.losses.m",
    "keras.metrics.kld",
    "keras.metrics.m",
    "keras.preprocessing.",
    "keras.layers.ThresholdedReLU",
)
"""Prefixes of addresses that `tensorflow.keras` still has and `keras` has not."""
_LONG_NAMES = tuple(
    f"keras.{module}.{name}"
    for module in ("losses", "metrics")
    for name in ("mean_", "kl_divergence", "log_cosh")
)
"""Prefixes of addresses that only `keras` has; `tensorflow.keras` retained the short names."""
_LATER_IN_TENSORFLOW = ("keras-pin-",)
"""Prefixes of rules on defaults that never changed in `tensorflow.keras`."""


def keras_address(name: str) -> str:
    """Return the `keras` address of a name in `tensorflow.keras`; other addresses unchanged."""
    for prefix in _PREFIXES:
        if name.startswith(prefix):
            return f"keras.{name[len(prefix) :]}"
    return name


def with_aliases(rule: Rule) -> Rule:
    """Return the rule with fixes that also apply to the other addresses of Keras."""
    if rule.id.startswith(_LATER_IN_TENSORFLOW):
        return rule
    fixes = tuple(_fix(fix) for fix in rule.fixes)
    return rule if fixes == rule.fixes else rule.model_copy(update={"fixes": fixes})


def _fix(fix: Fixing) -> Fixing:
    if isinstance(fix, Move):
        return fix.model_copy(update={"names": _moves(fix.names)})
    if isinstance(fix, MethodRename):
        return fix.model_copy(update={"of": _every(fix.of)})
    if not isinstance(fix, (CallFix, Template)):
        return fix
    return fix.model_copy(update={"functions": _every(fix.functions), "of": _every(fix.of)})


def _every(names: Iterable[str]) -> tuple[str, ...]:
    names = tuple(names)
    return (*names, *(alias for name in names for alias, _ in _aliases(name)))


def _moves(names: dict[str, str]) -> dict[str, str]:
    every = dict(names)
    for old, new in names.items():
        if new.startswith(_LONG_NAMES):
            continue
        for alias, prefix in _aliases(old):
            if new.startswith("keras."):
                every[alias] = f"tensorflow.{new}"
            elif new == "keras":
                every[alias] = "tensorflow.keras"
            elif prefix != "tensorflow.keras." or not new.startswith("tensorflow.keras."):
                every[alias] = new
    return every


def _aliases(name: str) -> list[tuple[str, str]]:
    if not name.startswith("keras."):
        return []
    some = _PREFIXES[1:] if name.startswith(_ONLY_KERAS) else _PREFIXES
    return [(f"{prefix}{name[len('keras.') :]}", prefix) for prefix in some]
