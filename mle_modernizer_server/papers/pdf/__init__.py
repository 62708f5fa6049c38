"""A PDF → the parts of a paper, by PDFium's glyphs and their positions on the page.

- `glyphs.py`: the only use of PDFium: a page → words with position, size and weight, and ruled
  lines.
- `lines.py`: words → lines; raised small digits become `^`, which plain PDF text loses.
- `headings.py`: which lines are headings. `tables.py`: the words near a table's caption → rows and
  columns; `spans.py`: cells that reach across several of them.
- `document.py`: headings, captions, tables, equations, references of all pages.
- `picture.py`: a page as a picture, to compare with the text read from it.
"""
