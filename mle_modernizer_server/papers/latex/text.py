"""Parsed LaTeX → plain text. Citations become `[@key]`, formulas readable text: `10^18`."""

from __future__ import annotations

import re
from collections.abc import Sequence

from pylatexenc.latex2text import (
    LatexNodes2Text,
    MacroTextSpec,
    SpecialsTextSpec,
    get_default_latex_context_db,
)
from pylatexenc.latexwalker import LatexMacroNode, LatexNode, LatexWalker
from pylatexenc.latexwalker import get_default_latex_context_db as walker_context
from pylatexenc.macrospec import EnvironmentSpec, LatexContextDb, MacroSpec

_CITES = (
    *("cite", "citep", "citet", "citealp", "citealt", "citeauthor", "citeyear", "citeyearpar"),
    *("Citet", "Citep", "parencite", "textcite", "autocite", "footcite", "newcite", "shortcite"),
    *("citeA", "citenum", "citetext"),
)
_SHOWN_LAST = {
    "textcolor": "[{{",
    "colorbox": "{{",
    "cellcolor": "[{",
    "rowcolor": "[{",
    "resizebox": "*{{{",
    "scalebox": "{[{",
    "adjustbox": "{{",
    "rotatebox": "[{{",
    "makecell": "*[{",
    "thead": "*[{",
    "shortstack": "[{",
    "parbox": "[[[{{",
    "raisebox": "{[[{",
    "multirow": "[{[{[{",
    "multicolumn": "{{{",
    "underline": "{",
    "uline": "{",
    "mathbf": "{",
    "boldsymbol": "{",
    "bm": "{",
    "num": "[{",
    "texorpdfstring": "{{",
    "tablefootnote": "{",
    "captionof": "{[{",
    "caption": "*[{",
    "section": "*[{",
    "subsection": "*[{",
    "subsubsection": "*[{",
    "paragraph": "*[{",
    "chapter": "*[{",
    "href": "{{",
    "tnote": "{",
    "stackrel": "{{",
    "underset": "{{",
    "hl": "{",
    "textsc": "{",
    "texttt": "{",
    "textsf": "{",
    "textmd": "{",
    "textup": "{",
    "mbox": "{",
    "operatorname": "*{",
}
"""Macros whose last argument is printed, and their arguments in pylatexenc's notation."""
_SILENT = {
    "vspace": "*{",
    "hspace": "*{",
    "setlength": "{{",
    "addlinespace": "[",
    "arrayrulecolor": "[{",
    "tablefootnotemark": "",
    "thanks": "{",
    "footnotemark": "[",
    "label": "{",
    "vskip": "",
    "bibliographystyle": "{",
    "bibliography": "{",
    "includegraphics": "*[{",
    "fontsize": "{{",
    "renewcommand": "*{[[{",
    "hphantom": "{",
    "phantom": "{",
    "vphantom": "{",
    "todo": "[{",
    "color": "[{",
    "definecolor": "{{{",
    "hypersetup": "{",
    "setcounter": "{{",
    "addtocounter": "{{",
    "hypertarget": "{{",
    "looseness": "",
    "maketitle": "",
}


def _last(node: LatexMacroNode, l2tobj: LatexNodes2Text) -> str:
    arguments = node.nodeargd.argnlist if node.nodeargd else []
    last = arguments[-1] if arguments else None
    return "" if last is None else str(l2tobj.nodelist_to_text([last]))


def _cited(node: LatexMacroNode, l2tobj: LatexNodes2Text) -> str:
    arguments = [one for one in (node.nodeargd.argnlist if node.nodeargd else []) if one]
    if not arguments:
        return ""
    keys = str(arguments[-1].latex_verbatim()).strip("{}").split(",")
    named = [f"@{key.strip()}" for key in keys if key.strip() and not re.search(r"\s", key.strip())]
    return f"[{'; '.join(named)}]" if named else ""


def _reference(node: LatexMacroNode, l2tobj: LatexNodes2Text) -> str:
    return str(node.latex_verbatim())


def _parsing() -> LatexContextDb:
    context = walker_context()
    context.add_context_category(
        "paper",
        prepend=True,
        macros=[
            *(MacroSpec(name, spec) for name, spec in (_SHOWN_LAST | _SILENT).items()),
            *(MacroSpec(name, "*[[{") for name in _CITES),
            MacroSpec("ref", "*{"),
            MacroSpec("eqref", "{"),
            MacroSpec("autoref", "*{"),
            MacroSpec("cref", "*{"),
            MacroSpec("Cref", "*{"),
            MacroSpec("appendix", ""),
            MacroSpec("icmltitle", "{"),
            MacroSpec("icmltitlerunning", "{"),
            MacroSpec("bibitem", "[{"),
        ],
        environments=[
            *(
                EnvironmentSpec(name, spec)
                for name, spec in {
                    "tabular": "[{",
                    "tabular*": "{[{",
                    "tabularx": "{[{",
                    "tabulary": "{[{",
                    "tabu": "{",
                    "longtable": "[{",
                    "supertabular": "[{",
                    "longtabu": "{",
                    "table": "[",
                    "table*": "[",
                    "wraptable": "[{[{",
                    "sidewaystable": "[",
                    "figure": "[",
                    "figure*": "[",
                    "wrapfigure": "[{[{",
                    "minipage": "[[[{",
                    "adjustbox": "{",
                    "algorithm": "[",
                    "algorithm*": "[",
                    "algorithmic": "[",
                    "threeparttable": "[",
                    "subtable": "[{",
                    "thebibliography": "{",
                    "subfigure": "[{",
                }.items()
            ),
            *(
                EnvironmentSpec(name, "", is_math_mode=True)
                for name in ("gather", "gather*", "multline", "multline*", "eqnarray", "eqnarray*")
            ),
        ],
    )
    return context


def _printing() -> LatexContextDb:
    context = get_default_latex_context_db()
    context.add_context_category(
        "paper",
        prepend=True,
        macros=[
            *(MacroTextSpec(name, simplify_repl=_last) for name in _SHOWN_LAST),
            *(MacroTextSpec(name, discard=True) for name in _SILENT),
            *(MacroTextSpec(name, simplify_repl=_cited) for name in _CITES),
            *(
                MacroTextSpec(name, simplify_repl=_reference)
                for name in ("ref", "eqref", "autoref", "cref", "Cref")
            ),
            MacroTextSpec("pm", "±"),
            MacroTextSpec("checkmark", "✓"),
            MacroTextSpec("cmark", "✓"),
            MacroTextSpec("xmark", "✗"),
            MacroTextSpec("xspace", ""),
            MacroTextSpec("item", "\n- "),
            MacroTextSpec("par", "\n\n"),
            MacroTextSpec("State", "\n"),
            MacroTextSpec("STATE", "\n"),
            MacroTextSpec("uparrow", "↑"),
            MacroTextSpec("downarrow", "↓"),
            *(
                MacroTextSpec(name, discard=True)
                for name in ("toprule", "midrule", "bottomrule", "hline", "hdashline", "noindent")
            ),
        ],
        specials=[SpecialsTextSpec("&", " ")],
    )
    return context


_PARSING = _parsing()
_KNOWN = frozenset(spec.macroname for spec in _PARSING.iter_macro_specs())
_PRINTER = LatexNodes2Text(
    latex_context=_printing(), math_mode="text", keep_comments=False, strict_latex_spaces=False
)


_STRUCTURE = frozenset(
    [
        *("part", "chapter", "section", "subsection", "subsubsection", "paragraph", "subparagraph"),
        *("title", "icmltitle", "appendix", "caption", "captionof", "label", "bibitem", "item"),
        *("begin", "end", "multicolumn", "multirow", "footnote", *_CITES),
    ]
)


def is_latex(name: str) -> bool:
    """Return whether a macro is LaTeX's or a supported package's: a style only sets its look."""
    return name in _KNOWN


def is_structure(name: str) -> bool:
    """Return whether a macro marks structure; a paper's redefinition changes its look only."""
    return name in _STRUCTURE


def parsed(source: str) -> list[LatexNode]:
    """Return the nodes of a piece of LaTeX; skip invalid pieces."""
    walker = LatexWalker(source, latex_context=_PARSING, tolerant_parsing=True)
    return list(walker.get_latex_nodes()[0])


def plain(nodes: Sequence[LatexNode | None]) -> str:
    """Return the text of nodes, with its line breaks."""
    return str(_PRINTER.nodelist_to_text([node for node in nodes if node is not None]))


def plain_line(nodes: Sequence[LatexNode | None]) -> str:
    """Return the text of nodes on one line."""
    text = re.sub(r"\\((?:eq|auto|c|C)?ref)\*?\s*\{([^{}]*)\}", r"[\1:\2]", plain(nodes))
    return " ".join(text.split())


def plain_source(source: str) -> str:
    """Return the text of a piece of LaTeX on one line."""
    return plain_line(parsed(source))
