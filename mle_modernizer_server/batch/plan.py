"""A manifest made from what is found in the notebooks, for people to look over; nothing runs."""

from __future__ import annotations

import asyncio
import csv
import io
from collections.abc import Callable, Sequence
from pathlib import Path

from mle_modernizer_server.batch.manifest import FOUND
from mle_modernizer_server.batch.study import Line, Study
from mle_modernizer_server.domain.errors import ModernizerError
from mle_modernizer_server.domain.proposal import FixerName
from mle_modernizer_server.domain.session import SessionSettings
from mle_modernizer_server.execution.notebook_file import NotebookFile, open_notebook
from mle_modernizer_server.fixing.llm.settings import LlmSettings
from mle_modernizer_server.wiring import build_modernizer
from mle_modernizer_server.words import text as words
from mle_modernizer_server.workflow.service import KERNEL_METADATA, Ahead, Modernizer

_COLUMNS = ("notebook", "competition", "target", "seconds")
_FOUND = (
    *("problem", "competition", "scores", "era", "stops", "installed", "uses", "usd", "tokens"),
)


def make_plan(
    lines: Sequence[Line],
    study: Study,
    folder: Path,
    say: Callable[[int, Line], None] = lambda number, line: None,
) -> str:
    """Return a manifest (CSV) of notebooks with what was found in each.

    The columns `found_…` are for people: what the competition was told from, scores the notebook
    speaks of (none is taken as the target unasked), its era, how many known changes will certainly
    stop it, libraries that are installed of those it is known to use, and what a model would
    probably cost.

    Args:
        lines: The notebooks.
        study: For the data root, sandbox and model.
        folder: Where the manifest will lie: paths are relative to it where they can be.
        say: Told of each notebook before it is looked at.
    """
    modernizer = build_modernizer(
        data_root=Path(study.data_root),
        sandbox=study.sandbox,
        llm=LlmSettings.from_environment(base_url=study.base_url, model=study.model),
        rules_path=None if study.rules_path is None else Path(study.rules_path),
    )
    text = io.StringIO()
    columns = (*_COLUMNS, *(f"{FOUND}{name}" for name in _FOUND))
    writer = csv.DictWriter(text, columns, lineterminator="\n", restval="")
    writer.writeheader()

    async def look_at_all() -> None:
        for number, line in enumerate(lines, 1):
            say(number, line)
            row = {"notebook": _relative(Path(line.notebook), folder)}
            try:
                row |= await _look(modernizer, open_notebook(Path(line.notebook)), study)
            except ModernizerError as error:
                row[f"{FOUND}problem"] = words(error.message)
            writer.writerow({**row, **_own(line)})
        await modernizer.close()

    asyncio.run(look_at_all())
    return text.getvalue()


def _relative(path: Path, folder: Path) -> str:
    absolute = folder.absolute()
    return path.relative_to(absolute).as_posix() if path.is_relative_to(absolute) else str(path)


def _own(line: Line) -> dict[str, str]:
    """What the line says itself, where it comes from a manifest."""
    own = {
        "competition": line.settings.get("competition"),
        "target": line.settings.get("target_score"),
        "seconds": line.seconds,
    }
    return {name: str(value) for name, value in own.items() if value is not None}


async def _look(modernizer: Modernizer, file: NotebookFile, study: Study) -> dict[str, str]:
    found = modernizer.detect(
        file.notebook, title=file.path.stem, kernel_metadata=file.beside(KERNEL_METADATA)
    )
    competition = file.defaults.competition or found.competition
    row = {
        "competition": competition or "",
        f"{FOUND}competition": found.reason,
        f"{FOUND}scores": "; ".join(f"{item.score:g} ({item.quote})" for item in found.targets[:3]),
    }
    if file.defaults.target_score is not None:
        row["target"] = f"{file.defaults.target_score!r}"
    settings = SessionSettings.model_validate(
        {**study.settings, "competition": competition, "sandbox": study.sandbox}
    )
    ahead = await modernizer.preflight(
        Ahead(file.notebook, settings, file.traces, file.path.absolute().parent)
    )
    uses = sorted(ahead.era.used)
    row |= {
        f"{FOUND}era": ahead.era.summary,
        f"{FOUND}stops": str(ahead.stops),
        f"{FOUND}uses": " ".join(uses),
        f"{FOUND}installed": " ".join(name for name in uses if name in ahead.environment.packages),
    }
    if FixerName.LLM in modernizer.services.fixers and FixerName.LLM in settings.fixers:
        cost = await modernizer.estimate(file.notebook, settings)
        tokens = cost.input_tokens.likely + cost.output_tokens.likely
        row[f"{FOUND}tokens"] = f"{tokens:.0f}"
        if cost.cost_usd is not None:
            row[f"{FOUND}usd"] = f"{cost.cost_usd.likely:.4f}"
    return row
