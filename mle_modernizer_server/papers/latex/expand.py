"""One source of several: comments out, `\\input` in, the paper's own macros expanded.

Everything is bounded, since macros can grow a line to any length, and a file may include itself.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from mle_modernizer_server.domain.paper import PaperRemarkCode
from mle_modernizer_server.papers.latex.text import is_latex, is_structure
from mle_modernizer_server.papers.sources import normalised

MOST_CHARACTERS = 3_000_000
_MOST_EXPANSIONS = 30_000
_MOST_NESTED = 150
_MOST_DEPTH = 20
_LONGEST_BODY = 4_000

Remark = Callable[[PaperRemarkCode, str], None]
_INPUT = re.compile(
    r"\\(?:input|include|subfile|InputIfFileExists)(?![A-Za-z])\s*(?:\{([^{}\n]{1,300})\}|([\w./-]{1,300}))"
    r"|\\(?:sub)?import\*?\s*\{([^{}\n]{0,300})\}\s*\{([^{}\n]{1,300})\}"
)
_VERBATIM = re.compile(
    r"\\begin\{(verbatim|lstlisting|minted|comment|filecontents)(\*?)\}.*?\\end\{\1\2\}", re.DOTALL
)
_NEW_COMMAND = re.compile(
    r"\\(?:re|provide)?(?:new)?command\*?\s*(?:\{\s*\\([A-Za-z@]+|.)\s*\}|\\([A-Za-z@]+|.))\s*"
    r"(?:\[(\d)\])?\s*(?:\[([^\[\]]{0,200})\])?\s*(?=\{)"
    r"|\\(?:Declare|Provide|New|Renew)RobustCommand\s*\{?\\([A-Za-z@]+)\}?\s*(?=\{)"
)
_DEF = re.compile(r"\\(?:g|e|x)?def\s*\\([A-Za-z@]+)\s*((?:#\d)*)\s*(?=\{)")
_OPERATOR = re.compile(r"\\DeclareMathOperator\*?\s*\{?\s*\\([A-Za-z@]+)\s*\}?\s*(?=\{)")
_RULES = re.compile(
    r"\\(?:cmidrule|cdashline|cline|specialrule|hhline)\s*(?:\[[^\]]{0,40}\])?(?:\([^)]{0,40}\))?\s*"
    r"(?:\{[^{}]{0,60}\}){1,3}(?:\[[^\]]{0,40}\])?"
)
_ANCHOR = re.compile(r"\\leavevmode\s*\\vadjust\s+pre\s*\{\\hypertarget\{[^{}]*\}\{\}\}")
"""Pandoc's anchor before each entry of its bibliography."""
_EXECUTES = re.compile(
    r"\\(?:immediate\s*)?\\?(write18|directlua|latelua|ShellEscape)\b|\|\s*\"?sh\b"
)


@dataclass(frozen=True)
class Macro:
    """A macro of the paper's own.

    Attributes:
        arguments: Number of arguments.
        default: Default of the first one; None if it is not optional.
        body: Its replacement, with `#1` … for its arguments.
    """

    arguments: int
    default: str | None
    body: str


def decode(data: bytes) -> str:
    """Return the text of a source: UTF-8, else Latin-1."""
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError:
        return data.decode("latin-1")


def expanded(files: Mapping[str, bytes], main: str, remark: Remark) -> str:
    """Return the whole source of a paper with the paper's own macros expanded.

    Args:
        files: Sources by normalised name.
        main: The one to begin with.
        remark: Called with the ignored parts.
    """
    source = _included(files, main, remark, ())
    for match in _EXECUTES.finditer(source):
        remark(PaperRemarkCode.EXECUTES, match.group(1) or match.group())
    styles = "".join(
        without_comments(decode(data))
        for name, data in sorted(files.items())
        if name.endswith(".sty") and "/" not in name and f"{{{name[:-4]}}}" in source[:50_000]
    )
    macros, source = definitions(source)
    known, _ = definitions(styles[:500_000])
    own = {
        name: macro
        for name, macro in known.items()
        if len(macro.body) < 200 and "@" not in macro.body and not is_latex(name)
    }
    macros = {name: macro for name, macro in macros.items() if not is_structure(name)}
    return _expand(source, {**own, **macros}, remark)


def without_comments(source: str) -> str:
    r"""Return the source without comments, `\iffalse` blocks, verbatim and rules of tables."""
    source = _without_verbatim(source)
    source = re.sub(r"(?<!\\)((?:\\\\)*)%[^\n]*\n?[ \t]*", r"\1", source)
    source = _ANCHOR.sub("\n\n", source)
    source = re.sub(r"\\iffalse\b.*?\\fi\b", "", source, flags=re.DOTALL)
    return _RULES.sub("", source)


def _without_verbatim(source: str) -> str:
    """Return the source without verbatim text; ignore verbatim that begins within a comment."""
    pieces: list[str] = []
    position = searched = 0
    while match := _VERBATIM.search(source, searched):
        line = source[source.rfind("\n", 0, match.start()) + 1 : match.start()]
        searched = match.start() + 1
        if not re.search(r"(?<!\\)(?:\\\\)*%", line):
            pieces += [source[position : match.start()], "\n\n"]
            position = searched = match.end()
    return "".join([*pieces, source[position:]])


def nested_too_deeply(source: str) -> bool:
    """Return whether groups and environments are nested deeper than in any paper."""
    depth = 0
    for match in re.finditer(r"\\(begin|end)\b|\\.|([{}])", source):
        depth += (match.group() in ("{", r"\begin")) - (match.group() in ("}", r"\end"))
        if depth > _MOST_NESTED:
            return True
    return False


def _included(files: Mapping[str, bytes], name: str, remark: Remark, above: tuple[str, ...]) -> str:
    source = without_comments(decode(files[name]))
    if len(above) >= _MOST_DEPTH:
        return source
    size = len(source)

    def replace(match: re.Match[str]) -> str:
        nonlocal size
        wanted = match.group(1) or match.group(2)
        if wanted is None:
            wanted = posixpath.join(match.group(3), match.group(4))
        target = _find(files, wanted.strip(), posixpath.dirname(name))
        if target is None:
            if not wanted.strip().endswith((".sty", ".cls", ".clo")):
                remark(PaperRemarkCode.MISSING_INPUT, wanted)
            return ""
        if target in (*above, name):
            return ""
        text = _included(files, target, remark, (*above, name))
        size += len(text)
        if size > MOST_CHARACTERS:
            remark(PaperRemarkCode.EXPANSION_CUT, target)
            return ""
        return f"\n{text}\n"

    return _INPUT.sub(replace, source)


def _find(files: Mapping[str, bytes], wanted: str, folder: str) -> str | None:
    for place in (posixpath.join(folder, wanted), wanted):
        name = normalised(place)
        for candidate in (name, f"{name}.tex"):
            if candidate in files and not str(candidate).endswith((".bib", ".bbl")):
                return candidate
    return None


def balanced(source: str, position: int, most: int = 200_000) -> int:
    """Return the position after the group that begins at a brace; -1 if it is not closed."""
    depth = 0
    index = position
    end = min(len(source), position + most)
    while index < end:
        char = source[index]
        if char == "\\":
            index += 2
            continue
        depth += (char == "{") - (char == "}")
        index += 1
        if depth == 0:
            return index
    return -1


def definitions(source: str) -> tuple[dict[str, Macro], str]:
    """Return the macros that a source defines, and the source without the definitions."""
    macros: dict[str, Macro] = {}
    spans: list[tuple[int, int]] = []
    for pattern in (_NEW_COMMAND, _DEF, _OPERATOR):
        for match in pattern.finditer(source):
            end = balanced(source, match.end())
            if end < 0 or len(macros) > 5_000:
                continue
            spans.append((match.start(), end))
            body = source[match.end() + 1 : end - 1]
            if pattern is _NEW_COMMAND:
                name = match.group(1) or match.group(2) or match.group(5)
                macro = Macro(int(match.group(3) or 0), match.group(4), body)
            elif pattern is _DEF:
                name, macro = match.group(1), Macro(match.group(2).count("#"), None, body)
            else:
                name, macro = match.group(1), Macro(0, None, rf"\operatorname{{{body}}}")
            if name.startswith("the") and pattern is _NEW_COMMAND:
                spans.pop()  # the format of a counter, which the document reader applies
            elif len(body) <= _LONGEST_BODY and f"\\{name}" not in body:
                macros[name] = macro
    kept: list[str] = []
    position = 0
    for start, end in sorted(spans):
        if start >= position:
            kept.append(source[position:start])
            position = end
    return macros, "".join([*kept, source[position:]])


def _expand(source: str, macros: Mapping[str, Macro], remark: Remark) -> str:
    if not macros:
        return source
    names = sorted((name for name in macros if name.isalpha() or "@" in name), key=len)
    if not names:
        return source
    pattern = re.compile(r"\\(" + "|".join(map(re.escape, reversed(names))) + r")(?![A-Za-z@])")
    done = 0
    for _ in range(_MOST_DEPTH):
        pieces: list[str] = []
        position = size = 0
        while match := pattern.search(source, position):
            pieces.append(source[position : match.start()])
            text, position = _applied(macros[match.group(1)], source, match.end())
            pieces.append(text)
            size += len(pieces[-1]) + len(pieces[-2])
            done += 1
            if done > _MOST_EXPANSIONS or size > MOST_CHARACTERS:
                remark(PaperRemarkCode.EXPANSION_CUT, match.group())
                return source
        if not pieces:
            return source
        source = "".join([*pieces, source[position:]])
    remark(PaperRemarkCode.EXPANSION_CUT, "")
    return source


def _applied(macro: Macro, source: str, position: int) -> tuple[str, int]:
    """Return the expansion of a macro, and the end of its arguments."""
    arguments: list[str] = []
    spaces = re.compile(r"\s*")
    for index in range(macro.arguments):
        found = spaces.match(source, position)
        start = found.end() if found else position
        if index == 0 and macro.default is not None:
            optional = re.compile(r"\[([^\[\]]{0,500})\]").match(source, start)
            arguments.append(optional.group(1) if optional else macro.default)
            position = optional.end() if optional else position
            continue
        end = balanced(source, start) if source[start : start + 1] == "{" else -1
        if end < 0:
            arguments.append(source[start : start + 1])
            position = min(start + 1, len(source))
        else:
            arguments.append(source[start + 1 : end - 1])
            position = end

    def argument(match: re.Match[str]) -> str:
        number = int(match.group(1))
        return arguments[number - 1] if 0 < number <= len(arguments) else ""

    body = re.sub(r"#(\d)", argument, macro.body)
    ends_in_name = re.search(r"\\[A-Za-z]+$", body)
    if ends_in_name and source[position : position + 1].isalpha():
        body += " "
    if not macro.arguments:  # TeX swallows the spaces after a name; `\name{}` keeps them
        rest = re.compile(r"\{\}|[ \t]+(?=[A-Za-z(])").match(source, position)
        if rest:
            return (body if rest.group() == "{}" else f"{body} "), rest.end()
    return body, position
