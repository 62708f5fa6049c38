"""What a proposal says of the paths it changes."""

from __future__ import annotations

from mle_modernizer_server.domain.diagnosis import FixScope, FixType
from mle_modernizer_server.domain.files import FoundFiles
from mle_modernizer_server.domain.proposal import Proposal
from mle_modernizer_server.fixing.rules.paths.proposed import choose_among, with_paths
from mle_modernizer_server.fixing.rules.paths.relocate import Seen, relocate
from mle_modernizer_server.words import text
from tests.fixing.rules.paths.test_relocate import found, notebook


def proposed(files: FoundFiles, *sources: str) -> Proposal:
    book = notebook(*sources)
    answer = with_paths(
        None, book, relocate(book, files), fix_type=FixType.ERROR_REPAIR, scope=FixScope.FILE
    )
    assert answer is not None
    return answer


def test_a_file_that_is_written_is_not_said_to_be_read() -> None:
    answer = proposed(found(), "df.to_pickle('../data/pickles/train.pkl')")
    assert text(answer.plan) == (
        "Cell 1: Files are written beside the notebook. ../data/pickles/train.pkl → train.pkl"
    )
    assert [part.what for part in answer.edits[0].parts] == [
        "Files are written beside the notebook."
    ]


def test_files_read_and_files_written_are_told_apart() -> None:
    read, write = "df = pd.read_csv('/me/a.csv')", "df.to_csv('/me/b.csv')"
    answer = proposed(found("data/a.csv"), read, write)
    assert text(answer.plan) == (
        "Cells 1, 2: Files are read from where they are. /me/a.csv → data/a.csv. "
        "Files are written beside the notebook. /me/b.csv → b.csv"
    )
    assert [edit.parts[0].what for edit in answer.edits] == [
        "Files are read from where they are.",
        "Files are written beside the notebook.",
    ]


def test_file_above_the_project_is_said_to_be_there() -> None:
    files = FoundFiles(outside=("../data/a.csv",))
    relocated = relocate(notebook("pd.read_csv('../data/a.csv')"), files)
    told = text(choose_among(relocated))
    assert told.startswith("../data/a.csv exists, but a run sees no files above")


def test_file_with_a_composed_path_is_named_as_in_the_run() -> None:
    source = "def read(path):\n    return open(path + 'index')\nread('../data/')"
    seen = Seen(frozenset({"c1"}), {"c1": "../data/index"})
    told = text(choose_among(relocate(notebook(source), found(), seen=seen), seen))
    assert told.startswith("../data/index does not exist, and there is no file of that name")
    assert "*" not in told
