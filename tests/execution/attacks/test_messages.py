"""A notebook that fills the server's memory with its kernel's messages."""

from __future__ import annotations

import json

import pytest

from mle_modernizer_server.domain.execution import CellStatus, Ending
from mle_modernizer_server.execution.outputs import RICH_LIMIT
from tests.thoroughness import some, tries

MEGABYTE = 2**20
SHOWING = "from IPython.display import display, update_display, clear_output\nimport sys\n"
SENDING = """\
import json
kernel = get_ipython().kernel
parent = kernel.get_parent('shell')
def send(kind, content, **parts):
    kernel.session.send(kernel.iopub_socket, kind, content, parent=parent, **parts)
"""
LARGE = "large = 'M' * 20_000_000\n"


FORMS = (
    "display('x', metadata={'k': large})",
    "update_display(f'{number}{large}', display_id='a')",
    "display({f'{name:010000}': 'x' for name in range(2_000)}, raw=True)",
    "display({'text/plain': 'x', large: 'y'}, raw=True)",
    "display('x', display_id=f'{number}{large}')",
    "display('x' * 9_000_000)\n    clear_output(wait=True)",
    "send('stream', {'name': f'{number}{large}', 'text': 'x'})",
    "send('status', {'execution_state': 'busy', 'more': large})",
    "send('display_data', {'data': {}, 'metadata': {}}, buffers=[large.encode()])",
    "send('comm_open', {'comm_id': f'{number}{large}', 'target_name': 'jupyter.widget',\n"
    "     'data': {'state': {'_model_module': '@jupyter-widgets/output',\n"
    "                        '_model_name': 'OutputModel', 'outputs': []}}})",
)


@pytest.mark.parametrize("form", some(FORMS, 4))
def test_large_messages_fill_no_memory(run_isolated, memory_grown, form):
    attack = f"display('x', display_id='a')\nfor number in range({tries(8, 120)}):\n    {form}"
    ran = run_isolated(SHOWING + SENDING + LARGE + attack, "print('after')", time_limit=300)
    assert memory_grown() < 500 * MEGABYTE
    assert ran.execution.ending is Ending.COMPLETED
    assert ran.text(1) == "after\n"
    assert len(json.dumps(ran.result.executed)) < 1.3 * RICH_LIMIT


@pytest.mark.parametrize(
    "attack",
    [
        "raise type('E' * 20_000_000, (Exception,), {})('x')",
        "raise ValueError('x' * 100_000_000)",
        "get_ipython().showtraceback = 1\nraise type('E' * 20_000_000, (Exception,), {})('x')",
    ],
)
def test_error_with_a_huge_name_is_cut(run_isolated, memory_grown, attack):
    ran = run_isolated(attack, "print('after')", time_limit=120)
    assert memory_grown() < 500 * MEGABYTE
    assert ran.execution.cells[0].status is CellStatus.ERROR
    assert ran.text(1) == "after\n"
    for error in ran.execution.errors:
        assert len(error.model_dump_json()) < 200_000
    assert len(json.dumps(ran.result.executed)) < 200_000


def test_replies_without_end_fill_no_memory(run_isolated, memory_grown):
    ran = run_isolated(
        SENDING + LARGE + "ident = kernel._shell_parent_ident.get()\n"
        "for _ in range(100):\n"
        "    kernel.session.send(kernel.shell_streams[0] if kernel.shell_streams else\n"
        "        kernel.shell_stream, 'execute_reply', {'status': 'error', 'ename': large,\n"
        "        'evalue': '', 'traceback': []}, parent=parent, ident=ident)",
        "print('after')",
        time_limit=120,
    )
    assert memory_grown() < 500 * MEGABYTE
    assert ran.execution.cells[0].status is CellStatus.ERROR
    assert ran.execution.ending is Ending.COMPLETED


def test_many_small_outputs_all_arrive(run_isolated):
    """A short queue here loses nothing of what a kernel sends quickly."""
    ran = run_isolated(
        SHOWING + "for number in range(900):\n    display(number)",
        "for number in range(1_500):\n    print(number, flush=True)",
        "bar = display(0, display_id=True)\nfor number in range(1_500):\n    bar.update(number)",
    )
    cells = ran.result.executed.cells
    assert [output.data["text/plain"] for output in cells[0].outputs] == [
        str(number) for number in range(900)
    ]
    assert ran.text(1).split() == [str(number) for number in range(1_500)]
    assert cells[2].outputs[0].data["text/plain"] == "1499"
    assert ran.execution.seconds < 60
