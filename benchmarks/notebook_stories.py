"""What becomes of a notebook: it runs, the rules propose, it runs again, until they are done."""

from __future__ import annotations

from dataclasses import dataclass, field
from difflib import unified_diff
from pathlib import Path

from error_causes import Cause, cause
from notebook_runs import Runs

from mle_modernizer_server.diagnosis.diagnose import diagnose
from mle_modernizer_server.domain.diagnosis import Diagnosis, ErrorKind, FixScope, FixType
from mle_modernizer_server.domain.execution import CellError, CellStatus, Execution
from mle_modernizer_server.domain.grade import Grade, OutputStatus
from mle_modernizer_server.domain.notebook import Notebook
from mle_modernizer_server.domain.proposal import Proposal
from mle_modernizer_server.fixing.fixer import FixRequest
from mle_modernizer_server.fixing.rules.fixer import propose
from mle_modernizer_server.fixing.rules.knowledge import explain

_ROUNDS = 6
_NO_GRADE = Grade(output_status=OutputStatus.WITHOUT_CSV)

Key = tuple[str, str, str]
"""Cell, type and first line of an error."""


@dataclass(frozen=True)
class Seen:
    """A root error, and what it was counted for when it was first seen."""

    error: CellError
    cause: Cause
    covered: bool


@dataclass
class Story:
    """What became of one notebook."""

    path: Path
    first: Execution
    last: Execution
    seen: dict[Key, Seen] = field(default_factory=dict)
    """Root errors of all rounds."""
    diffs: list[str] = field(default_factory=list)
    """What the rules changed, round by round, with the reason given for each edit."""

    def left(self) -> list[Seen]:
        """Those that are still raised at the end, whether as a root or not."""
        remaining = {key(error) for error in self.last.errors}
        return [one for at, one in self.seen.items() if at in remaining]

    def out_of_sight(self) -> list[Seen]:
        """Those whose cell was not reached any more before the time was up."""
        reached = {run.cell_id for run in self.last.cells if run.status is not CellStatus.NOT_RUN}
        return [one for one in self.seen.values() if one.error.cell_id not in reached]

    def mended(self) -> list[Seen]:
        """Those that are gone, in cells that ran."""
        others = [*self.left(), *self.out_of_sight()]
        return [one for one in self.seen.values() if one not in others]


def key(error: CellError) -> Key:
    """What makes two errors of two runs the same one."""
    return error.cell_id, error.ename, error.evalue.splitlines()[0] if error.evalue else ""


def diagnosed(notebook: Notebook, execution: Execution) -> Diagnosis:
    """The diagnosis of a run without a score."""
    return diagnose(notebook, execution, _NO_GRADE)


def roots(notebook: Notebook, execution: Execution) -> list[CellError]:
    """Root errors of a run."""
    findings = diagnosed(notebook, execution).findings
    return [one.error for one in findings if one.kind is ErrorKind.ROOT]


def story(runs: Runs, path: Path, notebook: Notebook, data: Path) -> Story:
    """Run, let the rules propose, run again, until they have nothing to offer."""
    execution = runs.run(notebook, data)
    told = Story(path, execution, execution)
    for _ in range(_ROUNDS):
        for error in roots(notebook, execution):
            if key(error) not in told.seen:
                covered = explain(error, runs.environment, notebook) is not None
                why = cause(error, notebook, data, runs.environment)
                told.seen[key(error)] = Seen(error, why, covered)
        if not execution.errors:
            break
        answer = propose(
            FixRequest(
                notebook=notebook,
                execution=execution,
                grade=_NO_GRADE,
                diagnosis=diagnosed(notebook, execution),
                fix_type=FixType.ERROR_REPAIR,
                scope=FixScope.FILE,
            )
        )
        if not isinstance(answer, Proposal):
            break
        for edit in answer.edits:
            told.diffs.append(f"--- {path.name}, {edit.cell_id}: {', '.join(edit.rules)}")
            told.diffs.append(f"    {edit.reason}")
            old, new = edit.base_source.splitlines(), edit.new_source.splitlines()
            told.diffs += list(unified_diff(old, new, lineterm="", n=1))[2:]
        sources = {edit.cell_id: edit.new_source for edit in answer.edits}
        cells = (
            cell.model_copy(update={"source": sources.get(cell.id, cell.source)})
            for cell in notebook.cells
        )
        notebook = notebook.model_copy(update={"cells": tuple(cells)})
        execution = runs.run(notebook, data)
    told.last = execution
    return told
