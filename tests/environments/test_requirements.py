"""What a notebook needs, from its text and from what lies beside it."""

from __future__ import annotations

import os
import time
from pathlib import Path

import pytest

from mle_modernizer_server.domain.environment import (
    Refusal,
    Requirement,
    Requirements,
    RequirementSource,
)
from mle_modernizer_server.domain.notebook import Cell, CellType, Notebook
from mle_modernizer_server.environments.beside import conda_requirement, module_texts
from mle_modernizer_server.environments.distributions import distribution_of, distributions
from mle_modernizer_server.environments.requirements import plain_requirement, requirements_of


def needs(*cells: str, folder: Path | None = None) -> Requirements:
    made = tuple(
        Cell(id=f"c{number}", type=CellType.CODE, source=source)
        for number, source in enumerate(cells)
    )
    return requirements_of(Notebook(cells=made), folder)


def by_name(found: Requirements) -> dict[str, Requirement]:
    return {item.name: item for item in found.packages}


def test_imports_name_distributions_and_pythons_own_name_none() -> None:
    found = needs(
        "import os, json, sys\nimport numpy as np, cv2\nfrom sklearn.svm import SVC",
        "from PIL import Image\nimport bs4, yaml, skimage.io",
        "from mpl_toolkits.mplot3d import Axes3D",
        "from stop_words import get_stop_words\nimport umap, Levenshtein, faiss, Crypto, dateutil",
        "import urllib2, cPickle, imp\nfrom __future__ import print_function",
    )
    assert set(by_name(found)) == {
        *("numpy", "opencv-python-headless", "scikit-learn", "pillow", "beautifulsoup4", "pyyaml"),
        *("scikit-image", "matplotlib", "stop-words", "umap-learn", "levenshtein", "faiss-cpu"),
        *("pycryptodome", "python-dateutil"),
    }
    assert found.unknown == ()
    assert by_name(found)["scikit-learn"].imports == ("sklearn",)
    assert "cv2" in found.imports()


def test_import_of_a_call_is_needed_but_makes_no_environment() -> None:
    found = needs(
        "import pandas as pd\npd.read_csv('a.csv').style", "from tqdm.notebook import tqdm"
    )
    assert {"jinja2", "ipywidgets"} <= set(by_name(found))
    assert by_name(found)["ipywidgets"].optional
    assert set(found.imports()) == {"pandas", "tqdm"}


def test_a_module_of_colab_is_not_asked_for() -> None:
    assert needs("from google.colab import drive\nimport google.colab").unknown == ()
    assert needs("import google.cloud").unknown == ("google",)


def test_a_name_no_table_knows_is_asked_for() -> None:
    found = needs("import numpyy\nimport reqeusts", "import bq_helper, feature_selector")
    assert found.unknown == ("numpyy", "reqeusts", "bq_helper", "feature_selector")
    assert found.packages == ()


def test_python_2_cells_are_read_too() -> None:
    found = needs('print "hello"\nimport pandas as pd, seaborn\nfrom xgboost import XGBClassifier')
    assert set(by_name(found)) == {"pandas", "seaborn", "xgboost"}


def test_import_that_may_fail_makes_no_environment() -> None:
    found = needs(
        "try:\n    import catboost\n    import nowhere\nexcept ImportError:\n    catboost = None",
        "import pandas as pd\npd.read_excel('x.xls')",
    )
    packages = by_name(found)
    assert packages["catboost"].optional
    assert packages["openpyxl"].source is RequirementSource.USE
    assert found.imports() == ("pandas",)
    assert found.unknown == ()
    assert not by_name(needs("try:\n    import catboost\nexcept E: 0", "import catboost"))[
        "catboost"
    ].optional


def test_magics_and_other_languages() -> None:
    found = needs(
        "%matplotlib inline\n%load_ext memory_profiler",
        "%%html\nimport evil",
        "%%time\nimport numpy",
    )
    assert set(by_name(found)) == {"matplotlib", "memory-profiler", "numpy"}


def test_install_lines_count_with_their_versions() -> None:
    found = needs(
        "!pip install -q --upgrade xgboost==0.90 'catboost>=0.2,<1' && echo done",
        "%pip install missingno==0.4.1",
        "!conda install -c conda-forge -y lightgbm=2.2",
        "import sys\n!{sys.executable} -m pip install shap==0.30",
        "%%bash\npip3 install eli5==0.8\n",
        "import os\nos.system('pip install plotly==3.0')\nimport xgboost, strange",
        "!pip install strange",
        "!pip install ipykernel==4.0 pip==9.0",
    )
    assert {item.name: item.specifier for item in found.packages} == {
        "xgboost": "==0.90",
        "catboost": "<1,>=0.2",
        "missingno": "==0.4.1",
        "lightgbm": "==2.2.*",
        "shap": "==0.30",
        "eli5": "==0.8",
        "plotly": "==3.0",
        "strange": "",
    }
    assert by_name(found)["xgboost"].source is RequirementSource.INSTALL_LINE
    assert found.unknown == (), "the notebook's author names the distribution"


def test_other_words_in_an_install_line_are_refused() -> None:
    found = needs(
        "!pip install --index-url http://evil.example alpha ./local.whl -e . "
        "git+https://evil.example/x https://evil.example/y.whl 'beta @ https://evil.example/z' "
        "-r ../secrets.txt --extra-index-url=http://evil.example {package}"
    )
    assert [(item.text, item.refusal) for item in found.refused] == [
        ("--index-url http://evil.example", Refusal.OPTION),
        ("-e .", Refusal.OPTION),
        ("-r ../secrets.txt", Refusal.OPTION),
        ("--extra-index-url=http://evil.example", Refusal.OPTION),
        ("./local.whl", Refusal.PATH),
        ("git+https://evil.example/x", Refusal.ADDRESS),
        ("https://evil.example/y.whl", Refusal.ADDRESS),
        ("beta @ https://evil.example/z", Refusal.ADDRESS),
        ("{package}", Refusal.UNREADABLE),
    ]
    assert set(by_name(found)) == {"alpha"}


@pytest.mark.parametrize(
    ("text", "answer"),
    [
        ("Scikit_Learn >= 0.20", ("scikit-learn", ">=0.20")),
        ("pandas[excel]==1.0 ; python_version >= '3'", ("pandas", "==1.0")),
        ("pywin32 ; sys_platform == 'nowhere'", None),
        ("alpha --hash=sha256:00", ("alpha", "")),
        ("--no-binary :all:", Refusal.OPTION),
        ("../alpha", Refusal.PATH),
        ("~/alpha", Refusal.PATH),
        ("C:\\alpha", Refusal.PATH),
        ("alpha.whl", Refusal.PATH),
        ("file:alpha", Refusal.ADDRESS),
        ("alpha==1.0===", Refusal.UNREADABLE),
        ("alpha===1.0+anything", Refusal.UNREADABLE),
        ("alpha ; nonsense == '1'", Refusal.UNREADABLE),
        ("alpha ; python_version >= 'x' and extra == ''", None),
        ("alpha\n--index-url x", Refusal.UNREADABLE),
        ("", Refusal.UNREADABLE),
    ],
)
def test_only_a_name_with_versions_is_a_requirement(text: str, answer: object) -> None:
    assert plain_requirement(text) == answer


def test_files_beside_the_notebook_give_versions(tmp_path: Path) -> None:
    (tmp_path / "requirements.txt").write_text(
        "pandas==0.24.2  # the one that works\nscipy<1.3\n-e .\n# numpy==1.0\nhelper-lib==0.1\n"
    )
    (tmp_path / "environment.yml").write_text(
        "dependencies:\n  - python=3.7\n  - conda-forge::seaborn=0.9.0=py37_0\n"
        "  - pip:\n    - shap>=0.3\n"
    )
    (tmp_path / "pyproject.toml").write_text(
        "[project]\ndependencies = ['matplotlib~=3.1']\n[tool.poetry.dependencies]\n"
        "python = '^3.7'\nplotly = '^4.0'\n"
    )
    found = needs("import pandas, seaborn, matplotlib, plotly, helper_lib", folder=tmp_path)
    assert {item.name: item.specifier for item in found.packages} == {
        "pandas": "==0.24.2",
        "seaborn": "==0.9.0.*",
        "matplotlib": "~=3.1",
        "plotly": ">=4.0",
        "helper-lib": "==0.1",
    }
    assert found.constraints == ("scipy<1.3", "shap>=0.3")
    assert [(item.text, item.origin) for item in found.refused] == [("-e .", "requirements.txt")]
    line = needs("!pip install pandas==0.25.0", "import pandas", folder=tmp_path)
    assert by_name(line)["pandas"].specifier == "==0.25.0", "the notebook's own word goes first"


def test_files_beside_the_notebook_are_hostile(tmp_path: Path) -> None:
    outside = tmp_path / "outside.txt"
    outside.write_text("secret-package==1.0\n")
    folder = tmp_path / "notebook"
    folder.mkdir()
    (folder / "requirements.txt").symlink_to(outside)
    (folder / "pyproject.toml").write_text("= no toml")
    (folder / "environment.yml").write_text("dependencies: &a [*a, {pip: 7}, 3]\n")
    found = needs("import numpy", folder=folder)
    assert (found.constraints, found.refused) == ((), ())
    (folder / "requirements.in").write_text("alpha==1.0\n" * 30_000)
    found = needs("import numpy", folder=folder)
    assert [(item.origin, item.refusal) for item in found.refused] == [
        ("requirements.in", Refusal.TOO_LARGE)
    ]


@pytest.mark.parametrize(
    "name", ["requirements.txt", "pyproject.toml", "environment.yml", "helpers.py"]
)
def test_pipe_named_as_a_file_that_is_read_is_passed(tmp_path: Path, name: str) -> None:
    os.mkfifo(tmp_path / name)
    (tmp_path / "__init__.py").write_text("")
    assert by_name(needs("import numpy, helpers", folder=tmp_path)).keys() == {"numpy"}
    assert list(module_texts("helpers", tmp_path, ())) == []


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("pyproject.toml", "a" + ".a" * 99_000 + " = 1"),
        ("environment.yml", "a: &a [x, x]\ndependencies: [*a, *a]\n"),
        ("environment.yml", "dependencies: " + "[" * 90_000),
        ("requirements.txt", "numpy ; " + "(" * 90_000),
        ("requirements.txt", "numpy==" + "9" * 90_000),
    ],
)
def test_file_beyond_a_limit_asks_for_nothing(tmp_path: Path, name: str, content: str) -> None:
    (tmp_path / name).write_text(content)
    begin = time.process_time()
    assert by_name(needs("import numpy", folder=tmp_path))["numpy"].specifier == ""
    assert time.process_time() - begin < 10.0


@pytest.mark.parametrize("name", ["n" * 300, "a" * 5_000])
def test_import_longer_than_a_file_name_is_no_module(tmp_path: Path, name: str) -> None:
    found = needs(f"import {name}\nimport sys\nsys.path.append('{'p' * 300}')", folder=tmp_path)
    assert found.unknown == (name,)


def test_modules_beside_the_notebook_are_no_packages(tmp_path: Path) -> None:
    folder = tmp_path / "notebooks"
    (folder / "plotting").mkdir(parents=True)
    (folder / "plotting" / "draw.py").touch()
    (folder / "seaborn").mkdir()
    (folder / "seaborn" / "notes.txt").touch()
    (folder / "visuals.py").touch()
    (folder / "pandas.py").touch()
    (tmp_path / "src").mkdir()
    (tmp_path / "src" / "features.py").touch()
    found = needs(
        "import visuals, pandas, seaborn\nimport plotting.draw",
        "import sys\nsys.path.insert(0, '../src')\nsys.path.append('/etc')",
        "import features, elsewhere",
        folder=folder,
    )
    assert found.local == ("visuals", "pandas", "plotting", "features")
    assert set(by_name(found)) == {"seaborn"}, "a folder of plain files hides no package"
    assert found.unknown == ("elsewhere",)


def test_what_modules_beside_the_notebook_import_is_needed_too(tmp_path: Path) -> None:
    folder = tmp_path / "notebooks"
    (folder / "plotting").mkdir(parents=True)
    (folder / "plotting" / "__init__.py").touch()
    (folder / "plotting" / "draw.py").write_text("import seaborn, neighbour\nfrom . import lines")
    (folder / "shared.py").write_text("import graphviz\nimport deeper\nfrom shared import x")
    (folder / "deeper.py").write_text("print 'two'\nimport lightgbm")
    (folder / "unused.py").write_text("import tensorflow")
    (folder / "large.py").write_text("import torch\n" + "#" * 300_000)
    (tmp_path / "secret.py").write_text("import xgboost")
    (folder / "linked.py").symlink_to(tmp_path / "secret.py")
    found = needs("import plotting.draw, shared, large, linked", folder=folder)
    assert set(by_name(found)) == {"seaborn", "graphviz", "lightgbm"}
    assert found.unknown == ()
    assert found.local == ("plotting", "shared", "large", "linked")


def test_condas_way_of_writing() -> None:
    assert conda_requirement("pandas") == "pandas"
    assert conda_requirement("pandas=0.24") == "pandas==0.24.*"
    assert conda_requirement("pandas==0.24.2=py37_0") == "pandas==0.24.2"
    assert conda_requirement("pytorch>=1.0") == "torch>=1.0"
    assert conda_requirement("python=3.7") == ""


def test_the_tables_agree() -> None:
    tables = distributions()
    assert len(tables.names) > 400
    named = {name for name in tables.names.values() if name}
    for table in (tables.needs, tables.uses):
        for key, names in table.items():
            assert names, key
    assert set(tables.needs) | set(tables.goes_with) <= named
    assert set(tables.lighter) <= named
    assert distribution_of("feature_selector") is None, "the distribution of that name is another"


@pytest.mark.parametrize(
    ("code", "needed"),
    [
        ("from keras.callbacks import TensorBoard\ncalls = [TensorBoard('logs')]", "tensorboard"),
        ("from torch.utils.tensorboard import SummaryWriter", "tensorboard"),
        ("from keras.utils import plot_model\nplot_model(m)", "pydot"),
        ("from transformers import TrainingArguments\nTrainingArguments('o')", "accelerate"),
        ("import tensorflow as tf\ntf.contrib.layers.flatten(x)", "tf-keras"),
        ("import tensorflow as tf\nx = tf.placeholder(tf.float32)", "tf-keras"),
    ],
)
def test_package_that_a_call_takes_for_granted_is_added(code: str, needed: str) -> None:
    assert by_name(needs(code))[needed].optional
