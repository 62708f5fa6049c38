"""What a run does, in both sandboxes."""

from __future__ import annotations

import shutil

import pytest

from mle_modernizer_server.domain.errors import BadCompetition
from mle_modernizer_server.domain.execution import (
    CellStatus,
    Ending,
    ExecutionEventKind,
    ExecutionStatus,
)
from mle_modernizer_server.domain.text import plain_text
from mle_modernizer_server.execution import notebook_run as live_run
from mle_modernizer_server.execution.kernel import kernel
from mle_modernizer_server.words import text
from tests.execution.conftest import LASTING
from tests.refusals import refused


def test_a_failing_cell_does_not_stop_the_run(run):
    ran = run("x = 1", "1/0", "print(x + 1)")
    assert [cell.status for cell in ran.execution.cells] == [
        CellStatus.OK,
        CellStatus.ERROR,
        CellStatus.OK,
    ]
    assert ran.execution.status is ExecutionStatus.ERROR
    assert ran.execution.ending is Ending.COMPLETED
    assert ran.text(2) == "2\n"
    [error] = ran.execution.errors
    assert (error.cell_id, error.index, error.ename, error.raised, error.line) == (
        "cell-1",
        1,
        "ZeroDivisionError",
        True,
        1,
    )


def test_events_come_in_order_and_an_error_before_the_next_cell(run_isolated):
    ran = run_isolated("1/0", "pass")
    kinds = [event.kind for event in ran.events]
    assert kinds == [
        ExecutionEventKind.PREPARING,
        ExecutionEventKind.STARTED,
        ExecutionEventKind.CELL_STARTED,
        ExecutionEventKind.CELL_ERROR,
        ExecutionEventKind.CELL_FINISHED,
        ExecutionEventKind.CELL_STARTED,
        ExecutionEventKind.CELL_FINISHED,
        ExecutionEventKind.FINISHED,
    ]
    started = ran.events[5]
    assert (started.ordinal, started.total, started.index) == (2, 2, 1)


PATHS = [
    "/kaggle/input/spaceship-titanic/train.csv",
    "../input/spaceship-titanic/train.csv",
    "./input/spaceship-titanic/train.csv",
    "input/train.csv",
    "../input/train.csv",
    "/kaggle/input/train.csv",
    "../input/images/../train.csv",
]


def test_every_path_form_of_old_notebooks_resolves(run_in_each):
    ran = run_in_each(
        "!ls /kaggle/input",
        "DATA = '/kaggle/input'\nprint(open(f'{DATA}/images/one.txt').read())",
        "import os; print(os.getcwd())",
        "open('/kaggle/working/out.csv', 'w').write('id\\n')",
        "open('/kaggle/temp/big.bin', 'w').write('x')",
        *(f"print(open({path!r}).readline())" for path in PATHS),
    )
    assert ran.execution.errors == ()
    assert "spaceship-titanic" in ran.text(0)
    assert "a picture" in ran.text(1)
    assert ran.text(2) == "/kaggle/working\n"
    assert [ran.text(5 + index) for index in range(len(PATHS))] == ["id,age,y\n\n"] * len(PATHS)
    assert [file.path for file in ran.execution.csv_files] == ["out.csv"]


WALK = (
    "import os\nfor folder, _, names in sorted(os.walk('/kaggle/input')):\n"
    "    for name in sorted(names):\n        print(os.path.join(folder, name))"
)


@pytest.mark.parametrize("data", ["/kaggle/input/spaceship-titanic", "/kaggle/input"])
def test_a_walk_shows_data_once_where_code_reads_them(run_in_each, data):
    shown = [f"{data}/sample submission.csv", f"{data}/train.csv", f"{data}/images/one.txt"]
    ran = run_in_each(WALK, f"print(open('{data}/train.csv').readline())")
    assert ran.text(0).splitlines() == shown
    assert ran.text(1) == "id,age,y\n\n"


def test_executed_notebook_has_given_sources_and_no_host_path(run_in_each, public):
    source = "open('/kaggle/input/missing.csv')"
    ran = run_in_each(source)
    cell = ran.result.executed.cells[0]
    assert cell.source == source
    assert cell.id == "cell-0"
    shown = "\n".join(ran.execution.errors[0].traceback) + str(cell.outputs)
    assert "/kaggle/input/missing.csv" in shown
    assert str(run_in_each.workspace.working.parent) not in shown
    assert str(public) not in shown


def test_notebook_that_catches_interrupts_stops_at_its_limit(run_in_each, assert_no_process):
    ran = run_in_each(
        "import time, subprocess",
        f"subprocess.Popen(['sleep', '{LASTING}'], start_new_session=True)\n"
        "while True:\n    try:\n        time.sleep(60)\n    except KeyboardInterrupt: pass",
        "print('never')",
        time_limit=1,
    )
    assert ran.execution.ending is Ending.TIMED_OUT
    assert ran.execution.status is ExecutionStatus.TIMEOUT
    assert [cell.status for cell in ran.execution.cells] == [
        CellStatus.OK,
        CellStatus.UNFINISHED,
        CellStatus.NOT_RUN,
    ]
    assert ran.execution.errors == ()
    assert "limit of 1 s" in text(ran.execution.message)
    assert_no_process(LASTING)


def test_an_error_that_was_shown_before_the_time_was_up_is_one(run_plainly):
    ran = run_plainly(
        "import time\nslow = False\n"
        "get_ipython().events.register('post_execute', lambda: time.sleep(60 if slow else 0))",
        "slow = True\n1 / 0",  # what draws a large figure takes its time there, too
        time_limit=3,
    )
    assert ran.execution.ending is Ending.TIMED_OUT
    assert [cell.status for cell in ran.execution.cells] == [CellStatus.OK, CellStatus.ERROR]
    [error] = ran.execution.errors
    assert (error.ename, error.raised, error.line) == ("ZeroDivisionError", True, 2)


def test_the_time_limit_is_for_the_notebook_not_for_a_cell(run_plainly):
    ran = run_plainly(*["import time; time.sleep(0.4)"] * 4, time_limit=1)
    assert ran.execution.ending is Ending.TIMED_OUT
    assert ran.execution.cells[0].status is CellStatus.OK
    assert ran.execution.cells[3].status is CellStatus.NOT_RUN


def test_a_cancelled_run_leaves_no_process_behind(run_in_each, at, assert_no_process):
    run_in_each.cancel_at = at(ExecutionEventKind.CELL_STARTED, "cell-1")
    ran = run_in_each(
        "import subprocess, os, time\n"
        f"subprocess.Popen(['sleep', '{LASTING}'], start_new_session=True)\n"
        f"os.system('setsid sh -c \"sleep {LASTING} & sleep {LASTING}\" >/dev/null 2>&1 &')",
        "time.sleep(1000)",
        "pass",
    )
    assert ran.execution.ending is Ending.CANCELLED
    assert ran.execution.cells[1].status is CellStatus.UNFINISHED
    assert ran.execution.cells[2].status is CellStatus.NOT_RUN
    assert_no_process(LASTING)
    assert_no_process(str(run_in_each.workspace.runtime))


def test_a_finished_run_leaves_no_process_behind(run_in_each, assert_no_process):
    run_in_each(
        f"import subprocess\nsubprocess.Popen(['sleep', '{LASTING}'], start_new_session=True)"
    )
    assert_no_process(LASTING)
    assert_no_process(str(run_in_each.workspace.runtime))


def test_a_run_cancelled_while_it_prepares_runs_nothing(run_isolated, at):
    run_isolated.cancel_at = at(ExecutionEventKind.PREPARING)
    ran = run_isolated("open('made', 'w')")
    assert ran.execution.ending is Ending.CANCELLED
    assert ran.execution.cells[0].status is CellStatus.NOT_RUN
    assert not (run_isolated.workspace.working / "made").exists()


@pytest.mark.process
@pytest.mark.parametrize(
    ("where", "death", "told"),
    [
        ("run_isolated", "import os; os._exit(3)", "exit code 3"),
        ("run_isolated", "import ctypes; ctypes.string_at(0)", "SIGSEGV"),
        ("run_plainly", "import ctypes; ctypes.string_at(0)", "SIGSEGV"),
    ],
)
def test_a_dying_kernel_is_the_cells_root_error(request, where, death, told):
    ran = request.getfixturevalue(where)("x = 1", death, "print(x)")
    assert ran.execution.ending is Ending.KERNEL_DIED
    assert ran.execution.status is ExecutionStatus.ERROR
    [error] = ran.execution.errors
    assert (error.ename, error.cell_id, error.raised) == ("KernelDied", "cell-1", True)
    assert told in error.evalue
    assert [cell.status for cell in ran.execution.cells] == [
        CellStatus.OK,
        CellStatus.UNFINISHED,
        CellStatus.NOT_RUN,
    ]


def test_an_error_that_was_only_shown_is_told_apart(run_isolated):
    ran = run_isolated(
        "for _ in range(3):\n"
        "    try:\n        object().missing\n"
        "    except AttributeError:\n        get_ipython().showtraceback()\n",
        "try:\n    1/0\nexcept ZeroDivisionError:\n    get_ipython().showtraceback()\nint('x')",
    )
    assert ran.execution.cells[0].status is CellStatus.OK
    told = [(error.cell_id, error.ename, error.raised) for error in ran.execution.errors]
    assert told == [
        ("cell-0", "AttributeError", False),
        ("cell-1", "ZeroDivisionError", False),
        ("cell-1", "ValueError", True),
    ]


def test_only_shown_errors_leave_the_run_error_free(run_isolated):
    ran = run_isolated("try:\n    1/0\nexcept Exception:\n    get_ipython().showtraceback()")
    assert ran.execution.status is ExecutionStatus.ERROR_FREE


def test_the_line_of_an_error_is_the_innermost_of_the_cell(run_isolated):
    ran = run_isolated(
        "def f(x):\n    return x\n\n\nf(1)\nf(undefined)",
        "def g():\n    return 1 / 0",
        "a = 1\ng()",
        "def h():\n    y = 2\n    return y.missing\nh()",
        "%%time\nb = 1\n\nb.missing",
        "print 'old'",
        "import pandas as pd\npd.read_csv(\n    'none.csv',\n)",
    )
    lines = {error.cell_id: error.line for error in ran.execution.errors}
    assert lines == {
        "cell-0": 6,
        "cell-2": 2,
        "cell-3": 3,
        "cell-4": 4,
        "cell-5": 1,
        "cell-6": 2,
    }


def test_lines_are_counted_from_the_first_empty_one(run_isolated):
    ran = run_isolated("\n\nx = 1\n1/0", "\n    y = 1\n    z = y + 1", "\n%%time\nprint(z)", "\n\n")
    assert [error.line for error in ran.execution.errors] == [4]
    assert "----> 4 1/0" in plain_text(ran.execution.errors[0].traceback)
    assert ran.result.executed.cells[0].source == "\n\nx = 1\n1/0"
    assert "2" in ran.text(2) and "Wall time" in ran.text(2)


def test_warnings_are_collected_once_each(run_isolated):
    ran = run_isolated(
        "import warnings\n"
        "warnings.warn('old way', FutureWarning)\n"
        "for _ in range(3):\n    warnings.warn('again')",
        "import pandas as pd\ndf = pd.DataFrame({'a': [1, 2]})\ndf['a'][df['a'] == 1] = 5",
        "print('no Warning: here')",
    )
    assert ran.execution.cells[0].warnings == ("FutureWarning: old way", "UserWarning: again")
    [chained] = ran.execution.cells[1].warnings
    assert chained.startswith("ChainedAssignmentError: ")
    assert ran.execution.cells[2].warnings == ()


def test_much_output_is_kept_in_part_and_the_run_goes_on(run_isolated):
    ran = run_isolated(
        "print('first')\nprint('y' * 20_000_000)\nprint('last')",
        "import sys\nfor i in range(300_000):\n    print(i)\nprint('end', file=sys.stderr)",
        "from IPython.display import display\nfor i in range(1500):\n    display(i)",
        "print('after')",
    )
    assert ran.execution.errors == ()
    text = ran.text(0)
    assert text.startswith("first\n") and text.endswith("last\n")
    assert "characters of output left out" in text
    assert len(text) < 1_100_000
    assert len(ran.text(1)) < 1_100_000
    assert "299999" in ran.text(1)
    assert len(ran.result.executed.cells[2].outputs) <= 1001
    assert ran.text(3) == "after\n"


def test_odd_characters_and_huge_messages_survive(run_isolated):
    ran = run_isolated(
        "raise ValueError('x' * 5_000_000)",
        "print('\\ud800 lone')\nraise ValueError('\\ud800 \\x00 end')",
        "print('nul \\x00 \\U0001F600')",
        "class \u00c4rger(Exception): pass\nraise \u00c4rger('\u2028')",
        "def f(n):\n    return f(n + 1)\nf(0)",
    )
    assert [cell.status for cell in ran.execution.cells] == [
        CellStatus.ERROR,
        CellStatus.ERROR,
        CellStatus.OK,
        CellStatus.ERROR,
        CellStatus.ERROR,
    ]
    huge = ran.execution.errors[0]
    assert len(huge.evalue) < 5_000
    assert sum(map(len, huge.traceback)) < 25_000
    assert "\U0001f600" in ran.text(2)
    # It can be stored and sent.
    assert ran.execution.model_dump_json().encode("utf-8")


def test_asking_for_input_is_an_ordinary_error(run_isolated):
    ran = run_isolated("input('name?')", "print('on')")
    assert ran.execution.errors[0].ename == "StdinNotImplementedError"
    assert ran.text(1) == "on\n"


def test_a_full_disk_is_an_ordinary_error_of_the_cell(run_isolated):
    ran = run_isolated("with open('/dev/full', 'w') as f:\n    f.write('x')", "print('on')")
    assert ran.execution.errors[0].ename == "OSError"
    assert "No space left" in ran.execution.errors[0].evalue
    assert ran.text(1) == "on\n"


def test_the_environment_is_told_by_import_name(run_isolated):
    ran = run_isolated(
        "%matplotlib nothing\nif False:\n    import sklearn.svm as svm, yaml\n",
        "def f():\n    from lightgbm import LGBMClassifier",
    )
    packages = ran.execution.environment.packages
    assert {"sklearn", "yaml", "lightgbm", "numpy", "pandas"} <= set(packages)
    assert "scikit-learn" not in packages
    assert ran.execution.environment.python.count(".") == 2


def test_host_environment_is_not_inherited_and_no_core_dumped(run_in_each, monkeypatch):
    monkeypatch.setenv("OPENAI_API_KEY", "sk-very-secret")
    ran = run_in_each(
        "import os\nprint(dict(os.environ))\n!env",
        "import resource\nprint(resource.getrlimit(resource.RLIMIT_CORE)[0])",
    )
    assert ran.text(1) == "0\n"
    assert "sk-very-secret" not in ran.text(0)
    assert "OPENAI_API_KEY" not in ran.text(0)


def test_an_empty_cell_and_a_comment_are_fine(run_isolated):
    ran = run_isolated("", "# nothing", "   \n", "print(1)")
    assert all(cell.status is CellStatus.OK for cell in ran.execution.cells)
    assert ran.text(3) == "1\n"


def test_csvs_are_found_but_not_the_data(run):
    ran = run(
        "import os\n"
        "os.makedirs('out/deep'); os.makedirs('.hidden')\n"
        "for name in ('submission.csv', 'out/deep/b.csv.gz', '.hidden/c.csv', 'a.txt'):\n"
        "    open(name, 'w').close()\n"
        "os.symlink('/etc/passwd', 'evil.csv'); os.symlink('/', 'root')\n"
        "os.mkfifo('pipe.csv')"
    )
    assert ran.execution.errors == ()
    assert [file.path for file in ran.execution.csv_files] == [
        "out/deep/b.csv.gz",
        "submission.csv",
    ]


def test_workspace_is_removed_whatever_the_notebook_left(run_isolated):
    ran = run_isolated(
        "import os\nos.makedirs('a/b')\nopen('a/b/c', 'w').close()\nos.chmod('a/b', 0)"
    )
    assert ran.execution.errors == ()
    scratch = run_isolated.workspace.working.parent.parent
    run_isolated.workspace.remove()
    assert not scratch.exists()


def test_a_message_that_is_too_large_is_lost_and_the_run_goes_on(run_isolated, monkeypatch):
    monkeypatch.setattr(kernel, "_LARGEST_MESSAGE", 2**20)
    monkeypatch.setattr(live_run, "_REST_OF_OUTPUTS", 1)
    ran = run_isolated("'x' * 2_000_000", "print('after')")
    assert [cell.status for cell in ran.execution.cells] == [CellStatus.OK, CellStatus.OK]
    assert ran.text(1) == "after\n"


def test_a_cell_cannot_send_more_than_a_bounded_text(run_isolated):
    ran = run_isolated("print('x' * 100_000_000)", "print('after')")
    assert "further output is left out" in ran.text(0)
    assert ran.text(1) == "after\n"


def test_missing_data_are_told_before_anything_runs(run_plainly, public):
    shutil.rmtree(public)
    with refused(BadCompetition, match="competition's data are missing"):
        run_plainly("1")


def test_data_of_very_many_files_are_there(run_isolated, public):
    for number in range(3000):
        (public / f"picture{number}.png").touch()
    ran = run_isolated(
        "import os\nprint(len(os.listdir('../input/spaceship-titanic')))",
        "print(open('../input/train.csv').readline(), os.path.isdir('../input/images'))",
    )
    assert ran.text(0) == "3003\n"
    assert ran.text(1) == "id,age,y\n True\n"


def test_output_that_was_cleared_counts_no_more(run_isolated):
    ran = run_isolated(
        "from IPython.display import clear_output\n"
        "for i in range(5):\n    print('x' * 400_000)\n    clear_output()\nprint('kept')"
    )
    assert ran.text(0) == "kept\n"
