"""A notebook that reads its files from where they are not, from the first look to the result."""

from __future__ import annotations

import asyncio
from pathlib import Path

from pydantic import SecretStr

from mle_modernizer_server.domain.diagnosis import ErrorKind, FixScope
from mle_modernizer_server.domain.execution import ExecutionStatus
from mle_modernizer_server.domain.proposal import FixerName, Meaning
from mle_modernizer_server.domain.session import Session, Verdict
from mle_modernizer_server.domain.settings import Mode
from mle_modernizer_server.fixing.llm.settings import LlmSettings
from mle_modernizer_server.words import text
from mle_modernizer_server.workflow.service import Ahead, Modernizer
from tests import values
from tests.llm_server import LlmServer
from tests.workflow.scenes import modernizer, scene, settings, with_services

SOURCES = (
    "FOLDER = 'C:/Users/me/titanic/'",
    "rows = open(FOLDER + 'train.csv').read()",
    "open('/content/drive/My Drive/sub.csv', 'w').write(rows)",
)


def beside(tmp_path: Path, llm: LlmSettings | None = None) -> tuple[Modernizer, Path]:
    folder = tmp_path / "project"
    (folder / "data").mkdir(parents=True)
    (folder / "data" / "train.csv").write_text("a,b\n1,2\n", "utf-8")
    work = modernizer(tmp_path, llm=llm)
    work = with_services(work, notebook_folder=lambda path: folder, environments=None)
    return work, folder


async def modernized(work: Modernizer, folder: Path, *sources: str, **more: object) -> Session:
    chosen = settings(**{"scope": FixScope.FILE, "mode": Mode.AUTO, **more})
    session = work.sessions.create("a.ipynb", values.notebook(*sources), chosen, folder=folder)
    work.runs.start_run(session.id, values.notebook(*sources))
    return await asyncio.wait_for(work.sessions.finished(session.id), 300)


def test_auto_mode_leads_the_paths_to_the_files(tmp_path: Path) -> None:
    work, folder = beside(tmp_path)

    async def body(work: Modernizer) -> None:
        session = await modernized(work, folder, *SOURCES)
        last = session.iterations[-1]
        assert last.execution is not None
        assert last.execution.status is ExecutionStatus.ERROR_FREE
        assert [file.path for file in last.execution.csv_files] == ["sub.csv"]
        [final] = [review for review in session.all_reviews if review.final]
        assert [edit.new_source for edit in final.proposal.edits] == [
            "FOLDER = 'data/'",
            "open('sub.csv', 'w').write(rows)",
        ]
        assert {edit.meaning for edit in final.proposal.edits} == {Meaning.PATH}
        assert session.lost_files == ()

    scene(body, work)


def test_ambiguous_path_asks_user_missing_path_skips_model(
    tmp_path: Path,
) -> None:
    with LlmServer([]) as server:
        llm = LlmSettings(base_url=server.base_url, model="m", api_key=SecretStr("not-a-key"))
        work, folder = beside(tmp_path, llm)
        (folder / "old").mkdir()
        (folder / "old" / "train.csv").write_text("a,b\n3,4\n", "utf-8")

        async def body(work: Modernizer) -> None:
            sources = ("print(open('train.csv').read())", "open('weights.h5')")
            session = await modernized(work, folder, *sources)
            finding, lost = session.lost_files
            assert finding.candidates == ("data/train.csv", "old/train.csv")
            assert (lost.path, lost.candidates) == ("weights.h5", ())
            assert "select one" in text(session.message)
            chosen = {"train.csv": "old/train.csv"}
            fixers = (FixerName.RULES, FixerName.LLM)
            session = await modernized(work, folder, *sources, file_choices=chosen, fixers=fixers)
            findings = session.iterations[-1].require_diagnosis().findings
            roots = [one.error.cell_id for one in findings if one.kind is ErrorKind.ROOT]
            assert roots == [lost.cell_id]
            assert session.verdict is Verdict.NEEDS_EXTERNAL_DATA
            assert "reads weights.h5" in text(session.message)
            assert "no edit can provide what is missing" in text(session.details)
            assert server.requests == []

        scene(body, work)


def test_it_is_known_and_fixed_before_the_first_run(tmp_path: Path) -> None:
    work, folder = beside(tmp_path)

    async def body(work: Modernizer) -> None:
        ahead = Ahead(values.notebook(*SOURCES), settings(), folder=folder)
        found = await work.runs.preflight(ahead)
        assert [(one.path, one.taken) for one in found.files] == [
            ("C:/Users/me/titanic/train.csv", "data/train.csv"),
            ("/content/drive/My Drive/sub.csv", "sub.csv"),
        ]
        proposal = await work.runs.fix_before_run(ahead, found.era)
        assert len(proposal.edits) == 2

    scene(body, work)
