"""What is kept of a kernel's messages is bounded, whichever part of them is large."""

from __future__ import annotations

import json

import pytest
from nbformat import v4

from mle_modernizer_server.execution import outputs
from mle_modernizer_server.execution.kernel import bounded_client
from mle_modernizer_server.execution.kernel.bounded_client import BoundedClient, BoundedSession
from mle_modernizer_server.execution.outputs import COUNT_LIMIT, RunBudget

LIMIT = 100_000
"""Bytes of rich outputs of a cell, in these tests."""

SESSION = BoundedSession(key=b"")


@pytest.fixture(autouse=True)
def small_limits(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(outputs, "RICH_LIMIT", LIMIT)
    monkeypatch.setattr(outputs, "RUN_LIMIT", 3 * LIMIT)
    monkeypatch.setattr(outputs, "TEXT_LIMIT", LIMIT)
    monkeypatch.setattr(bounded_client, "_LARGEST_COMMS", LIMIT)


@pytest.fixture
def client() -> BoundedClient:
    cells = [v4.new_code_cell("1", id=f"cell-{number}") for number in range(10)]
    made = BoundedClient(v4.new_notebook(cells=cells), RunBudget())
    for cell in cells:
        cell.outputs = []
    return made


def header(kind: str) -> bytes:
    return json.dumps({"msg_type": kind, "msg_id": "1", "version": "5.3"}).encode()


def send(client: BoundedClient, kind: str, content: dict[str, object], index: int = 0) -> None:
    """Let a message come in as it does from a kernel."""
    message = SESSION.deserialize(
        [b"", header(kind), b'{"msg_id": "cell"}', b"{}", json.dumps(content).encode()]
    )
    client.process_message(message, client.nb.cells[index], index)


def start(client: BoundedClient, index: int = 0) -> None:
    client.start_outputs(client.nb.cells[index])


def kept(client: BoundedClient) -> int:
    """The characters of all outputs as they are stored."""
    return sum(len(json.dumps(cell.outputs)) for cell in client.nb.cells)


def display(**parts: object) -> dict[str, object]:
    return {"data": {"text/plain": "x"}, "metadata": {}, "transient": {}, **parts}


LARGE = "M" * 60_000


@pytest.mark.parametrize(
    "content",
    [
        display(data={"text/plain": LARGE}),
        display(data={LARGE: "x"}),
        display(metadata={"key": LARGE}),
        display(metadata={LARGE: 1}),
        display(metadata={"key": list(range(12_000))}),
        display(transient={"display_id": LARGE}),
        display(data={f"{number:010000}": "x" for number in range(6)}),
    ],
)
def test_every_part_of_a_display_counts(client, content):
    start(client)
    for _ in range(20):
        send(client, "display_data", content)
    assert kept(client) < 2 * LIMIT
    client.finish_outputs(client.nb.cells[0])
    assert "characters of output left out" in client.nb.cells[0].outputs[-1].text


def test_error_is_cut_in_every_part(client):
    start(client)
    for number in range(20):
        parts = {"ename": LARGE, "evalue": LARGE, "traceback": [LARGE] * 10}
        send(client, "error", parts | {"other": [LARGE, number]})
    assert kept(client) < 2 * LIMIT
    assert len(client.nb.cells[0].outputs[0].ename) == 200


def test_stream_of_another_name_is_left_out(client):
    start(client)
    for number in range(100):
        send(client, "stream", {"name": f"{LARGE}{number}", "text": "x"})
    assert client.nb.cells[0].outputs == []


def test_alternating_streams_are_counted(client):
    start(client)
    for number in range(3 * COUNT_LIMIT):
        send(client, "stream", {"name": ("stdout", "stderr")[number % 2], "text": "x\n"})
    assert len(client.nb.cells[0].outputs) <= COUNT_LIMIT


def test_update_of_a_display_is_counted_for_each_place(client):
    start(client)
    for _ in range(50):
        send(client, "display_data", display(transient={"display_id": "a"}))
    before = len(client.nb.cells[0].outputs)
    update = display(data={"text/plain": "M" * 9_000}, transient={"display_id": "a"})
    send(client, "update_display_data", update)
    assert before == 50
    assert kept(client) < LIMIT
    assert client.nb.cells[0].outputs[0].data["text/plain"] == "x"


def test_update_of_an_earlier_cell_is_counted_there(client):
    start(client)
    for name in "abc":
        send(client, "display_data", display(transient={"display_id": name}))
    start(client, 1)
    for name in "abc":
        update = display(data={"text/plain": LARGE}, transient={"display_id": name})
        send(client, "update_display_data", update, 1)
    assert kept(client) < LIMIT
    assert client.nb.cells[0].outputs[0].data["text/plain"] == LARGE
    assert client.nb.cells[0].outputs[1].data["text/plain"] == "x"


def test_update_of_equal_size_never_ends(client):
    start(client)
    send(client, "display_data", display(transient={"display_id": "bar"}))
    for number in range(2_000):
        bar = display(data={"text/plain": f"{number:0500}"}, transient={"display_id": "bar"})
        send(client, "update_display_data", bar)
    assert client.nb.cells[0].outputs[0].data["text/plain"] == f"{1_999:0500}"


def test_ids_of_cleared_displays_are_bounded(client, monkeypatch):
    monkeypatch.setattr(bounded_client, "_MOST_IDS", 100)
    start(client)
    for number in range(300):
        send(client, "display_data", display(transient={"display_id": f"{number}"}))
        send(client, "clear_output", {"wait": False})
    assert len(client._display_id_map) <= 100


def test_outputs_of_a_run_are_bounded_together(client):
    for index in range(10):
        start(client, index)
        send(client, "display_data", display(data={"text/plain": LARGE}), index)
        send(client, "stream", {"name": "stdout", "text": "y" * 90_000}, index)
        client.finish_outputs(client.nb.cells[index])
    assert kept(client) < 4 * LIMIT
    assert "left out" in client.nb.cells[9].outputs[-1].text


def test_cell_that_runs_again_counts_once(client):
    for _ in range(10):
        start(client)
        client.nb.cells[0].outputs = []
        send(client, "display_data", display(data={"text/plain": LARGE}))
    assert len(client.nb.cells[0].outputs) == 1


@pytest.mark.parametrize("wait", [False, True])
def test_cleared_output_makes_room(client, wait):
    start(client)
    for _ in range(5):
        send(client, "display_data", display(data={"text/plain": LARGE}))
        send(client, "clear_output", {"wait": wait})
    send(client, "display_data", display())
    assert [output.data["text/plain"] for output in client.nb.cells[0].outputs] == ["x"]


def opened(comm_id: str, **state: object) -> dict[str, object]:
    """The content of a message that opens an `Output` widget."""
    named = {"_model_module": "@jupyter-widgets/output", "_model_name": "OutputModel"}
    state = {**named, "outputs": [], **state}
    return {"comm_id": comm_id, "target_name": "jupyter.widget", "data": {"state": state}}


def captures(client: BoundedClient, comm_id: str, message_id: str) -> None:
    data = {"state": {"msg_id": message_id}}
    send(client, "comm_msg", {"comm_id": comm_id, "data": data})


def test_clearing_a_widget_gives_the_cell_no_room(client):
    start(client)
    send(client, "comm_open", opened("a"))
    for _ in range(10):
        send(client, "display_data", display(data={"text/plain": LARGE}))
        captures(client, "a", "cell")
        send(client, "clear_output", {"wait": False})
        captures(client, "a", "")
    assert kept(client) < 2 * LIMIT


def test_captured_outputs_are_not_kept_or_sent_back(client):
    start(client)
    send(client, "comm_open", opened("a", outputs=[LARGE]))
    captures(client, "a", "cell")
    for _ in range(100):
        send(client, "display_data", display(data={"text/plain": LARGE}))
        send(client, "stream", {"name": "stdout", "text": "x"})
    assert client.nb.cells[0].outputs == []
    assert client.comm_objects["a"].outputs == []
    captures(client, "a", "")
    send(client, "stream", {"name": "stdout", "text": "seen"})
    assert client.nb.cells[0].outputs[0].text == "seen"


def test_widgets_are_remembered_within_a_limit(client):
    start(client)
    for number in range(100):
        send(client, "comm_open", opened(f"{number}{LARGE}"))
    assert len(client.comm_objects) <= 2
    send(client, "comm_open", opened("a"))
    for number in range(100):
        captures(client, "a", f"{LARGE}{number}")
    assert len(client.output_hook_stack) <= 2


def test_other_widgets_are_not_remembered(client, caplog):
    start(client)
    for number in range(100):
        state = {"_model_module": "@jupyter-widgets/controls", "_model_name": "IntSlider"}
        content = {"comm_id": f"{number}", "target_name": "jupyter.widget"}
        send(client, "comm_open", content | {"data": {"state": state | {"large": LARGE}}})
        send(client, "comm_open", {"comm_id": f"{number}", "target_name": LARGE, "data": {}})
    assert client.comm_objects == {}
    assert caplog.text == ""


def test_unusable_messages_are_logged_once_a_cell(client, caplog):
    start(client)
    for _ in range(50):
        send(client, "display_data", {"data": 5})
    assert len(caplog.records) == 1


def test_part_beyond_the_limit_is_not_parsed(monkeypatch):
    monkeypatch.setattr(outputs, "LARGEST_PART", 1_000)
    monkeypatch.setattr(bounded_client, "LARGEST_PART", 1_000)
    content = json.dumps({"status": "ok", "large": "x" * 2_000}).encode()
    message = SESSION.deserialize([b"", header("execute_reply"), b"{}", b"{}", content, b"y" * 500])
    assert message["size"] > 2_500
    assert message["content"]["ename"] == "UnreadableReply"
    assert message["buffers"] == []
