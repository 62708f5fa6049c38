"""What is said where something is missing: an engine, the right to use it, an image, the data."""

from __future__ import annotations

import os
from dataclasses import replace

import pytest

from mle_modernizer_server.domain.errors import BadCompetition, SandboxUnavailable
from mle_modernizer_server.domain.execution import Ending
from mle_modernizer_server.execution.sandboxes import choose as module
from mle_modernizer_server.execution.sandboxes.bubblewrap import Bubblewrap
from mle_modernizer_server.execution.sandboxes.choose import choose_sandbox
from mle_modernizer_server.execution.sandboxes.docker.engine import EngineFacts
from mle_modernizer_server.execution.sandboxes.docker.isolation import limits
from mle_modernizer_server.execution.sandboxes.docker.sandbox import Docker
from mle_modernizer_server.execution.sandboxes.docker.settings import Settings
from mle_modernizer_server.execution.sandboxes.process import Process
from mle_modernizer_server.words import text
from tests.refusals import refused

SMALL = EngineFacts(memory=8 * 2**30, cpus=2, gpu=False, rootless=False, reachable_files=True)


def test_an_engine_that_is_not_there_is_said_with_what_to_do(tmp_path):
    availability = Docker(Settings(host=f"unix://{tmp_path}/none.sock")).availability()
    assert not availability.ok
    assert "no Docker engine answers" in text(availability.reason)
    assert "systemctl start docker" in text(availability.reason)


def test_an_engine_elsewhere_that_does_not_answer_is_named():
    availability = Docker(Settings(host="tcp://127.0.0.1:9")).availability()
    assert not availability.ok
    assert "127.0.0.1:9 does not answer" in text(availability.reason)


def test_the_next_sandbox_is_offered(monkeypatch, tmp_path):
    absent = Docker(Settings(host=f"unix://{tmp_path}/none.sock"))
    every = {"bubblewrap": Bubblewrap(), "docker": absent, "process": Process()}
    monkeypatch.setattr(module, "sandboxes", lambda: every)
    with pytest.raises(SandboxUnavailable) as raised:
        choose_sandbox("docker")
    assert "no Docker engine answers" in text(raised.value.message)
    assert "`process` works here" in text(raised.value.message)


def test_an_image_that_must_be_fetched_is_only_taken_by_its_name(box, monkeypatch):
    box.configure(replace(box.settings, image="mle-modernizer-test/not-here"))
    every = {"bubblewrap": Bubblewrap("no-such-bwrap"), "docker": box, "process": Process()}
    monkeypatch.setattr(module, "sandboxes", lambda: every)
    assert choose_sandbox("docker") is box
    with refused(SandboxUnavailable, match="is not on this machine yet"):
        choose_sandbox(None)


@pytest.mark.parametrize("name", ["127.0.0.1:9/no/such:image", "Not An Image", "a/b/c/d@sha256:0"])
def test_an_image_that_does_not_exist_is_told(run, box, name):
    box.configure(replace(box.settings, image=name))
    with pytest.raises(SandboxUnavailable) as raised:
        run("1")
    assert name in text(raised.value.message)


def test_an_image_without_ipykernel_is_told(run, box, image_with):
    lines = f"FROM {box.settings.image}\nRUN find / -name 'ipykernel*' -prune -exec rm -r {{}} +\n"
    box.configure(replace(box.settings, image=image_with("no-ipykernel", lines)))
    with refused(SandboxUnavailable, match="has no ipykernel"):
        run("1")


def test_an_image_without_python_is_told(run, box, image_with):
    lines = f"FROM {box.settings.image}\nENV PATH=/nowhere:/usr/sbin\n"
    box.configure(replace(box.settings, image=image_with("no-path", lines)))
    with refused(SandboxUnavailable, match=r"(Choose an|Select another) image"):
        run("1")


def test_a_run_needs_its_data_where_containers_can_read_them(run, public):
    (public / "train.csv").chmod(0o600)
    if os.geteuid() == 0:
        with refused(BadCompetition, match="chmod -R a\\+rX"):
            run("1")
    else:
        assert run("1").execution.ending is Ending.COMPLETED


def test_a_smaller_machine_gives_what_it_has():
    given = limits(Settings(), SMALL)
    assert given.memory < SMALL.memory
    assert given.cpus == 2
    assert given.gpus == 0
    assert len(given.remarks) == 2
    assert limits(Settings(memory=2**30, cpus=1), SMALL).remarks == ()


def test_a_gpu_that_was_asked_for_must_be_there():
    for wanted in ("all", "1"):
        with refused(SandboxUnavailable, match="A GPU was requested"):
            limits(Settings(gpus=wanted), SMALL)
    with_gpu = replace(SMALL, gpu=True)
    assert limits(Settings(gpus="2"), with_gpu).gpus == 2
    assert limits(Settings(gpus="auto"), with_gpu).gpus == -1
    assert limits(Settings(gpus="none"), with_gpu).gpus == 0
