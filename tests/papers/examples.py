"""A short paper of our own, in every form, and files that are hostile."""

from __future__ import annotations

import io
import tarfile
from collections.abc import Mapping

from reportlab.lib.pagesizes import letter
from reportlab.pdfgen.canvas import Canvas

WINE = r"""\documentclass{article}
\usepackage{booktabs}
\newcommand{\ours}{\textsc{WineLDA}}
\newcommand{\acc}[1]{#1\,\%}
\def\half{one half}
\title{\ours: Three Classifiers on Wine\thanks{Nobody paid.}}
\begin{document}
\maketitle
\begin{abstract}
We classify wines by chemistry. % a comment with 99.9 accuracy
\ours{} reaches an accuracy of 98.9\,\% on the Wine data set.
\end{abstract}
\section{Introduction}\label{sec:intro}
Linear discriminants \cite{fisher1936, aeberhard1992} are old. They need \half{} a second.
\input{method}
\section{Results}
\begin{table}[t]
\caption{Accuracy (\%) on two data sets. CV: cross-validation error.}\label{tab:main}
\begin{tabular}{l|cc|c}
\toprule
\multirow{2}{*}{Method} & \multicolumn{2}{c|}{Wine} & Iris \\ \cmidrule(lr){2-3}
 & Acc. & F1 & Acc. \\ \midrule
LDA \cite{fisher1936} & 98.88 & 0.99 & $\mathbf{98.0 \pm 0.5}$ \\
1-NN & 95.5 & -- & 96.0 \\ \midrule
\ours{} & \textbf{98.9} & 0.99 & 97.3$^*$ \\ \bottomrule
\end{tabular}
\end{table}
See Table~\ref{tab:main} and Eq.~\eqref{eq:loss}.
\begin{figure}\includegraphics{x.png}\caption{The classes.}\end{figure}
\appendix
\section{Cost}
A run takes $3.3 \cdot 10^{18}$ FLOPs.
\begin{thebibliography}{9}
\bibitem[Fisher(1936)]{fisher1936} R. A. Fisher. \newblock The use of multiple measurements in
taxonomic problems. \newblock \emph{Annals of Eugenics}, 1936.
\bibitem{aeberhard1992} S. Aeberhard. Comparison of classifiers in high dimensional settings.
Technical report, 1992. arXiv:9201.00001
\end{thebibliography}
\end{document}
"""
METHOD = r"""\section{Method}
We standardize all features. We use Adam with a learning rate of $10^{-3}$ and a batch size of 32.
The split is the same as in \citet{aeberhard1992}.
\begin{equation}\label{eq:loss} L = \sum_i \log p_i \end{equation}
\subsection{Model}
A network with 2 hidden layers of 64 units and ReLU.
"""
SOURCES = {"main.tex": WINE.encode(), "method.tex": METHOD.encode()}


def packed(files: Mapping[str, bytes], *others: tarfile.TarInfo) -> bytes:
    """A `.tar.gz` of files and members without content."""
    stream = io.BytesIO()
    with tarfile.open(fileobj=stream, mode="w:gz") as archive:
        for name, data in files.items():
            member = tarfile.TarInfo(name)
            member.size = len(data)
            archive.addfile(member, io.BytesIO(data))
        for member in others:
            archive.addfile(member)
    return stream.getvalue()


_ROWS = [
    ("Method", "Wine", "Iris"),
    ("LDA", "98.88", "98.0"),
    ("1-NN", "95.5", "96.0"),
    ("QDA", "99.44", "97.3"),
]


def pdf(*, password: str | None = None) -> bytes:
    """A page with headings, a sentence with an exponent, a table and references."""
    stream = io.BytesIO()
    page = Canvas(stream, pagesize=letter, encrypt=password)
    page.setFont("Helvetica-Bold", 18)
    page.drawString(72, 720, "Three Classifiers on Wine")
    _heading(page, 680, "1 Introduction")
    page.setFont("Times-Roman", 10)
    for line in range(6):
        page.drawString(72, 660 - 12 * line, "Wines are classified by what chemistry says of them.")
    text = page.beginText(72, 580)
    text.textOut("A run takes 3.3 · 10")
    text.setFont("Times-Roman", 7)
    text.setRise(4)
    text.textOut("18")
    text.setRise(0)
    text.setFont("Times-Roman", 10)
    text.textOut(" operations and is cheap [1].")
    page.drawText(text)
    _heading(page, 550, "2 Results")
    page.setFont("Times-Roman", 10)
    page.drawString(72, 530, "Table 1: Accuracy of three classifiers.")
    page.line(72, 520, 300, 520)
    for row, cells in enumerate(_ROWS):
        for column, cell in enumerate(cells):
            page.drawString(72 + 90 * column, 508 - 14 * row, cell)
    page.line(72, 455, 300, 455)
    page.drawString(
        72, 430, "All of this was done on one afternoon, and nothing was left out of it."
    )
    _heading(page, 400, "References")
    page.setFont("Times-Roman", 10)
    page.drawString(72, 380, "[1] R. Fisher. The use of multiple measurements. Eugenics, 1936.")
    page.drawString(72, 366, "[2] S. Aeberhard. Comparison of classifiers. Report, 1992.")
    page.drawString(72, 352, "[3] L. Breiman. Bagging predictors. Machine Learning, 1996.")
    page.save()
    return stream.getvalue()


def _heading(page: Canvas, y: float, text: str) -> None:
    page.setFont("Helvetica-Bold", 12)
    page.drawString(72, y, text)


def _capitals(page: Canvas, x: float, y: float, text: str, size: float) -> None:
    """Text in small capitals, as IEEE's headings have it."""
    line = page.beginText(x, y)
    for index, char in enumerate(text):
        small = char.islower() or (index and text[index - 3 : index + 4].strip() == "and")
        line.setFont("Times-Roman", size * 0.8 if small else size)
        line.textOut(char.upper())
    page.drawText(line)


_GROUPED = [
    ("", "BF16", "82.4", "3.6"),
    ("Small", "Hybrid", "74.2", "2.2"),
    ("", "Ours", "74.1", "2.1"),
]


def ieee_pdf() -> bytes:
    """A page in two columns as IEEE has them: small capitals, italic headings, `TABLE I`."""
    stream = io.BytesIO()
    page = Canvas(stream, pagesize=letter)
    for number, title in enumerate(("Introduction", "Methods and Data", "Results")):
        top = 700 - 190 * number
        _capitals(page, 120, top, f"{'I' * (number + 1)}. {title}", 10)
        page.setFont("Times-Italic", 10)
        page.drawString(49, top - 20, "A. First Part of It")
        page.setFont("Times-Roman", 10)
        for line in range(8):
            page.drawString(
                49, top - 36 - 12 * line, "Text of the left column fills its whole width"
            )
    for line in range(18):
        page.drawString(312, 420 - 12 * line, "Text of the right column fills its whole width.")
    page.setFont("Times-Roman", 8)
    page.drawString(422, 700, "TABLE I")
    _capitals(page, 402, 690, "Memory and Time", 8)
    page.setFont("Times-Roman", 8)
    for y in (680, 648, 608):
        page.line(330, y, 550, y)
    page.line(440, 664, 540, 664)
    page.drawString(470, 668, "Measured")
    for x, text in ((450, "VRAM"), (510, "Hours")):
        page.drawString(x, 653, text)
    for row, cells in enumerate(_GROUPED):
        for x, text in zip((335, 390, 450, 510), cells, strict=True):
            page.drawString(x, 638 - 12 * row, text)
    page.drawString(422, 596, "TABLE II")
    page.drawString(312, 580, "(a) The half")
    page.drawString(440, 580, "(b) The whole")
    for left in (312, 440):
        for row, pair in enumerate((("Model", "Score"), ("Ours", "0.5"), ("Theirs", "0.4"))):
            for column, cell in enumerate(pair):
                page.drawString(left + 60 * column, 568 - 11 * row, cell)
    page.save()
    return stream.getvalue()


def many_pages_pdf(pages: int) -> bytes:
    """Pages of text, the first with Chinese words, without a table."""
    from reportlab.pdfbase.cidfonts import UnicodeCIDFont
    from reportlab.pdfbase.pdfmetrics import registerFont

    registerFont(UnicodeCIDFont("STSong-Light"))
    stream = io.BytesIO()
    page = Canvas(stream, pagesize=letter)
    page.setFont("STSong-Light", 10)
    page.drawString(72, 640, "葡萄酒")
    for number in range(1, pages + 1):
        for line in range(2):
            text = f"Text of a page that says no more of it than page {number} here and there"
            page.drawString(72, 600 - 14 * line, text)
        page.showPage()
    page.save()
    return stream.getvalue()


def scanned_pdf() -> bytes:
    """A page that is one picture."""
    from PIL import Image
    from reportlab.lib.utils import ImageReader

    stream = io.BytesIO()
    page = Canvas(stream, pagesize=letter)
    page.drawImage(ImageReader(Image.new("L", (60, 80), 200)), 0, 0, 612, 792)
    page.save()
    return stream.getvalue()
