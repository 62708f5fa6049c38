"""The pages of all rules are in step with the rules."""

import runpy
from pathlib import Path

ROOT = Path(__file__).parents[3]


def test_the_pages_of_all_rules_are_in_step() -> None:
    written = runpy.run_path(str(ROOT / "scripts" / "rules_pages.py"))
    there = {file.name: file.read_text("utf-8") for file in written["PAGES"].glob("*.md")}
    wanted = written["pages"]()
    assert there.keys() == wanted.keys()
    stale = [name for name in wanted if wanted[name] != there[name]]
    assert stale == [], "run scripts/rules_pages.py"
