"""Which sandbox is taken, and what is said where there is none."""

from __future__ import annotations

import pytest

from mle_modernizer_server.domain.errors import SandboxUnavailable
from mle_modernizer_server.execution.sandboxes import choose as module
from mle_modernizer_server.execution.sandboxes.bubblewrap import Bubblewrap
from mle_modernizer_server.execution.sandboxes.choose import choose_sandbox
from mle_modernizer_server.execution.sandboxes.process import Process
from mle_modernizer_server.words import text
from tests.refusals import refused


@pytest.fixture
def without_bubblewrap(monkeypatch):
    every = {"bubblewrap": Bubblewrap("no-such-bwrap"), "process": Process()}
    monkeypatch.setattr(module, "sandboxes", lambda: every)


def test_a_sandbox_without_isolation_is_never_chosen_silently(without_bubblewrap):
    with pytest.raises(SandboxUnavailable) as raised:
        choose_sandbox(None)
    assert "bwrap is not installed" in text(raised.value.message)
    assert "select `process` explicitly" in text(raised.value.message)


def test_an_unavailable_sandbox_says_why_and_offers_another(without_bubblewrap):
    with pytest.raises(SandboxUnavailable) as raised:
        choose_sandbox("bubblewrap")
    assert "bwrap is not installed" in text(raised.value.message)
    assert "`process` works here, but does not isolate" in text(raised.value.message)


def test_process_is_taken_by_name(without_bubblewrap):
    assert choose_sandbox("process").name == "process"


def test_an_unknown_sandbox_is_refused_with_the_names_there_are():
    with refused(SandboxUnavailable, match="bubblewrap, docker, process"):
        choose_sandbox("dokcer")


def test_a_bwrap_that_fails_is_told_with_its_words(tmp_path):
    program = tmp_path / "bwrap"
    program.write_text("#!/bin/sh\necho 'no namespaces for you' >&2\nexit 1\n")
    program.chmod(0o755)
    availability = Bubblewrap(str(program)).availability()
    assert not availability.ok
    assert "no namespaces for you" in text(availability.reason)
