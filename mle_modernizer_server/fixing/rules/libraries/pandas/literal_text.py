"""`read_json`, `read_html` and `read_xml` take a text for a path since pandas 3.0.

https://pandas.pydata.org/docs/whatsnew/v3.0.0.html

Until then a text that was no file's name was read as the data themselves.
"""

from __future__ import annotations

import libcst as cst

from mle_modernizer_server.code.tree import argument, dotted, method_name, string
from mle_modernizer_server.code.types.type import TEXT
from mle_modernizer_server.domain.diagnosis import is_content
from mle_modernizer_server.fixing.rules.engine.context import Answer, Context, Unsure, one
from mle_modernizer_server.fixing.rules.engine.registry import codemod

_PARAMETERS = {
    "pandas.read_json": "path_or_buf",
    "pandas.read_html": "io",
    "pandas.read_xml": "path_or_buffer",
}
_TEXT_ATTRIBUTES = frozenset({"text", "page_source"})
"""Of a server's response and of a browser."""
_WRITING_METHODS = frozenset({"to_json", "to_html", "to_xml", "prettify"})
"""They return a text if they are given no path."""


@codemod("pandas-literal-text", on=cst.Call, names=("read_json", "read_html", "read_xml"))
def opened(context: Context, node: cst.Call) -> Answer:
    """Rewrite `pd.read_json(text)` as `pd.read_json(io.StringIO(text))`."""
    name = next((one for one in context.qualnames(node.func) if one in _PARAMETERS), None)
    source = argument(node, _PARAMETERS[name], 0) if name is not None else None
    if source is None or source.star:
        return None
    value = context.written(source.value)
    if isinstance(value, cst.Call) and "io.StringIO" in context.qualnames(value.func):
        return None
    text = string(value)
    if not context.evidence(node):
        if text is not None and not is_content(text):
            return None
        if text is None and not _is_data(context, value):
            known = context.type_of(source.value) == TEXT
            return Unsure("whether the text is a path is unknown") if known else None
    module, imports = context.module(node, "io", "io")
    stream = cst.Call(dotted(f"{module}.StringIO"), [cst.Arg(source.value)])
    return one(source.value, stream, imports)


def _is_data(context: Context, value: cst.BaseExpression) -> bool:
    """Return whether an expression gives a text of data, not a path."""
    if isinstance(value, cst.Attribute):
        return value.attr.value in _TEXT_ATTRIBUTES
    if not isinstance(value, cst.Call):
        return False
    if "json.dumps" in context.qualnames(value.func):
        return True
    method = method_name(value)
    return method in _WRITING_METHODS and all(argument.keyword for argument in value.args)
