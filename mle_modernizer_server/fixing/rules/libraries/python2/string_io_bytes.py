"""`StringIO` took the output of programs and servers; since Python 3.0 these are bytes: `BytesIO`.

https://docs.python.org/3/library/io.html#io.BytesIO
"""

from __future__ import annotations

import libcst as cst

from mle_modernizer_server.code.tree import dotted, string
from mle_modernizer_server.fixing.rules.engine.context import Answer, Change, Context, Fix
from mle_modernizer_server.fixing.rules.engine.registry import codemod

_MODULES = ("io", "StringIO", "cStringIO")
_ADDRESSES = frozenset(f"{module}.StringIO" for module in _MODULES)
_SENT = frozenset(
    {
        *("subprocess.check_output", "urllib2.urlopen", "urllib.urlopen"),
        *("urllib.request.urlopen", "base64.b64decode", "zlib.decompress"),
    }
)
"""Functions whose result, or the data read from it, is bytes."""
_ARCHIVES = frozenset({"zipfile.ZipFile"})
"""Archives whose members are read as bytes."""


@codemod("python2-string-io-bytes", on=cst.Call, functions=_ADDRESSES)
def of_bytes(context: Context, node: cst.Call) -> Answer:
    """Rewrite `io.StringIO(urlopen(url).read())` as `io.BytesIO(urlopen(url).read())`."""
    if len(node.args) != 1:
        return None
    given = context.written(node.args[0].value)
    if not _is_bytes(context, given) and not context.evidence(node):
        return None
    name, imports = context.imported(node, "io", "BytesIO", "BytesIO")
    return Fix((Change(node.func, dotted(name)),), imports)


def _is_bytes(context: Context, value: cst.BaseExpression) -> bool:
    inferred = context.type_of(value)
    if inferred is not None and inferred.name == "builtins.bytes":
        return True
    if isinstance(value, cst.Subscript) and isinstance(value.value, cst.Call):
        func = value.value.func  # Popen(…).communicate()[0]
        return isinstance(func, cst.Attribute) and func.attr.value == "communicate"
    if isinstance(value, cst.Attribute):
        return value.attr.value == "content" and _is_requested(context, value.value)
    if not isinstance(value, cst.Call):
        return False
    if context.refers_to(value.func, *_SENT):
        return True
    if not isinstance(value.func, cst.Attribute) or value.func.attr.value != "read":
        return False
    source = context.written(value.func.value)
    if not isinstance(source, cst.Call):
        return False
    modes = [string(arg.value) for arg in source.args[1:]]
    opened = context.refers_to(source.func, "builtins.open") and "rb" in modes
    return opened or context.refers_to(source.func, *(_SENT | _ARCHIVES))


def _is_requested(context: Context, value: cst.BaseExpression) -> bool:
    return isinstance(value, cst.Call) and context.comes_from(value.func, "requests")
