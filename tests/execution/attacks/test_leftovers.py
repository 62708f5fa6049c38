"""A notebook that leaves behind what is to trip the ones who look at it afterwards."""

from __future__ import annotations

import time
from pathlib import Path

import pytest

from mle_modernizer_server.domain.execution import Ending
from mle_modernizer_server.domain.grade import OutputStatus
from mle_modernizer_server.execution.sandboxes.workspace import Workspace
from mle_modernizer_server.grading.competitions import Competitions
from mle_modernizer_server.grading.grader import grade_csv
from mle_modernizer_server.words import text
from tests.examples.test_examples import make_data


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return make_data(tmp_path_factory.mktemp("data"))


def test_no_link_leads_out_of_the_directory(closed_in_each, public, tmp_path):
    private = public.parent / "private"
    (tmp_path / "secret.csv").write_text("id,y\n1,1\n")
    before = (private / "answers.csv").read_bytes()
    ran = closed_in_each(
        "import os\nos.chdir('/kaggle/working')\n"
        f"os.symlink({str(private / 'answers.csv')!r}, 'submission.csv')\n"
        f"os.symlink({str(private)!r}, 'folder')\n"
        f"os.symlink({str(tmp_path / 'secret.csv')!r}, 'secret.csv')\n"
        "os.symlink('submission.csv', 'twice.csv')\n"
        "os.symlink('.', 'loop')\n"
        "os.symlink('/dev/zero', 'zero.csv')\n"
        "os.symlink('/proc/self/mem', 'mem.csv')\n"
        "os.mkfifo('pipe.csv')\n"
        "import socket\nsocket.socket(socket.AF_UNIX).bind('socket.csv')\n"
        "os.mkdir('directory.csv')\n"
        "open('honest.csv', 'w').write('id,y\\n1,0\\n')",
    )
    assert ran.execution.errors == ()
    assert [file.path for file in ran.execution.csv_files] == ["honest.csv"]
    closed_in_each.workspace.remove()
    assert not closed_in_each.workspace.working.exists()
    assert (private / "answers.csv").read_bytes() == before
    assert (tmp_path / "secret.csv").exists()


def test_odd_names_and_rights_do_no_harm(closed_in_each):
    ran = closed_in_each(
        "import os\nos.chdir('/kaggle/working')\n"
        "names = [b'-rf', b'new\\nline.csv', b'bad-\\xff\\xfe.csv', b'x' * 251 + b'.csv',\n"
        "         b' .csv', b'$(reboot).csv', b'`id`.csv', b'<b>.csv', b'\\x1b[2J.csv',\n"
        "         '\\u202egnp.csv'.encode(), b'quote\\'\".csv', b'..csv', b'UPPER.CSV']\n"
        "for name in names:\n"
        "    open(name, 'w').write('id,y\\n1,0\\n')\n"
        "os.mkdir('closed')\nopen('closed/in.csv', 'w').close()\n"
        "os.chmod('closed/in.csv', 0)\nos.chmod('closed', 0)\n"
        "open('unreadable.csv', 'w').close()\nos.chmod('unreadable.csv', 0)\nos.chmod('.', 0o500)",
    )
    assert ran.execution.errors == ()
    assert ran.execution.ending is Ending.COMPLETED
    found = [file.path for file in ran.execution.csv_files]
    assert {"x" * 251 + ".csv", "UPPER.CSV", "$(reboot).csv"} <= set(found)
    assert all(path.isprintable() for path in found)
    closed_in_each.workspace.remove()
    assert not closed_in_each.workspace.working.exists()


def test_a_directory_too_deep_for_a_path_is_removed(closed):
    ran = closed(
        "import os\nos.chdir('/kaggle/working')\nopen('honest.csv', 'w').write('id,y\\n1,0\\n')\n"
        "for depth in range(1_200):\n"
        "    os.mkdir('d' * 20)\n"
        "    os.chdir('d' * 20)\n"
        "open('deep.csv', 'w').close()\n"
        "os.chdir('/kaggle/working')",
    )
    # A container's disk is watched, and nobody honest goes that deep.
    assert ran.execution.ending in (Ending.COMPLETED, Ending.DISK_FULL)
    assert "honest.csv" in [file.path for file in ran.execution.csv_files]
    closed.workspace.remove()
    assert not closed.workspace.working.exists()


def test_very_many_files_are_looked_at_in_bounded_time(closed):
    ran = closed(
        "import os\nos.chdir('/kaggle/working')\n"
        "for number in range(15_000):\n"
        "    os.close(os.open(f'{number:05}.csv', os.O_CREAT | os.O_WRONLY))",
    )
    assert ran.execution.errors == ()
    assert 0 < len(ran.execution.csv_files) <= 1_000
    begun = time.monotonic()
    closed.workspace.remove()
    assert time.monotonic() - begun < 20
    assert not closed.workspace.working.exists()


def test_a_csv_of_a_terabyte_is_refused_and_not_read(closed, data, tmp_path):
    ran = closed(
        "import resource, zlib, gzip\n"
        "size = min(2**40, resource.getrlimit(resource.RLIMIT_FSIZE)[0] % 2**63)\n"
        "with open('/kaggle/working/submission.csv', 'w') as file:\n"
        "    file.write('id,y\\n')\n"
        "    file.truncate(size)",
        "start = gzip.compress(b'Id,Cultivar\\n')\n"
        "bomb = start + gzip.compress(b'1,2\\n' * 2**22) * 500\n"  # 8 GB when it is unpacked
        "open('/kaggle/working/bomb.csv.gz', 'wb').write(bomb)",
    )
    assert ran.execution.errors == ()
    sizes = {file.path: file.size for file in ran.execution.csv_files}
    assert set(sizes) == {"submission.csv", "bomb.csv.gz"}
    assert sizes["submission.csv"] > 10**9
    competition = Competitions(data).get("wine-cultivars")
    begun = time.monotonic()
    for path in sizes:
        grade = grade_csv(closed.workspace.working / path, competition, data)
        assert grade.output_status is OutputStatus.INVALID_CSV
        assert "more than" in text(grade.reason) or "larger than" in text(grade.reason)
    assert time.monotonic() - begun < 20


def test_the_scratch_directory_of_the_next_run_is_a_new_one(closed):
    closed("open('/kaggle/working/left.csv', 'w').write('id,y\\n1,1\\n')")
    with Workspace() as another:
        assert another.working != closed.workspace.working
        assert list(another.working.iterdir()) == []
