"""Generates the panel's words, `src/words/messages.ts`, from the English ones.

Every text is a literal in a call of JupyterLab's translation, so that its extraction finds it.
`python -m mle_modernizer_server.words.typescript` writes the file of a checkout. Git does not track
it. The build of the wheel runs this file, so it imports pydantic and `domain` only.
"""

from __future__ import annotations

import json
import re
from pathlib import Path

from mle_modernizer_server.words.render import CLIENTS, PLACE, WORDS

TARGET = Path(__file__).parents[2] / "src" / "words" / "messages.ts"
_NOT_SHOWN = "model.allowed."
"""Prefix of codes for a model only: the panel has no words for them."""
_Place = tuple[str, str]
"""A parameter's name, and the format of its number."""
_HEAD = """\
// Made by `python -m mle_modernizer_server.words.typescript` from the server's words. Do not edit.
import type { TranslationBundle } from '@jupyterlab/translation';

import type { Parameters } from './parameters';

/** What each code says, in the panel's language; its parameters are put in by place. */
export const MESSAGES: Readonly<
  Record<string, (p: Parameters, trans: TranslationBundle) => string>
> = {
"""


def typescript() -> str:
    """Return the file's text."""
    lines = [
        f"  {json.dumps(code)}: {_function(words)},"
        for code, words in WORDS.items()
        if not code.startswith(_NOT_SHOWN)
    ]
    return _HEAD + "\n".join(lines) + "\n};\n"


def _function(words: str | list[str]) -> str:
    call = _call(words)
    return f"({'p' if 'p.text(' in call or 'p.count(' in call else '_'}, trans) => {call}"


def _call(words: str | list[str]) -> str:
    """Return a call of the translation.

    A plural's first place is the count, as its bundle requires.
    """
    if isinstance(words, str):
        places: list[_Place] = []
        text = _placed(words, places)
        return f"trans.__({', '.join([_literal(text), *map(_value, places)])})"
    places = [("count", "")]
    texts = [_literal(_placed(text, places)) for text in words]
    return f"trans._n({', '.join([*texts, 'p.count()', *map(_value, places[1:])])})"


def _placed(text: str, places: list[_Place]) -> str:
    """Return the text with `%1` for the first of the places, and so on; append new places."""

    def place(found: re.Match[str]) -> str:
        one = (found[1], found[2] or "")
        if one not in places:
            places.append(one)
        return f"%{places.index(one) + 1}"

    return PLACE.sub(place, CLIENTS.sub(r"\1", text))


def _literal(text: str) -> str:
    return json.dumps(text, ensure_ascii=False)


def _value(place: _Place) -> str:
    arguments = ", ".join(json.dumps(part) for part in place if part)
    return f"p.text({arguments})"


if __name__ == "__main__":
    generated = typescript()
    # Keep an unchanged file's time, so that nothing is rebuilt.
    if not TARGET.is_file() or TARGET.read_text("utf-8") != generated:
        TARGET.write_text(generated, encoding="utf-8")
