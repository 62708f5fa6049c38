"""Write a page of documentation for each library that has rules, with old and new code.

    python scripts/rules_pages.py

The examples are the executed cases of the tests; the new code is computed here. Git does not track
the pages: `make docs` writes them.
"""

from __future__ import annotations

import difflib
import re
import shutil
import sys
from pathlib import Path
from textwrap import dedent

import yaml

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT))

from mle_modernizer_server.domain.execution import CellError  # noqa: E402
from mle_modernizer_server.fixing.rules import libraries  # noqa: E402
from mle_modernizer_server.fixing.rules.engine.context import Run  # noqa: E402
from mle_modernizer_server.fixing.rules.engine.engine import modernize  # noqa: E402
from mle_modernizer_server.fixing.rules.knowledge import all_rules, faster_calls  # noqa: E402
from mle_modernizer_server.fixing.rules.rule import ChangeKind, Rule  # noqa: E402
from tests.fixing.rules.executed.case import Case  # noqa: E402
from tests.fixing.rules.executed.discovered import EVERY  # noqa: E402
from tests.fixing.rules.rewriting import notebook  # noqa: E402

PAGES = ROOT / "docs" / "all-rules"
_CHANGE = {
    ChangeKind.DEPRECATED: "deprecated",
    ChangeKind.REMOVED: "removed",
    ChangeKind.DEFAULT_CHANGED: "default changed",
    ChangeKind.BEHAVIOUR: "behaves differently",
    ChangeKind.FASTER: "faster",
}
_ANY = (".",)


def pages() -> dict[str, str]:
    """Return all pages by file name."""
    rules = {rule.id: rule for rule in (*all_rules(), *faster_calls())}
    examples: dict[str, list[Case]] = {}
    for case in EVERY:
        if case.fix:
            examples.setdefault(case.rule, []).append(case)
    found: dict[str, str] = {}
    rows = []
    for folder in sorted(Path(libraries.__path__[0]).iterdir()):
        ids = [one for file in sorted(folder.glob("*.yaml")) for one in _ids(file)]
        if not ids:
            continue
        here = [rules[one] for one in ids]
        title = "Python 2" if folder.name == "python2" else here[0].library
        parts = [_section(rule, rules, examples.get(rule.id, [])) for rule in here]
        found[f"{folder.name}.md"] = f"# {title}\n\n" + "\n".join(parts)
        fixed = sum(rule.automatic for rule in here)
        rows.append(f"| [{title}]({folder.name}.md) | {len(here)} | {fixed} |\n")
    names = "".join(f"{name.removesuffix('.md')}\n" for name in found)
    found["index.md"] = (
        f"# All rules\n\nAll known breaking changes, by library. Automatic fixes are shown "
        "on examples that the tests execute.\n\n"
        f"| library | rules | automatic fixes |\n|---|---|---|\n{''.join(rows)}\n"
        f"```{{toctree}}\n:hidden:\n\n{names}```\n"
    )
    return found


def _ids(file: Path) -> list[str]:
    loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
    content = yaml.load(file.read_text("utf-8"), Loader=loader)
    return [rule["id"] for rule in content["rules"]]


def _section(rule: Rule, rules: dict[str, Rule], cases: list[Case]) -> str:
    silent = ", without an error" if rule.silent else ""
    fix = "" if rule.automatic else " · no automatic fix"
    text = (
        f"## {rule.id}\n\n*{rule.library} {rule.since} · {_CHANGE[rule.kind]}{silent}{fix}*\n\n"
        f"{_escaped(rule.what)} {_escaped(rule.replacement)} [More]({rule.link})\n"
    )
    difference = next(filter(None, (_difference(case, rules) for case in cases)), "")
    return f"{text}\n```diff\n{difference}```\n" if difference else text


def _difference(case: Case, rules: dict[str, Rule]) -> str:
    """Return the rules' diff of old code; empty if they need more than the code."""
    book = notebook(dedent(case.setup).strip("\n"), case.code)
    # Simulate a run that raised the error, in one of the lines.
    chosen = [
        rules[one].model_copy(update={"symptoms": _ANY, "where": ""})
        for one in (case.rule, *case.also)
    ]
    lines = case.code.count("\n") + 1
    for line in (None, *range(1, lines + 1)):
        seen = () if line is None else (_error(line),)
        after = modernize(book, chosen, Run(errors=seen), lambda *_: True).notebook
        if after != book:
            return "".join(
                _compared(old.source, new.source, around)
                for old, new, around in zip(book.cells, after.cells, (0, 2), strict=True)
            )
    return ""


def _compared(old: str, new: str, around: int) -> str:
    lines = difflib.unified_diff(old.splitlines(), new.splitlines(), n=around, lineterm="")
    return "".join(f"{line}\n" for line in list(lines)[2:] if not line.startswith("@@"))


def _error(line: int) -> CellError:
    return CellError(
        cell_id="b", index=1, ename="Error", evalue="", traceback=(), raised=True, line=line
    )


def _escaped(text: str) -> str:
    return re.sub(r"([\\`*_{}\[\]<>#|$~])", r"\\\1", text)


def main() -> None:
    """Write all pages anew."""
    shutil.rmtree(PAGES, ignore_errors=True)
    PAGES.mkdir()
    for name, text in pages().items():
        (PAGES / name).write_text(text, "utf-8")


if __name__ == "__main__":
    main()
