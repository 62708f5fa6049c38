from __future__ import annotations

import ast

import pytest
from IPython.core.inputtransformer2 import TransformerManager

from mle_modernizer_server.code.cell_syntax import parse_cell


@pytest.mark.parametrize(
    "source",
    [
        "x = 1",
        "%matplotlib inline\nimport a",
        "%config InlineBackend.figure_format = 'retina'",
        "!pip install 'a>=1' # old\nx = 2",
        "files = !ls -l\nprint(files)",
        "here = %pwd",
        "if a:\n    %cd ..\n    !ls",
        "!!ls",
        "%%bash\nls",
        "!pip install a \\\n  b\nx = 1",
        "%time?",
        "a.b?",
        "?a",
        ">>> x = 1\n>>> y = 2",
        "  x = 1\n  y = 2",
        "\n\nx = 1",
        "\n  \n%matplotlib inline\ny",
        "\n\n  x = 1\n  y = 2",
        " \n\t\n",
        "def f():\n    '''a\n    \n    b'''\n    \n    return 1",
        "# really?\nx = 'what %d' % 3",
        "'''\n%no magic\n!no command\n'''",
        "x = (5\n%3)",
        ",f a b",
        "% time",
        "%",
        "!",
    ],
)
def test_cell_is_read_as_ipython_compiles_it(source: str) -> None:
    transform = TransformerManager()  # type: ignore[no-untyped-call]  # IPython's own
    by_ipython = transform.transform_cell(source)
    assert tree_or_error(source, parse_cell) == tree_or_error(by_ipython, ast.parse)


def tree_or_error(source: str, parse: object) -> str:
    """Return a tree with its places as a text, or the name of the error."""
    assert callable(parse)
    try:
        return ast.dump(parse(source), include_attributes=True)
    except SyntaxError:
        return "no Python"
