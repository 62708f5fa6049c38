"""Tracebacks of a real IPython, as they go into a prompt."""

from __future__ import annotations

import json

from IPython.core.ultratb import VerboseTB

from mle_modernizer_server.fixing.llm.prompt import traceback_text


def real_traceback() -> tuple[str, ...]:
    try:
        json.loads("{", object_hook=dict)
    except ValueError as error:
        lines = VerboseTB().structured_traceback(type(error), error, error.__traceback__)
        return tuple(lines)
    raise AssertionError


KERNEL = (
    "\x1b[31m---------\x1b[39m",
    "\x1b[31mValueError\x1b[39m             Traceback (most recent call last)",
    "\x1b[36mCell\x1b[39m In[8], line 3\n      1 a = 1\n\x1b[32m----> 3\x1b[39m fit(a)",
    "File /home/me/env/lib/python3.11/site-packages/sklearn/base.py:10, in fit(x)\n      9 y = x",
    "File /home/me/env/lib/python3.11/site-packages/sklearn/inner.py:20, in f(x)\n     19 z = x",
    "File /home/me/env/lib/python3.11/site-packages/sklearn/deep.py:30, in look(x)\n     29 q = x",
    "File /usr/lib/python3.11/json/decoder.py:40, in raw(x)\n     39 r = x",
    "\x1b[31mValueError\x1b[39m: no good",
)


def test_notebook_frames_and_last_library_frames_stay() -> None:
    text = traceback_text(KERNEL)
    assert "Cell In[8], line 3" in text
    assert "----> 3 fit(a)" in text
    assert "base.py" not in text
    assert "inner.py" not in text
    assert text.count("inner frames of libraries left out") == 1
    assert "File sklearn/deep.py:30, in look(x)" in text
    assert "File json/decoder.py:40" in text
    assert text.endswith("ValueError: no good")


def test_no_path_of_the_machine_and_no_colour_is_left() -> None:
    for lines in (KERNEL, real_traceback()):
        text = traceback_text(lines)
        assert "/home/me" not in text
        assert "/lib/python3" not in text
        assert "\x1b" not in text


def test_a_real_traceback_keeps_its_message() -> None:
    text = traceback_text(real_traceback())
    assert "JSONDecodeError" in text.splitlines()[-1]
    assert "Expecting property name" in text


def test_of_a_librarys_frame_the_line_it_stopped_at_is_told() -> None:
    deep = (
        "File /x/lib/python3.11/site-packages/sklearn/deep.py:30, in look(x)\n     29 q = x\n"
        "---> 30 raise ValueError(q)\n     31 return q\n"
    )
    text = traceback_text((*KERNEL[:3], deep, KERNEL[-1]))
    assert "File sklearn/deep.py:30, in look(x)\n---> 30 raise ValueError(q)\n" in text
    assert "29 q = x" not in text and "31 return q" not in text
    assert "1 a = 1" in text, "the notebook's own code stays"


def test_what_is_no_traceback_is_left_as_it_is() -> None:
    assert traceback_text(("SyntaxError: invalid syntax",)) == "SyntaxError: invalid syntax"
    assert traceback_text(()) == ""
