"""Which paths, modules and folders code names."""

from __future__ import annotations

import ast

import pytest

from mle_modernizer_server.code.named_paths import find_named
from mle_modernizer_server.code.paths import PathReader


@pytest.mark.parametrize(
    ("source", "path"),
    [
        ("pd.read_csv('data/mine.csv')", "data/mine.csv"),
        ("pd.read_csv(os.path.join('data', 'mine.csv'))", "data/mine.csv"),
        ("pd.read_csv(join('data', 'mine.csv'))", "data/mine.csv"),
        ("D = 'data/'\npd.read_csv(D + 'mine.csv')", "data/mine.csv"),
        ("D = 'data'\npd.read_csv(f'{D}/mine.csv')", "data/mine.csv"),
        ("D = Path('data')\npd.read_csv(D / 'mine.csv')", "data/mine.csv"),
        ("pd.read_csv(Path('data').joinpath('mine.csv'))", "data/mine.csv"),
        ("pd.read_csv('%s/mine.csv' % folder)", "*/mine.csv"),
        ("D, F = 'data', 'mine.csv'\npd.read_csv('/'.join([D, F]))", "data/mine.csv"),
        ("pd.read_csv(os.sep.join(['data', 'mine.csv']))", "data/mine.csv"),
        ("for n in ['a', 'b']:\n    pd.read_csv(f'data/{n}.csv')", "data/b.csv"),
        ("[open('data/' + f) for f in ('a.csv', 'b.csv')]", "data/b.csv"),
        ("for i, f in enumerate(['a', 'b']):\n    open(f'{f}.csv')", "b.csv"),
        ("for n, f in {'x': 'a.csv'}.items():\n    open('data/' + f)", "data/a.csv"),
        ("P = {'x': 'a.csv', 'y': 'b.csv'}\nopen('data/' + P['y'])", "data/b.csv"),
        ("P = dict(x='a.csv')\nopen('data/' + P['x'])", "data/a.csv"),
        ("F = ['a.csv', 'b.csv']\nopen('data/' + F[-1])", "data/b.csv"),
        ("class CFG:\n    folder = 'data'\nopen(CFG.folder + '/x.csv')", "data/x.csv"),
        ("open('%(folder)s/x.csv' % {'folder': 'data'})", "data/x.csv"),
        ("f = 'x'\n[open('data/' + f) for f in ['a']]\nopen('data/' + f)", "data/x"),
        ("pd.read_csv('data/{}.csv'.format(name))", "data/*.csv"),
        ("for n in names:\n    pd.read_csv(f'data/{n}.csv')", "data/*.csv"),
        ("glob.glob('data/*.csv')", "data/*.csv"),
        ("pd.read_csv(os.path.join(os.getcwd(), 'mine.csv'))", "mine.csv"),
        ("D = os.path.dirname(os.getcwd())\nopen(os.path.join(D, 'x.csv'))", "../x.csv"),
        ("open(Path.cwd().parent / 'data' / 'x.csv')", "../data/x.csv"),
        ("D = os.path.dirname(os.path.abspath('__file__'))\nopen(D + '/x.csv')", "./x.csv"),
        ("!cat data/mine.csv", "data/mine.csv"),
        ("%run prepare.py", "prepare.py"),
        ("%%bash\nhead data/mine.csv", "data/mine.csv"),
        ("D = 'a'\nD = 'b'\nopen(D + '/x.txt')", "*/x.txt"),
    ],
)
def test_paths_are_put_together(source: str, path: str) -> None:
    assert path in find_named([source]).paths


def test_a_variable_of_another_cell_counts() -> None:
    assert "data/x.csv" in find_named(["D = 'data'", "open(D + '/x.csv')"]).paths


def test_sentences_addresses_and_bare_wildcards_are_no_paths() -> None:
    source = "'https://x.org/a.csv'\n'two\\nlines'\n'*'\n'.'\n'..'\nprint(f'{a}{b}')\n''"
    assert find_named([source]).paths.keys() == {"two\\nlines"} - {"two\\nlines"}


def test_texts_of_data_are_no_paths() -> None:
    source = "pd.read_json('[{\"a\": 1}]')\nt = '<html></html>'\nu = '{}'\nglob.glob('[ab]*.csv')"
    assert list(find_named([source]).paths) == ["[ab]*.csv"]


def test_modules_are_named_also_relative_ones() -> None:
    found = find_named(["import helpers.io as h\nfrom model import Net\nfrom . import tools"])
    assert list(found.modules) == ["helpers", "model", "tools"]


def test_a_folder_of_seaborns_data_sets_names_their_files() -> None:
    source = "sns.load_dataset('tips', data_home='data')\nsns.load_dataset('flights')"
    paths = find_named([source]).paths
    assert "data/tips.csv" in paths
    assert not any("flights.csv" in path for path in paths)


def test_a_changed_current_directory_is_a_base() -> None:
    assert list(find_named(["os.chdir('data')", "%cd more"]).bases) == ["data", "more"]


@pytest.mark.parametrize(
    "source",
    [
        "df.to_csv('out/sub.csv')",
        "plt.savefig('out/plot.png')",
        "joblib.dump(model, 'out/m.pkl')",
        "open('out/log.txt', 'w')",
        "open('out/log.txt', mode='a')",
        "D = 'out'\ndf.to_csv(f'{D}/sub.csv')",
    ],
)
def test_folders_that_are_written_into(source: str) -> None:
    assert list(find_named([source]).folders) == ["out"]


@pytest.mark.parametrize(
    "source",
    [
        "os.mkdir('out')\ndf.to_csv('out/sub.csv')",
        "os.makedirs('out/more')\ndf.to_csv('out/sub.csv')",
        "Path('out').mkdir()\ndf.to_csv('out/sub.csv')",
        "!mkdir -p out\ndf.to_csv('out/sub.csv')",
        "os.mkdir(somewhere)\ndf.to_csv('out/sub.csv')",
        "pd.read_csv('out/sub.csv')",
        "df.to_csv('../out/sub.csv')",
        "df.to_csv('/out/sub.csv')",
        "df.to_csv('sub.csv')",
    ],
)
def test_folders_that_code_makes_or_only_reads_are_excluded(source: str) -> None:
    assert list(find_named([source]).folders) == []


@pytest.mark.parametrize(
    ("source", "folder"),
    [
        ("sys.path.append('../..')", "../.."),
        ("sys.path.insert(0, '../src/')", "../src"),
        ("sys.path.append(os.path.abspath(os.path.join('..')))", ".."),
        ("here = os.path.abspath(os.path.join('..', 'src'))\nsys.path.append(here)", "../src"),
        ("sys.path.append(os.path.join(os.getcwd(), '..'))", ".."),
        ("sys.path.append(os.path.join(os.path.dirname(os.getcwd()), 'lib'))", "../lib"),
        ("sys.path.append(str(Path.cwd().parent / 'src'))", "../src"),
        ("sys.path.append(os.path.dirname(os.getcwd()))", ".."),
        ("sys.path.append(str(Path.cwd().parent.parent))", "../.."),
        ("sys.path.append(str(Path('..').resolve()))", ".."),
        ("sys.path.extend(['lib', '../tools'])", "../tools"),
        ("sys.path = ['../lib'] + sys.path", "../lib"),
        ("sys.path += ['../lib']", "../lib"),
        ("site.addsitedir('lib')", "lib"),
    ],
)
def test_folders_on_pythons_path(source: str, folder: str) -> None:
    assert folder in find_named([source]).places


def test_only_pythons_path_has_folders_for_modules() -> None:
    source = "paths.append('..')\nsys.argv.append('..')\nsys.path.append(anything())"
    assert find_named([source]).places == {}


@pytest.mark.parametrize("latest", [True, False])
def test_names_repeated_many_times_are_read_at_once(latest: bool) -> None:
    cell = "r = 0\nfor i in x:\n    r = r + i\nr = r / 10\nopen(r + 'a.csv')"
    chain = "\n".join(f"a{n} = a{n - 1} + a{n - 1}\na{n} = a{n - 1} + b" for n in range(1, 19))
    trees = [ast.parse(cell)] * 6 + [ast.parse(f"{chain}\nopen(a18)")]
    reader = PathReader(trees, latest=latest)
    read = [
        reader.text(node.args[0])
        for tree in trees
        for node in ast.walk(tree)
        if isinstance(node, ast.Call)
    ]
    assert read == ["*a.csv"] * 6 + [None]


DATA = {"*.csv", "*.txt", "*.json", "*.xlsx"}


@pytest.mark.parametrize(
    ("source", "wanted"),
    [
        ("os.listdir('.')", DATA),
        ("os.listdir(os.getcwd())", DATA),
        ("[f for f in os.listdir() if f.endswith('.csv')]", {"*.csv"}),
        ("Path('.').iterdir()", DATA),
        ("os.listdir('data')", set()),
        ("Path('data').iterdir()", set()),
        ("glob.glob('pictures/*.png')", set()),
    ],
)
def test_a_listing_of_its_own_folder_brings_the_data_there(source: str, wanted: set[str]) -> None:
    paths = set(find_named([source]).paths)
    assert wanted <= paths
    assert bool(wanted) == bool(paths & DATA), "no more than the endings it compares"
    assert "*.json" not in paths or wanted == DATA


@pytest.mark.parametrize(
    ("source", "path"),
    [
        ("ending = 'csv'\nglob.glob('*.{}'.format(ending))", "*.csv"),
        ("'{0}/{b}/{}.csv'.format('x', b='y')", "x/y/x.csv"),
        ("f = 'b'\n'a_%s_%02d_%s.csv' % (f, 3, f)", "a_b_*_b.csv"),
        ("'{}/{}.csv'.format(*parts)", "*/*.csv"),
        ("'%s.csv' % name", "*.csv"),
    ],
)
def test_known_template_value_is_part_of_the_path(source: str, path: str) -> None:
    assert path in find_named([source]).paths
