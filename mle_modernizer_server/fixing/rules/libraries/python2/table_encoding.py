"""pandas decodes the texts of a table since Python 3.0; in Python 2 it left their bytes.

https://docs.python.org/3/whatsnew/3.0.html#text-vs-data-instead-of-unicode-vs-8-bit
"""

from __future__ import annotations

import libcst as cst

from mle_modernizer_server.code.tree import argument, with_keyword
from mle_modernizer_server.fixing.rules.engine.context import Answer, Context, one
from mle_modernizer_server.fixing.rules.engine.registry import codemod

_READERS = {"pandas.read_csv", "pandas.read_table"}


@codemod("python2-table-encoding", on=cst.Call, names=("read_csv", "read_table"))
def a_character_for_every_byte(context: Context, node: cst.Call) -> Answer:
    """Rewrite `pd.read_csv(path)` as `pd.read_csv(path, encoding='latin-1')` if the run failed."""
    if not _READERS.intersection(context.qualnames(node.func)) or not context.evidence(node):
        return None
    starred = any(arg.star for arg in node.args)
    if starred or argument(node, "encoding") or argument(node, "encoding_errors"):
        return None
    return one(node, with_keyword(node, "encoding", cst.SimpleString("'latin-1'")))
