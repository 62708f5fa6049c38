import pytest

from mle_modernizer_server.code.masking import mask

MAGICS = [
    "%matplotlib inline\nx = 1",
    "!ls -l | head\nx = 1",
    "files = !ls *.csv\nx = 1",
    "here = %pwd\n",
    "df?\n",
    "?df",
    "df.head??",
    "%%time\nmodel.fit(X, y)\n",
    "%%timeit -n 10\nf()",
    "for i in range(3):\n    !echo {i}\n    print(i)",
    "!pip install a \\\n    b \\\n    c\nx = 1",
    "%time model.fit(X, y)\n%timeit -n 3 f()\n",
    "if a:\n\t%cd ..\n",
    "%matplotlib inline\r\nx = 1\r\n",
    "%load_ext autoreload\n%autoreload 2",
]
PYTHON = [
    "x = 5 % 3\n",
    "x = (a\n % b)\n",
    "s = '''\n%matplotlib inline\n!ls\n'''\n",
    "x %= 3\nassert a != b\n",
    "d = {\n    'a': 1,\n}\n",
    "x = 'what?'\n",
    "x = 1  # why?\n",
    "y = a \\\n % b\n",
    'f"{x!r}"\n',
    "s = 'it\\'s (open'\n",
]


@pytest.mark.parametrize("source", MAGICS)
def test_magics_become_equal_lines_of_python_and_come_back(source: str) -> None:
    masked = mask(source)
    assert masked is not None
    assert masked.magics
    compile(masked.text.replace("\r\n", "\n"), "cell", "exec")
    assert masked.text.count("\n") == source.count("\n")
    assert masked.restore(masked.text) == source


@pytest.mark.parametrize(
    "source",
    [" df.plot()", "  x = 1\n\n \n  if x:\n      !ls\n", "\t# why\n\tx = (\n\t2)\n"],
)
def test_indented_cell_is_parsed_dedented_and_restored(
    source: str,
) -> None:
    masked = mask(source)
    assert masked is not None
    compile(masked.text, "cell", "exec")
    assert masked.restore(masked.text) == source


@pytest.mark.parametrize("source", PYTHON)
def test_python_that_looks_like_a_magic_is_left_alone(source: str) -> None:
    masked = mask(source)
    assert masked is not None
    assert (masked.text, masked.magics) == (source, {})


@pytest.mark.parametrize("magic", ["bash", "html", "writefile a.py", "javascript", "R", "latex"])
def test_cells_in_another_language_are_no_python(magic: str) -> None:
    assert mask(f"%%{magic}\nnp.int\n") is None


def test_a_placeholder_that_got_lost_or_doubled_is_noticed() -> None:
    masked = mask("!ls\n")
    assert masked is not None
    assert masked.restore("x = 1\n") is None
    assert masked.restore(masked.text * 2) is None
