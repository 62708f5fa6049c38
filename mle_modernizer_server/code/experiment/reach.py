"""What code reaches outside of the notebook: network, processes, deletions, files with answers."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator, Mapping

from mle_modernizer_server.code.calls import ARRAY_READERS, TABLE_READERS, facts
from mle_modernizer_server.code.cell_syntax import magic_of
from mle_modernizer_server.code.experiment.fact import Fact, FactKind
from mle_modernizer_server.code.expressions import called_name, dotted, literal, tail
from mle_modernizer_server.code.paths import texts_in, written_path, written_text

_MODULES = facts("network", "modules")
_FUNCTIONS = facts("network", "functions")
_NETWORK_NAMES = tuple(facts("network", "names"))
_SHELL_METHODS = facts("shell", "methods")
_SHELL_MAGICS = facts("shell", "magics")
_READERS = TABLE_READERS | ARRAY_READERS | {"open", "read_text", "copyfile", "copy2"}
_READER_NAMES = frozenset({"shutil.copy", "shutil.move", "os.rename", "os.replace", "numpy.load"})
_OF_PYTHON_2 = dict.fromkeys(("urllib2", "urllib.urlopen", "urllib.urlretrieve"), "urllib.request")
_URL = re.compile(r"\s*(?:https?|ftp|s3|gs)://[^\s/$\\]")
_BEFORE_COMMAND, _BEHIND_COMMAND = r"(?:^|[\s;&|(`])(?:\S*/bin/)?", r"(?:[\s;&|)]|$)"
_NETWORK_COMMAND = re.compile(
    _BEFORE_COMMAND
    + r"(?:pip3?|conda|mamba|uv|apt|apt-get|wget|curl|git|kaggle|gsutil|aws|ssh|scp|nc)"
    + _BEHIND_COMMAND
)
_DELETING_COMMAND = re.compile(
    _BEFORE_COMMAND + r"(?:rm|rmdir|unlink|shred|truncate)" + _BEHIND_COMMAND
)
_PROCESS_NAMES = re.compile(
    r"(?:os\.(?:system|popen\d?|exec\w+|spawn\w+|posix_spawnp?|fork|kill)|subprocess(?:\..+)?|"
    r"commands\.\w+|pty\.\w+|importlib\.import_module|runpy\.\w+|ctypes(?:\..+)?|builtins\.\w+|"
    r"eval|exec|compile|execfile|__import__|__builtins__|"
    # other objects of the process, code that runs later, data that unpack themselves
    r"gc\.get_\w+|inspect\.(?:stack|trace|currentframe|get(?:outer|inner)frames)|"
    r"sys\.(?:_getframe|_current_frames|settrace|setprofile)|traceback\.walk_stack|"
    r"threading\.(?:Timer|Thread)|(?:c?pickle|_pickle|dill|cloudpickle|marshal)\.loads)\Z",
    re.IGNORECASE,
)
_OWNERS = frozenset({"os", "subprocess", "builtins", "__builtins__", "importlib", "shutil"})
"""Modules whose functions may be looked up by name, unseen."""
_DELETING_NAMES = re.compile(
    r"(?:os\.(?:remove|unlink|rmdir|removedirs|truncate)|shutil\.rmtree)\Z"
)
_DELETING_METHODS = frozenset({"unlink", "rmdir", "rmtree"})
_HOOKS = ("events.register", "ast_transformers.append", "set_custom_exc")
_PRIVATE = re.compile(
    r"(?:^|[/\\])(?:prepared[/\\]+(?:\*|private)|private)(?:[/\\]|\Z)|"
    r"(?:^|[/\\])(?:test_?)?(?:answers?|solutions?|ground_?truth)\.(?:csv|parquet|feather|pkl|json)",
    re.IGNORECASE,
)
_SUBMISSION = re.compile(
    r"submi(?:ssion|t)|(?:^|[_-])pred(?:s|ictions?)?(?=[_.\d-])", re.IGNORECASE
)
_SAMPLE = re.compile(r"sample|gender|example|format|null|template", re.IGNORECASE)


def reached(node: ast.AST, aliases: Mapping[str, str]) -> Iterator[Fact]:
    """Yield what a node itself reaches outside.

    Args:
        node: A node of a cell's tree.
        aliases: Full names by the notebook's names, see `import_aliases`.
    """
    if isinstance(node, ast.Import):
        yield from _imported(alias.name for alias in node.names)
    elif isinstance(node, ast.ImportFrom):
        yield from _imported(f"{node.module}.{alias.name}" for alias in node.names)
    elif isinstance(node, (ast.Name, ast.Attribute)):
        name = dotted(node, aliases)
        if _PROCESS_NAMES.match(name):
            yield Fact(FactKind.PROCESS, name)
        elif _DELETING_NAMES.match(name) and tail(name) not in _DELETING_METHODS:
            yield Fact(FactKind.DELETION, tail(name))
        elif name.startswith(_NETWORK_NAMES):
            # Python 2's urllib2 is today's urllib.request
            yield Fact(FactKind.NETWORK, name.replace("urllib2", "urllib.request"))
    elif isinstance(node, ast.Subscript) and literal(node.slice) == "__builtins__":
        yield Fact(FactKind.PROCESS, "__builtins__")
    elif isinstance(node, ast.Call):
        magic = magic_of(node)
        yield from _called(node, aliases) if magic is None else _shell(*magic)


def private_answers(tree: ast.Module) -> Iterator[tuple[Fact, int]]:
    """Yield the texts that are paths of private answers, with their lines."""
    for text, line in texts_in(tree):
        match = _PRIVATE.search(text)
        # a bare word is a path only if it is joined to one, and then its joined form is here
        if match and re.search(r"[/\\.]", text):
            yield Fact(FactKind.PRIVATE, match.group().strip("/\\").lower()), line


def _imported(modules: Iterable[str]) -> Iterator[Fact]:
    for module in modules:
        for listed in _MODULES:
            if module == listed or module.startswith(listed + "."):
                yield Fact(FactKind.NETWORK, _OF_PYTHON_2.get(listed, listed))


def _called(node: ast.Call, aliases: Mapping[str, str]) -> Iterator[Fact]:
    name = dotted(node.func, aliases)
    last, is_method = tail(name), isinstance(node.func, ast.Attribute)
    arguments = [*node.args, *(one.value for one in node.keywords)]
    texts = [text for one in arguments if (text := written_text(one)) is not None]
    if name.endswith(_HOOKS):
        yield Fact(FactKind.PROCESS, last)
    if last in _FUNCTIONS:
        yield Fact(FactKind.NETWORK, last)
    if last in _DELETING_METHODS and (is_method or _DELETING_NAMES.match(name)):
        yield Fact(FactKind.DELETION, last)
    if last == "getattr" and arguments and (owner := dotted(arguments[0], aliases)) in _OWNERS:
        yield Fact(FactKind.PROCESS, f"getattr of {owner}")
    yield from (Fact(FactKind.NETWORK, text.strip()) for text in texts if _URL.match(text))
    yield from _opened(node, name, texts)
    names = [dotted(one, aliases) for one in node.args]
    if any(one in _READER_NAMES or tail(one) in _READERS for one in names if one):
        # a function gets an old submission together with a reader: a copy made later
        paths = (literal(one) for one in node.args)
        yield from _old_submissions(path for path in paths if isinstance(path, str))


def _opened(node: ast.Call, name: str, texts: list[str]) -> Iterator[Fact]:
    """Yield old submissions that a call reads, and a file of Python code that it writes: its import
    runs it unseen."""
    writes = called_name(node) == "open" and written_path(node) is not None
    if writes or tail(name) in ("write_text", "write_bytes"):
        for path in map(literal, ast.walk(node)):
            if isinstance(path, str) and path.endswith(".py"):
                yield Fact(FactKind.PROCESS, path)
    elif tail(name) in _READERS or name in _READER_NAMES:
        base = written_text(node.func.value) if isinstance(node.func, ast.Attribute) else None
        paths = (*texts, *([base] if base else []))
        yield from _old_submissions(re.split(r"[/\\]", path)[-1] for path in paths)


def _old_submissions(files: Iterable[str]) -> Iterator[Fact]:
    for file in files:
        if _SUBMISSION.search(file) and not _SAMPLE.search(file):
            yield Fact(FactKind.OLD_SUBMISSION, file)


def _shell(method: str, texts: tuple[str, ...]) -> Iterator[Fact]:
    """Yield the facts of commands that IPython passes to a shell or to another interpreter."""
    if method in _SHELL_METHODS:
        commands = texts[:1] or ("shell",)
    elif method in ("run_line_magic", "run_cell_magic", "magic"):
        name = texts[0].split()[0].lstrip("%") if texts and texts[0].split() else ""
        if name not in _SHELL_MAGICS:
            return
        body = texts[2] if len(texts) > 2 else ""
        commands = (" ".join(texts[:2]), *body.splitlines())
    else:
        return
    for command in commands:
        words = " ".join(command.split())
        if _NETWORK_COMMAND.search(words) or "://" in words:
            yield Fact(FactKind.NETWORK, words[:200])
        elif _DELETING_COMMAND.search(words):
            yield Fact(FactKind.DELETION, words[:200])
        elif words:
            yield Fact(FactKind.PROCESS, words.partition(" ")[0][:60])
