"""Paths that a run does not find, led to the files that are meant."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from mle_modernizer_server.domain.files import FileOrigin, FoundFiles, KnownFile
from mle_modernizer_server.domain.notebook import Cell, CellType, Notebook
from mle_modernizer_server.fixing.rules.paths.relocate import (
    Relocated,
    Seen,
    paths_to_look_up,
    relocate,
)


def notebook(*sources: str) -> Notebook:
    return Notebook(
        cells=tuple(
            Cell(id=f"c{number}", type=CellType.CODE, source=source)
            for number, source in enumerate(sources, start=1)
        )
    )


def found(*paths: str, there: tuple[str, ...] = (), folders: tuple[str, ...] = ()) -> FoundFiles:
    files = tuple(
        KnownFile(
            path=path,
            origin=FileOrigin.COMPETITION if path.startswith("../input") else FileOrigin.BESIDE,
            size=10,
            fingerprint=path,
        )
        for path in paths
    )
    return FoundFiles(there=there, files=files, folders=folders)


def relocated(
    source: str, files: FoundFiles, choices: Mapping[str, str] | None = None
) -> Relocated:
    return relocate(notebook(source), files, choices=choices)


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("pd.read_csv('train.csv')", "pd.read_csv('data/train.csv')"),
        ('pd.read_csv("../input/x/train.csv")', 'pd.read_csv("data/train.csv")'),
        (r"pd.read_csv('C:\\Users\\me\\train.csv')", "pd.read_csv('data/train.csv')"),
        (r"pd.read_csv(r'C:\Users\me\train.csv')", "pd.read_csv('data/train.csv')"),
        ("pd.read_csv('C:/Users/*/train.csv')", "pd.read_csv('data/train.csv')"),
        ("%time é = pd.read_csv('/me/train.csv', 1)", "%time é = pd.read_csv('data/train.csv', 1)"),
        ("pd.read_csv('/content/drive/My Drive/train.csv')", "pd.read_csv('data/train.csv')"),
        ("pd.read_csv('~/Downloads/Train.CSV')", "pd.read_csv('data/train.csv')"),
        ("print 'é', pd.read_csv('/me/train.csv'),", "print 'é', pd.read_csv('data/train.csv'),"),
        ("try:\n    x = pd.read_csv('/me/train.csv')\nexcept IOError, e:\n    print e",
         "try:\n    x = pd.read_csv('data/train.csv')\nexcept IOError, e:\n    print e"),
        ("pd.read_csv('train.csv.gz', compression='gzip')", "pd.read_csv('data/train.csv', "
         "compression='infer')"),
        ("pd.read_csv(filepath_or_buffer='a/train.csv')",
         "pd.read_csv(filepath_or_buffer='data/train.csv')"),
        ("D = '/home/me/'\npd.read_csv(D + 'train.csv')", "D = 'data/'\npd.read_csv(D + "
         "'train.csv')"),
        ("D = '/home/me'\npd.read_csv(os.path.join(D, 'train.csv'))",
         "D = 'data'\npd.read_csv(os.path.join(D, 'train.csv'))"),
        ("D = '/home/me'\npd.read_csv(f'{D}/train.csv')",
         "D = 'data'\npd.read_csv(f'{D}/train.csv')"),
        ("D = Path('/home/me')\npd.read_csv(D / 'train.csv')",
         "D = Path('data')\npd.read_csv(D / 'train.csv')"),
        ("n = 'train'\npd.read_csv(f'/home/me/{n}.csv')",
         "n = 'train'\npd.read_csv(f'data/{n}.csv')"),
        ("for n in names:\n    pd.read_csv('/home/me/tr%s.csv' % n)",
         "for n in names:\n    pd.read_csv('data/tr%s.csv' % n)"),
        ("D, F = '/home/me', 'train.csv'\npd.read_csv('/'.join([D, F]))",
         "D, F = 'data', 'train.csv'\npd.read_csv('/'.join([D, F]))"),
        ("P = {'train': '/home/me/train.csv'}\npd.read_csv(P['train'])",
         "P = {'train': 'data/train.csv'}\npd.read_csv(P['train'])"),
        ("class CFG:\n    d = '/home/me/'\npd.read_csv(CFG.d + 'train.csv')",
         "class CFG:\n    d = 'data/'\npd.read_csv(CFG.d + 'train.csv')"),
        ("open('/home/me/train.csv').read()", "open('data/train.csv').read()"),
        ("os.chdir('/home/me')\npd.read_csv('train.csv')",
         "os.chdir('data')\npd.read_csv('train.csv')"),
        ("def load():\n    return pd.read_csv('x/train.csv')  # all of it",
         "def load():\n    return pd.read_csv('data/train.csv')  # all of it"),
        ("%matplotlib inline\ndf = pd.read_csv('ü/train.csv'); y = 'ü'",
         "%matplotlib inline\ndf = pd.read_csv('data/train.csv'); y = 'ü'"),
    ],
)  # fmt: skip
def test_the_one_file_of_that_name_is_read(before: str, after: str) -> None:
    changed = relocated(before, found("data/train.csv"))
    assert changed.sources == {"c1": after}
    assert changed.findings[-1].taken


def test_a_path_behind_the_current_folder_begins_with_a_slash() -> None:
    source = r"pd.read_csv(os.getcwd() + '\\data\\train.csv')"
    for place in ("data/train.csv", "../../data/train.csv", ".hidden/train.csv"):
        changed = relocated(source, found(place))
        assert changed.sources == {"c1": f"pd.read_csv(os.getcwd() + '/{place}')"}


def test_a_packed_file_is_read_by_who_unpacks() -> None:
    files = found("train.csv.gz")
    assert relocated("pd.read_csv('train.csv')", files).sources == {
        "c1": "pd.read_csv('train.csv.gz')"
    }
    assert relocated("open('train.csv')", files).sources == {}
    assert relocated("pd.read_csv('train.csv')", found("train.zip")).sources == {
        "c1": "pd.read_csv('train.zip')"
    }


def test_an_archive_of_several_files_is_no_table() -> None:
    files = found("train.zip").model_copy(
        update={"files": (found("train.zip").files[0].model_copy(update={"single": False}),)}
    )
    assert relocated("pd.read_csv('train.csv')", files).sources == {}


def test_a_folder_of_several_files_is_changed_once() -> None:
    source = "D = '/home/me/'\na = pd.read_csv(D + 'train.csv')\nb = pd.read_csv(D + 'test.csv')"
    changed = relocated(source, found("data/train.csv", "data/test.csv"))
    assert changed.sources["c1"] == source.replace("'/home/me/'", "'data/'")


def test_files_that_lie_apart_are_changed_each() -> None:
    source = "D = '/home/me/'\na = pd.read_csv(D + 'train.csv')\nb = pd.read_csv(D + 'test.csv')"
    changed = relocated(source, found("one/train.csv", "two/test.csv"))
    assert changed.sources["c1"] == (
        "D = '/home/me/'\na = pd.read_csv('one/train.csv')\nb = pd.read_csv('two/test.csv')"
    )


def test_paths_of_a_loop_over_literals_are_changed_each() -> None:
    source = "for f in ['/me/train.csv', '/me/test.csv']:\n    pd.read_csv(f)"
    changed = relocated(source, found("data/train.csv", "data/test.csv"))
    assert changed.sources["c1"] == source.replace("/me/", "data/")


def test_expression_with_several_paths_is_not_replaced_by_one() -> None:
    source = "for f in ['train.csv', 'test.csv']:\n    pd.read_csv('/me/' + f)"
    changed = relocated(source, found("one/train.csv", "two/test.csv"))
    assert "read_csv('/me/' + f)" in changed.sources.get("c1", source)


def test_a_literal_that_another_path_needs_is_left_alone() -> None:
    source = "D = 'here/'\na = pd.read_csv(D + 'a.csv')\nb = pd.read_csv(D + 'b.csv')"
    changed = relocated(source, found("there/b.csv", there=("here/a.csv",)))
    assert changed.sources["c1"] == source.replace("D + 'b.csv'", "'there/b.csv'")


def test_of_several_files_a_person_chooses() -> None:
    files = found("one/train.csv", "two/train.csv")
    changed = relocated("pd.read_csv('train.csv')", files)
    assert changed.sources == {}
    [finding] = changed.findings
    assert finding.candidates == ("one/train.csv", "two/train.csv")
    assert finding.taken is None
    chosen = relocated("pd.read_csv('train.csv')", files, {"train.csv": "two/train.csv"})
    assert chosen.sources == {"c1": "pd.read_csv('two/train.csv')"}


def test_a_choice_that_is_no_file_counts_for_nothing() -> None:
    files = found("one/train.csv", "two/train.csv")
    asked = {"train.csv": "/etc/passwd"}
    assert relocated("pd.read_csv('train.csv')", files, asked).sources == {}


def test_the_file_in_folders_of_the_same_name_is_meant() -> None:
    files = found("a/train/labels.csv", "a/test/labels.csv")
    changed = relocated("pd.read_csv('/home/me/train/labels.csv')", files)
    assert changed.sources == {"c1": "pd.read_csv('a/train/labels.csv')"}


def test_the_same_content_twice_is_one_file() -> None:
    one = found("../input/x/train.csv", "data/train.csv")
    same = one.model_copy(
        update={"files": tuple(f.model_copy(update={"fingerprint": "f"}) for f in one.files)}
    )
    changed = relocated("pd.read_csv('train.csv')", same)
    assert changed.sources == {"c1": "pd.read_csv('data/train.csv')"}


def test_what_is_there_or_written_before_stays() -> None:
    source = "df.to_csv('a.csv')\npd.read_csv('a.csv')\npd.read_csv('b.csv')"
    changed = relocated(source, found("x/a.csv", "x/b.csv", there=("b.csv",)))
    assert changed == Relocated()


@pytest.mark.parametrize(
    "source",
    [
        "joblib.dump(m, 'm.pkl')\njoblib.load('m.pkl')",
        "joblib.dump(m, filename='m.pkl')\njoblib.load('m.pkl')",
        "np.save('a', x)\nnp.load('a.npy')",
        "model.save('m.h5')\nload_model('m.h5')",
        "torch.save(m.state_dict(), 'm.pt')\ntorch.load('m.pt')",
        "with pd.ExcelWriter('x.xlsx') as w:\n    df.to_excel(w)\npd.read_excel('x.xlsx')",
        "shutil.copy('there.csv', 'c.csv')\npd.read_csv('c.csv')",
        "ZipFile('there.zip').extractall('data')\npd.read_csv('data/x.csv')",
    ],
)
def test_file_written_by_the_notebook_is_not_missing(source: str) -> None:
    assert relocated(source, found(there=("there.csv", "there.zip"))) == Relocated()


def test_file_written_by_cell_magic_is_not_missing() -> None:
    book = notebook("%%writefile a.csv\nx,y\n1,2", "pd.read_csv('a.csv')")
    assert relocate(book, found()) == Relocated()


def test_copied_file_is_missing_before_its_copy() -> None:
    source = "open('c.csv')\nshutil.copy('there.csv', 'c.csv')\nx.copy('d', 'e.csv')\nopen('e.csv')"
    findings = relocated(source, found(there=("there.csv",))).findings
    assert [one.path for one in findings] == ["c.csv", "e.csv"]


@pytest.mark.parametrize(
    "text", ['[{"a": 1}]', '{"a": 1}', " [1, 2]", "<html></html>", "<?xml version='1.0'?><a/>"]
)
def test_text_of_data_is_no_path(text: str) -> None:
    source = f"t = {text!r}\npd.read_json(t)\npd.read_json({text!r})\nopen({text!r})"
    assert paths_to_look_up(notebook(source)) == ()
    assert relocated(source, found("data/train.csv")) == Relocated()


def test_pattern_that_begins_with_a_class_is_a_path() -> None:
    assert paths_to_look_up(notebook("glob.glob('[ab]*.csv')")) == ("[ab]*.csv",)


def test_a_file_that_nobody_has_is_named() -> None:
    [finding] = relocated("pd.read_csv('gone.csv')", found("train.csv")).findings
    assert (finding.path, finding.candidates, finding.taken) == ("gone.csv", (), None)


def test_addresses_and_unknown_folders_are_left_alone() -> None:
    source = "pd.read_csv('https://x.org/train.csv')\npd.read_csv(folder + '/train.csv')"
    assert relocated(source, found("data/train.csv")) == Relocated()


def test_a_file_is_written_where_it_can_be() -> None:
    source = "D = 'C:/me/'\ndf = pd.read_csv(D + 'train.csv')\ndf.to_csv(D + 'sub.csv')"
    changed = relocated(source, found("data/train.csv"))
    assert changed.sources["c1"] == (
        "D = 'data/'\ndf = pd.read_csv(D + 'train.csv')\ndf.to_csv('sub.csv')"
    )
    assert relocated("df.to_csv('out/sub.csv')", found()) == Relocated()


ABSENT = "os.chdir('/home/x/project/data')"


def test_path_after_corrected_chdir_is_kept() -> None:
    book = notebook(ABSENT, "open('sales.csv')")
    files = found("data/sales.csv", folders=("data",))
    seen = Seen(frozenset({"c1", "c2"}), {"c1": "/home/x/project/data", "c2": "sales.csv"})
    for shown in (None, seen):
        changed = relocate(book, files, seen=shown)
        assert changed.sources == {"c1": "os.chdir('data')"}
        assert [(one.path, one.taken) for one in changed.findings] == [
            ("/home/x/project/data", "data")
        ]


@pytest.mark.parametrize(
    ("use", "after"),
    [
        ("open('old/prices.csv')", "open('raw/prices.csv')"),
        ("open('/home/x/project/rows.csv')", "open('../rows.csv')"),
        ("pd.read_csv('../input/shop/train.csv')", "pd.read_csv('../../input/shop/train.csv')"),
        ("os.listdir('raw')", "os.listdir('raw')"),
        ("os.listdir('/me/raw')", "os.listdir('raw')"),
    ],
)
def test_path_after_chdir_is_written_from_there(use: str, after: str) -> None:
    files = found(
        *("data/sales.csv", "data/raw/prices.csv", "rows.csv", "../input/shop/train.csv"),
        folders=("data", "data/raw"),
        there=("data",),
    )
    for enter, now in ((ABSENT, "os.chdir('data')"), ("os.chdir('data')", "os.chdir('data')")):
        book = notebook(enter, f"open('sales.csv')\n{use}")
        seen = Seen(frozenset({"c1", "c2"}) if enter != now else frozenset({"c2"}))
        for shown in (None, seen):
            sources = relocate(book, files, seen=shown).sources
            changed = [sources.get(cell.id, cell.source) for cell in book.cells]
            assert changed == [now, f"open('sales.csv')\n{after}"]


def test_path_after_cd_magic_is_written_from_there() -> None:
    book = notebook("%cd data\nopen('old/prices.csv')", "%cd ..\nopen('old/prices.csv')")
    assert "data" in paths_to_look_up(book)
    files = found("data/raw/prices.csv", there=("data", "."))
    assert relocate(book, files).sources == {
        "c1": "%cd data\nopen('raw/prices.csv')",
        "c2": "%cd ..\nopen('data/raw/prices.csv')",
    }
    shell = notebook("!cd data\nopen('old/prices.csv')")
    assert relocate(shell, files).sources == {"c1": "!cd data\nopen('data/raw/prices.csv')"}


def test_path_after_chdir_back_is_read_from_notebooks_folder() -> None:
    book = notebook("os.chdir('data')\nos.chdir('..')\nopen('old/prices.csv')")
    files = found("data/prices.csv", there=("data",))
    assert relocate(book, files).sources == {
        "c1": "os.chdir('data')\nos.chdir('..')\nopen('data/prices.csv')"
    }


def test_a_folder_that_the_notebook_may_make_is_entered() -> None:
    source = "import os\nos.chdir('repo')\npd.read_csv('b.csv')"
    assert relocated(source, found()).sources == {}


def test_files_of_one_name_in_several_folders_stay_apart() -> None:
    source = (
        "base = '../data/parts/'\nfor p in range(3):\n"
        "    with open(base + f'p{p}/m.csv', 'a') as f:\n        f.write('x')"
    )
    assert relocated(source, found()) == Relocated()


def test_what_an_earlier_cell_writes_elsewhere_is_read_there() -> None:
    source = "df.to_csv('/content/x/clean.csv')\npd.read_csv('/content/x/clean.csv')"
    assert relocated(source, found()).sources == {
        "c1": "df.to_csv('clean.csv')\npd.read_csv('clean.csv')"
    }
    made = "t.to_csv('../data/a_{}.csv'.format(n))"
    book = notebook(made, "pd.read_csv('../data/a_{}.csv'.format(n))")
    cells = {"c1": made.replace("../data/", ""), "c2": "pd.read_csv('a_{}.csv'.format(n))"}
    assert relocate(book, found()).sources == cells


def test_file_an_earlier_cell_failed_to_write_is_no_lost_path() -> None:
    book = notebook("bad()\nt.to_csv('a_{}.csv'.format(n))", "pd.read_csv('a_{}.csv'.format(n))")
    seen = Seen(frozenset({"c1", "c2"}), {"c2": "a_1.csv"})
    assert relocate(book, found("b.csv"), seen=seen) == Relocated()


def test_google_colab_is_left_out() -> None:
    source = "from google.colab import drive\ndrive.mount('/content/drive')\nx = 1"
    assert relocated(source, found()).sources["c1"] == (
        "# from google.colab import drive\n# drive.mount('/content/drive')\nx = 1"
    )
    needed = "from google.colab import files; up = files.upload()"
    assert relocated(needed, found()).sources == {}
    other = "from google.colab import files\nfiles.view('x')"
    assert relocated(other, found()).sources == {}, "a name that is used stays imported"


def test_what_colab_asks_a_person_for_is_read_from_where_it_is() -> None:
    cells = (
        "from google.colab import files\nup = files.upload()\nfor name in up:\n    print(name)",
        "df = pd.read_csv(io.BytesIO(up['a.csv']))",
        "df.to_csv('b.csv')\nfiles.download('b.csv')",
    )
    changed = relocate(notebook(*cells), found("a.csv")).sources
    assert changed["c1"] == cells[0].replace("from", "# from").replace(
        "files.upload()", "{'a.csv': open('a.csv', 'rb').read()}"
    )
    assert changed["c3"] == "df.to_csv('b.csv')\n# files.download('b.csv')"
    unnamed = relocate(notebook(cells[0]), found()).sources
    assert "up = {}\n" in unnamed["c1"]


def test_after_a_run_only_failing_cells_are_looked_at() -> None:
    book = notebook("pd.read_csv('a.csv')", "pd.read_csv('b.csv')")
    changed = relocate(
        book, found("x/a.csv", "x/b.csv"), seen=Seen(frozenset({"c2"}), {"c2": "b.csv"})
    )
    assert changed.sources == {"c2": "pd.read_csv('x/b.csv')"}


def test_path_known_from_the_run_is_found_by_its_beginning() -> None:
    book = notebook("ROOT = 'C:/me/data/'", "a = load(ROOT, name)")
    seen = Seen(frozenset({"c2"}), {"c2": "C:/me/data/train.csv"})
    assert "C:/me/data/train.csv" in paths_to_look_up(book, seen)
    changed = relocate(book, found("data/train.csv"), seen=seen)
    assert changed.sources == {"c1": "ROOT = 'data/'"}


def test_path_known_from_the_run_is_searched_in_its_cell_first() -> None:
    missing = {"c1": "../data/features_train.csv"}
    seen = Seen(failing=frozenset(missing), missing=missing)
    files = found("features_train.csv")
    joined = "import os\nos.path.join('../data', 'features_train.csv')"
    both = notebook("data = Data('../data/')", joined)
    assert relocate(both, files, seen=seen).sources == {"c1": "data = Data('./')"}
    elsewhere = notebook("data = Data(folder)", "x = 1\nname = '../data/features_train.csv'")
    assert relocate(elsewhere, files, seen=seen).sources == {
        "c2": "x = 1\nname = 'features_train.csv'"
    }


def test_unchangeable_literal_of_another_cell_is_left() -> None:
    book = notebook("data = Data(folder)", "import os\nos.path.join(folder, 'long_train.csv')")
    seen = Seen(frozenset({"c1"}), {"c1": "../data/long_train.csv"})
    assert relocate(book, found("long_train.csv"), seen=seen).sources == {}


def test_a_path_with_quotes_stays_a_literal() -> None:
    changed = relocated("pd.read_csv('train.csv')", found("it's/train.csv"))
    assert changed.sources == {"c1": 'pd.read_csv("it\'s/train.csv")'}


OFFLINE = Seen(frozenset({"c1"}), offline=True)
ADDRESS = "https://host.example/a/train%20set.csv?raw=true"


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (f"pd.read_csv('{ADDRESS}')", "pd.read_csv('train set.csv')"),
        (f"url = '{ADDRESS}'\npd.read_csv(url, sep=';')", "url = 'train set.csv'\n"
         "pd.read_csv(url, sep=';')"),
        ("B = 'http://host.example/'\npd.read_csv(B + 'train set.csv')",
         "B = ''\npd.read_csv(B + 'train set.csv')"),
    ],
)  # fmt: skip
def test_address_leads_to_its_file_after_a_run_without_network(before: str, after: str) -> None:
    book = notebook(before)
    assert paths_to_look_up(book, OFFLINE) == ("train set.csv",)
    here = found("train set.csv")
    done = relocate(book, here, seen=OFFLINE)
    assert done.sources == {"c1": after}
    assert "no network" in " ".join(done.reasons["c1"])
    served = relocate(book, FoundFiles(there=("train set.csv",)), seen=OFFLINE)
    assert served.sources == {"c1": after}


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("t = sns.load_dataset('tips')", "t = sns.load_dataset('tips', data_home='data')"),
        ("t = seaborn.load_dataset('tips', cache=True)",
         "t = seaborn.load_dataset('tips', data_home='data', cache=True)"),
        ("u = 'https://host.example/tips.csv'\nr = urllib.request.urlopen(u)",
         "u = 'https://host.example/tips.csv'\nr = open('data/tips.csv', 'rb')"),
        ("c = requests.get('https://host.example/tips.csv').content",
         "c = open('data/tips.csv', 'rb').read()"),
        ("c = io.StringIO(requests.get('https://host.example/tips.csv').text)",
         "c = io.StringIO(open('data/tips.csv', encoding='utf-8').read())"),
    ],
)  # fmt: skip
def test_what_is_read_of_the_network_otherwise_leads_to_the_file(before: str, after: str) -> None:
    book = notebook(before)
    assert paths_to_look_up(book, OFFLINE) == ("tips.csv",)
    done = relocate(book, found("data/tips.csv"), seen=OFFLINE)
    assert done.sources == {"c1": after}
    assert "no network" in " ".join(done.reasons["c1"])
    assert relocate(book, found("data/tips.csv")).sources == {}, "not before a run said so"


@pytest.mark.parametrize(
    ("source", "seen", "files"),
    [
        ("sns.load_dataset('tips')", OFFLINE, found("data/Tips.csv")),
        ("sns.load_dataset('tips', data_home=home)", OFFLINE, found("tips.csv")),
        ("datasets.load_dataset('tips')", OFFLINE, found("tips.csv")),
        (f"r = requests.get('{ADDRESS}', params=p).content", OFFLINE, found("train set.csv")),
        (f"urlopen('{ADDRESS}', data)", OFFLINE, found("train set.csv")),
        (f"pd.read_csv('{ADDRESS}')", None, found("train set.csv")),
        (f"pd.read_csv('{ADDRESS}')", Seen(frozenset({"c1"})), found("train set.csv")),
        (f"pd.read_csv('{ADDRESS}')", OFFLINE, found("other.csv")),
        (f"pd.read_csv('{ADDRESS}')", Seen(frozenset(), offline=True), found("train set.csv")),
        ("pd.read_csv('https://host.example/api')", OFFLINE, found("api")),
        (f"requests.get('{ADDRESS}')", OFFLINE, found("train set.csv")),
    ],
)
def test_an_address_is_left_alone_otherwise(
    source: str, seen: Seen | None, files: FoundFiles
) -> None:
    done = relocate(notebook(source), files, seen=seen)
    assert (done.sources, done.findings) == ({}, ())


def test_of_several_files_of_an_addresss_name_a_person_chooses() -> None:
    source = "pd.read_csv('https://host.example/train.csv')"
    files = found("a/train.csv", "b/train.csv")
    done = relocate(notebook(source), files, seen=OFFLINE)
    assert done.sources == {}
    assert done.findings[0].candidates == ("a/train.csv", "b/train.csv")
    choices = {"https://host.example/train.csv": "b/train.csv"}
    done = relocate(notebook(source), files, seen=OFFLINE, choices=choices)
    assert done.sources == {"c1": "pd.read_csv('b/train.csv')"}
