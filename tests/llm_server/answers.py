"""What the stand-in answers, and how it is chosen."""

from __future__ import annotations

import json
import re
import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

_CELL_PLACEHOLDER = re.compile(r"\$CELL\((.*?)\)\$")
_CELL_HEADER = re.compile(r"^=== CELL (\S+) \(([^)]*)\) ===$", re.MULTILINE)


@dataclass(frozen=True)
class Request:
    """One request as it came over the wire."""

    path: str
    headers: dict[str, str]
    body: dict[str, Any]

    @property
    def messages(self) -> list[dict[str, Any]]:
        """The conversation, by whichever API."""
        found: list[dict[str, Any]] = self.body.get("messages") or self.body.get("input") or []
        return found

    @property
    def prompt(self) -> str:
        """All messages in one text."""
        return "\n".join(str(message.get("content")) for message in self.messages)

    @property
    def last(self) -> str:
        """The last message."""
        return str(self.messages[-1].get("content"))

    @property
    def streams(self) -> bool:
        return bool(self.body.get("stream"))


@dataclass(frozen=True)
class Answer:
    """One answer. By default a well-behaved one with usage."""

    text: str = ""
    """`$CELL(regex)$` in it becomes the name of the first cell whose source the regex finds."""
    status: int = 200
    error_code: str | None = None
    error_message: str = ""
    headers: dict[str, str] = field(default_factory=dict)
    finish_reason: str | None = "stop"
    refusal: str | None = None
    usage: bool = True
    """False: the endpoint reports no tokens."""
    cached_tokens: int = 0
    reasoning_tokens: int = 0
    delay: float = 0.0
    """Seconds before the first byte."""
    piece: int = 40
    """Characters a streamed piece."""
    pause: float = 0.0
    """Seconds between two pieces."""
    hang_after: int | None = None
    """After so many pieces nothing more comes, until the client goes away."""
    cut_after: int | None = None
    """After so many pieces the connection is closed."""
    fail_after: int | None = None
    """After so many pieces the provider says in the stream that it failed, with `error_code`."""
    raw: str | None = None
    """Sent as the body, whatever it is."""
    content_type: str | None = None
    endless: str | None = None
    """Sent again and again, behind `raw`, until the client goes away."""


Chooser = Callable[[Request], Answer]


@dataclass
class Rule:
    """An answer for requests whose prompt a regex finds, at most `times` times."""

    when: str
    answer: Answer
    times: int | None = None


def scripted(rules: Sequence[Rule], default: Answer | None = None) -> Chooser:
    """The answer of the first rule that fits and is not used up."""
    left = {id(rule): rule.times for rule in rules}
    lock = threading.Lock()

    def choose(request: Request) -> Answer:
        with lock:
            for rule in rules:
                remaining = left[id(rule)]
                if remaining == 0 or not re.search(rule.when, request.prompt, re.DOTALL):
                    continue
                if remaining is not None:
                    left[id(rule)] = remaining - 1
                return rule.answer
        return default or Answer(status=500, error_message="no rule of the script fits")

    return choose


def in_turn(answers: Sequence[Answer]) -> Chooser:
    """One answer after the other; then an error that says that there are no more."""
    waiting = list(answers)
    lock = threading.Lock()

    def choose(request: Request) -> Answer:
        with lock:
            if waiting:
                return waiting.pop(0)
        return Answer(status=400, error_message="the script has no more answers")

    return choose


def read_script(file: Path) -> Chooser:
    """Rules from a JSON file.

    `{"rules": [{"when": "regex", "times": 1, "text": "…" or ["line", …], …}], "default": {…}}`;
    beside `when` and `times` the keys are the fields of `Answer`.
    """
    script = json.loads(file.read_text(encoding="utf-8"))
    rules = [
        Rule(entry.pop("when"), answer=_answer(entry), times=times)
        for entry in script["rules"]
        for times in (entry.pop("times", None),)
    ]
    default = script.get("default")
    return scripted(rules, None if default is None else _answer(default))


def _answer(entry: dict[str, Any]) -> Answer:
    text = entry.pop("text", "")
    return Answer(text="\n".join(text) if isinstance(text, list) else text, **entry)


def cell_named(prompt: str, pattern: str) -> str:
    """Name of the first cell of a prompt whose source a regex finds.

    Raises:
        LookupError: There is none.
    """
    headers = list(_CELL_HEADER.finditer(prompt))
    for number, header in enumerate(headers):
        end = headers[number + 1].start() if number + 1 < len(headers) else len(prompt)
        if re.search(pattern, prompt[header.end() : end], re.MULTILINE):
            return header.group(1)
    raise LookupError(f"no cell of the prompt matches {pattern!r}")


def fill_cells(text: str, prompt: str) -> str:
    """The text with `$CELL(regex)$` replaced by names of cells."""
    return _CELL_PLACEHOLDER.sub(lambda match: cell_named(prompt, match.group(1)), text)
