"""Rules that are not ours: from a folder of the user's, and from installed packages.

A folder contains only YAML, so its rules are data: its content is never executed. Codemods in
Python come from installed packages, by the entry point group `mle_modernizer.rules`. A file that
cannot be used is reported with its line and left out; the others are taken.
"""

from __future__ import annotations

import importlib
import logging
import pkgutil
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from importlib.metadata import EntryPoint
from pathlib import Path
from types import ModuleType

import yaml
from pydantic import ValidationError

from mle_modernizer_server.domain.errors import BadSetting
from mle_modernizer_server.domain.message import coded
from mle_modernizer_server.fixing.rules.engine.registry import hand_written
from mle_modernizer_server.fixing.rules.libraries.keras.aliases import with_aliases
from mle_modernizer_server.fixing.rules.rule import GROUP, Hand, Python2, Rule
from mle_modernizer_server.untrusted.files import is_file, is_folder, read_regular
from mle_modernizer_server.untrusted.parsing import UnreadableText, read_yaml_nodes

_LARGEST = 256_000
"""Limit of a file in bytes: enough for some hundreds of rules."""
_MOST_FILES = 200

_logger = logging.getLogger(__name__)


@dataclass
class Found:
    """Rules that could be used, and a sentence for each file that could not."""

    rules: list[Rule] = field(default_factory=list)
    problems: list[str] = field(default_factory=list)


class _Unusable(Exception):
    """The reason why a file cannot be used, and the line of the problem."""

    def __init__(self, line: int, why: str) -> None:
        super().__init__(f"line {line}: {why}")


def of_folder(folder: Path, taken: Iterable[str]) -> Found:
    """Read the rules of a user's folder: `*.yaml` in it and in the folders below it.

    Args:
        folder: The setting `rules_path`.
        taken: Ids that rules have already.

    Raises:
        BadSetting: It is no folder, or holds too many files.
    """
    if not is_folder(folder):
        raise BadSetting(coded("rules.no-folder", folder=str(folder)))
    return _of_files(folder, folder, set(taken), with_code=False)


def of_packages(offers: Iterable[EntryPoint], taken: Iterable[str]) -> Found:
    """Import the packages that offer rules, with their codemods, and read their YAML.

    Args:
        offers: Their entry points.
        taken: Ids that rules have already.
    """
    found = Found()
    ids = set(taken)
    for offer in sorted(offers, key=lambda one: (one.name, one.value)):
        try:
            folder = _imported(offer)
            more = _of_files(folder, folder, ids, with_code=True)
        except Exception as error:  # after any error of a package, continue with the others
            _logger.debug("rules of %s", offer.value, exc_info=True)
            found.problems.append(
                f"Rules of {offer.value} are left out: {type(error).__name__}: {error}"
            )
            continue
        found.rules += more.rules
        found.problems += more.problems
        ids.update(one.id for one in more.rules)
    return found


def _imported(offer: EntryPoint) -> Path:
    """Import a package with all its modules, so that their codemods register; return its folder."""
    module = offer.load()
    if not isinstance(module, ModuleType) or not module.__file__:
        raise TypeError("the entry point names no package")
    for inner in pkgutil.walk_packages(getattr(module, "__path__", ()), f"{module.__name__}."):
        importlib.import_module(inner.name)
    return Path(module.__file__).parent


def _of_files(folder: Path, root: Path, taken: set[str], *, with_code: bool) -> Found:
    files = sorted(file for file in folder.rglob("*.yaml") if is_file(file))
    if len(files) > _MOST_FILES:
        raise BadSetting(coded("rules.too-many", folder=str(folder), most_files=_MOST_FILES))
    found = Found()
    ids = set(taken)
    for file in files:
        try:
            rules = _read(file, with_code=with_code, taken=ids)
        except _Unusable as error:
            found.problems.append(f"Rules in {file.relative_to(root)} are left out: {error}")
            continue
        ids.update(one.id for one in rules)
        found.rules += rules
    return found


def _read(file: Path, *, with_code: bool, taken: set[str]) -> list[Rule]:
    """Read the rules of one file.

    Raises:
        _Unusable: It cannot be read, is no YAML, is too large, or a rule in it is none.
    """
    node, content = _loaded(file)
    if not isinstance(content, dict) or set(content) != {"library", "rules"}:
        raise _Unusable(1, "it needs `library:` and `rules:`, and nothing else")
    items = content["rules"]
    if not isinstance(items, list):
        raise _Unusable(_line(node, ("rules",)), "`rules` is no list")
    ids = set(taken)
    rules: list[Rule] = []
    for number, item in enumerate(items):
        place = ("rules", number)
        if not isinstance(item, dict):
            raise _Unusable(_line(node, place), "a rule is a mapping")
        try:
            rule = with_aliases(Rule.model_validate({"library": content["library"], **item}))
        except ValidationError as error:
            first = error.errors(include_url=False)[0]
            where = ".".join(str(part) for part in first["loc"])
            line = _line(node, (*place, *first["loc"]))
            raise _Unusable(line, f"{where}: {first['msg']}") from error
        why = _refused(rule, ids, with_code=with_code)
        if why:
            raise _Unusable(_line(node, place), why)
        ids.add(rule.id)
        rules.append(rule)
    return rules


def _loaded(file: Path) -> tuple[yaml.Node, object]:
    """Return the nodes of a file, which have line numbers, and their values."""
    try:
        node, content = read_yaml_nodes(read_regular(file, _LARGEST))
    except OSError as error:
        raise _Unusable(1, f"it cannot be read ({error.strerror})") from error
    except UnreadableText as error:
        raise _Unusable(error.line, f"it is no YAML: {error}") from error
    if node is None:
        raise _Unusable(1, "it is empty")
    return node, content


def _line(node: yaml.Node, path: Sequence[object]) -> int:
    """Return the line of the last existing step of a path, counted from 1."""
    line = node.start_mark.line
    for step in path:
        if isinstance(node, yaml.MappingNode):
            found = next((pair for pair in node.value if pair[0].value == step), None)
            if found is None:  # missing, or the name of the kind of fix
                continue
            line, node = found[0].start_mark.line, found[1]
        elif isinstance(node, yaml.SequenceNode) and isinstance(step, int):
            node = node.value[step]
            line = node.start_mark.line
    return int(line) + 1


def _refused(rule: Rule, taken: set[str], *, with_code: bool) -> str:
    """Return the reason why a valid rule is refused; empty if it is not."""
    if rule.id in taken:
        return f"there is a rule {rule.id!r} already"
    by_hand = any(isinstance(fix, Hand) for fix in rule.fixes)
    if not with_code and any(isinstance(fix, (Hand, Python2)) for fix in rule.fixes):
        return (
            f"{rule.id}: a rule of your own mends by `move`, `rename-method`, `call` or "
            f"`template`; code comes from installed packages (entry point group `{GROUP}`)"
        )
    if by_hand and rule.id not in hand_written():
        return f'{rule.id}: no function has `@codemod("{rule.id}", …)`'
    return ""
