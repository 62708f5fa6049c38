"""One job: claimed by one worker at a time, counted, written whole or not at all."""

from __future__ import annotations

import os
import threading
import time
from pathlib import Path

import pytest

from mle_modernizer_server.batch.claim import Claimed, Owner, claim, owner_of
from mle_modernizer_server.batch.folder import AttemptEvent, StudyFolder
from mle_modernizer_server.batch.rate_limits import OpenGate
from mle_modernizer_server.batch.result import Status
from mle_modernizer_server.batch.study import Study, arm_of
from mle_modernizer_server.batch.worker import Place, carry_out
from mle_modernizer_server.domain.errors import BadInput
from mle_modernizer_server.domain.model_calls import Usage
from tests.batch import stand_ins
from tests.batch.conftest import Jobs
from tests.refusals import refused


def place(run: str = "run") -> Place:
    return Place("worker-1", run, OpenGate())


def test_a_claim_is_held_by_one_at_a_time(tmp_path: Path) -> None:
    path = tmp_path / "claim.json"
    inside, most = 0, 0

    def work() -> None:
        nonlocal inside, most
        with claim(path, run="r", worker="w", give_up=lambda: False):
            inside += 1
            most = max(most, inside)
            time.sleep(0.05)
            inside -= 1

    threads = [threading.Thread(target=work) for _ in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert most == 1
    assert not path.exists()


def test_claim_of_a_dead_process_is_taken_elsewhere_when_silent(
    tmp_path: Path,
) -> None:
    path = tmp_path / "claim.json"
    here = os.uname().nodename
    path.write_text(Owner(host=here, process="1 1.0", run="", worker="").model_dump_json())
    with claim(path, run="r", worker="w", give_up=lambda: True):
        owner = owner_of(path)
        assert owner is not None and owner.worker == "w"
    path.write_text(Owner(host="elsewhere", process="1 1.0", run="", worker="").model_dump_json())
    with pytest.raises(Claimed), claim(path, run="r", worker="w", give_up=lambda: True):
        pass
    os.utime(path, (time.time() - 120, time.time() - 120))
    with claim(path, run="r", worker="w", give_up=lambda: True):
        pass


def test_a_job_is_done_once(study: Study, folder: StudyFolder, jobs: Jobs) -> None:
    [job] = jobs("0-a.ipynb")
    for _ in range(2):
        receipt = carry_out(job, study, folder, place(), stand_ins.sleep)
        assert receipt.status is Status.DONE
    assert len(folder.attempts(job.key)) == 1
    assert list((folder.root / "claims").iterdir()) == []


def test_what_goes_wrong_is_told_in_its_receipt(
    study: Study, folder: StudyFolder, jobs: Jobs
) -> None:
    bad, defect, full = jobs("bad.ipynb", "defect.ipynb", "full.ipynb")
    refused = carry_out(bad, study, folder, place(), stand_ins.deadly)
    assert (refused.status, refused.message) == (Status.REFUSED, "It is bad.")
    broken = carry_out(defect, study, folder, place(), stand_ins.deadly)
    assert broken.status is None and "a defect" in broken.message
    unwritten = carry_out(full, study, folder, place(), stand_ins.deadly)
    assert unwritten.status is None and "No space left on device" in unwritten.message
    assert folder.done() == {bad.key}


def test_a_folder_that_is_not_shared_is_named(study: Study, tmp_path: Path, jobs: Jobs) -> None:
    [job] = jobs("0-a.ipynb")
    receipt = carry_out(job, study, StudyFolder(tmp_path / "no"), place(), stand_ins.sleep)
    assert receipt.status is None and "does not see" in receipt.message


def test_who_stopped_is_not_counted_and_who_died_is(
    study: Study, folder: StudyFolder, jobs: Jobs
) -> None:
    [job] = jobs("30-a.ipynb")
    for _ in range(5):
        stopped = place()
        stopped.stop()
        assert carry_out(job, study, folder, stopped, stand_ins.sleep).stopped
    for run in ("one", "two", "three", "three"):
        folder.note(job.key, AttemptEvent.BEGAN, run, "worker-9")
    receipt = carry_out(job, study, folder, place("three"), stand_ins.sleep)
    assert receipt.status is Status.SET_ASIDE
    assert "2 workers died" in receipt.message
    folder.forget(job.key)
    for run in ("one", "two", "three", "four"):
        folder.note(job.key, AttemptEvent.BEGAN, run, "worker-9")
    assert "begun 4 times" in carry_out(job, study, folder, place("x"), stand_ins.sleep).message


def test_lines_cut_off_by_a_crash_are_left_out(
    study: Study, folder: StudyFolder, jobs: Jobs
) -> None:
    [job] = jobs("0-a.ipynb")
    folder.note(job.key, AttemptEvent.BEGAN, "run", "w")
    folder.note_spending(job.key, Usage(calls=1, input_tokens=5, cost_usd=0.5))
    for kind in ("attempts", "spending"):
        with (folder.root / kind / f"{job.key}.jsonl").open("a") as stream:
            stream.write('{"calls": 1, "in')
    (folder.root / "results" / f"{job.key}.json").write_text('{"key": ')
    assert len(folder.attempts(job.key)) == 1
    assert folder.spent() == Usage(calls=1, input_tokens=5, cost_usd=0.5)
    assert carry_out(job, study, folder, place(), stand_ins.sleep).status is Status.DONE


def test_results_of_other_settings_are_not_mixed(
    study: Study, folder: StudyFolder, tmp_path: Path
) -> None:
    assert folder.open(study.model_copy(update={"id": "other", "what": "x"})) == study
    for change in ({"settings": {"time_limit": 3}}, {"arms": (arm_of("rules"),)}):
        with refused(BadInput, match=next(iter(change))):
            folder.open(study.model_copy(update=change))
    (tmp_path / "other").mkdir()
    (tmp_path / "other/file.txt").write_text("mine")
    with refused(BadInput, match="neither empty"):
        StudyFolder(tmp_path / "other").open(study)
