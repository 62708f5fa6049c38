"""The documentation's pages of all rules."""

import re
import runpy
from pathlib import Path

from mle_modernizer_server.fixing.rules.knowledge import all_rules, faster_calls

ROOT = Path(__file__).parents[3]


def test_pages_hold_every_rule_once_with_examples() -> None:
    pages = runpy.run_path(str(ROOT / "scripts" / "rules_pages.py"))["pages"]()
    sections = re.findall(r"^## (\S+)$", "\n".join(pages.values()), re.MULTILINE)
    assert sorted(sections) == sorted(rule.id for rule in (*all_rules(), *faster_calls()))
    assert all("```diff" in text for name, text in pages.items() if name == "pandas.md")
