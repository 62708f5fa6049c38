"""A rule never writes an address that is not there."""

from __future__ import annotations

import pytest

from mle_modernizer_server.fixing.rules.knowledge import all_rules, installed_version
from mle_modernizer_server.fixing.rules.rule import Move
from tests.fixing.rules.executed.environment import NAMES, environment

_LOOK_UP = r"""
import importlib, json, sys, warnings
warnings.simplefilter("ignore")

def there(address):
    parts = address.replace(":", ".").split(".")
    try:
        found = importlib.import_module(parts[0])
    except ImportError:
        return None
    for end, part in enumerate(parts[1:], 2):
        try:
            found = getattr(found, part)
        except AttributeError:
            try:
                found = importlib.import_module(".".join(parts[:end]))
            except ImportError:
                return False
    return True

print(json.dumps([there(address) for address in json.load(sys.stdin)]))
"""


@pytest.mark.parametrize(
    "name",
    [pytest.param(name, marks=() if name == "newest" else pytest.mark.thorough) for name in NAMES],
)
def test_addresses_of_moves_can_be_imported_where_they_apply(name: str) -> None:
    place = environment(name)
    written = [
        (rule.id, new)
        for rule in all_rules()
        if rule.concerns(installed_version(rule, place.installed))
        for fix in rule.fixes
        if isinstance(fix, Move)
        for new in fix.names.values()
    ]
    answers = place.answer(_LOOK_UP, [new for _, new in written])
    assert isinstance(answers, list)
    assert answers.count(True) > 400, "hardly a library is installed"
    gone = [one for one, is_there in zip(written, answers, strict=True) if is_there is False]
    assert not gone
