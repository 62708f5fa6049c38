"""A stand-in for a model: a real HTTP server that speaks the OpenAI protocol from a script.

    with LlmServer([Answer("first reply"), Answer(status=429)]) as server:
        ... server.base_url ... server.requests[0].prompt

`python -m tests.llm_server --port 8123 --script answers.json` runs it from the command line.
"""

from __future__ import annotations

from tests.llm_server.answers import Answer, Request, Rule, cell_named, scripted
from tests.llm_server.server import LlmServer

__all__ = ["Answer", "LlmServer", "Request", "Rule", "cell_named", "scripted"]
