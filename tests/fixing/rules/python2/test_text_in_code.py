"""Text in code cells."""

from __future__ import annotations

import pytest

from mle_modernizer_server.domain.notebook import Notebook
from mle_modernizer_server.fixing.rules.knowledge import syntax_rules
from mle_modernizer_server.fixing.rules.python2.conversion import convert
from tests.fixing.rules.rewriting import notebook


def converted(source: str) -> str:
    sources: Notebook = convert(notebook(source), syntax_rules()).notebook
    return sources.cells[0].source


def test_lines_of_text_become_comments() -> None:
    before = "F0 - Number of times pregnant\n\nF7 - Age (years)\r\n"
    result = convert(notebook(before), syntax_rules())
    after = "# F0 - Number of times pregnant\n\n# F7 - Age (years)\r\n"
    assert result.notebook.cells[0].source == after
    assert not result.is_python2


@pytest.mark.parametrize(
    "source",
    [
        "for one of these in many",
        "import the packages of the notebook",
        "result of the model = 1",
        "fit the model to the data\nmodel.fit(X, y)",
        "the model of the data\nx = (1,",
        "if this is that:\n    pass the test",
        "print the sum of the column",
        "pip install this",
        "!echo the end of the run",
        "df head",
        "# only the comment",
        "%%bash\necho this is the end",
    ],
)
def test_code_and_commands_stay(source: str) -> None:
    assert converted(source) == source


def test_python_2_is_converted_not_commented() -> None:
    assert converted("print 'the sum of', total") == "print('the sum of', total)"
