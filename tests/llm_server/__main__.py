"""Runs the stand-in from the command line: `python -m tests.llm_server --port P --script F`."""

from __future__ import annotations

import argparse
import threading
from pathlib import Path

from tests.llm_server.answers import read_script
from tests.llm_server.server import LlmServer


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.llm_server")
    parser.add_argument("--port", type=int, default=0, help="0: any free one")
    parser.add_argument("--script", type=Path, required=True, help="JSON file with the answers")
    parser.add_argument("--api-key", help="the key that requests must carry")
    options = parser.parse_args()
    with LlmServer(
        read_script(options.script), api_key=options.api_key, port=options.port
    ) as server:
        address = f"MLE_MODERNIZER_BASE_URL={server.base_url} MLE_MODERNIZER_MODEL=stand-in"
        print(address, flush=True)  # noqa: T201
        threading.Event().wait()


if __name__ == "__main__":
    main()
