from __future__ import annotations

from tests.fixing.rules.executed.case import Case

LOUD: list[Case] = [
    Case(
        "ipython-core-display",
        "",
        "from IPython.core.display import display, HTML",
        "HTML('<b>').data == '<b>'",
    ),
    Case("ipython-matplotlib-formats", "", "from IPython.display import set_matplotlib_formats"),
    Case(
        "ipython-magic-method",
        "from IPython.core.interactiveshell import InteractiveShell\n"
        "shell = InteractiveShell.instance()\nget_ipython = lambda: shell\n",
        "result = get_ipython().magic('pwd')",
        "'/' in result",
        differs="each snippet runs in a directory of its own",
    ),
    Case("ipython-magic-space", "", "x = 1\n% pwd", "x == 1", shell=True),
    Case("ipython-traitlets", "", "from IPython.utils.traitlets import Int"),
    Case("ipython-traitlets", "", "from IPython.config import Config", "Config"),
    Case("ipython-tracer", "", "from IPython.core.debugger import Tracer", fix=False),
    Case("ipython-matplotlib-close", "", "from IPython.display import set_matplotlib_close"),
    Case("ipython-inputsplitter", "", "import IPython.core.inputsplitter", fix=False),
]

SILENT: list[Case] = []
