"""What a model costs on long notebooks: its reply and its prompt, through the whole client.

For a folder of old notebooks of one's own. Each runs once, without its data, and a stand-in for a
model on this machine, which speaks the OpenAI protocol, replies with a faithful fix: what the rules
make of the notebook, written in the reply format. The client must make the same notebook of it.
Then the reply is counted against one that has all code again, and the prompt against the notebook
in it: what stands in it beside.

A token is taken for four characters; no tokenizer is asked. Prints and asserts nothing; the aim is
a quarter of the other protocol's output on notebooks of 60 and more cells.

    python benchmarks/long_notebooks.py FOLDER --cells 60 --most 10 [--prompts FOLDER]
"""

from __future__ import annotations

import argparse
import asyncio
import random
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from pydantic import SecretStr
from reply_tokens import Fix, changed_cells_reply, tokens, whole_notebook_reply
from rules_on_notebooks import outcome_by_rules

from mle_modernizer_server.domain.diagnosis import FixScope, FixType
from mle_modernizer_server.domain.errors import ModernizerError
from mle_modernizer_server.domain.execution import Environment
from mle_modernizer_server.domain.notebook import CellType, Notebook, source_hash
from mle_modernizer_server.domain.proposal import CellEdit, EditKind, Proposal, apply_edits
from mle_modernizer_server.domain.session import Mode, SessionSettings
from mle_modernizer_server.execution.notebook_file import NotebookFile, open_notebook
from mle_modernizer_server.fixing.fixer import FixRequest
from mle_modernizer_server.fixing.llm.fixer import LlmFixer
from mle_modernizer_server.fixing.llm.prompting import Prompts
from mle_modernizer_server.fixing.llm.settings import LlmSettings
from mle_modernizer_server.fixing.rules.knowledge import explain
from mle_modernizer_server.fixing.rules.relevance import relevant
from mle_modernizer_server.wiring import build_services
from mle_modernizer_server.words import text
from mle_modernizer_server.workflow.fix.propose import Ask, fix_request
from mle_modernizer_server.workflow.log.event_log import EventLog
from mle_modernizer_server.workflow.log.store import Store
from mle_modernizer_server.workflow.service import Modernizer
from mle_modernizer_server.workflow.work import Work

sys.path.insert(0, str(Path(__file__).parents[1]))
from tests.llm_server import Answer, LlmServer


@dataclass(frozen=True)
class Figures:
    """What was counted for a notebook, in tokens.

    Attributes:
        cells: Its cells.
        edits: Cells that the fix changes.
        reply: The reply in our format.
        whole: The same fix where all code is written again.
        prompt: Both messages.
        notebook: The sources of its cells, which no prompt can do without.
        problem: Why the client did not make the fix of the reply; empty where it did.
    """

    cells: int
    edits: int
    reply: float
    whole: float
    prompt: float
    notebook: float
    problem: str


def faithful_fix(notebook: Notebook, environment: Environment) -> Fix | None:
    """What the rules make of a notebook, cell by cell; None where they have nothing."""
    outcome = outcome_by_rules(notebook, environment)
    edits, plan = [], []
    for old, new in zip(notebook.cells, outcome.notebook.cells, strict=False):
        if old.id != new.id:
            return None  # cells were added: their ids differ from those that a model would give
        if old.source == new.source or old.type is not CellType.CODE:
            continue
        edits.append(
            CellEdit(
                id=f"edit-{old.id}",
                kind=EditKind.MODIFY,
                cell_id=old.id,
                base_source=old.source,
                base_hash=source_hash(old.source),
                new_source=new.source,
            )
        )
        rules = dict.fromkeys(one.rule.what for one in outcome.applied if one.cell_id == old.id)
        plan.append(f"{old.id}: {' '.join(rules)}"[:200])
    return Fix(notebook, tuple(edits), tuple(plan)) if edits else None


async def request_for(file: NotebookFile, seconds: float) -> FixRequest:
    """All a fixer gets to see of a notebook's run in this environment, without its data."""
    services = build_services(data_root=Path("no-data"), sandbox=None, llm=LlmSettings())
    modernizer = Modernizer(EventLog(Store(None), lambda session, event: None), services)
    settings = SessionSettings(mode=Mode.STEP, fixers=(), time_limit=seconds)
    try:
        session = modernizer.create(str(file.path), file.notebook, settings, file.traces)
        modernizer.start_run(session.id, file.notebook)
        session = await modernizer.finished(session.id)
        ask = Ask(file.notebook, FixType.ERROR_REPAIR, FixScope.FILE, ())
        work = Work(session.id, modernizer.services, modernizer.log)
        return await fix_request(work, session.iterations[-1], ask)
    finally:
        await modernizer.close()


async def measured(file: NotebookFile, seconds: float, prompts: Path | None) -> Figures | None:
    """The figures of a notebook; None where the rules have nothing for it."""
    request = await request_for(file, seconds)
    fix = faithful_fix(file.notebook, request.execution.environment)
    if fix is None:
        return None
    reply = changed_cells_reply(fix)
    with LlmServer([Answer(text=reply)]) as server:
        settings = LlmSettings(
            base_url=server.base_url, model="stand-in", api_key=SecretStr("not-a-real-key")
        )
        writer = Prompts(settings, explain=explain, relevant=relevant)
        fixer = LlmFixer(settings, writer)
        try:
            answer = await fixer.propose(request, lambda text: None)
        except ModernizerError as error:
            problem = text(error.message)
        else:
            problem = not_the_same(fix, answer)
    prompt = writer.write(request, writer.redactor())
    if prompts is not None:
        place = prompts / f"{file.path.stem}.txt"
        place.write_text(f"{prompt.system}\n\n{prompt.request}", encoding="utf-8")
    return Figures(
        cells=len(file.notebook.cells),
        edits=len(fix.edits),
        reply=tokens(reply),
        whole=tokens(whole_notebook_reply(fix)),
        prompt=tokens(prompt.system + prompt.request),
        notebook=sum(tokens(cell.source) for cell in file.notebook.cells),
        problem=problem,
    )


def not_the_same(fix: Fix, answer: object) -> str:
    """Why an answer is not the fix; empty where it is."""
    if not isinstance(answer, Proposal):
        return "no proposal"
    made = apply_edits(fix.before, answer.edits)
    same = [cell.source.strip() for cell in made.cells] == [
        cell.source.strip() for cell in fix.after.cells
    ]
    return "" if same else text(answer.remarks) or "another notebook"


def long_ones(folder: Path, cells: int) -> Iterator[NotebookFile]:
    """The notebooks of a folder with so many cells, always in the same order."""
    paths = sorted(folder.rglob("*.ipynb"))
    random.Random(0).shuffle(paths)
    for path in paths:
        try:
            file = open_notebook(path)
        except ModernizerError:
            continue
        if len(file.notebook.cells) >= cells and file.notebook.language == "python":
            yield file


def print_all(rows: Sequence[Figures]) -> None:
    """The sums."""
    if not rows:
        return
    reply, whole = (sum(getattr(one, name) for one in rows) for name in ("reply", "whole"))
    prompt, source = (sum(getattr(one, name) for one in rows) for name in ("prompt", "notebook"))
    good = sum(not one.problem for one in rows)
    print(
        f"{'all':<40}{'':>6}{'':>6}{reply:>8.0f}{whole:>8.0f}{reply / whole:>7.0%}"
        f"{prompt:>9.0f}{source:>9.0f}{prompt - source:>8.0f}\n"
        f"{good} of {len(rows)} replies led to the same notebook"
    )


def main() -> None:
    """Measure the notebooks of a folder."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--cells", type=int, default=60, help="at least so many cells")
    parser.add_argument("--most", type=int, default=10, help="at most so many notebooks")
    parser.add_argument("--seconds", type=float, default=60, help="limit for a run")
    parser.add_argument("--prompts", type=Path, help="write the prompts into this folder")
    options = parser.parse_args()
    print(
        f"{'notebook':<40}{'cells':>6}{'edits':>6}{'reply':>8}{'whole':>8}{'share':>7}"
        f"{'prompt':>9}{'sources':>9}{'rest':>8}"
    )
    rows: list[Figures] = []
    for file in long_ones(options.folder, options.cells):
        one = asyncio.run(measured(file, options.seconds, options.prompts))
        if one is None:
            print(f"{file.path.stem[:39]:<40}{len(file.notebook.cells):>6}     no rule applies")
            continue
        rows.append(one)
        print(
            f"{file.path.stem[:39]:<40}{one.cells:>6}{one.edits:>6}{one.reply:>8.0f}"
            f"{one.whole:>8.0f}{one.reply / one.whole:>7.0%}{one.prompt:>9.0f}"
            f"{one.notebook:>9.0f}{one.prompt - one.notebook:>8.0f}  {one.problem}",
            flush=True,
        )
        if len(rows) == options.most:
            break
    print_all(rows)


if __name__ == "__main__":
    main()
