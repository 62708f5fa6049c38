"""The HTTP side of the stand-in: chat completions, the Responses API, Azure's addresses."""

from __future__ import annotations

import json
import re
import select
import threading
import time
from collections.abc import Sequence
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from types import TracebackType
from typing import Any, cast

from tests.llm_server import chat, responses
from tests.llm_server.answers import Answer, Chooser, Request, fill_cells, in_turn

Event = dict[str, Any]

_POLL = 0.02
_ROUTES = re.compile(
    r"/(?:v1|openai/v1|openai|openai/deployments/[^/?]+)/(chat/completions|responses)/?(?:\?.*)?\Z"
)


class LlmServer:
    """Serves `/v1/chat/completions`, `/v1/responses` and `/v1/models` on a free port, in threads.

    Args:
        answers: A list (one after the other), or a function of the request.
        api_key: Requests must carry it; None: none is asked for.
        refuses: Options of a request that are answered with 400, for instance `stream_options`.
        ignores_stream: Answers in one piece even where a stream is asked for.
        lacks: Routes that are not there: `responses`, `chat/completions`.
        port: 0 is any free one.
    """

    def __init__(
        self,
        answers: Sequence[Answer] | Chooser = (),
        *,
        api_key: str | None = None,
        refuses: Sequence[str] = (),
        ignores_stream: bool = False,
        lacks: Sequence[str] = (),
        port: int = 0,
    ) -> None:
        self.choose: Chooser = answers if callable(answers) else in_turn(answers)
        self.api_key = api_key
        self.refuses = tuple(refuses)
        self.ignores_stream = ignores_stream
        self.lacks = tuple(lacks)
        self.requests: list[Request] = []
        self.left = threading.Event()
        """Set when a client went away before its answer was complete."""
        self.answering = threading.Event()
        """Set when the first piece of an answer is out."""
        self.closing = threading.Event()
        self._http = _Http(("127.0.0.1", port), _Handler)
        self._http.stand_in = self
        self._thread = threading.Thread(target=self._http.serve_forever, args=(_POLL,), daemon=True)

    @property
    def root(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    @property
    def base_url(self) -> str:
        return f"{self.root}/v1"

    @property
    def port(self) -> int:
        return int(self._http.server_address[1])

    def start(self) -> LlmServer:
        self._thread.start()
        return self

    def stop(self) -> None:
        self.closing.set()
        self._http.shutdown()
        self._http.server_close()
        self._thread.join()

    def __enter__(self) -> LlmServer:
        return self.start()

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.stop()


class _Http(ThreadingHTTPServer):
    daemon_threads = True
    block_on_close = False
    stand_in: LlmServer


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    @property
    def stand_in(self) -> LlmServer:
        return cast(_Http, self.server).stand_in

    def log_message(self, format: str, *args: Any) -> None:
        """Tests read `requests`, not a log."""

    def do_GET(self) -> None:
        if self.path.rstrip("/") == "/v1/models":
            models = [{"id": "stand-in", "object": "model", "created": 0, "owned_by": "tests"}]
            self._json(200, {"object": "list", "data": models})
        else:
            self._error(404, "there is nothing here", "not_found")

    def do_POST(self) -> None:
        length = int(self.headers.get("Content-Length") or 0)
        body = json.loads(self.rfile.read(length) or b"{}")
        request = Request(self.path, {k.lower(): v for k, v in self.headers.items()}, body)
        self.stand_in.requests.append(request)
        try:
            self._answer(request)
        except (BrokenPipeError, ConnectionResetError):
            self.stand_in.left.set()
            self.close_connection = True

    def _answer(self, request: Request) -> None:
        stand_in = self.stand_in
        key = stand_in.api_key
        route = _ROUTES.match(self.path)
        if route is None or route.group(1) in stand_in.lacks:
            self._error(404, "there is nothing here", "not_found")
            return
        given = request.headers.get("authorization") or request.headers.get("api-key", "none")
        if key is not None and given not in (f"Bearer {key}", key):
            self._error(401, f"Incorrect API key provided: {given}", "invalid_api_key")
            return
        for option in stand_in.refuses:
            if request.body.get(option):
                self._error(400, f"Unsupported parameter: '{option}'", "unsupported_parameter")
                return
        answer = stand_in.choose(request)
        if self._gone_within(answer.delay):
            return
        if answer.endless is not None:
            self._endless(answer, answer.endless.encode())
        elif answer.raw is not None:
            self._body(
                answer.status, answer.raw.encode(), answer.content_type or "application/json"
            )
        elif answer.status != 200:
            self._error(answer.status, answer.error_message, answer.error_code, answer.headers)
        else:
            form = responses if route.group(1) == "responses" else chat
            text = fill_cells(answer.text, request.prompt)
            if request.streams and not stand_in.ignores_stream:
                self._stream(
                    answer, form.pieces(request, answer, text), form.end(request, answer, text)
                )
            else:
                self._json(200, form.whole(request, answer, text))

    def _stream(self, answer: Answer, pieces: Sequence[Event], end: Sequence[Event]) -> None:
        self.send_response(200)
        self.send_header("Content-Type", "text/event-stream")
        self.send_header("Connection", "close")
        self.end_headers()
        self.close_connection = True
        breaks = (answer.hang_after, answer.cut_after, answer.fail_after)
        for number, piece in enumerate(pieces):
            if number in breaks:
                break
            self._event(piece)
            self.stand_in.answering.set()
            if self._gone_within(answer.pause):
                return
        if answer.hang_after is not None:
            self._gone_within(None)
        elif answer.fail_after is not None:
            error = {"message": answer.error_message or "overloaded", "code": answer.error_code}
            self._event({"type": "error", **error} if "type" in pieces[0] else {"error": error})
        elif answer.cut_after is None:
            for event in end:
                self._event(event)
            self.wfile.write(b"data: [DONE]\n\n")

    def _endless(self, answer: Answer, block: bytes) -> None:
        self.send_response(answer.status)
        for name, value in answer.headers.items():
            self.send_header(name, value)
        self.send_header("Content-Type", answer.content_type or "text/event-stream")
        self.end_headers()
        self.close_connection = True
        self.wfile.write((answer.raw or "").encode())
        while not self.stand_in.closing.is_set():
            self.wfile.write(block)
            time.sleep(answer.pause)

    def _event(self, data: dict[str, Any]) -> None:
        self.wfile.write(b"data: " + json.dumps(data).encode() + b"\n\n")
        self.wfile.flush()

    def _gone_within(self, seconds: float | None) -> bool:
        """Wait (None: for ever); True as soon as the client hangs up or the server closes."""
        end = None if seconds is None else time.monotonic() + seconds
        while not self.stand_in.closing.is_set():
            readable, _, _ = select.select([self.connection], [], [], 0)
            if readable and not self.connection.recv(1):
                self.stand_in.left.set()
                self.close_connection = True
                return True
            if end is not None and time.monotonic() >= end:
                return False
            time.sleep(_POLL)
        return True

    def _json(
        self, status: int, data: dict[str, Any], headers: dict[str, str] | None = None
    ) -> None:
        self._body(status, json.dumps(data).encode(), "application/json", headers)

    def _error(
        self, status: int, message: str, code: str | None, headers: dict[str, str] | None = None
    ) -> None:
        error = {"message": message or f"status {status}", "type": "stand_in", "code": code}
        self._json(status, {"error": error}, headers)

    def _body(
        self, status: int, body: bytes, content_type: str, headers: dict[str, str] | None = None
    ) -> None:
        self.send_response(status)
        for name, value in (headers or {}).items():
            self.send_header(name, value)
        self.send_header("Content-Type", content_type)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)
