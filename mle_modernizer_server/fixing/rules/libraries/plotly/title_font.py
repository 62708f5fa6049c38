"""`titlefont` and `titleside` are parts of `title` since plotly 6.

https://plotly.com/python/v6-migration/
"""

from __future__ import annotations

import libcst as cst

from mle_modernizer_server.code.cell_code import Defined
from mle_modernizer_server.code.tree import argument, expression, string
from mle_modernizer_server.fixing.rules.engine.context import Answer, Context, one
from mle_modernizer_server.fixing.rules.engine.registry import codemod
from mle_modernizer_server.fixing.rules.engine.shapes import named

_PARTS = {
    "titlefont": "font",
    "titleside": "side",
    "titleposition": "position",
    "titleoffset": "offset",
}


@codemod("plotly-title-font", on=cst.Call)
def in_call(context: Context, node: cst.Call) -> Answer:
    """Rewrite `dict(title='a', titlefont=f)` as `dict(title=dict(text='a', font=f))`."""
    found = [(arg, _PARTS[name]) for name in _PARTS if (arg := argument(node, name)) is not None]
    if not found or not _uses_plotly(context) or _is_own(context, node.func):
        return None
    title = argument(node, "title")
    parts = _text(context, title.value if title is not None else None)
    parts += [f"{name}={context.code(arg.value)}" for arg, name in found]
    value = expression(f"dict({', '.join(parts)})")
    first = title if title is not None else found[0][0]
    gone = [arg for arg, _ in found if arg is not first]
    args = [
        named(arg, "title", value) if arg is first else arg for arg in node.args if arg not in gone
    ]
    last = node.args[-1]
    args[-1] = args[-1].with_changes(
        comma=last.comma, whitespace_after_arg=last.whitespace_after_arg
    )
    return one(node, node.with_changes(args=args))


@codemod("plotly-title-font", on=cst.Dict)
def in_dict(context: Context, node: cst.Dict) -> Answer:
    """Rewrite `{'title': 'a', 'titlefont': f}` as `{'title': {'text': 'a', 'font': f}}`."""
    elements = [element for element in node.elements if isinstance(element, cst.DictElement)]
    found = [element for element in elements if string(element.key) in _PARTS]
    if not found or len(elements) != len(node.elements) or not _uses_plotly(context):
        return None
    title = next((element for element in elements if string(element.key) == "title"), None)
    parts = _text(context, title.value if title is not None else None)
    parts += [f"{_PARTS[string(one.key) or '']}={context.code(one.value)}" for one in found]
    value = expression(f"dict({', '.join(parts)})")
    first = title if title is not None else found[0]
    key = cst.SimpleString("'title'") if title is None else first.key
    kept = [
        element.with_changes(key=key, value=value) if element is first else element
        for element in elements
        if element is first or element not in found
    ]
    kept[-1] = kept[-1].with_changes(comma=elements[-1].comma)
    return one(node, node.with_changes(elements=kept))


def _text(context: Context, title: cst.BaseExpression | None) -> list[str]:
    if title is None:
        return []
    if (
        isinstance(title, cst.Call)
        and isinstance(title.func, cst.Name)
        and title.func.value == "dict"
    ):
        return [
            context.code(arg.with_changes(comma=cst.MaybeSentinel.DEFAULT)) for arg in title.args
        ]
    if isinstance(title, cst.Dict):
        return [f"**{context.code(title)}"]
    return [f"text={context.code(title)}"]


def _is_own(context: Context, func: cst.BaseExpression) -> bool:
    """Return whether a function of the notebook is called."""
    return isinstance(func, cst.Name) and any(
        isinstance(binding, Defined) for binding in context.bounds(func)
    )


def _uses_plotly(context: Context) -> bool:
    return any("plotly" in cell.source for cell in context.program.cells)
