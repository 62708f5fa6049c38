"""Reads a paper's file (LaTeX and archives of it, PDF, Markdown, HTML). No model is used.

In: a path. Out: `domain.paper.Paper`, or `BadPaper` with the reason. Nothing in a paper is ever
compiled or executed, and nothing is unpacked to disk.

- `read.py`: the entry point: reads the file's bytes and asks the child process. `child.py`: that
  process, with limits of time and memory, which opens no file of the user's. `order.py`: its
  requests and answers.
- `sources.py`: bytes → format, and the files of an archive, in memory.
- `parts.py`: collects the parts of a paper, for every reader.
- `latex/`, `pdf/`, `markup.py` (Markdown and HTML): one reader per format.
- `references.py`: entries of a bibliography, from any format.
"""
