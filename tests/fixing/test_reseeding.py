"""The measuring copy: other seeds in every spelling, and nothing else touched."""

from __future__ import annotations

import difflib
import re

import pytest

from mle_modernizer_server.domain.notebook import Cell, CellType, Notebook
from mle_modernizer_server.fixing.reseeding import codes, reseeded
from tests import values

SPELLINGS = [
    "np.random.seed(42)",
    "numpy.random.seed( 42 )  # for luck",
    "random.seed(42)",
    "rn.seed(42)",
    "tf.random.set_seed(42)",
    "tf.set_random_seed(42)",
    "tf.compat.v1.set_random_seed(42)",
    "tf.keras.utils.set_random_seed(42)",
    "torch.manual_seed(42)",
    "torch.cuda.manual_seed_all(42)",
    "torch.Generator().manual_seed(42)",
    "transformers.set_seed(42)",
    "seed_everything(42)",
    "pl.seed_everything(42, workers=True)",
    "random_seed(42)",
    "rng = np.random.RandomState(42)",
    "rng = np.random.default_rng(42)",
    "rng = random.Random(42)",
    "key = jax.random.PRNGKey(42)",
    "model = RandomForestClassifier(n_estimators=10, random_state=42)",
    "train_test_split(X, y, test_size=0.2, random_state = 42)",
    "df.sample(frac=1, random_state=42)",
    "model = XGBClassifier(seed=42)",
    "model = CatBoostClassifier(random_seed=42)",
    "model = LGBMClassifier(bagging_seed=42)",
    "keras.initializers.GlorotUniform(seed=42)",
    "SEED = 42",
    "seed = 0x2A",
    "RANDOM_STATE = 42",
    "rng_seed: int = 42",
    "cfg.seed = 42",
    "params['seed'] = 42",
    'params["random_state"] = 42',
    "os.environ['PYTHONHASHSEED'] = '42'",
    "os.environ['PYTHONHASHSEED'] = str(42)",
    "params = {'eta': 0.1, 'seed': 42, 'verbose': 0}",
    "params = {'feature_fraction_seed': 42}",
    "grid = {'random_state': [42]}",
    "def split(X, seed=42):\n    return X",
    "make = lambda random_state=42: random_state",
    "class CFG:\n    seed = 42\n    folds = 5",
    "for seed in [42]:\n    fit(seed)",
    "models = [fit(seed) for seed in (42,)]",
    "SEEDS = [42]",
    "folds, seed = 5, 42",
    "%time np.random.seed(42)",
    "%matplotlib inline\nnp.random.seed(42)\n!ls",
]


@pytest.mark.parametrize("source", SPELLINGS)
def test_the_seed_gets_another_value_and_nothing_else_changes(source: str) -> None:
    found = reseeded(values.notebook(source), 1)
    after = found.notebook.cells[0].source
    assert after == re.sub(r"42|0x2A", "100045", source)
    assert len(found.seeds) == 1 and found.seeds[0].cell_id == "c0"


@pytest.mark.parametrize(
    "source",
    [
        "n_seeds = 5",
        "num_seed = 3",
        "seed_count = 3",
        "model = RandomForestClassifier(n_estimators=42, random_state=None)",
        "model = RandomForestClassifier(random_state=SEED)",
        "np.random.seed()",
        "np.random.seed(SEED)",
        "df['Seedling'] = 42",
        "df = df[df.seed == 42]",
        "x = np.random.rand(42)",
        "np.random.randint(0, 42, size=42)",
        "plant.seeds.sow(42)",
        "print('seed = 42')  # seed = 42",
        "%%bash\nseed=42",
        "print 'seed', 42",
        "if seed == 42: pass",
        "random.shuffle(x, 42)",
        "train_test_split(X, y, test_size=42)",
    ],
)
def test_what_is_no_seed_stays_as_it_is(source: str) -> None:
    found = reseeded(values.notebook(source), 3)
    assert found.notebook.cells[0].source == source and found.seeds == ()


def test_comments_layout_and_other_cells_stay_byte_for_byte() -> None:
    source = (
        "# seed = 1 stays\nimport   numpy as np   # odd\n\n\tSEED=7;x = [1,2 ,3]\n".replace(
            "\t", ""
        )
        + "model = Forest( n_estimators = 10,   # ten\n"
        + "                random_state = SEED ,\n                seed= 7)\r\n"
    )
    notebook = Notebook(
        cells=(
            Cell(id="m", type=CellType.MARKDOWN, source="random_state=7"),
            Cell(id="a", type=CellType.CODE, source=source),
            Cell(id="b", type=CellType.CODE, source="print( 'x' )"),
        )
    )
    found = reseeded(notebook, 2)
    before, after = source, found.notebook.cells[1].source
    assert after == before.replace("SEED=7", "SEED=200013").replace("seed= 7", "seed= 200013")
    assert found.notebook.cells[0] is notebook.cells[0]
    assert found.notebook.cells[2] is notebook.cells[2]
    assert codes(found.seeds) == ("SEED=7", "seed= 7")
    assert any(difflib.ndiff([before], [after]))


def test_equal_seeds_stay_equal_and_every_number_gives_others() -> None:
    notebook = values.notebook("a = fit(seed=1)\nb = fit(seed=1)\nc = fit(seed=2)", "seed = 1")
    copies = [reseeded(notebook, number).notebook for number in range(4)]
    assert copies[0] == notebook
    assert len({copy.model_dump_json() for copy in copies}) == 4
    numbers = [re.findall(r"\d+", copy.cells[0].source) for copy in copies]
    assert all(one[0] == one[1] != one[2] for one in numbers)
    assert copies[2].cells[1].source == f"seed = {numbers[2][0]}"


def test_loops_over_seeds_have_as_many_others() -> None:
    notebook = values.notebook("for seed in range(3): fit(seed)", "SEEDS = range(10, 12)")
    copy = reseeded(notebook, 1).notebook
    assert copy.cells[0].source == "for seed in range(100003, 100006): fit(seed)"
    assert copy.cells[1].source == "SEEDS = range(100013, 100015)"


def test_seeds_stay_within_what_libraries_take() -> None:
    notebook = values.notebook(f"seed = {2**31 - 2}", "seed = 0")
    for number in (1, 5, 50):
        for cell in reseeded(notebook, number).notebook.cells:
            assert 0 <= int(cell.source.removeprefix("seed = ")) < 2**31 - 1


def test_other_languages_and_deep_code_are_left_alone() -> None:
    deep = "seed = " + "(" * 3000 + "1" + ")" * 3000
    assert reseeded(values.notebook(deep), 1).seeds == ()
    other = values.notebook("seed = 1").model_copy(update={"language": "r"})
    assert reseeded(other, 1).notebook == other
