"""Walks through a parsed LaTeX document and collects its parts, numbered as LaTeX does."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import TypeGuard

from pylatexenc.latexwalker import (
    LatexEnvironmentNode,
    LatexGroupNode,
    LatexMacroNode,
    LatexMathNode,
    LatexNode,
)

from mle_modernizer_server.domain.paper import (
    Algorithm,
    Equation,
    Figure,
    PaperFormat,
    PaperProblem,
    PaperTable,
    Reference,
)
from mle_modernizer_server.papers.latex.counters import Counters
from mle_modernizer_server.papers.latex.expand import (
    balanced,
    decode,
    expanded,
    nested_too_deeply,
    without_comments,
)
from mle_modernizer_server.papers.latex.tabular import cells_of
from mle_modernizer_server.papers.latex.text import parsed, plain, plain_line, plain_source
from mle_modernizer_server.papers.parts import PaperParts, header_rows
from mle_modernizer_server.papers.references import bib_entries, listed_references, reference_of
from mle_modernizer_server.papers.sources import Sources, UnreadablePaper

_LEVELS = {"chapter": 1, "section": 1, "subsection": 2, "subsubsection": 3, "paragraph": 4}
_TABLES = ("table", "wraptable", "sidewaystable", "longtable")
_FIGURES = ("figure", "wrapfigure", "sidewaysfigure")
_TABULARS = ("tabular", "tabularx", "tabulary", "tabu", "longtable", "supertabular", "longtabu")
_EQUATIONS = ("equation", "align", "gather", "multline", "eqnarray", "flalign", "alignat")
_TITLES = ("title", "icmltitle", "titlerunning")
_REFERS = re.compile(r"\\(eq|auto|c|C)?ref\*?\s*\{([^{}]*)\}")
_SHOWN = re.compile(r"\[(eq|auto|c|C)?ref:([^\[\]]+)\]")
_NEW_THEOREM = re.compile(
    r"\\newtheorem\s*\{(\w{1,40})\}\s*(?:\[(\w{1,40})\])?\s*\{([^{}]{1,60})\}\s*(?:\[(\w{1,40})\])?"
)
_PRINTED_AS = re.compile(r"\\renewcommand\*?\s*\{?\s*\\the(\w+)\s*\}?\s*(?=\{)")
_HEADED = {
    "abstract": "Abstract",
    "ack": "Acknowledgments and Disclosure of Funding",
    "acks": "Acknowledgments",
    "acknowledgments": "Acknowledgments",
    "acknowledgements": "Acknowledgements",
}
"""Environments that print a heading of their own (the last ones in NeurIPS and ACM), and which."""


def read_latex(sources: Sources) -> PaperParts:
    """Read the parts of a paper from its LaTeX sources.

    Raises:
        UnreadablePaper: It is nested deeper than any paper is.
    """
    parts = PaperParts(PaperFormat.LATEX)
    for remark in sources.remarks:
        parts.remark(remark.code, remark.parameter)
    source = expanded(sources.files, sources.main, parts.remark)
    if nested_too_deeply(source):
        raise UnreadablePaper(PaperProblem.DAMAGED, "nested too deeply")
    head, begin, body = source.partition(r"\begin{document}")
    body = body.partition(r"\end{document}")[0] if begin else source
    reader = _Reader(parts)
    if begin:
        reader.read_head(head)
    reader.read(parsed(body))
    reader.resolve()
    _read_references(parts, sources.files, sources.main, body)
    return parts


class _Reader:
    def __init__(self, parts: PaperParts) -> None:
        self.parts = parts
        self._counters = Counters()
        self._theorems: dict[str, tuple[str, str]] = {}
        self._appendix = False
        self._labels: dict[str, tuple[str, str]] = {}
        self._last = ("", "")
        self._pending: list[LatexNode] = []

    def read_head(self, head: str) -> None:
        """Look for the title, and how things are numbered, before the document begins."""
        self._counters = Counters(ieee=re.search(r"\{IEEEtran\}", head) is not None)
        for match in _NEW_THEOREM.finditer(head):
            name, shared, title, within = match.groups()
            self._theorems[name] = (shared or name, title)
            self._counters.define(name, within or "")
        for match in _PRINTED_AS.finditer(head):
            end = balanced(head, match.end())
            self._counters.print_as(match.group(1), head[match.end() + 1 : max(end - 1, 0)])
        for node in _all_macros(parsed(head[-100_000:]), _TITLES):
            self._set_title(node)

    def _set_title(self, node: LatexMacroNode) -> None:
        text = plain_line(_arguments(node)[-1:])
        if text and not self.parts.title:
            self.parts.title = re.sub(r"\[@[^\]]*\]", "", text).strip()

    def read(self, nodes: Sequence[LatexNode]) -> None:
        """Read nodes in their order."""
        for node in nodes:
            if isinstance(node, LatexMacroNode) and self._macro(node):
                continue
            if isinstance(node, LatexEnvironmentNode) and self._environment(node):
                continue
            if isinstance(node, LatexMathNode) and node.displaytype == "display":
                self._equation(node, numbered=False)
                continue
            if isinstance(node, LatexGroupNode) and _has_structure(node.nodelist):
                self.read(node.nodelist)
                continue
            self._pending.append(node)
        self._flush()

    def _flush(self) -> None:
        if self._pending:
            self.parts.add_text(plain(self._pending))
            self._pending = []

    def _macro(self, node: LatexMacroNode) -> bool:
        name = node.macroname
        if name in _LEVELS:
            self._flush()
            self._begin(name, node)
        elif name == "appendix":
            self._flush()
            self._begin_appendix()
        elif name == "label":
            self._labels[_argument(node)] = self._last
        elif name in ("renewcommand", "setcounter"):
            self._count_otherwise(node)
        elif name in _TITLES:
            self._set_title(node)
        elif name == "abstract":
            self._flush()
            self.parts.begin_section("Abstract")
        else:
            inner = _arguments(node)[-1:]
            if not (inner and isinstance(inner[0], LatexGroupNode)):
                return False
            if not _has_structure(inner[0].nodelist):
                return False
            self._flush()
            self.read(inner[0].nodelist)
        return True

    def _begin(self, name: str, node: LatexMacroNode) -> None:
        title = plain_line(_arguments(node)[-1:])
        level = _LEVELS[name]
        starred = bool(node.nodeargd and node.nodeargd.argnlist and node.nodeargd.argnlist[0])
        if name == "paragraph":
            self.parts.add_text(f"\n\n{title} ")
            return
        number = ""
        if not starred:
            number = self._counters.step("section" if name == "chapter" else name)
            self._last = ("section", number)
        self.parts.begin_section(title, number=number, level=level, appendix=self._appendix)

    def _begin_appendix(self) -> None:
        self._appendix = True
        self._counters.begin_appendix()

    def _count_otherwise(self, node: LatexMacroNode) -> None:
        """Follow `\\setcounter{section}{0}` and `\\renewcommand{\\thesection}{…}`."""
        texts = [
            str(one.latex_verbatim()).strip("{} ")
            for one in _arguments(node)
            if isinstance(one, LatexGroupNode)
        ]
        if len(texts) < 2:
            return
        name, value = texts[0], str(_arguments(node)[-1].latex_verbatim())[1:-1]
        if node.macroname == "setcounter" and re.fullmatch(r"\d{1,4}", value.strip()):
            self._counters.set(name, int(value))
        elif name.startswith(r"\the"):
            self._counters.print_as(name[4:], value)

    def _environment(self, node: LatexEnvironmentNode) -> bool:
        name = node.environmentname.rstrip("*")
        nodes = node.nodelist
        if name in self._theorems:
            self._theorem(name, nodes)
        if name in _TABLES or name in _TABULARS:
            self._flush()
            self._table(node)
        elif name in _FIGURES:
            self._flush()
            self._figure(node)
        elif name in _EQUATIONS:
            self._equation(node, numbered=not node.environmentname.endswith("*"))
        elif name == "algorithm":
            self._flush()
            self._algorithm(node)
        elif name in _HEADED or name in ("appendix", "appendices"):
            self._flush()
            if name in _HEADED:
                self.parts.begin_section(_HEADED[name])
            else:
                self._begin_appendix()
            self.read(nodes)
        elif name == "thebibliography":
            self._flush()
        elif name in ("itemize", "enumerate", "description") and not _has_structure(nodes):
            return False
        elif _has_structure(nodes) or name in ("center", "document", "multicols"):
            self._flush()
            self.read(nodes)
        else:
            return False
        return True

    def _theorem(self, name: str, nodes: Sequence[LatexNode]) -> None:
        """Count a theorem and register its labels, so that references to it resolve."""
        counter, title = self._theorems[name]
        self._last = (title.lower(), self._counters.step(counter))
        for label in nodes:
            if isinstance(label, LatexMacroNode) and label.macroname == "label":
                self._labels[_argument(label)] = self._last

    def _caption(self, node: LatexEnvironmentNode) -> str:
        captions = _all_macros(node.nodelist, ("caption", "captionof"))
        return max((plain_line(_arguments(one)[-1:]) for one in captions), key=len, default="")

    def _count(self, counter: str, node: LatexEnvironmentNode, caption: str) -> str:
        number = self._counters.step(counter) if caption else ""
        for label in _all_macros(node.nodelist, ("label",)):
            self._labels[_argument(label)] = (counter, number) if number else self._last
        return number

    def _table(self, node: LatexEnvironmentNode) -> None:
        caption = self._caption(node)
        found = _outer_tabulars([node])
        number = self._count("table" if found else "figure", node, caption)
        for tabular in found:
            rows = cells_of(tabular.nodelist)
            table = PaperTable(
                number=number,
                caption=caption,
                rows=rows,
                header_rows=header_rows(rows),
                section=self.parts.section,
            )
            if len(rows) > 1 or table.columns > 1:
                self.parts.add(self.parts.tables, table)

    def _figure(self, node: LatexEnvironmentNode) -> None:
        found = _outer_tabulars(node.nodelist)
        caption = self._caption(node)
        if any(len(cells_of(one.nodelist)) > 2 for one in found) and not _all_macros(
            node.nodelist, ("includegraphics",)
        ):
            self._table(node)
            return
        number = self._count("figure", node, caption)
        if caption:
            part = Figure(number=number, caption=caption, section=self.parts.section)
            self.parts.add(self.parts.figures, part)

    def _equation(self, node: LatexEnvironmentNode | LatexMathNode, *, numbered: bool) -> None:
        number = self._counters.step("equation") if numbered else ""
        for label in _all_macros(node.nodelist, ("label",)):
            self._labels[_argument(label)] = ("equation", number)
        inner = "".join(str(one.latex_verbatim()) for one in node.nodelist)
        source = " ".join(re.sub(r"\\label\s*\{[^{}]*\}", "", inner).split())
        part = Equation(number=number, text=source[:4_000], section=self.parts.section)
        self.parts.add(self.parts.equations, part)
        self._flush()
        self.parts.add_text(f" {plain_line(node.nodelist)} ")

    def _algorithm(self, node: LatexEnvironmentNode) -> None:
        caption = self._caption(node)
        number = self._count("algorithm", node, caption)
        source = "".join(str(one.latex_verbatim()) for one in node.nodelist)
        source = re.sub(r"\\caption(?:\[[^\]]*\])?\{[^{}]*\}", "", source)
        lines = re.split(
            r"\\(?=(?:State|STATE|For|FOR|While|WHILE|If|IF|Else|ELSE|End\w+|END\w+|Require|REQUIRE|"
            r"Ensure|ENSURE|Return|RETURN|Input|Output|KwIn|KwOut|KwData|KwResult)\b)|\\;|\\\\",
            source,
        )
        texts = (plain_source("\\" + line if line[:1].isupper() else line) for line in lines[:300])
        self.parts.add(
            self.parts.algorithms,
            Algorithm(
                number=number,
                caption=caption,
                lines=tuple(text for text in texts if text),
                section=self.parts.section,
            ),
        )

    def resolve(self) -> None:
        """Replace references to labels with their numbers and kinds, as printed."""

        def number(match: re.Match[str]) -> str:
            found = [self._labels.get(one.strip(), ("", "")) for one in match.group(2).split(",")]
            numbers = ", ".join(one for _, one in found)
            kind = found[0][0] if match.group(1) in ("auto", "c", "C") else ""
            kind = kind if match.group(1) == "c" else kind.capitalize()
            return f"{kind} {numbers}".strip()

        def resolved(text: str) -> str:
            return _SHOWN.sub(number, _REFERS.sub(number, text))

        self.parts.replace_in_text(resolved)
        self.parts.figures = [
            figure.model_copy(update={"caption": resolved(figure.caption)})
            for figure in self.parts.figures
        ]
        self.parts.tables = [
            table.model_copy(
                update={
                    "caption": resolved(table.caption),
                    "rows": tuple(
                        tuple(cell.model_copy(update={"text": resolved(cell.text)}) for cell in row)
                        for row in table.rows
                    ),
                }
            )
            for table in self.parts.tables
        ]


def _arguments(node: LatexMacroNode) -> list[LatexNode]:
    """Return the arguments that are passed to a macro."""
    found = node.nodeargd.argnlist if node.nodeargd else None
    return [one for one in found or [] if one]


def _argument(node: LatexMacroNode) -> str:
    arguments = _arguments(node)
    return str(arguments[-1].latex_verbatim()).strip("{} ") if arguments else ""


def _walk(
    nodes: Sequence[LatexNode] | None, enters: Callable[[LatexNode], bool] = lambda node: True
) -> Iterator[LatexNode]:
    """Yield nodes and those within them, in their order.

    Args:
        nodes: The nodes.
        enters: Whether to look within a node.
    """
    waiting = list(reversed(nodes or []))
    while waiting:
        node = waiting.pop()
        yield node
        if not enters(node):
            continue
        if isinstance(node, (LatexGroupNode, LatexEnvironmentNode, LatexMathNode)):
            waiting.extend(reversed(node.nodelist or []))
        elif isinstance(node, LatexMacroNode):
            waiting.extend(reversed(_arguments(node)))


def _all_macros(nodes: Sequence[LatexNode], names: Sequence[str]) -> list[LatexMacroNode]:
    """Return the macros of these names within nodes, in their order."""
    macros = (node for node in _walk(nodes) if isinstance(node, LatexMacroNode))
    return [node for node in macros if node.macroname in names]


def _outer_tabulars(nodes: Sequence[LatexNode]) -> list[LatexEnvironmentNode]:
    """Return the outermost tables within nodes."""
    return [node for node in _walk(nodes, lambda node: not _is_tabular(node)) if _is_tabular(node)]


def _is_tabular(node: LatexNode) -> TypeGuard[LatexEnvironmentNode]:
    return isinstance(node, LatexEnvironmentNode) and (
        node.environmentname.rstrip("*") in _TABULARS
    )


def _has_structure(nodes: Sequence[LatexNode] | None) -> bool:
    """Return whether nodes contain a part of their own: a heading, table, figure or algorithm."""
    return any(map(_is_structure, _walk(nodes)))


def _is_structure(node: LatexNode) -> bool:
    if isinstance(node, LatexEnvironmentNode):
        name = node.environmentname.rstrip("*")
        return name in (*_TABLES, *_FIGURES, *_TABULARS, *_EQUATIONS, "algorithm", "abstract")
    return isinstance(node, LatexMacroNode) and node.macroname in (*_LEVELS, *_TITLES)


def _read_references(parts: PaperParts, files: Mapping[str, bytes], main: str, body: str) -> None:
    """Read references from `thebibliography` in the sources or a `.bbl`, completed from BibTeX."""
    stem = main.rsplit(".", 1)[0]
    bibliographies = [name for name in files if name.endswith(".bbl")]
    bibliographies.sort(key=lambda name: (name != f"{stem}.bbl", name))
    texts = [body, *(without_comments(decode(files[name])) for name in bibliographies[:1])]
    fields: dict[str, dict[str, str]] = {}
    for name in sorted(name for name in files if name.endswith(".bib")):
        fields.update(bib_entries(decode(files[name])[:8_000_000]))
    for text in texts:
        for key, entry in _bib_items(text):
            known = fields.get(key, {})
            title = plain_source(known.get("title", ""))
            parts.add(
                parts.references,
                reference_of(key, plain_source(entry), title, known.get("year", "")),
            )
        if parts.references:
            return
    for key in dict.fromkeys(re.findall(r"@([^\s;\]]+)", " ".join(parts.texts()))):
        if key in fields:
            parts.add(parts.references, _of_fields(key, fields[key]))
    if not parts.references:
        for reference in listed_references(parts.text_of("references", "bibliography")):
            parts.add(parts.references, reference)


def _bib_items(text: str) -> list[tuple[str, str]]:
    found = re.search(r"\\begin\{thebibliography\}(.*?)(?:\\end\{thebibliography\}|$)", text, re.S)
    if not found:
        return []
    pieces = re.split(r"\\bibitem\b", found.group(1))[1:]
    items: list[tuple[str, str]] = []
    for piece in pieces[:5_000]:
        match = re.match(
            r"\s*(?:\[(?:[^\[\]{}]|\{(?:[^{}]|\{[^{}]*\})*\})*\])?\s*\{([^{}]+)\}", piece
        )
        if match:
            entry = re.sub(r"\\newblock\b", " ", piece[match.end() :])
            items.append((match.group(1).strip(), entry[:4_000]))
    return items


def _of_fields(key: str, fields: Mapping[str, str]) -> Reference:
    venue = fields.get("journal") or fields.get("booktitle") or fields.get("publisher", "")
    names = ("author", "title", "venue", "year", "eprint", "doi", "url")
    said = {**fields, "venue": venue}
    text = ". ".join(plain_source(said[name][:2_000]) for name in names if said.get(name))
    if "arxiv" in said.get("archiveprefix", "").lower() and said.get("eprint"):
        text += f" arXiv:{said['eprint']}"
    return reference_of(key, text, plain_source(said.get("title", "")), said.get("year", ""))
