"""Questions to the packages of an environment, in the real sandbox."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from pathlib import Path

import pytest

from mle_modernizer_server.domain.environment import Absence, Interpreter, NameKind, NameQuestion
from mle_modernizer_server.domain.execution import Environment
from mle_modernizer_server.execution import installed_names
from mle_modernizer_server.execution.installed_names import InstalledNames
from mle_modernizer_server.execution.sandboxes.choose import sandboxes
from mle_modernizer_server.execution.sandboxes.local import Local

HERE = Environment(python="3.11", packages={"numpy": "2.4.6"})


def question(kind: NameKind, address: str, detail: str = "") -> NameQuestion:
    return NameQuestion(kind=kind, address=address, detail=detail)


QUESTIONS = [
    question(NameKind.MODULE, "json"),
    question(NameKind.MODULE, "mle_no_such"),
    question(NameKind.ATTRIBUTE, "collections.Iterable"),
]


def absent(names: InstalledNames, questions: Sequence[NameQuestion]) -> tuple[Absence, ...]:
    sandbox = sandboxes()["bubblewrap"]
    return asyncio.run(names.absent(sandbox, None, HERE, questions)).absences


@pytest.mark.process
def test_packages_are_asked_in_the_sandbox_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    if not sandboxes()["bubblewrap"].availability().ok:
        pytest.skip("bubblewrap does not work here")
    found = absent(InstalledNames(tmp_path), QUESTIONS)
    assert [one.failing for one in found] == ["mle_no_such", "collections.Iterable"]
    assert [one.is_package for one in found] == [True, False]

    async def never(*_: object) -> None:
        raise AssertionError("the answers are kept")

    monkeypatch.setattr(installed_names, "_answers", never)
    assert absent(InstalledNames(tmp_path), QUESTIONS) == found


def test_package_that_ends_the_process_is_left_out(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[list[str]] = []

    async def answers(
        sandbox: Local, python: Interpreter | None, questions: Sequence[NameQuestion]
    ) -> list[tuple[str, str, str] | None]:
        asked.append([one.top for one in questions])
        return [("b", "ImportError", "")] if asked == [["b", "bad", "bad", "c"]] else [None]

    monkeypatch.setattr(installed_names, "_answers", answers)
    questions = [question(NameKind.MODULE, name) for name in ("b", "bad", "bad.a", "c")]
    found = absent(InstalledNames(tmp_path), questions)
    assert asked == [["b", "bad", "bad", "c"], ["c"]]
    assert [one.failing for one in found] == ["b"]


def test_damaged_answers_are_asked_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async def answers(*_: object) -> list[None]:
        return [None] * 3

    monkeypatch.setattr(installed_names, "_answers", answers)
    absent(InstalledNames(tmp_path), QUESTIONS)
    (file,) = tmp_path.glob("*.json")
    file.write_text("{", "utf-8")
    assert absent(InstalledNames(tmp_path), QUESTIONS) == ()
    assert "mle_no_such" in file.read_text("utf-8")


def test_sandbox_that_does_not_isolate_is_not_asked(tmp_path: Path) -> None:
    sandbox = sandboxes()["process"]
    found = asyncio.run(InstalledNames(tmp_path).absent(sandbox, None, HERE, QUESTIONS))
    assert found.absences == ()


def test_impatient_forecast_gets_the_rest_later(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def scene() -> None:
        go = asyncio.Event()

        async def answers(*_: object) -> list[tuple[str, str, str] | None]:
            await go.wait()
            return [("json", "ImportError", ""), None, None]

        monkeypatch.setattr(installed_names, "_answers", answers)
        names, sandbox = InstalledNames(tmp_path), sandboxes()["bubblewrap"]
        first = await names.absent(sandbox, None, HERE, QUESTIONS, patience=0.01)
        assert (first.absences, first.is_complete) == ((), False)
        go.set()
        second = await names.absent(sandbox, None, HERE, QUESTIONS)
        assert second.is_complete and len(second.absences) == 1

    asyncio.run(scene())
