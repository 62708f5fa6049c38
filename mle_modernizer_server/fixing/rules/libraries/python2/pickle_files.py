"""The module pickle reads and writes bytes since Python 3.0; Python 2 took files opened for text.

https://docs.python.org/3/library/pickle.html#module-interface
"""

from __future__ import annotations

import libcst as cst

from mle_modernizer_server.code.tree import argument, string
from mle_modernizer_server.fixing.rules.engine.context import Answer, Context, one
from mle_modernizer_server.fixing.rules.engine.registry import codemod
from mle_modernizer_server.fixing.rules.engine.shapes import with_value
from mle_modernizer_server.fixing.rules.libraries.python2.opened_file import opened_file

_FILE = {"load": 0, "dump": 1}
"""Position of the file argument."""


@codemod("python2-pickle-files", on=cst.Call, names=tuple(_FILE))
def opened_for_bytes(context: Context, node: cst.Call) -> Answer:
    """Rewrite `pickle.load(open(path, 'r'))` as `pickle.load(open(path, 'rb'))`."""
    called, file = _pickled(context, node)
    opened = None if file is None else opened_file(context, file)
    return None if opened is None else _binary(opened, called)


def _pickled(context: Context, node: cst.Call) -> tuple[str, cst.BaseExpression | None]:
    """Return the called function of pickle and its file; ("", None) for any other call."""
    for name in context.qualnames(node.func):
        module, _, called = name.rpartition(".")
        if module in ("pickle", "cPickle") and called in _FILE:
            file = argument(node, "file", _FILE[called])
            return called, None if file is None else file.value
    return "", None


def _binary(opened: cst.Call, called: str) -> Answer:
    if argument(opened, "encoding") is not None:
        return None
    mode = argument(opened, "mode", 1)
    if mode is None:
        if called == "dump" or len(opened.args) != 1:
            return None
        read = cst.Arg(cst.SimpleString("'rb'"))
        return one(opened, opened.with_changes(args=[*opened.args, read]))
    text = string(mode.value)
    if text is None or "b" in text or not isinstance(mode.value, cst.SimpleString):
        return None
    quote = mode.value.quote
    binary = mode.value.with_changes(value=f"{quote}{text.replace('t', '')}b{quote}")
    return one(opened, with_value(opened, mode, binary))
