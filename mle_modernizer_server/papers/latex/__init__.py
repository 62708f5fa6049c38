"""LaTeX sources → the parts of a paper; nothing is compiled.

- `expand.py`: comments out, `\\input` in, the paper's own macros expanded, all within bounds.
- `text.py`: a piece of LaTeX → plain text. `tabular.py`: a tabular → cells.
- `counters.py`: how sections, tables and theorems are numbered.
- `document.py`: the door: walks through the parsed document and collects its parts.
"""
