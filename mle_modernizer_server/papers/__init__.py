"""Reads a paper's file (LaTeX and archives of it, PDF, Markdown, HTML) → `Paper`. No model.

In: a path. Out: `domain.paper.Paper`, or `BadPaper` with the reason. Nothing of a paper is ever
compiled or executed, and nothing is unpacked to the disk.

- `read.py`: the door: collects the file's bytes and asks the child; `child.py`: the process that
  reads, within limits of time and memory, which opens no file of the user's; `order.py`: what it is
  asked and answers.
- `sources.py`: bytes → format, and the files of an archive, in memory.
- `parts.py`: what every reader collects a paper's parts with.
- `latex/`, `pdf/`, `markup.py` (Markdown and HTML): one reader a format.
- `references.py`: entries of a bibliography, whatever they were read from.
"""
