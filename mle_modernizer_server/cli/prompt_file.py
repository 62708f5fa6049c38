"""What a model would be sent, as a text file."""

from __future__ import annotations

from pathlib import Path

from rich.console import Console

from mle_modernizer_server.cli.work import Work
from mle_modernizer_server.domain.diagnosis import FixScope
from mle_modernizer_server.domain.errors import Conflict
from mle_modernizer_server.domain.exchange import PromptPreview
from mle_modernizer_server.execution.notebook_file import write_file


def write_prompt(
    console: Console, work: Work, session_id: str, scope: FixScope, output: Path
) -> None:
    """Write what a model would be sent for a fix of the latest run; nothing is sent.

    Raises:
        BadInput: The file cannot be written.
    """
    modernizer = work.modernizer
    try:
        preview = work.wait_for(modernizer.preview_prompt(session_id, scope=scope))
    except Conflict as conflict:  # there is no run to the end, or nothing to mend
        console.print(f"{conflict.message} So {output} was not written.", soft_wrap=True)
        return
    write_file(output, prompt_text(preview).encode("utf-8"))
    console.print(f"What a model would be sent is in {output}; nothing was sent.", soft_wrap=True)


def prompt_text(preview: PromptPreview) -> str:
    """The messages with a head that says where they would go and what is not in them."""
    model = preview.model if preview.configured else "no model (none is configured)"
    head = [
        f"To: {model} at {preview.host}",
        f"Fix: {preview.fix_type.value}, scope: {preview.scope.value}",
        f"Length: {preview.characters:,} characters, about {preview.tokens:,} tokens",
        f"Secrets masked: {preview.masked}",
        *(f"Left out: {said}" for said in preview.left_out),
    ]
    parts = [f"----- {message.role} -----\n{message.text}" for message in preview.messages]
    return "\n\n".join(["\n".join(head), *parts]) + "\n"
