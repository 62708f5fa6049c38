"""The module csv reads and writes text since Python 3.0, not bytes.

https://docs.python.org/3/library/csv.html#csv.reader
"""

from __future__ import annotations

import re

import libcst as cst

from mle_modernizer_server.code.tree import argument, string, with_keyword
from mle_modernizer_server.fixing.rules.engine.context import Answer, Context, Unsure, one
from mle_modernizer_server.fixing.rules.engine.registry import codemod
from mle_modernizer_server.fixing.rules.engine.shapes import with_value
from mle_modernizer_server.fixing.rules.libraries.python2.opened_file import opened_file

_CSV = frozenset({"csv.reader", "csv.writer", "csv.DictReader", "csv.DictWriter"})
_BYTES = re.compile(r"""\.encode\(|\bbytes\(|['"][|<>=]?S\d+['"]|np\.(string_|bytes_)|\bb['"]""")
"""Code that makes bytes: in a text file they would be written as `b'…'`."""


@codemod("python2-csv-files", on=cst.Call, functions=_CSV)
def opened_for_text(context: Context, node: cst.Call) -> Answer:
    """Rewrite `csv.reader(open(path, 'rb'))` as `csv.reader(open(path, 'r', newline=''))`."""
    if not node.args:
        return None
    opened = opened_file(context, node.args[0].value)
    if opened is None:
        return None
    mode = argument(opened, "mode", 1)
    text = string(mode.value) if mode else None
    if mode is None or "b" not in (text or "") or not isinstance(mode.value, cst.SimpleString):
        return None
    if "r" not in (text or "") and any(
        _BYTES.search(cell.source) for cell in context.program.cells
    ):
        return Unsure("the rows may hold bytes, which would be written as `b'…'`")
    plain = mode.value.with_changes(value=mode.value.value.replace("b", ""))
    call = with_value(opened, mode, plain)
    return one(opened, with_keyword(call, "newline", cst.SimpleString("''")))
