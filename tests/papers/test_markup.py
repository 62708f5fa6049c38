"""Markdown, HTML and plain text."""

from __future__ import annotations

from mle_modernizer_server.domain.paper import Paper
from mle_modernizer_server.papers import child

MARKDOWN = """# Three Classifiers

## 1 Results

Table 1: Accuracy on wine.

| Method | Accuracy |
|---|---|
| LDA | **98.9** |
| 1-NN | 95.5 |

## References

- R. Fisher. The use of multiple measurements. Eugenics, 1936.
"""
HTML = """<!doctype html><html><head><title>T</title><script>alert(1)</script></head><body>
<h1>Three Classifiers</h1><h2>1 Results</h2><p>It takes
<math alttext="3.3\\cdot 10^{18}"><mn>3.31018</mn></math> operations.</p>
<figure><table><thead><tr><th rowspan="2">Method</th><th colspan="2">Wine</th></tr>
<tr><th>Acc</th><th>F1</th></tr></thead>
<tr><td>LDA</td><td>98.9</td><td>0.99</td></tr></table>
<figcaption>Table 3: Both.</figcaption></figure>
</body></html>"""
PLAIN = """Three Classifiers
Abstract
Wine is told apart.
1 Introduction
A first line.
-
A point.
2.1 Results and More
Method | Acc |
---|---|
LDA | 98.9 |
"""


def read(name: str, text: str) -> Paper:
    answer = child.read(name, {name: text.encode()})
    assert answer.paper is not None, answer
    return answer.paper


def test_markdown_has_sections_tables_and_references() -> None:
    paper = read("a.md", MARKDOWN)
    assert paper.title == "Three Classifiers"
    (table,) = paper.tables
    assert (table.number, table.caption) == ("1", "Accuracy on wine.")
    assert [[cell.text for cell in row] for row in table.rows[1:]] == [
        ["LDA", "98.9"],
        ["1-NN", "95.5"],
    ]
    assert table.rows[1][1].bold
    assert [one.year for one in paper.references] == [1936]


def test_html_keeps_formulas_and_spans_and_runs_nothing() -> None:
    paper = read("a.html", HTML)
    assert "3.3·10^18 operations" in paper.sections[-1].text.replace(" · ", "·").replace("· ", "·")
    (table,) = paper.tables
    assert [[cell.text for cell in row] for row in table.rows] == [
        ["Method", "Wine", "Wine"],
        ["Method", "Acc", "F1"],
        ["LDA", "98.9", "0.99"],
    ]
    assert (table.number, table.caption, table.header_rows) == ("3", "Both.", 2)
    assert "alert" not in paper.model_dump_json()


def test_plain_text_with_numbered_lines_has_sections() -> None:
    paper = read("a.txt", PLAIN)
    assert [(one.number, one.title) for one in paper.sections[-2:]] == [
        ("1", "Introduction"),
        ("2.1", "Results and More"),
    ]
    assert len(paper.tables) == 1


def test_a_table_without_end_is_cut() -> None:
    rows = "<tr>" + "<td>1</td>" * 50 + "</tr>"
    paper = read("a.html", f"<html><p>x</p><table>{rows * 200}</table></html>")
    assert len(paper.tables[0].rows) * paper.tables[0].columns <= 5_000
