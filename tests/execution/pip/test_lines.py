"""Install commands are found wherever a notebook may have them, and taken out line for line."""

from __future__ import annotations

import pytest

from mle_modernizer_server.code.ipython import parsed
from mle_modernizer_server.domain.notebook import Cell, CellType, Notebook
from mle_modernizer_server.execution.pip.lines import find_install_lines, without_installs


def _lines(source: str):
    return find_install_lines(Notebook(cells=(Cell(id="a", type=CellType.CODE, source=source),)))


def _executed(source: str) -> str:
    return without_installs(source, _lines(source))


@pytest.mark.parametrize(
    "source",
    [
        "!pip install six",
        "! pip3 install six",
        "%pip install six",
        "!python -m pip install six",
        "!python3.7 -m pip install six",
        "!{sys.executable} -m pip install six",
        '!"{sys.executable}" -m pip install six',
        "!/opt/conda/bin/pip install six",
        "!sudo pip install six",
        "!PIP_NO_CACHE=1 pip install six",
        "get_ipython().system('pip install six')",
        "import os; os.system('pip install six')",
        "%%bash\npip install six",
        "%%sh\n\npip install six",
        "%%capture\n!pip install six",
        "out = !pip install six",
        "if True:\n    !pip install six",
        "!pip install six > /dev/null 2>&1",
        "!pip install six  # for compatibility",
        "!pip install six | tail -n 1",
        "%sx pip install six",
        "!uv pip install six",
        "%uv pip install six",
    ],
)
def test_every_form_is_found(source):
    [line] = _lines(source)
    assert line.arguments == ("six",)
    assert line.refusal == ""
    assert "install" not in _executed(source) or "installed before the run" in _executed(source)


@pytest.mark.parametrize(
    ("source", "arguments"),
    [
        ("!pip install -q -U six 'numpy<2'", ("-q", "-U", "six", "numpy<2")),
        ("!pip -q install six", ("-q", "six")),
        ("!pip install six \\\n   attrs", ("six", "attrs")),
        ("!pip install pandas>=1.0", ("pandas",)),
        ("!pip install -r requirements.txt", ("-r", "requirements.txt")),
        ("!pip install git+https://x.org/a.git#egg=a", ("git+https://x.org/a.git#egg=a",)),
    ],
)
def test_arguments_are_what_a_shell_makes_of_them(source, arguments):
    assert [line.arguments for line in _lines(source)] == [arguments]


def test_several_commands_of_one_line_are_several_installs():
    source = "!pip install six && pip install attrs; ls"
    assert [line.arguments for line in _lines(source)] == [("six",), ("attrs",)]
    assert _executed(source) == "! true && true ; ls".replace("! ", "!")


@pytest.mark.parametrize(
    "source",
    [
        "print('!pip install six')",
        's = """\n!pip install six\n"""',
        "# !pip install six",
        "!pip list",
        "!pip --version",
        "!echo pip install six",
        "x = [\n'!pip install six',\n]",
        "%%html\npip install six",
        "pip = 3",
        "%matplotlib inline",
    ],
)
def test_what_only_looks_like_one_is_left_alone(source):
    assert _lines(source) == ()
    assert _executed(source) == source


@pytest.mark.parametrize(
    ("source", "why"),
    [
        ("!conda install -y six", "conda"),
        ("%conda install six", "conda"),
        ("!apt-get install -y libfoo", "system packages"),
        ("!sudo apt update", "system packages"),
        ("!pip uninstall -y six", "uninstalled"),
        ("!pip install {package}", "only known when"),
        ("!pip install -e .", "--editable cannot be used in a run"),
        ("!pip install --dry-run six", "--dry-run installs nothing"),
        ("!pip install --no-such-option six", "no such option: --no-such-option"),
    ],
)
def test_what_is_not_carried_out_says_why(source, why):
    [line] = _lines(source)
    assert why in line.refusal
    assert "pass" in _executed(source)


def test_lines_keep_their_number_and_indentation():
    source = "for i in range(2):\n    !pip install \\\n      six\n    print(i)\nx = 1"
    executed = _executed(source)
    assert executed.count("\n") == source.count("\n")
    assert executed.split("\n")[3:] == ["    print(i)", "x = 1"]
    assert parsed(executed) is not None


def test_command_substitution_inside_python_stays_valid():
    source = "é = get_ipython().system('pip install six'); y = 2"
    assert _executed(source) == "é = 0; y = 2"


def test_other_commands_of_a_shell_cell_stay():
    source = "%%bash\npip install six \\\n  attrs\nls -la"
    assert _executed(source) == "%%bash\n:\n\nls -la"
