"""How many errors of old notebooks the rules mend, against ruff, pyupgrade and 2to3.

For a folder of old notebooks of one's own. Without `--run` nothing is executed: every import,
attribute and argument that the code names is looked up in an environment's libraries, before and
after each tool. With `--run` the notebooks run there, closed in by bubblewrap; what stands in the
folder `input` beside a notebook is its data.

    python benchmarks/rules_on_notebooks.py FOLDER --python .venvs/newest/bin/python
    python benchmarks/rules_on_notebooks.py FOLDER --python .venvs/newest/bin/python --run
    python benchmarks/rules_on_notebooks.py FOLDER --python .venvs/newest/bin/python --run --beside

With `--beside` a notebook's files lie where its author had them: in its folder and the one above.
`--diffs FILE` writes what the rules change, before a run and after runs, line by line with the
rules that did it, for a person to read: that no edit is harmful only reading tells.
"""

from __future__ import annotations

import argparse
import json
import random
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from difflib import unified_diff
from pathlib import Path

from error_causes import Cause
from notebook_references import broken, references
from notebook_runs import Runs
from notebook_stories import Seen, Story, key, story
from notebook_tools import TOOLS, Tool

from mle_modernizer_server.domain.errors import ModernizerError
from mle_modernizer_server.domain.execution import Environment
from mle_modernizer_server.domain.notebook import Notebook
from mle_modernizer_server.execution.notebook_file import open_notebook
from mle_modernizer_server.fixing.rules.engine.context import Run
from mle_modernizer_server.fixing.rules.engine.engine import Applied, Outcome, modernize
from mle_modernizer_server.fixing.rules.knowledge import all_rules, installed_version
from mle_modernizer_server.fixing.rules.rule import ChangeKind, Confirm


def main() -> None:
    """Read the arguments, measure, print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--python", type=Path, required=True, help="Python of the environment")
    parser.add_argument("--run", action="store_true", help="run the notebooks")
    parser.add_argument("--beside", action="store_true", help="files lie beside the notebooks")
    parser.add_argument("--diffs", type=Path, help="write what the rules change to this file")
    parser.add_argument("--most", type=int, help="a sample of so many notebooks, always the same")
    parser.add_argument("--seconds", type=int, default=60, help="limit for a run")
    parser.add_argument("--at-once", type=int, default=1, help="so many runs at a time")
    parser.add_argument("--tools", nargs="*", choices=TOOLS, default=list(TOOLS))
    parser.add_argument(
        "--details",
        type=Path,
        help="write to this file what is left, or all root errors of the runs",
    )
    arguments = parser.parse_args()
    tools = {name: TOOLS[name] for name in arguments.tools}
    paths = sorted(arguments.folder.rglob("*.ipynb"))
    if arguments.most is not None and arguments.most < len(paths):
        paths = sorted(random.Random(0).sample(paths, arguments.most))
    notebooks = dict(_read(paths))
    print(f"{len(notebooks)} notebooks in Python with code, {len(paths) - len(notebooks)} others")
    diffs: list[str] = []
    if arguments.run:

        def runs() -> Runs:
            return Runs(arguments.python, arguments.seconds, beside=arguments.beside)

        left = measure_runs(notebooks, tools, runs, arguments.seconds, arguments.at_once, diffs)
    else:
        left = measure_references(notebooks, tools, arguments.python, diffs)
    if arguments.diffs:
        arguments.diffs.write_text("\n".join(diffs) + "\n", encoding="utf-8")
    if arguments.details:
        arguments.details.write_text("\n".join(left) + "\n", encoding="utf-8")


def _read(paths: list[Path]) -> Iterator[tuple[Path, Notebook]]:
    seen = set()
    for path in paths:
        try:
            notebook = open_notebook(path).notebook
        except ModernizerError:
            continue
        code = tuple(cell.source for cell in notebook.code_cells())
        if notebook.language == "python" and any(code) and code not in seen:
            seen.add(code)
            yield path, notebook


def by_rules(notebook: Notebook, environment: Environment) -> Notebook:
    """What the rules make of it before it ever ran, whatever its age."""
    return outcome_by_rules(notebook, environment).notebook


def outcome_by_rules(notebook: Notebook, environment: Environment) -> Outcome:
    """The same with the rules that did it."""
    rules = [
        rule
        for rule in all_rules()
        if rule.automatic
        and rule.concerns(installed_version(rule, environment))
        and rule.confirm is not Confirm.ERROR
        and not (rule.silent and rule.kind is ChangeKind.DEFAULT_CHANGED)
    ]
    return modernize(notebook, rules, Run(), lambda *_: True)


def diff(path: Path, before: Notebook, after: Notebook, applied: Iterable[Applied]) -> list[str]:
    """What changed, cell by cell, with the rules that did it."""
    lines = []
    rules = list(applied)
    for number, (old, new) in enumerate(zip(before.cells, after.cells, strict=True), start=1):
        if old.source == new.source:
            continue
        by = ", ".join(one.rule.id for one in rules if one.cell_id == old.id)
        lines.append(f"--- {path.name}, cell {number}: {by}")
        lines += list(
            unified_diff(old.source.splitlines(), new.source.splitlines(), lineterm="", n=1)
        )[2:]
    return lines


def measure_references(
    notebooks: dict[Path, Notebook], tools: dict[str, Tool], python: Path, diffs: list[str]
) -> list[str]:
    """Print what is gone from the libraries, before and after; give what the rules leave.

    Args:
        diffs: What the rules change is added to it.
    """
    with Runs(python, 1) as runs:
        environment = runs.environment
    ways: dict[str, Callable[[Notebook], Notebook]] = {
        "as it is": lambda notebook: notebook,
        "rules": lambda notebook: by_rules(notebook, environment),
        **tools,
    }
    for path, notebook in notebooks.items():
        outcome = outcome_by_rules(notebook, environment)
        diffs += diff(path, notebook, outcome.notebook, outcome.applied)
    left: list[str] = []
    print(f"{'':16}{'gone':>8}{'unparsed':>10}{'notebooks with none':>22}")
    for name, way in ways.items():
        gone: Counter[str] = Counter()
        unparsed = sound = 0
        after = {path: references(way(notebook)) for path, notebook in notebooks.items()}
        asked = [one for found, _ in after.values() for one in found]
        verdicts = iter(broken(python, asked))
        for found, bad in after.values():
            wrong = {
                (one.cell_id, one.address): one
                for one, is_gone in [(one, next(verdicts)) for one in found]
                if is_gone
            }
            gone.update(f"{one.address}({', '.join(one.keywords)})" for one in wrong.values())
            unparsed += bad
            sound += not wrong and not bad
        print(f"{name:16}{gone.total():8}{unparsed:10}{sound:22}")
        if name == "rules":
            left = [f"{count:5} {text}" for text, count in gone.most_common()]
    return left


def measure_runs(
    notebooks: dict[Path, Notebook],
    tools: dict[str, Tool],
    start: Callable[[], Runs],
    seconds: int,
    at_once: int,
    diffs: list[str],
) -> list[str]:
    """Run everything, print the sums; give all root errors with what became of them.

    What a notebook does after its time is up is not seen, before and after alike.
    """
    stories: list[Story] = []
    by_tools: dict[str, _ByTool] = {name: _ByTool() for name in tools}
    waiting = list(notebooks.items())

    def work() -> None:
        with start() as runs:
            while waiting:
                path, notebook = waiting.pop(0)
                data = path.parent / "input"
                told = story(runs, path, notebook, data)
                stories.append(told)
                diffs.extend(told.diffs)
                for name, tool in tools.items():
                    by_tools[name].judge(runs, tool, notebook, told, data)
                _print_story(told)

    with ThreadPoolExecutor(at_once) as pool:
        for worker in [pool.submit(work) for _ in range(at_once)]:
            worker.result()
    _print_sums(stories, seconds)
    for name, one in by_tools.items():
        print(
            f"{name}: {one.sound} notebooks without an error; "
            f"{one.gone} of {one.asked} errors of an API of the first run gone"
        )
    return [line for told in sorted(stories, key=lambda told: told.path) for line in _lines(told)]


@dataclass
class _ByTool:
    sound: int = 0
    asked: int = 0
    gone: int = 0

    def judge(self, runs: Runs, tool: Tool, notebook: Notebook, told: Story, data: Path) -> None:
        """Count what the tool mends of the errors that the first run had."""
        after = tool(notebook)
        run = told.first if after == notebook else runs.run(after, data)
        first = {key(error) for error in told.first.errors}
        asked = {at for at, one in told.seen.items() if one.cause is Cause.API and at in first}
        self.sound += not run.errors
        self.asked += len(asked)
        self.gone += len(asked - {key(error) for error in run.errors})


def _print_story(told: Story) -> None:
    seen = [one for one in told.seen.values() if one.cause is Cause.API]
    mended = [one for one in told.mended() if one.cause is Cause.API]
    end = "" if told.last.errors else "error-free"
    print(json.dumps(told.path.name), f"{len(mended)} of {len(seen)} mended", end, flush=True)


def _print_sums(stories: list[Story], seconds: int) -> None:
    print(f"\n{'root errors, all rounds':34}{'seen':>6}{'gone':>6}{'left':>6}{'out of sight':>14}")
    for cause in (None, *Cause):
        seen, mended, left, unseen = (
            sum(cause in (None, one.cause) for told in stories for one in kind(told))
            for kind in (_seen, Story.mended, Story.left, Story.out_of_sight)
        )
        name = cause.value if cause else "all"
        share = 100 * mended / max(mended + left, 1)
        print(f"{name:34}{seen:6}{mended:6}{left:6}{unseen:14}   {share:.1f} % of those in sight")
    covered = sum(one.covered for told in stories for one in _seen(told))
    print(f"covered by an entry: {covered}")
    sound_before = sum(not told.first.errors for told in stories)
    print(f"notebooks without an error in {seconds} s: {sound_before} of {len(stories)}")
    print(f"with the rules: {sum(not told.last.errors for told in stories)}")
    free = sum(all(one.cause is not Cause.API for one in told.left()) for told in stories)
    print(f"without an error of an API: {free}")


def _seen(told: Story) -> list[Seen]:
    return list(told.seen.values())


def _lines(told: Story) -> list[str]:
    left, unseen = told.left(), told.out_of_sight()
    lines = []
    for one in told.seen.values():
        state = "LEFT" if one in left else "UNSEEN" if one in unseen else "GONE"
        first = one.error.evalue.splitlines()[0] if one.error.evalue else ""
        covered = "covered" if one.covered else "unknown"
        lines.append(
            f"{state} {one.cause.name} {covered} {told.path.name}: {one.error.ename}: {first}"
        )
    return lines


if __name__ == "__main__":
    main()
