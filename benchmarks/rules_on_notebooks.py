"""How many errors of old notebooks the rules mend, against ruff, pyupgrade and 2to3.

For a folder of old notebooks of one's own. Without `--run` nothing is executed: every import,
attribute and argument that the code names is looked up in an environment's libraries, before and
after each tool. With `--run` the notebooks run there, closed in by bubblewrap; what stands in the
folder `input` beside a notebook is its data.

    python benchmarks/rules_on_notebooks.py FOLDER --python .venvs/newest/bin/python
    python benchmarks/rules_on_notebooks.py FOLDER --python .venvs/newest/bin/python --run
"""

from __future__ import annotations

import argparse
import json
import random
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

from notebook_references import broken, references
from notebook_runs import Runs
from notebook_tools import TOOLS, Tool

from mle_modernizer_server.cli.notebook_file import open_notebook
from mle_modernizer_server.diagnosis.diagnose import diagnose
from mle_modernizer_server.domain.diagnosis import Diagnosis, ErrorKind, FixScope, FixType
from mle_modernizer_server.domain.errors import ModernizerError
from mle_modernizer_server.domain.execution import CellError, Environment, Execution
from mle_modernizer_server.domain.grade import Grade, OutputStatus
from mle_modernizer_server.domain.notebook import Notebook
from mle_modernizer_server.domain.proposal import Proposal
from mle_modernizer_server.fixing.fixer import FixRequest
from mle_modernizer_server.fixing.rules.engine import modernize
from mle_modernizer_server.fixing.rules.entry import ChangeKind, Confirm
from mle_modernizer_server.fixing.rules.fixer import propose
from mle_modernizer_server.fixing.rules.knowledge import all_rules, explain, installed_version
from mle_modernizer_server.fixing.rules.scene import Run

_ROUNDS = 5
_NO_GRADE = Grade(output_status=OutputStatus.WITHOUT_CSV)
_NOT_OF_AN_API = ("FileNotFoundError", "PermissionError", "URLError", "ConnectionError", "OSError")


def main() -> None:
    """Read the arguments, measure, print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--python", type=Path, required=True, help="Python of the environment")
    parser.add_argument("--run", action="store_true", help="run the notebooks")
    parser.add_argument("--most", type=int, help="a sample of so many notebooks, always the same")
    parser.add_argument("--seconds", type=int, default=60, help="limit for a run")
    parser.add_argument("--tools", nargs="*", choices=TOOLS, default=list(TOOLS))
    parser.add_argument("--details", type=Path, help="write what is left to this file")
    arguments = parser.parse_args()
    tools = {name: TOOLS[name] for name in arguments.tools}
    paths = sorted(arguments.folder.rglob("*.ipynb"))
    if arguments.most is not None and arguments.most < len(paths):
        paths = sorted(random.Random(0).sample(paths, arguments.most))
    notebooks = dict(_read(paths))
    print(f"{len(notebooks)} notebooks in Python with code, {len(paths) - len(notebooks)} others")
    if arguments.run:
        left = measure_runs(notebooks, tools, arguments.python, arguments.seconds)
    else:
        left = measure_references(notebooks, tools, arguments.python)
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
    """What the rules make of it before it ever ran."""
    entries = [
        entry
        for entry in all_rules()
        if entry.automatic
        and entry.concerns(installed_version(entry, environment))
        and entry.confirm is not Confirm.ERROR
        and not (entry.silent and entry.kind is ChangeKind.DEFAULT_CHANGED)
    ]
    return modernize(notebook, entries, Run(), lambda *_: True).notebook


def measure_references(
    notebooks: dict[Path, Notebook], tools: dict[str, Tool], python: Path
) -> list[str]:
    """Print what is gone from the libraries, before and after; give what the rules leave."""
    with Runs(python, 1) as runs:
        environment = runs.environment
    ways: dict[str, Callable[[Notebook], Notebook]] = {
        "as it is": lambda notebook: notebook,
        "rules": lambda notebook: by_rules(notebook, environment),
        **tools,
    }
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


@dataclass
class Story:
    """What became of one notebook."""

    errors: dict[tuple[str, str, str], CellError] = field(default_factory=dict)
    """Root errors of an API, of all rounds."""
    covered: int = 0
    mended: int = 0
    sound_before: bool = False
    sound_after: bool = False
    other: set[str] = field(default_factory=set)
    """Root errors at the end that no API is to blame for."""


def _key(error: CellError) -> tuple[str, str, str]:
    return error.cell_id, error.ename, error.evalue.splitlines()[0] if error.evalue else ""


def _roots(diagnosis: Diagnosis) -> list[CellError]:
    return [one.error for one in diagnosis.findings if one.kind is ErrorKind.ROOT]


def _of_an_api(error: CellError, environment: Environment) -> bool:
    """Whether a library or Python itself may have changed: no missing file, package, network."""
    if error.ename in _NOT_OF_AN_API or "No such file" in error.evalue:
        return False
    if error.ename == "ModuleNotFoundError":
        name = error.evalue.partition("'")[2].partition("'")[0]
        top = name.split(".")[0]
        return top in environment.packages or explain(error, environment) is not None
    return True


def measure_runs(
    notebooks: dict[Path, Notebook], tools: dict[str, Tool], python: Path, seconds: int
) -> list[str]:
    """Run everything, print the sums; give the errors that are left.

    What a notebook does after its time is up is not seen, before and after alike.
    """
    left: list[str] = []
    stories: list[Story] = []
    sound: Counter[str] = Counter()
    kept: Counter[str] = Counter()
    with Runs(python, seconds) as runs:
        for path, notebook in notebooks.items():
            data = path.parent / "input"
            first = runs.run(notebook, data)
            story, rest = _story(runs, notebook, first, data)
            stories.append(story)
            where = path.relative_to(path.parents[1])
            left += [
                f"{where}: {'COVERED ' if explain(one, runs.environment) else ''}"
                f"{one.ename}: {one.evalue.splitlines()[0] if one.evalue else ''}"
                for one in rest
            ]
            at_first = {_key(one) for one in _roots(_diagnosed(notebook, first))}
            for name, tool in tools.items():
                after = tool(notebook)
                run = first if after == notebook else runs.run(after, data)
                roots = {_key(one) for one in _roots(_diagnosed(after, run))}
                sound[name] += not run.errors
                kept[name] += len(at_first & roots)
            kept["as it is"] += len(at_first)
            done = f"{len(story.errors)} errors of an API, {story.mended} mended"
            print(
                json.dumps(str(where)), done, "error-free" if story.sound_after else "", flush=True
            )
    errors = sum(len(one.errors) for one in stories)
    print(f"\nroot errors of an API, in all rounds: {errors}")
    for name, count in (
        ("covered by an entry", sum(one.covered for one in stories)),
        ("mended by the rules", sum(one.mended for one in stories)),
    ):
        print(f"{name}: {count} ({100 * count / max(errors, 1):.1f} %)")
    sound_before = sum(one.sound_before for one in stories)
    print(f"notebooks without an error in {seconds} s: {sound_before} of {len(stories)}")
    print(f"with the rules: {sum(one.sound_after for one in stories)}")
    only = sum(bool(one.errors) and one.mended == len(one.errors) for one in stories)
    print(f"notebooks with errors of an API: {sum(bool(one.errors) for one in stories)}")
    print(f"of them with all of these mended: {only}")
    for name in tools:
        gone = kept["as it is"] - kept[name]
        print(f"{name}: {sound[name]} without an error; {gone} of {kept['as it is']} errors gone")
    return left


def _diagnosed(notebook: Notebook, execution: Execution) -> Diagnosis:
    return diagnose(notebook, execution, _NO_GRADE)


def _story(
    runs: Runs, notebook: Notebook, execution: Execution, data: Path
) -> tuple[Story, list[CellError]]:
    """Run, let the rules propose, run again, until they have nothing to offer."""
    story = Story(sound_before=not execution.errors)
    covered: set[tuple[str, str, str]] = set()
    roots: list[CellError] = []
    for _ in range(_ROUNDS):
        diagnosis = _diagnosed(notebook, execution)
        roots = [one for one in _roots(diagnosis) if _of_an_api(one, runs.environment)]
        story.other = {one.ename for one in _roots(diagnosis)} - {one.ename for one in roots}
        for error in roots:
            story.errors.setdefault(_key(error), error)
            if explain(error, runs.environment):
                covered.add(_key(error))
        if not execution.errors:
            break
        answer = propose(
            FixRequest(
                notebook=notebook,
                execution=execution,
                grade=_NO_GRADE,
                diagnosis=diagnosis,
                fix_type=FixType.ERROR_REPAIR,
                scope=FixScope.FILE,
            )
        )
        if not isinstance(answer, Proposal):
            break
        sources = {edit.cell_id: edit.new_source for edit in answer.edits}
        cells = (
            cell.model_copy(update={"source": sources.get(cell.id, cell.source)})
            for cell in notebook.cells
        )
        notebook = notebook.model_copy(update={"cells": tuple(cells)})
        execution = runs.run(notebook, data)
    remaining = {_key(one) for one in roots}
    story.covered = len(covered)
    story.mended = len(story.errors.keys() - remaining)
    story.sound_after = not execution.errors
    return story, roots


if __name__ == "__main__":
    main()
