"""A manifest made from findings in the notebooks, for people to review; nothing runs."""

from __future__ import annotations

import asyncio
import csv
import io
import itertools
import math
from collections import Counter
from collections.abc import Callable, Sequence
from datetime import datetime
from pathlib import Path
from typing import Any

import psutil

from mle_modernizer_server.batch.manifest import FOUND
from mle_modernizer_server.batch.study import Line, Study
from mle_modernizer_server.domain.errors import ModernizerError
from mle_modernizer_server.domain.proposal import FixerName
from mle_modernizer_server.domain.settings import checked_settings
from mle_modernizer_server.domain.text import duration
from mle_modernizer_server.execution.notebook_file import NotebookFile, open_notebook
from mle_modernizer_server.fixing.llm.settings import LlmSettings
from mle_modernizer_server.untrusted.parsing import read_json
from mle_modernizer_server.wiring import build_modernizer, isolated_analysis
from mle_modernizer_server.words import text as words
from mle_modernizer_server.workflow.service import KERNEL_METADATA, Ahead, Modernizer

_COLUMNS = ("notebook", "competition", "target", "seconds")
_FOUND = (
    *("problem", "competition", "scores", "era", "stops", "missing_packages", "missing_files"),
    *("uses", "usd", "tokens"),
)
_MOST_NAMED = 5
"""Packages that the summary names."""
_LONGEST_RUN = 30 * 86400.0
_MOST_AT_ONCE = 4
"""Each has a copy of the knowledge base, some 200 MB."""


def make_plan(
    lines: Sequence[Line],
    study: Study,
    folder: Path,
    say: Callable[[int, Line], None] = lambda number, line: None,
) -> str:
    """Return a manifest (CSV) of notebooks with the findings about each.

    `seconds` is the duration of its cells in their last run, if the file has it. The
    columns `found_…` are for people: the evidence for the competition, scores that the notebook
    mentions (none becomes the target automatically), its era, how many known changes will
    certainly stop it, missing packages and files, known libraries it uses, and a model's probable
    cost.

    Args:
        lines: The notebooks.
        study: For the data root, sandbox and model.
        folder: The manifest's folder: paths are relative to it if they can be.
        say: Called for each inspected notebook, with their number so far.
    """
    rows: list[dict[str, str]] = [{} for _ in lines]
    waiting = iter(enumerate(lines))
    done = itertools.count(1)

    async def look_at_some(modernizer: Modernizer) -> None:
        for place, line in waiting:
            rows[place] = {
                "notebook": _relative(Path(line.notebook), folder),
                **await _row(modernizer, line, study),
                **_own(line),
            }
            say(next(done), line)

    async def look_at_all() -> None:
        at_once = min(psutil.cpu_count() or 1, _MOST_AT_ONCE)
        modernizers = [_modernizer(study) for _ in lines[:at_once]]
        try:
            await asyncio.gather(*map(look_at_some, modernizers))
        finally:
            # First of all: closing a modernizer would wait for its analysis.
            for modernizer in modernizers:
                modernizer.services.analysis.close()
            for modernizer in modernizers:
                await modernizer.close()

    asyncio.run(look_at_all())
    text = io.StringIO()
    columns = (*_COLUMNS, *(f"{FOUND}{name}" for name in _FOUND))
    writer = csv.DictWriter(text, columns, lineterminator="\n", restval="")
    writer.writeheader()
    writer.writerows(rows)
    return text.getvalue()


def _modernizer(study: Study) -> Modernizer:
    """Return a workflow that inspects one notebook after the other in its own process.

    Reading the sources is nearly all the work. The process has limits of time and memory,
    and can be ended.
    """
    return build_modernizer(
        data_root=Path(study.data_root),
        sandbox=study.sandbox,
        llm=LlmSettings.from_environment(base_url=study.base_url, model=study.model),
        rules_path=None if study.rules_path is None else Path(study.rules_path),
        analysis=isolated_analysis(),
    )


async def _row(modernizer: Modernizer, line: Line, study: Study) -> dict[str, str]:
    try:
        return await _look(modernizer, open_notebook(Path(line.notebook)), study)
    except ModernizerError as error:
        return {f"{FOUND}problem": words(error.message)}


def _relative(path: Path, folder: Path) -> str:
    absolute = folder.absolute()
    return path.relative_to(absolute).as_posix() if path.is_relative_to(absolute) else str(path)


def _own(line: Line) -> dict[str, str]:
    """Return the line's own columns, if it is from a manifest."""
    own = {
        "competition": line.settings.get("competition"),
        "target": line.settings.get("target_score"),
        "seconds": line.seconds,
    }
    return {name: str(value) for name, value in own.items() if value is not None}


async def _look(modernizer: Modernizer, file: NotebookFile, study: Study) -> dict[str, str]:
    found = modernizer.environments.detect(
        file.notebook, title=file.path.stem, kernel_metadata=file.beside(KERNEL_METADATA)
    )
    competition = file.defaults.competition or found.competition
    taken = recorded_seconds(file.content)
    row = {
        "competition": competition or "",
        "seconds": "" if taken is None else f"{taken:.0f}",
        f"{FOUND}competition": words(found.reason),
        f"{FOUND}scores": "; ".join(f"{item.score:g} ({item.quote})" for item in found.targets[:3]),
    }
    if file.defaults.target_score is not None:
        row["target"] = f"{file.defaults.target_score!r}"
    settings = checked_settings(
        {**study.settings, "competition": competition, "sandbox": study.sandbox}
    )
    ahead = await modernizer.runs.preflight(
        Ahead(file.notebook, settings, file.traces, file.path.absolute().parent)
    )
    choice = ahead.choice
    packages = () if choice is None else (*choice.missing, *choice.unknown)
    files = dict.fromkeys(one.path for one in ahead.files if one.taken is None and not one.written)
    row |= {
        f"{FOUND}era": words(ahead.era.summary),
        f"{FOUND}stops": str(ahead.stops),
        f"{FOUND}missing_packages": " ".join(packages),
        f"{FOUND}missing_files": " | ".join(files),
        f"{FOUND}uses": " ".join(sorted(ahead.era.used)),
    }
    if FixerName.LLM in modernizer.services.fixers and FixerName.LLM in settings.fixers:
        cost = await modernizer.runs.estimate(file.notebook, settings)
        tokens = cost.input_tokens.likely + cost.output_tokens.likely
        row[f"{FOUND}tokens"] = f"{tokens:.0f}"
        if cost.cost_usd is not None:
            row[f"{FOUND}usd"] = f"{cost.cost_usd.likely:.4f}"
    return row


def recorded_seconds(content: bytes) -> float | None:
    """Return how long a notebook's cells took in their last run; None if it has no record.

    JupyterLab records moments in a cell's `metadata.execution`, papermill (Kaggle) a duration in
    its `metadata.papermill`.

    Args:
        content: The notebook's file.
    """
    try:
        document: Any = read_json(content)
        cells = document.get("cells", [])
        found = [one for cell in cells if (one := _cell_seconds(cell["metadata"])) is not None]
    except (ValueError, TypeError, KeyError, AttributeError, OverflowError):
        return None  # another format, or metadata without any format
    total = sum(found)
    return total if found and math.isfinite(total) and 0 <= total < _LONGEST_RUN else None


def _cell_seconds(metadata: dict[str, Any]) -> float | None:
    moments = metadata.get("execution", {})
    began, ended = moments.get("iopub.execute_input"), moments.get("shell.execute_reply")
    if began and ended:
        return (_moment(ended) - _moment(began)).total_seconds()
    duration = metadata.get("papermill", {}).get("duration")
    return None if duration is None else float(duration)


def _moment(text: str) -> datetime:
    return datetime.fromisoformat(text.replace("Z", "+00:00"))


def summary_of_plan(plan: str) -> list[str]:
    """Return a plan's summary of all its notebooks, in a few lines."""
    rows = list(csv.DictReader(io.StringIO(plan)))

    def having(name: str) -> list[str]:
        return [row[name] for row in rows if row[name] not in ("", "0")]

    lacking = having(f"{FOUND}missing_packages")
    packages = Counter(name for names in lacking for name in names.split())
    named = ", ".join(f"{name} {count}" for name, count in packages.most_common(_MOST_NAMED))
    seconds, cost = having("seconds"), having(f"{FOUND}usd")
    counts = (
        (len(having("competition")), "with a competition", ""),
        (len(having("target")), "with a target score", ""),
        (len(having(f"{FOUND}stops")), "will certainly stop at a known change", ""),
        (len(lacking), "lack packages", f" ({named})"),
        (len(having(f"{FOUND}missing_files")), "lack files", ""),
        (len(having(f"{FOUND}problem")), "cannot be read", ""),
        (
            len(seconds),
            "say how long they once ran",
            f": {duration(sum(map(float, seconds)))} a run together",
        ),
        (len(cost), "would ask a model", f": about {sum(map(float, cost)):.2f} USD together"),
    )
    return [
        f"{len(rows)} notebooks",
        *(f"{count:6} {what}{detail}" for count, what, detail in counts if count),
    ]
