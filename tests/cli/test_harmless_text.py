"""Hostile text cannot act on the terminal."""

from __future__ import annotations

import pytest

from mle_modernizer_server.cli.terminal.safe_text import harmless, one_line


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("plain\n\ttext é 漢", "plain\n\ttext é 漢"),
        ("\x1b[31mred\x1b[0m", "red"),
        ("\x1b[2J\x1b[1;1Hgone", "gone"),
        ("\x1b]0;title\x07x", "x"),
        ("\x1b]8;;http://a\x1b\\link\x1b]8;;\x1b\\", "link"),
        ("a\rb\x08c", "a�b�c"),
        ("\x9b31m", "�31m"),
        ("\u202eevil", "�evil"),
    ],
)
def test_escape_sequences_and_control_characters_go(text: str, shown: str) -> None:
    assert harmless(text) == shown


def test_one_line_is_short_and_without_breaks() -> None:
    assert one_line("a\n  b\tc") == "a b c"
    assert one_line("x" * 300) == "x" * 199 + "…"
