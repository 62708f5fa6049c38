"""The report for people says where the notebook ran."""

from __future__ import annotations

from mle_modernizer_server.domain.execution import CellStatus, Ending
from mle_modernizer_server.domain.message import verbatim
from mle_modernizer_server.domain.notebook import notebook_hash
from mle_modernizer_server.domain.settings import SessionSettings
from mle_modernizer_server.workflow.log import events
from mle_modernizer_server.workflow.log.store import Store
from mle_modernizer_server.workflow.report.report import report_markdown
from tests import values


def test_report_names_the_sandbox_its_image_and_missing_limits() -> None:
    notebook = values.notebook("1")
    digest = notebook_hash(notebook)
    journal = Store(None)
    created = events.Created(path="a.ipynb", notebook_hash=digest, settings=SessionSettings())
    session = journal.create(created, notebook)
    assert "Sandbox" not in report_markdown(session, journal)

    execution = values.execution(CellStatus.UNFINISHED, ending=Ending.OUT_OF_MEMORY).model_copy(
        update={
            "sandbox": "docker",
            "image": "kaggle/python:v1 (sha256:0123456789ab)",
            "remarks": verbatim("The machine has 2 processors."),
        }
    )
    journal.append(session.id, events.RunStarted(notebook_hash=digest, message=""), notebook)
    session = journal.append(session.id, events.Executed(execution=execution))
    report = report_markdown(session, journal)
    assert "- Sandbox: docker, kaggle/python:v1 (sha256:0123456789ab)\n" in report
    assert "- Note: The machine has 2 processors.\n" in report
