"""The knowledge base: the rules of `libraries/` and the user's own rules."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from functools import cache
from importlib.metadata import entry_points
from pathlib import Path
from typing import Any

from mle_modernizer_server.code.traceback import failing_lines, line_beside
from mle_modernizer_server.domain.execution import CellError, Environment
from mle_modernizer_server.domain.message import coded
from mle_modernizer_server.domain.notebook import Notebook
from mle_modernizer_server.fixing.rules.code_checks import BUILT_IN
from mle_modernizer_server.fixing.rules.era.releases import numbers
from mle_modernizer_server.fixing.rules.libraries.keras.aliases import with_aliases
from mle_modernizer_server.fixing.rules.rule import GROUP, ChangeKind, Hand, Move, Python2, Rule
from mle_modernizer_server.fixing.rules.tables import rule_files
from mle_modernizer_server.fixing.rules.uses import Uses
from mle_modernizer_server.words import text

_IDENTIFIER = re.compile(r"[A-Za-z_]\w*")


@cache
def all_rules() -> tuple[Rule, ...]:
    """Return all rules on breaking changes, library by library.

    Raises:
        ValueError: The built-in data contradict the schema, or two rules share an id.
    """
    return tuple(rule for rule in _loaded() if rule.kind is not ChangeKind.FASTER)


@cache
def faster_calls() -> tuple[Rule, ...]:
    """Return the rules for notebooks that time out: the same result sooner.

    Raises:
        ValueError: As for `all_rules`.
    """
    return tuple(rule for rule in _loaded() if rule.kind is ChangeKind.FASTER)


@cache
def class_addresses() -> dict[tuple[str, str], str]:
    """Return the usual address of the classes that rules are about, by library and name.

    A library has `Sequential` in `keras.src.models.sequential`, and elsewhere in its next version;
    of several addresses in the rules, the most frequent one is used.
    """
    from mle_modernizer_server.code.types import returns  # loads the parser

    found: dict[tuple[str, str], Counter[str]] = {}
    named = [
        address
        for rule in all_rules()
        for fix in rule.fixes
        if not isinstance(fix, (Move, Hand, Python2))
        for address in fix.of
    ]
    for address in (*named, *sorted(returns.classes())):
        key = address.partition(".")[0], address.rpartition(".")[2]
        found.setdefault(key, Counter())[address] += 1
    return {key: counted.most_common(1)[0][0] for key, counted in found.items()}


def use_rules(folder: Path | None) -> tuple[str, ...]:
    """Use the user's own rules, and those of installed packages, in addition to the built-in ones.

    They apply to this process, until the next call.

    Args:
        folder: The folder with the user's rules (`user_rules.of_folder`), if there is one.

    Returns:
        A sentence for each file, or package, that cannot be used; the others are taken.

    Raises:
        BadSetting: The folder does not exist.
    """
    found = []
    # Most users have none, and loading the built-in rules (half a second) can wait until needed.
    offers = entry_points(group=GROUP)
    if folder is not None or offers:
        from mle_modernizer_server.fixing.rules import user_rules  # imports all codemods

        ids = {rule.id for rule in _built_in()}
        found.append(user_rules.of_packages(offers, ids))
        if folder is not None:
            found.append(user_rules.of_folder(folder, ids | {one.id for one in found[0].rules}))
    _folder[:] = [folder] if folder is not None else []
    _further[:] = [rule for one in found for rule in one.rules]
    _problems[:] = [problem for one in found for problem in one.problems]
    for known in (all_rules, faster_calls, syntax_rules):
        known.cache_clear()
    return problems()


def problems() -> tuple[str, ...]:
    """Return a sentence for each file of rules that could not be used, for the user to read."""
    return tuple(_problems)


def rules_folder() -> Path | None:
    """Return the folder with the user's own rules that are in use, if there is one."""
    return _folder[0] if _folder else None


_folder: list[Path] = []
_further: list[Rule] = []
_problems: list[str] = []


def _loaded() -> tuple[Rule, ...]:
    return (*_built_in(), *_further)


@cache
def syntax_rules() -> tuple[Rule, ...]:
    """Return the rules on syntax that only Python 2 can parse: all that `convert` looks at.

    The other rules are not loaded for them.
    """
    built_in = (
        Rule.model_validate(item, context=BUILT_IN)
        for item in _items()
        if any(fix["do"] == "python2" for fix in item.get("fixes", ()))
    )
    further = (rule for rule in _further if any(isinstance(fix, Python2) for fix in rule.fixes))
    return (*built_in, *further)


def _items() -> Iterator[dict[str, Any]]:
    """Yield the data of the rules of `libraries/`."""
    for content in rule_files():
        for item in content["rules"]:
            item.setdefault("library", content["library"])  # a few rules name another library
            yield item


@cache
def _built_in() -> tuple[Rule, ...]:
    """Return the rules of `libraries/`.

    Raises:
        ValueError: The data contradict the schema, or two rules share an id.
    """
    rules = [with_aliases(Rule.model_validate(item, context=BUILT_IN)) for item in _items()]
    ids = Counter(rule.id for rule in rules)
    doubled = sorted(one for one, times in ids.items() if times > 1)
    if doubled:
        raise ValueError(f"rules with the same id: {', '.join(doubled)}")
    return tuple(rules)


def installed_version(rule: Rule, environment: Environment) -> str | None:
    """Return the version of the rule's library in the kernel; None if unknown."""
    if rule.library == "python":
        return environment.python if numbers(environment.python) else None
    return environment.packages.get(rule.library)


def concerned(rule: Rule, environment: Environment, *, proved: bool = False) -> bool:
    """Return whether the installed version has the change.

    Args:
        rule: The change.
        environment: Installed versions.
        proved: An error of the run is a symptom, which decides if the version is unknown.
    """
    version = installed_version(rule, environment)
    return proved if version is None else rule.concerns(version)


def explain(
    error: CellError,
    environment: Environment,
    notebook: Notebook | None = None,
    *,
    for_model: bool = False,
) -> tuple[str, str] | None:
    """Explain an error: a sentence or two on the change behind it, and a link.

    None if no rule covers it, or if the installed version is older than the change. If the version
    is unknown, the error itself is proof enough.

    Args:
        error: The error.
        environment: Installed versions.
        notebook: Source of the error: only libraries that it imports are considered.
        for_model: Explain with code that a model may write if it may not write the rule's code.
    """
    rule = explaining(error, environment, notebook)
    if rule is None:
        return None
    beside = line_beside(error)
    replacement = (for_model and rule.for_models) or rule.replacement
    told = [f"{rule.what} {replacement}"]
    if beside is not None:
        code = "rules.beside-for-model" if for_model else "rules.beside"
        place = coded(code, file=beside.path, line=beside.line, code=beside.code)
        told.append(text(place))
    return " ".join(told), rule.link


def explaining(
    error: CellError, environment: Environment, notebook: Notebook | None = None
) -> Rule | None:
    """Return the rule that explains an error, as `explain`.

    Of several it is the one whose names are in the lines that failed, then the one whose symptom
    spells out most of the message.
    """
    uses = None if notebook is None else Uses(notebook)
    beside = line_beside(error)
    elsewhere = beside is not None or error.ename in ("ImportError", "ModuleNotFoundError")
    lines = [*failing_lines(error), *([beside.code] if beside else [])]
    words = {word for line in lines for word in _IDENTIFIER.findall(line)}
    matching = sorted(
        (
            rule
            for rule in all_rules()
            if not rule.general
            and rule.matches(error)
            and (uses is None or elsewhere or uses.may_use(rule.library))
        ),
        key=lambda rule: (not rule.identifiers & words, -rule.specificity(error)),
    )
    for proved in (False, True):
        for rule in matching:
            if concerned(rule, environment, proved=proved):
                return rule
    return None
