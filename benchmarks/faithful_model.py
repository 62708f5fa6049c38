"""What comes of notebooks with a model that is faithful, and which of its edits are refused.

    python benchmarks/faithful_model.py [--replies FOLDER] [--json FILE] [EXAMPLE …]
    python benchmarks/faithful_model.py --notebooks FOLDER [--time-limit N] [--json FILE] [ID …]

Each example runs in auto mode with a model alone. A stand-in on this machine, which speaks the
OpenAI protocol, replies with what the rules make of the run that the model is asked about, in the
reply format of the prompt; one example, for which there is no rule, has a reply by hand. The edits
bear no sign of being a rule's: they are judged as a model's. Printed: the verdict, fixes and calls,
the edits that stand in what is put up for review, the remarks on what was left out, and what the
proof cost. With `--replies`, the model answers with FOLDER/<example>.md (<example>-2.md …) instead,
and what it was asked is kept beside them, as below.

With `--notebooks`, old notebooks run with a model alone that answers with replies written by hand.
FOLDER/list.tsv has the columns `id` and `path`: a notebook is FOLDER/<id>/<path>, with its data
around it, and its reply FOLDER/replies/<id>.md (<id>-2.md for a second request). Where none is
there the model answers that nothing can be done. What it was asked is kept beside the replies, so
that a reply can be written to the very prompt. Printed for each: root errors of the first run and
of the best one, requests, edits of the replies and how many of them stand, why the others were
refused, the characters of the first prompt and those of them that are the notebook's own, and the
tokens of the replies beside those of whole notebooks.

Prints and asserts nothing. The replies are not part of the repository: they hold others' code.
"""

from __future__ import annotations

import argparse
import asyncio
import csv
import json
import subprocess
import sys
import tempfile
from collections.abc import Coroutine, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

from pydantic import SecretStr
from recorded_replies import Outcome, outcomes
from recorded_replies import ended as ended_with_replies
from reply_tokens import BY_HAND, EXAMPLES, Fix, by_hand, changed_cells_reply

from mle_modernizer_server.domain.diagnosis import FixScope, FixType
from mle_modernizer_server.domain.proposal import FixerName, Proposal
from mle_modernizer_server.domain.session import Mode, Session, SessionSettings
from mle_modernizer_server.execution.notebook_file import NotebookFile, open_notebook
from mle_modernizer_server.fixing.fixer import no_matter
from mle_modernizer_server.fixing.llm.settings import LlmSettings
from mle_modernizer_server.wiring import build_services
from mle_modernizer_server.words import text
from mle_modernizer_server.workflow.fix.propose import Ask, fix_request
from mle_modernizer_server.workflow.log.event_log import EventLog
from mle_modernizer_server.workflow.log.store import Store
from mle_modernizer_server.workflow.service import Modernizer
from mle_modernizer_server.workflow.work import Work

sys.path.insert(0, str(Path(__file__).parents[1]))
from tests.llm_server import Answer, LlmServer, Request

NO_FIX = "=== PLAN ===\n- nothing\n=== NO FIX ===\nNo rule knows it.\n=== END ===\n"


class Faithful:
    """Answers with what the rules make of a session's last run."""

    def __init__(self, loop: asyncio.AbstractEventLoop) -> None:
        self._loop = loop
        self.modernizer: Modernizer | None = None
        self.session_id = ""
        self.file: NotebookFile | None = None

    def __call__(self, request: Request) -> Answer:
        """The reply to a request, from the server's own thread."""
        return Answer(text=asyncio.run_coroutine_threadsafe(self._reply(), self._loop).result())

    async def _reply(self) -> str:
        modernizer, file = self.modernizer, self.file
        assert modernizer is not None and file is not None
        if file.path.stem in BY_HAND:
            return changed_cells_reply(by_hand(file))
        work = Work(self.session_id, modernizer.services, modernizer.log)
        iteration = work.session.iterations[-1]
        notebook = modernizer.log.store.notebook(self.session_id, iteration.notebook_hash)
        diagnosis = iteration.diagnosis
        due = None if diagnosis is None else diagnosis.fix_type
        ask = Ask(notebook, due or FixType.SCORE_CALIBRATION, FixScope.FILE, ())
        rules = modernizer.services.fixers[FixerName.RULES]
        answer = await rules.propose(
            await fix_request(work, iteration, ask), lambda _: None, no_matter
        )
        if not isinstance(answer, Proposal):
            return NO_FIX
        return changed_cells_reply(Fix(notebook, answer.edits, answer.plan))


async def ended(file: NotebookFile, root: Path) -> tuple[Session, int]:
    """A session with the faithful model, and how often it was asked."""
    model = Faithful(asyncio.get_running_loop())
    with LlmServer(model) as server:
        llm = LlmSettings(
            base_url=server.base_url, model="stand-in", api_key=SecretStr("not-a-real-key")
        )
        services = build_services(data_root=root, sandbox=None, llm=llm)
        modernizer = Modernizer(EventLog(Store(None), lambda session, event: None), services)
        found = file.defaults
        settings = SessionSettings(
            competition=found.competition,
            target_score=found.target_score,
            mode=Mode.AUTO,
            fixers=(FixerName.LLM,),
        )
        if found.time_limit is not None:
            settings = settings.model_copy(update={"time_limit": found.time_limit})
        try:
            session = modernizer.create(str(file.path), file.notebook, settings, file.traces)
            model.modernizer, model.session_id, model.file = modernizer, session.id, file
            modernizer.start_run(session.id, file.notebook)
            return await modernizer.finished(session.id), len(server.requests)
        finally:
            await modernizer.close()


def line(name: str, session: Session, asked: int) -> tuple[str, float, float]:
    """A line of the table; the seconds of the proof, and of all the session's runs."""
    finals = [review.proposal for review in session.all_reviews if review.final]
    left = [one for review in session.all_reviews for one in review.proposal.remarks]
    seconds = sum(one.execution.seconds for one in session.iterations if one.execution is not None)
    proofs = [proof for proof in session.proofs if proof.seconds]
    proof = sum(one.seconds for one in proofs)
    verdict = "none" if session.verdict is None else session.verdict.value
    edits = len(finals[-1].edits) if finals else 0
    shown = (
        f"{name:<34}{verdict:<18}{session.fixes:>5}{asked:>6}{edits:>6}"
        f"{len(session.iterations):>6}{len(proofs):>7}{proof:>7.0f} s  "
        + text(dict.fromkeys(left))[:200]
    )
    if session.verdict is None or not finals:
        shown += text(session.message)[:200]
    return shown, proof, seconds


def notebooks(folder: Path, options: argparse.Namespace) -> None:
    """A line for each notebook of a folder, with the replies that are kept in it."""
    replies = folder / "replies"
    replies.mkdir(exist_ok=True)
    with (folder / "list.tsv").open(newline="") as table:
        rows = list(csv.DictReader(table, delimiter="\t", quoting=csv.QUOTE_NONE))
    print(
        f"{'notebook':<36}{'cells':>6}{'before':>7}{'after':>6}{'asked':>6}{'edits':>6}{'stand':>6}"
        f"{'prompt':>8}{'code':>8}{'reply':>7}{'whole':>7}  verdict; left out; last word"
    )

    def end(name: str, file: NotebookFile, home: Path) -> Coroutine[Any, Any, Outcome]:
        return ended_with_replies(name, file, replies, home, options)

    for found, _ in outcomes(rows, folder, options.names, end, options.json):
        print(notebook_line(found), flush=True)


def notebook_line(one: Outcome) -> str:
    """A line of the table of notebooks."""
    before = "-" if one.before is None else one.before
    after = "-" if one.after is None else one.after
    return (
        f"{one.name:<36}{one.cells:>6}{before:>7}{after:>6}{one.asked:>6}{one.replied:>6}"
        f"{one.stands:>6}{4 * one.prompt:>8.0f}{4 * one.sources:>8.0f}{one.reply:>7.0f}"
        f"{one.whole:>7.0f}  {one.verdict}; {' '.join(one.left_out)[:300]} {one.message[:160]}"
    )


def main() -> None:
    """The examples or notebooks that are named, else all."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("names", nargs="*")
    parser.add_argument("--replies", type=Path, help="a folder of replies to the examples")
    parser.add_argument("--notebooks", type=Path, help="a folder of notebooks and replies")
    parser.add_argument("--time-limit", dest="limit", type=float, default=60.0, help="of a run")
    parser.add_argument("--json", type=Path, help="keep the lines here, one a notebook")
    parser.set_defaults(fixers=(FixerName.LLM,), seconds=900.0, environment=None, wait=0.0)
    options = parser.parse_args()
    options.graded = options.notebooks is None
    if options.notebooks is not None:
        notebooks(options.notebooks, options)
        return
    with tempfile.TemporaryDirectory() as folder:
        command = [sys.executable, str(EXAMPLES / "make_data.py"), "--root", folder]
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
        paths = sorted((EXAMPLES / "notebooks").glob("*.ipynb"))
        chosen = [path for path in paths if not options.names or path.stem in options.names]
        if options.replies is None:
            examples(chosen, Path(folder))
        else:
            recorded_examples(chosen, Path(folder), options)


def recorded_examples(chosen: Sequence[Path], root: Path, options: argparse.Namespace) -> None:
    """A line for each example, with the replies that are kept in a folder."""
    print(
        f"{'example':<34}{'before':>7}{'after':>6}{'score':>9}{'asked':>6}{'edits':>6}{'stand':>6}"
        f"{'prompt':>8}{'reply':>7}{'runs':>5}{'':>6}{'proofs':>7}{'':>6}  verdict; left out"
    )
    for path in chosen:
        one = asyncio.run(
            ended_with_replies(path.stem, open_notebook(path), options.replies, root, options)
        )
        if options.json is not None:
            with options.json.open("a") as lines:
                lines.write(json.dumps(asdict(one)) + "\n")
        score = "-" if one.score is None else f"{one.score:.4f}"
        print(
            f"{one.name:<34}{one.before or 0:>7}{one.after or 0:>6}{score:>9}{one.asked:>6}"
            f"{one.replied:>6}{one.stands:>6}{4 * one.prompt:>8.0f}{one.reply:>7.0f}{one.runs:>5}"
            f"{one.seconds:>4.0f} s{one.proofs:>7}{one.proof_seconds:>4.0f} s  "
            f"{one.verdict}; {' '.join(one.left_out)[:300]}",
            flush=True,
        )


def examples(chosen: Sequence[Path], root: Path) -> None:
    """A line for each example, with what the rules make of it as replies."""
    print(
        f"{'example':<34}{'verdict':<18}{'fixes':>5}{'asked':>6}{'edits':>6}{'runs':>6}"
        f"{'proofs':>7}{'':>9}  left out"
    )
    proof = runs = 0.0
    for path in chosen:
        session, asked = asyncio.run(ended(open_notebook(path), root))
        shown, of_proof, of_runs = line(path.stem, session, asked)
        proof, runs = proof + of_proof, runs + of_runs
        print(shown, flush=True)
    print(f"\nthe proofs took {proof:.0f} s beside {runs:.0f} s of other runs")


if __name__ == "__main__":
    main()
