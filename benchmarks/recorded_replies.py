"""What comes of notebooks that rules leave unfinished, with replies recorded for them.

    python benchmarks/recorded_replies.py LIST NOTEBOOKS REPLIES [ID …] [--seconds N] [--limit N]

LIST is a table with tabs and the columns `id` and `path`: the notebook is NOTEBOOKS/<id>/<path>,
with its data around it. Each runs in auto mode, rules before the model. A stand-in on this
machine, which speaks the OpenAI protocol, answers a session's requests with REPLIES/<id>.md,
<id>-2.md …, and with *no fix* where none is left; what it is asked is kept beside them, as
<id>.prompt.txt, so a reply can be written to the very prompt that the product sends.
`$CELL(regex)$` in a reply is the first cell whose source the regex finds.

A line a notebook: root errors when the model was first asked and at the end, what it was asked,
edits of its replies, how many of them stand in what is put up for review, remarks on those left
out, the proof, and the tokens (characters / 4) of prompt and reply beside the same fix as the whole
notebook's code. Prints and asserts nothing; `--json FILE` keeps the lines.
"""

from __future__ import annotations

import argparse
import asyncio
import csv
import json
import sys
import tempfile
import time
from collections.abc import Callable, Coroutine, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from pydantic import SecretStr
from reply_tokens import Fix, tokens, whole_notebook_reply

from mle_modernizer_server.domain.diagnosis import ErrorKind
from mle_modernizer_server.domain.errors import ModernizerError
from mle_modernizer_server.domain.notebook import CellType
from mle_modernizer_server.domain.proposal import FixerName
from mle_modernizer_server.domain.session import (
    Iteration,
    Mode,
    Session,
    SessionSettings,
    grade_of,
)
from mle_modernizer_server.execution.notebook_file import NotebookFile, open_notebook
from mle_modernizer_server.fixing.llm.patch import PatchRules, build_patch
from mle_modernizer_server.fixing.llm.reply import UnusableReply, parse_reply
from mle_modernizer_server.fixing.llm.settings import LlmSettings
from mle_modernizer_server.fixing.llm.view import names
from mle_modernizer_server.wiring import build_services
from mle_modernizer_server.words import one_text, text
from mle_modernizer_server.workflow.log.event_log import EventLog
from mle_modernizer_server.workflow.log.store import Store
from mle_modernizer_server.workflow.service import Modernizer

sys.path.insert(0, str(Path(__file__).parents[1]))
from tests.llm_server import Answer, LlmServer, Request
from tests.llm_server.answers import fill_cells

NO_FIX = "=== PLAN ===\n- nothing\n=== NO FIX ===\nNo reply was recorded.\n=== END ===\n"


@dataclass(frozen=True)
class Outcome:
    """What a session came to.

    Attributes:
        name: The notebook's.
        cells: Its code cells.
        before: Root errors of the run that the model was first asked about; None: never asked.
        after: Root errors of the session's best run; None: nothing ran.
        verdict: The session's.
        score: That of the session's best run.
        asked: Requests that the model had.
        replied: Edits in the replies that were recorded.
        stands: Those of them that are put up for review as they were written.
        left_out: The remarks on edits that were not taken.
        runs: Runs of the session, without the proof's.
        seconds: What they took.
        proofs: Runs of the proof.
        proof_seconds: What these took.
        prompt: Tokens of the first request.
        sources: Tokens of the notebook's code in it.
        reply: Tokens of the recorded replies.
        whole: Tokens of the same fixes as the whole notebook's code.
        message: The session's last word.
    """

    name: str
    cells: int
    before: int | None
    after: int | None
    verdict: str
    score: float | None
    asked: int
    replied: int
    stands: int
    left_out: tuple[str, ...]
    runs: int
    seconds: float
    proofs: int
    proof_seconds: float
    prompt: float
    sources: float
    reply: float
    whole: float
    message: str


class Recorded:
    """Answers a session's requests with files, and keeps what it is asked."""

    def __init__(self, folder: Path, name: str, wait: float) -> None:
        self._folder = folder
        self._name = name
        self._wait = wait
        self._loop = asyncio.get_running_loop()
        self.session_id = ""
        self.modernizer: Modernizer | None = None
        self.first: int | None = None
        """How many iterations the session had when the model was first asked."""
        self.given: list[tuple[str, str]] = []
        """The notebook a reply was for (its hash), and the reply."""

    def __call__(self, request: Request) -> Answer:
        """The reply to a request, from the server's own thread."""
        number = len(self.given) + 1
        name = self._name if number == 1 else f"{self._name}-{number}"
        (self._folder / f"{name}.prompt.txt").write_text(request.prompt)
        file = self._folder / f"{name}.md"
        until = time.monotonic() + self._wait
        while not file.exists() and time.monotonic() < until:
            time.sleep(1)
        reply = fill_cells(file.read_text(), request.prompt) if file.exists() else NO_FIX
        asking = asyncio.run_coroutine_threadsafe(self._asking(), self._loop)
        self.given.append((asking.result(), reply))
        return Answer(text=reply)

    async def _asking(self) -> str:
        """The notebook that the session asks about, by its hash."""
        assert self.modernizer is not None
        runs = self.modernizer.session(self.session_id).iterations
        if self.first is None:
            self.first = len(runs)
        return runs[-1].notebook_hash


def root_errors(run: Iteration | None) -> int | None:
    """How many errors of a run are no consequence of others."""
    if run is None or run.diagnosis is None:
        return None
    return sum(one.kind is ErrorKind.ROOT for one in run.diagnosis.findings)


async def ended(
    name: str, file: NotebookFile, replies: Path, home: Path, options: argparse.Namespace
) -> Outcome:
    """A session with the replies that were recorded for a notebook."""
    model = Recorded(replies, name, options.wait)
    with LlmServer(model) as server:
        llm = LlmSettings(
            base_url=server.base_url,
            model="stand-in",
            api_key=SecretStr("not-a-real-key"),
            timeout=options.wait + 60,
        )
        services = build_services(
            data_root=home,
            sandbox=None,
            llm=llm,
            notebook_folder=lambda path: Path(path).absolute().parent,
        )
        modernizer = Modernizer(EventLog(Store(None), lambda session, event: None), services)
        try:
            folder = file.path.absolute().parent
            session = modernizer.create(
                str(file.path),
                file.notebook,
                settings_of(file, options),
                file.traces,
                folder,
                file.saved,
            )
            model.modernizer, model.session_id = modernizer, session.id
            modernizer.start_run(session.id, file.notebook)
            session = await modernizer.finished(session.id)
            return outcome(name, file, session, model, server.requests)
        finally:
            await modernizer.close()


def settings_of(file: NotebookFile, options: argparse.Namespace) -> SessionSettings:
    """The settings of a session; of an example, those that its file names."""
    settings = SessionSettings(
        mode=Mode.AUTO, fixers=options.fixers, environment=options.environment
    )
    if not options.graded:
        limits = {"time_limit": options.limit, "max_seconds": options.seconds}
        return settings.model_copy(update=limits)
    found = file.defaults
    named = {"competition": found.competition, "target_score": found.target_score}
    limit = {} if found.time_limit is None else {"time_limit": found.time_limit}
    return settings.model_copy(update=named | limit)


def outcome(
    name: str, file: NotebookFile, session: Session, model: Recorded, requests: Sequence[Request]
) -> Outcome:
    """The line of a session."""
    assert model.modernizer is not None
    runs = session.iterations
    first = None if model.first is None else runs[model.first - 1]
    best = runs[session.best - 1] if session.best else (runs[-1] if runs else None)
    grade = None if best is None else grade_of(best)
    replied, whole = [], 0.0
    for shown, reply in model.given:
        notebook = model.modernizer.log.store.notebook(session.id, shown)
        ids = {shown_as: id_ for id_, shown_as in names(notebook).items()}
        try:
            parsed = parse_reply(reply, complete=True)
            patch = build_patch(parsed, notebook, PatchRules(ids=ids))
        except UnusableReply:
            continue
        replied += list(patch.edits)
        whole += tokens(whole_notebook_reply(Fix(notebook, patch.edits, parsed.plan)))
    finals = [review.proposal for review in session.all_reviews if review.final]
    kept = {one.new_source.strip() for one in (finals[-1].edits if finals else ())}
    remarks = [one for review in session.all_reviews for one in review.proposal.remarks]
    executions = [one.execution for one in runs if one.execution is not None]
    proofs = [proof for proof in session.proofs if proof.seconds]
    return Outcome(
        name=name,
        cells=sum(cell.type is CellType.CODE for cell in file.notebook.cells),
        before=root_errors(first),
        after=root_errors(best),
        verdict="none" if session.verdict is None else session.verdict.value,
        score=None if grade is None else grade.score,
        asked=len(model.given),
        replied=len(replied),
        stands=sum(one.new_source.strip() in kept for one in replied),
        left_out=tuple(dict.fromkeys(map(one_text, remarks))),
        runs=len(executions),
        seconds=round(sum(one.seconds for one in executions), 1),
        proofs=len(proofs),
        proof_seconds=round(sum(one.seconds for one in proofs), 1),
        prompt=tokens(requests[0].prompt) if requests else 0,
        sources=sum(tokens(cell.source) for cell in file.notebook.code_cells()),
        reply=sum(tokens(reply) for _, reply in model.given if reply != NO_FIX),
        whole=whole,
        message=text(session.message),
    )


def main() -> None:
    """Run the notebooks that are named, else all that the list names."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.set_defaults(fixers=(FixerName.RULES, FixerName.LLM), graded=False)
    parser.add_argument("list", type=Path)
    parser.add_argument("notebooks", type=Path)
    parser.add_argument("replies", type=Path)
    parser.add_argument("ids", nargs="*")
    parser.add_argument("--seconds", type=float, default=900.0, help="of a session")
    parser.add_argument("--limit", type=float, default=300.0, help="of a run")
    parser.add_argument("--environment", help="the Python that the notebooks run with")
    parser.add_argument("--wait", type=float, default=0.0, help="for a reply that is being written")
    parser.add_argument("--json", type=Path, help="keep the lines here, one a notebook")
    options = parser.parse_args()
    with options.list.open(newline="") as table:
        rows = list(csv.DictReader(table, delimiter="\t", quoting=csv.QUOTE_NONE))
    print(
        f"{'notebook':<22}{'cells':>5}{'before':>7}{'after':>6}{'asked':>6}{'edits':>6}{'stand':>6}"
        f"{'runs':>5}{'s':>6}{'proofs':>7}{'s':>5}{'prompt':>8}{'code':>7}{'reply':>7}{'whole':>7}"
        "  verdict; left out"
    )

    def end(name: str, file: NotebookFile, home: Path) -> Coroutine[Any, Any, Outcome]:
        return ended(name, file, options.replies, home, options)

    for found, seconds in outcomes(rows, options.notebooks, options.ids, end, options.json):
        print(shown(found), f"({seconds:.0f} s)", flush=True)


def outcomes(
    rows: Iterable[Mapping[str, str]],
    folder: Path,
    wanted: Sequence[str],
    end: Callable[[str, NotebookFile, Path], Coroutine[Any, Any, Outcome]],
    kept: Path | None,
) -> Iterator[tuple[Outcome, float]]:
    """What each notebook of a list came to, and the seconds that took.

    Args:
        rows: The list: `id`, and the notebook's `path` below the folder of that name.
        folder: Where they lie. One that cannot be used is printed with the reason.
        wanted: Ids of those to run; empty for all.
        end: Runs a session to its end, with a folder of its own.
        kept: Where a line of JSON is added for each.
    """
    for row in rows:
        if wanted and row["id"] not in wanted:
            continue
        began = time.monotonic()
        try:
            file = open_notebook(folder / row["id"] / row["path"])
            with tempfile.TemporaryDirectory() as home:
                found = asyncio.run(end(row["id"], file, Path(home)))
        except (ModernizerError, OSError, LookupError) as error:
            print(f"{row['id']:<36}{type(error).__name__}: {error}", flush=True)
            continue
        if kept is not None:
            with kept.open("a") as lines:
                lines.write(json.dumps(asdict(found)) + "\n")
        yield found, time.monotonic() - began


def shown(one: Outcome) -> str:
    """A line of the table."""
    before = "-" if one.before is None else one.before
    after = "-" if one.after is None else one.after
    return (
        f"{one.name:<22}{one.cells:>5}{before:>7}{after:>6}{one.asked:>6}{one.replied:>6}"
        f"{one.stands:>6}{one.runs:>5}{one.seconds:>6.0f}{one.proofs:>7}{one.proof_seconds:>5.0f}"
        f"{one.prompt:>8.0f}{one.sources:>7.0f}{one.reply:>7.0f}{one.whole:>7.0f}  "
        f"{one.verdict}; {' '.join(one.left_out)[:300]} {one.message[:160]}"
    )


if __name__ == "__main__":
    main()
