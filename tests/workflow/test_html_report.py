"""The page of a session: all of it is there, and nothing that was written by others acts."""

from __future__ import annotations

import base64
import unicodedata
from collections.abc import Callable
from html.parser import HTMLParser
from typing import Any

import pytest

from mle_modernizer_server.domain.diagnosis import ErrorKind, Finding, Outcome
from mle_modernizer_server.domain.execution import CellError, CellStatus
from mle_modernizer_server.domain.message import coded, verbatim
from mle_modernizer_server.domain.notebook import CellOutputs, RunOutputs, notebook_hash
from mle_modernizer_server.domain.session import Session
from mle_modernizer_server.domain.settings import SessionSettings
from mle_modernizer_server.workflow.log import events
from mle_modernizer_server.workflow.log.store import Store
from mle_modernizer_server.workflow.report.html_report import report_html, web_address
from mle_modernizer_server.workflow.report.report import report_json, report_markdown
from tests import values

CONTROLS = "\x1b]0;title\x07\x1b[2J\x1b\x07\x00\x08\x9b2J\x7f"
ATTACK = (
    CONTROLS
    + "</pre><script>alert(1)</script><img src=x onerror=alert(2)>{{ 7*7 }}\x1b[31m&quot;'\"`"
)
PNG = base64.b64encode(b"\x89PNG\r\n\x1a\n" + b"0" * 20).decode()


class Tags(HTMLParser):
    """What a browser would see of a page."""

    def __init__(self) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.text = ""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))

    def handle_data(self, data: str) -> None:
        self.text += data


def attacked_session() -> tuple[Session, Store]:
    """A session in which everything a stranger writes is an attack."""
    before, after = values.notebook(ATTACK, "2"), values.notebook(ATTACK + "\nfixed()", "2")
    log = Store(None)
    settings = SessionSettings(target_score=0.5)
    created = events.Created(
        path=f"{ATTACK}.ipynb", notebook_hash=notebook_hash(before), settings=settings
    )
    session = log.create(created, before)
    digest = notebook_hash(after)
    log.append(session.id, events.RunStarted(notebook_hash=digest, message=ATTACK), after)
    error = CellError(
        cell_id="c0", index=0, ename=ATTACK, evalue=ATTACK, traceback=(ATTACK,), raised=True
    )
    execution = values.execution(CellStatus.ERROR).model_copy(
        update={"sandbox": ATTACK, "remarks": verbatim(ATTACK)}
    )
    log.append(session.id, events.Executed(execution=execution))
    finding = Finding(
        kind=ErrorKind.ROOT, error=error, explanation=ATTACK, link="javascript:alert(3)"
    )
    diagnosis = values.diagnosis(Outcome.ERROR_REPRODUCIBLE).model_copy(
        update={"findings": (finding,)}
    )
    log.append(session.id, events.Diagnosed(grade=values.grade(0.5), diagnosis=diagnosis, best=1))
    steps = coded("plan.step", count=1, cells="1", what=ATTACK) + verbatim(ATTACK)
    proposed = values.proposal().model_copy(update={"plan": steps, "remarks": verbatim(ATTACK)})
    log.append(session.id, events.Proposed(proposal=proposed))
    outputs: list[dict[str, Any]] = [
        {"output_type": "display_data", "data": {"image/png": PNG, "text/html": ATTACK}},
        {"output_type": "display_data", "data": {"image/png": '" onload="alert(4)'}},
        {"output_type": "display_data", "data": {"image/svg+xml": "<svg onload=alert(5)>"}},
        {"output_type": "display_data", "data": {"image/png": base64.b64encode(b"<svg>").decode()}},
    ]
    cells = (CellOutputs(cell_id="c0", execution_count=1, outputs=tuple(outputs)),)
    log.keep_run_outputs(session.id, 1, RunOutputs(cells=cells), {1})
    return log.get(session.id), log


def attacked_report() -> tuple[str, Tags]:
    """The page of that session."""
    page = report_html(*attacked_session())
    tags = Tags()
    tags.feed(page)
    return page, tags


@pytest.mark.parametrize("write", [report_html, report_markdown, report_json])
def test_control_characters_leave_no_report(write: Callable[[Session, Store], str]) -> None:
    report = write(*attacked_session())
    assert "alert(1)" in report
    assert [char for char in report if unicodedata.category(char) == "Cc" and char != "\n"] == []


def test_nothing_of_a_stranger_becomes_a_tag_or_an_attribute() -> None:
    page, seen = attacked_report()
    assert {tag for tag, _ in seen.tags} <= {
        *("html", "head", "meta", "title", "style", "body", "main", "h1", "h2", "h3", "p", "dl"),
        *("dt", "dd", "table", "tr", "th", "td", "pre", "div", "ul", "li", "strong", "a", "br"),
        *("details", "summary", "figure", "figcaption", "img", "svg", "line", "text", "circle"),
    }
    assert not any(name.startswith("on") for _, given in seen.tags for name in given)
    assert [given["src"] for tag, given in seen.tags if tag == "img"] == [
        f"data:image/png;base64,{PNG}"
    ]
    assert "javascript:" not in "".join(str(given) for _, given in seen.tags)
    assert "{{ 7*7 }}" in seen.text and "\x1b" not in page


def test_a_page_needs_nothing_and_may_nothing() -> None:
    _, seen = attacked_report()
    (policy,) = (g["content"] for t, g in seen.tags if g.get("http-equiv"))
    assert policy is not None and policy.startswith("default-src 'none'")
    assert not any(tag in ("script", "link", "iframe") for tag, _ in seen.tags)
    assert "fixed()" in seen.text and "How to repeat it" in seen.text
    assert "jupyter modernize '" in seen.text  # a path with signs is quoted


@pytest.mark.parametrize(
    ("address", "kept"),
    [
        ("https://numpy.org/doc?a=1&b=2#c", True),
        ("javascript:alert(1)", False),
        ("https://a.b/\" onclick='x", False),
        ("data:text/html,x", False),
        ("", False),
    ],
)
def test_only_addresses_of_the_web_are_links(address: str, kept: bool) -> None:
    assert web_address(address) == (address if kept else "")
