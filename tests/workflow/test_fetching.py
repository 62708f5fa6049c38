"""What a run wanted from the network: told, fetched on the person's word, and there in the next."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from pathlib import Path

import pytest
from pydantic import ValidationError

from mle_modernizer_server.domain.diagnosis import FixScope
from mle_modernizer_server.domain.execution import CellError, CellStatus, ExecutionStatus
from mle_modernizer_server.domain.files import places_of
from mle_modernizer_server.domain.forecast import Needs, NetworkNeed
from mle_modernizer_server.domain.session import Phase, Session
from mle_modernizer_server.domain.settings import Mode, SessionSettings
from mle_modernizer_server.resources.store import KeptResources
from mle_modernizer_server.words import text
from mle_modernizer_server.workflow.run.resources import wanted_addresses
from mle_modernizer_server.workflow.service import Modernizer
from tests import values
from tests.resources.conftest import Site, running_site
from tests.thoroughness import HERE
from tests.workflow.scenes import modernizer, scene, settings, with_services


@pytest.fixture
def site() -> Iterator[Site]:
    with running_site() as found:
        yield found


def at_work(tmp_path: Path) -> tuple[Modernizer, Path]:
    folder = tmp_path / "project"
    folder.mkdir()
    work = modernizer(tmp_path)
    kept = KeptResources(tmp_path / "resources", private=True)
    work = with_services(
        work, resources=kept, environments=None, notebook_folder=lambda path: folder
    )
    return work, folder


async def modernized(work: Modernizer, folder: Path, *sources: str, **more: object) -> Session:
    chosen = settings(**{"scope": FixScope.FILE, "mode": Mode.AUTO, **more})
    session = work.sessions.create("a.ipynb", values.notebook(*sources), chosen, folder=folder)
    work.runs.start_run(session.id, values.notebook(*sources))
    return await asyncio.wait_for(work.sessions.finished(session.id), 300)


@pytest.mark.thorough
def test_a_data_set_of_seaborns_that_lies_beside_is_read(tmp_path: Path) -> None:
    """By the library itself, which knows more of some of them than their tables say."""
    work, folder = at_work(tmp_path)
    (folder / "data").mkdir()
    (folder / "data" / "iris.csv").write_text("sepal_length,species\n5.1,setosa\n")
    source = "import seaborn as sns\niris = sns.load_dataset('iris')\nprint(iris.shape)"

    async def body(work: Modernizer) -> None:
        session = await modernized(work, folder, source, sandbox="bubblewrap")
        last = session.iterations[-1].execution
        assert last is not None and last.status is ExecutionStatus.ERROR_FREE, last
        [review] = [review for review in session.all_reviews if review.final]
        written = review.proposal.edits[0].new_source or ""
        assert "sns.load_dataset('iris', data_home='data')" in written
        assert [file.path for file in last.files_beside] == ["data/iris.csv"]

    scene(body, work)


@pytest.mark.parametrize("sandbox", HERE)
def test_a_table_of_the_network(tmp_path: Path, site: Site, sandbox: str) -> None:
    """First it is told what is wanted; nothing is fetched before the person's word."""
    work, folder = at_work(tmp_path)
    address = site.at("train.csv")
    source = f"import urllib.error\nimport pandas as pd\nprint(pd.read_csv('{address}').shape)"
    if sandbox == "process":  # it has the network of this machine
        source = source.replace(
            "print(", "raise urllib.error.URLError('no network') if OFFLINE else 0\nprint("
        ).replace("import urllib.error", f"import urllib.error\nOFFLINE = 'http' in '{address}'")

    async def body(work: Modernizer) -> None:
        session = await modernized(work, folder, source, sandbox=sandbox)
        assert session.wanted_resources == (address,)
        assert site.asked == []
        session = await modernized(work, folder, source, sandbox=sandbox, resources=(address,))
        assert session.wanted_resources == ()
        assert site.asked == ["/train.csv"]
        [review] = [review for review in session.all_reviews if review.final]
        assert "pd.read_csv('train.csv')" in (review.proposal.edits[0].new_source or "")
        last = session.iterations[-1].execution
        assert last is not None
        if sandbox == "bubblewrap":
            assert last.status is ExecutionStatus.ERROR_FREE
            assert [file.path for file in last.files_beside] == ["train.csv"]

    scene(body, work)
    assert list(folder.iterdir()) == []  # nothing is put into the person's folder


@pytest.mark.parametrize("sandbox", HERE)
def test_a_librarys_data_lie_where_it_looks(
    tmp_path: Path, site: Site, sandbox: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    work, folder = at_work(tmp_path)
    monkeypatch.setattr(
        "mle_modernizer_server.resources.store.places_of",
        lambda address: ("~/nltk_data/corpora/words.zip", "~/.keras/datasets/train.csv"),
    )
    sources = (
        "import os\nfrom pathlib import Path\nhome = Path.home()",
        "print((home / 'nltk_data/corpora/words.zip').read_text())",
        "print((home / '.keras/datasets/train.csv').read_text())",
        "(home / '.keras/datasets/other').write_text('x')",
    )

    async def body(work: Modernizer) -> None:
        address = site.at("train.csv")
        session = await modernized(work, folder, *sources, sandbox=sandbox, resources=(address,))
        last = session.iterations[-1].execution
        assert last is not None
        assert last.status is ExecutionStatus.ERROR_FREE, last.errors
        kept = work.services.resources.file(address)
        assert kept is not None
        assert kept.read_bytes() == b"a,b\n1,2\n"

    scene(body, work)


def test_failed_fetch_ends_the_work_without_repetition(tmp_path: Path, site: Site) -> None:
    work, folder = at_work(tmp_path)

    async def body(work: Modernizer) -> None:
        gone = site.at("missing.csv")
        session = await modernized(work, folder, "print(1)", resources=(gone,))
        assert session.phase is Phase.FAILED
        assert "status 404" in text(session.message)
        assert session.settings.resources == ()
        assert session.iterations == ()
        work.runs.start_run(session.id, values.notebook("print(1)"))
        session = await asyncio.wait_for(work.sessions.finished(session.id), 300)
        assert session.phase is not Phase.FAILED

    scene(body, work)


def test_fetching_can_be_cancelled(tmp_path: Path, site: Site) -> None:
    work, folder = at_work(tmp_path)

    async def body(work: Modernizer) -> None:
        address = site.at("silent.csv")
        chosen = settings(mode=Mode.AUTO, resources=(address,))
        session = work.sessions.create(
            "a.ipynb", values.notebook("print(1)"), chosen, folder=folder
        )
        work.runs.start_run(session.id, values.notebook("print(1)"))
        while not site.asked:
            await asyncio.sleep(0.02)
        progress = work.sessions.get(session.id).progress
        assert progress is not None
        assert address in text(progress.message)
        await asyncio.wait_for(work.sessions.cancel(session.id), 10)
        session = work.sessions.get(session.id)
        assert session.phase is Phase.CANCELLED
        assert session.settings.resources == (address,)

    scene(body, work)


@pytest.mark.parametrize(
    "address",
    ["file:///etc/passwd", "http://me:secret@example.org/a.csv", "http://example.org/", "a.csv"],
)
def test_settings_take_addresses_of_files_alone(address: str) -> None:
    with pytest.raises(ValidationError):
        SessionSettings(resources=(address,))
    with pytest.raises(ValidationError):
        SessionSettings(resources=tuple(f"http://example.org/{n}.csv" for n in range(21)))


_NLTK = """
**********************************************************************
  Resource \x1b[93mstopwords\x1b[0m not found.
  Please use the NLTK Downloader to obtain the resource:

  \x1b[31m>>> import nltk
  >>> nltk.download('stopwords')
  \x1b[0m
  For more information see: https://www.nltk.org/data.html

  Attempted to load \x1b[93mcorpora/stopwords\x1b[0m

  Searched in:
    - '/tmp/nltk_data'
"""
_OLD_NLTK = """
**********************************************************************
  Resource u'corpora/stopwords' not found.  Please use the NLTK
  Downloader to obtain the resource:  >>> nltk.download()
  Searched in:
    - '/tmp/nltk_data'
"""
_URL = "<urlopen error [Errno -3] Temporary failure in name resolution>"
_RAW = "https://raw.githubusercontent.com"


@pytest.mark.parametrize(
    ("source", "ename", "evalue", "wanted", "place"),
    [
        (
            "stopwords.words('english')",
            "LookupError",
            _NLTK,
            f"{_RAW}/nltk/nltk_data/gh-pages/packages/corpora/stopwords.zip",
            "~/nltk_data/corpora/stopwords.zip",
        ),
        (
            "stopwords.words('english')",
            "LookupError",
            _OLD_NLTK,
            f"{_RAW}/nltk/nltk_data/gh-pages/packages/corpora/stopwords.zip",
            "~/nltk_data/corpora/stopwords.zip",
        ),
        (
            "word_tokenize('a b')",
            "LookupError",
            _NLTK.replace("corpora/stopwords", "tokenizers/punkt/PY3/english.pickle").replace(
                "stopwords", "punkt"
            ),
            f"{_RAW}/nltk/nltk_data/gh-pages/packages/tokenizers/punkt.zip",
            "~/nltk_data/tokenizers/punkt.zip",
        ),
        (
            "tips = sns.load_dataset('tips')",
            "URLError",
            _URL,
            f"{_RAW}/mwaskom/seaborn-data/master/tips.csv",
            "~/seaborn-data/tips.csv",
        ),
        (
            "mnist.load_data()",
            "Exception",
            "URL fetch failure on https://storage.googleapis.com/tensorflow/tf-keras-datasets/"
            "mnist.npz: None -- [Errno -3] Temporary failure in name resolution",
            "https://storage.googleapis.com/tensorflow/tf-keras-datasets/mnist.npz",
            "~/.keras/datasets/mnist.npz",
        ),
        (
            "url = 'https://example.org/x/wine.data'\ndf = pd.read_csv(url, header=None)",
            "URLError",
            _URL,
            "https://example.org/x/wine.data",
            "wine.data",
        ),
        ("requests.get('https://example.org/api/')", "ConnectionError", _URL, None, ""),
        *(
            (source, "URLError", _URL, "https://example.org/x/wine.data", "wine.data")
            for source in (
                "r = requests.get('https://example.org/x/wine.data', stream=True)",
                "r = requests.get('https://example.org/x/wine.data').content",
                "u = 'https://example.org/x/wine.data'\nr = urllib.request.urlopen(u)",
                "urlretrieve('https://example.org/x/wine.data', 'wine.data')",
            )
        ),
        ("{}['a']", "KeyError", "'a'", None, ""),
        ("codecs.lookup('x')", "LookupError", "unknown encoding: x", None, ""),
    ],
)
def test_what_an_error_tells_is_wanted(
    source: str, ename: str, evalue: str, wanted: str | None, place: str
) -> None:
    notebook = values.notebook(source)
    error = CellError(
        cell_id=notebook.cells[0].id, index=0, ename=ename, evalue=evalue, traceback=(), raised=True
    )
    ran = values.execution(CellStatus.ERROR).model_copy(update={"errors": (error,)})
    found = wanted_addresses(notebook, ran)
    assert found == (() if wanted is None else (wanted,))
    if wanted is not None:
        assert place in places_of(wanted)


def test_weights_lie_where_torch_looks() -> None:
    address = "https://download.pytorch.org/models/resnet18-f37072fd.pth"
    assert places_of(address)[0] == "~/.cache/torch/hub/checkpoints/resnet18-f37072fd.pth"


def test_failed_download_names_those_of_all_cells() -> None:
    notebook = values.notebook("import nltk", "x = 1")
    address = "https://download.pytorch.org/models/resnet18-f37072fd.pth"
    need = NetworkNeed(cell_id="c1", what="weights of resnet18", addresses=(address,))
    needs = Needs(network=(need,))
    error = CellError(
        cell_id="c0",
        index=0,
        ename="LookupError",
        evalue=_NLTK,
        traceback=(),
        raised=True,
    )
    failed = values.execution(CellStatus.ERROR).model_copy(update={"errors": (error,)})
    assert address in wanted_addresses(notebook, failed, needs)
    assert wanted_addresses(notebook, values.execution(), needs) == ()
