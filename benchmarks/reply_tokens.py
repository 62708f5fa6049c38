"""What the reply format saves: the changed cells only, against the whole notebook again.

Runs the project's ten examples in auto mode with the rules, expresses each fix they make in the
reply format of the model's prompt, and counts it against the same fix in a whole-notebook reply
(all code cells again). The example that needs a model has a reply written by hand. Each reply is
parsed again and must lead to the same notebook, else its line says so. Then: how much of a second
fix's prompt is, from its first character on, the first one's, which providers bill as cached.

A token is taken for four characters; no tokenizer is asked. Prints and asserts nothing; the aims
are a quarter, and 70 %.

    python benchmarks/reply_tokens.py [EXAMPLE …]
"""

from __future__ import annotations

import asyncio
import re
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from itertools import takewhile
from pathlib import Path

from mle_modernizer_server.domain.diagnosis import FixScope, FixType
from mle_modernizer_server.domain.notebook import Cell, CellType, Notebook
from mle_modernizer_server.domain.proposal import CellEdit, EditKind, FixerName, apply_edits
from mle_modernizer_server.domain.session import Mode, Session, SessionSettings
from mle_modernizer_server.execution.notebook_file import NotebookFile, open_notebook
from mle_modernizer_server.fixing.llm.patch import PatchRules, build_patch
from mle_modernizer_server.fixing.llm.prompting import Prompts
from mle_modernizer_server.fixing.llm.reply import UnusableReply, parse_reply
from mle_modernizer_server.fixing.llm.settings import LlmSettings
from mle_modernizer_server.fixing.rules.knowledge import explain
from mle_modernizer_server.fixing.rules.relevance import relevant
from mle_modernizer_server.wiring import build_services
from mle_modernizer_server.workflow.fix.propose import Ask, fix_request
from mle_modernizer_server.workflow.log.event_log import EventLog
from mle_modernizer_server.workflow.log.store import Store
from mle_modernizer_server.workflow.service import Modernizer
from mle_modernizer_server.workflow.work import Work

EXAMPLES = Path(__file__).parents[1] / "examples"
LONG = 10
"""Lines of a cell from which on the prompt asks for search/replace blocks."""
BY_HAND = {
    "digits_2018_knn_slow_loop": (
        "^distances = ",
        "a, b = test[pixels].values, train[pixels].values\n"
        "distances = np.array([np.sqrt(((row - b) ** 2).sum(axis=1)) for row in a])\n"
        "print(distances.shape, 'done')",
        "the distances of all pairs of rows are computed row by row with NumPy",
    )
}
"""For what no rule mends: the cell (a regex), its new source, the plan."""


@dataclass(frozen=True)
class Fix:
    """A fix of an example.

    Attributes:
        before: The notebook it was made for.
        edits: What it changes.
        plan: Why.
    """

    before: Notebook
    edits: tuple[CellEdit, ...]
    plan: tuple[str, ...]

    @property
    def after(self) -> Notebook:
        """The notebook it makes."""
        return apply_edits(self.before, self.edits)


def tokens(text: str) -> float:
    """About how many tokens a text has."""
    return len(text) / 4


def sources_of(file: NotebookFile) -> float:
    """The tokens of a notebook's cells."""
    return sum(tokens(cell.source) for cell in file.notebook.cells)


def changed_cells_reply(fix: Fix) -> str:
    """The fix as our prompt asks for it."""
    parts = [f"=== PLAN ===\n{plan_text(fix)}"]
    for edit in fix.edits:
        if edit.kind is EditKind.DELETE:
            parts.append(f"=== DELETE CELL {edit.cell_id} ===")
        elif edit.kind is EditKind.INSERT:
            where = f"AFTER {edit.after}" if edit.after else "AT START"
            parts.append(f"=== INSERT CELL {where} ===\n{edit.new_source}")
        elif edit.base_source.count("\n") < LONG:
            parts.append(f"=== REPLACE CELL {edit.cell_id} ===\n{edit.new_source}")
        else:
            blocks = "\n".join(search_replace(edit.base_source, edit.new_source))
            parts.append(f"=== EDIT CELL {edit.cell_id} ===\n{blocks}")
    return "\n".join([*parts, "=== END ===\n"])


def search_replace(old: str, new: str) -> Iterator[str]:
    """Blocks that lead from one text to the other; each search text stands there once."""
    before, after = old.split("\n"), new.split("\n")
    changes = SequenceMatcher(None, before, after, autojunk=False).get_opcodes()
    for tag, first, last, start, end in changes:
        if tag == "equal":
            continue
        low, high, from_, to = first, last, start, end
        while low == high or old.count("\n".join(before[low:high])) != 1:
            if low > 0:
                low, from_ = low - 1, from_ - 1
            elif high < len(before):
                high, to = high + 1, to + 1
            else:
                break
        search, replace = "\n".join(before[low:high]), "\n".join(after[from_:to])
        yield f"<<<<<<< SEARCH\n{search}\n=======\n{replace}\n>>>>>>> REPLACE"


def whole_notebook_reply(fix: Fix) -> str:
    """The same fix where a reply is the whole code again."""
    cells = (
        f"=== CELL {cell.id} ===\n{cell.source}"
        for cell in fix.after.cells
        if cell.type is CellType.CODE
    )
    return "\n".join([f"=== PLAN ===\n{plan_text(fix)}", *cells, "=== END ===\n"])


def plan_text(fix: Fix) -> str:
    """The plan as a model writes it, in either form."""
    return "\n".join(f"- {step}" for step in fix.plan)


def leads_there(fix: Fix, reply: str) -> bool:
    """Whether the parser makes the same notebook of a reply."""
    ids = {cell.id: cell.id for cell in fix.before.cells}
    try:
        patch = build_patch(parse_reply(reply, complete=True), fix.before, PatchRules(ids=ids))
    except UnusableReply:
        return False
    made = apply_edits(fix.before, patch.edits)
    return [cell.source.strip() for cell in made.cells] == [
        cell.source.strip() for cell in fix.after.cells
    ]


async def modernized(modernizer: Modernizer, file: NotebookFile) -> Session:
    """The session of an example, by the rules in auto mode."""
    found = file.defaults
    settings = SessionSettings(
        competition=found.competition,
        target_score=found.target_score,
        mode=Mode.AUTO,
        fixers=(FixerName.RULES,),
    )
    if found.time_limit is not None:
        settings = settings.model_copy(update={"time_limit": found.time_limit})
    session = modernizer.create(str(file.path), file.notebook, settings, file.traces)
    modernizer.start_run(session.id, file.notebook)
    return await modernizer.finished(session.id)


def fixes_of(modernizer: Modernizer, session: Session, file: NotebookFile) -> list[Fix]:
    """The fixes that were tried, and one written by hand where no rule helps."""
    found = [
        Fix(
            modernizer.log.store.notebook(session.id, iteration.notebook_hash),
            review.proposal.edits,
            review.proposal.plan,
        )
        for iteration in session.iterations
        for review in iteration.reviews
        if review.adopted
    ]
    if file.path.stem in BY_HAND:
        found.append(by_hand(file))
    return found


def by_hand(file: NotebookFile) -> Fix:
    """The fix that is written by hand for an example."""
    pattern, source, plan = BY_HAND[file.path.stem]
    cell = next(cell for cell in file.notebook.cells if re.search(pattern, cell.source, re.M))
    return Fix(file.notebook, (_replacing(cell, source),), (plan,))


def _replacing(cell: Cell, source: str) -> CellEdit:
    return CellEdit(
        id="by-hand",
        kind=EditKind.MODIFY,
        cell_id=cell.id,
        base_source=cell.source,
        new_source=source,
    )


async def prompts_of(modernizer: Modernizer, session: Session) -> list[str]:
    """The prompts for the first two runs, as far as there are so many."""
    prompts = Prompts(LlmSettings(), explain=explain, relevant=relevant)
    texts: list[str] = []
    for iteration in session.iterations[:2]:
        if iteration.diagnosis is None:
            return texts
        ask = Ask(
            notebook=modernizer.log.store.notebook(session.id, iteration.notebook_hash),
            fix_type=iteration.diagnosis.fix_type or FixType.SCORE_CALIBRATION,
            scope=FixScope.FILE,
            fixers=(),
        )
        work = Work(session.id, modernizer.services, modernizer.log)
        request = await fix_request(work, iteration, ask)
        # The first prompt knows nothing of what came later.
        earlier = tuple(one for one in request.attempts if one.iteration < iteration.number)
        prompt = prompts.write(request.model_copy(update={"attempts": earlier}), prompts.redactor())
        texts.append(prompt.system + prompt.request)
    return texts


def prefix_share(texts: Sequence[str]) -> float | None:
    """How much of the second fix's prompt the first one's begins with; None without two."""
    if len(texts) < 2:
        return None
    shared = takewhile(lambda pair: pair[0] == pair[1], zip(*texts, strict=False))
    return sum(1 for _ in shared) / len(texts[1])


async def measure(data_root: Path, paths: Sequence[Path]) -> None:
    """Run the examples and print a line for each fix."""
    rooms = build_services(data_root=data_root, sandbox=None, llm=LlmSettings())
    modernizer = Modernizer(EventLog(Store(None), lambda session, event: None), rooms)
    ours_all = whole_all = plans = asked = sources = 0.0
    shares: list[float] = []
    print(f"{'example':<34}{'fix':>4}{'plan':>8}{'ours':>8}{'whole':>8}{'share':>8}{'cached':>8}")
    try:
        for path in paths:
            file = open_notebook(path)
            session = await modernized(modernizer, file)
            texts = await prompts_of(modernizer, session)
            share = prefix_share(texts)
            asked, sources = asked + tokens(texts[0]), sources + sources_of(file)
            shares += [] if share is None else [share]
            for number, fix in enumerate(fixes_of(modernizer, session, file), start=1):
                replies = changed_cells_reply(fix), whole_notebook_reply(fix)
                plan, ours, whole = map(tokens, (plan_text(fix), *replies))
                plans, ours_all, whole_all = plans + plan, ours_all + ours, whole_all + whole
                cached = "" if share is None or number > 1 else f"{share:.0%}"
                wrong = "" if all(leads_there(fix, one) for one in replies) else "  NOT THE SAME"
                print(
                    f"{path.stem:<34}{number:>4}{plan:>8.0f}{ours:>8.0f}{whole:>8.0f}"
                    f"{ours / whole:>8.0%}{cached:>8}{wrong}",
                    flush=True,
                )
    finally:
        await modernizer.close()
    if whole_all:
        mean = f"{sum(shares) / len(shares):.0%}" if shares else ""
        print(
            f"{'all':<38}{plans:>8.0f}{ours_all:>8.0f}{whole_all:>8.0f}"
            f"{ours_all / whole_all:>8.0%}{mean:>8}\n"
            f"without the plan, which both have: {(ours_all - plans) / (whole_all - plans):.0%}\n"
            f"prompts of the first fixes: {asked:.0f}, {asked - sources:.0f} of it beside the "
            "cells' sources\n"
            "tokens: characters / 4; cached: of the second fix's prompt"
        )


def main() -> None:
    """The examples that are named, else all."""
    notebooks = sorted((EXAMPLES / "notebooks").glob("*.ipynb"))
    chosen = [path for path in notebooks if not sys.argv[1:] or path.stem in sys.argv[1:]]
    with tempfile.TemporaryDirectory() as folder:
        command = [sys.executable, str(EXAMPLES / "make_data.py"), "--root", folder]
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
        asyncio.run(measure(Path(folder), chosen))


if __name__ == "__main__":
    main()
