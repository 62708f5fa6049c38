from __future__ import annotations

import pytest

from mle_modernizer_server.domain.era import Era
from mle_modernizer_server.domain.execution import Environment
from mle_modernizer_server.domain.proposal import Proposal
from mle_modernizer_server.fixing.rules.preflight import propose_before_run
from tests.fixing.rules.rewriting import cells, notebook, outcome

IMPORT = "import numpy as np\n# graphs\nimport tensorflow as tf"
SWITCH = 'import os\nos.environ["TF_USE_LEGACY_KERAS"] = "1"\n'
CONVERTED = "import tensorflow.compat.v1 as tf\ntf.disable_v2_behavior()"
RULES = (
    "tf-placeholder",
    "tf-legacy-keras",
    "tf-layers",
    "tf-rnn-cell",
    "tf-contrib-layers",
    "tf-contrib-xavier",
    "tf-contrib-rnn",
)


def second(code: str) -> str:
    """What becomes of a cell behind the import in a notebook on placeholders."""
    before = "x = tf.placeholder(tf.float32)\n"
    return cells(IMPORT, before + code, rules=RULES)[1].removeprefix(before)


def test_graphs_with_layers_get_keras_2_before_the_first_import() -> None:
    code = "x = tf.placeholder(tf.float32)\ny = tf.layers.dense(x, 2)"
    assert cells(IMPORT, code, rules=RULES) == [
        f"import numpy as np\n# graphs\n{SWITCH}{CONVERTED}",
        code,
    ]


def test_without_layers_nothing_needs_keras_2() -> None:
    assert cells(IMPORT, "x = tf.placeholder(tf.float32)", rules=RULES)[0] == (
        f"import numpy as np\n# graphs\n{CONVERTED}"
    )


@pytest.mark.parametrize(
    ("packages", "switched"),
    [({"tensorflow": "2.21.0", "tf_keras": "2.21.0"}, True), ({"tensorflow": "2.21.0"}, False)],
)
def test_keras_2_is_used_where_it_is_installed(packages: dict[str, str], switched: bool) -> None:
    book = notebook("import tensorflow as tf", "x = tf.placeholder(1)\ntf.layers.dense(x, 2)")
    proposal = propose_before_run(book, Environment(python="3.11", packages=packages), Era())
    assert isinstance(proposal, Proposal)
    assert (SWITCH in (proposal.edits[0].new_source or "")) is switched


def test_models_of_keras_3_are_not_mixed_with_layers_of_keras_2() -> None:
    old = ("import tensorflow as tf", "tf.compat.v1.layers.dense\nm = tf.keras.Sequential()")
    found = outcome(*old, rules=("tf-legacy-keras",))
    assert [cell.source for cell in found.notebook.cells] == list(old)
    assert found.doubts


def test_cells_of_contrib_are_those_of_tf_nn() -> None:
    assert second("tf.contrib.rnn.static_rnn(tf.contrib.rnn.GRUCell(3), [x])") == (
        "tf.nn.static_rnn(tf.nn.rnn_cell.GRUCell(3), [x])"
    )


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("fully_connected(x, 5)", "dense(x, 5, activation=tf.nn.relu)"),
        (
            "fully_connected(inputs=x, num_outputs=5, activation_fn=None, scope='out')",
            "dense(x, 5, activation=None, name='out')",
        ),
        ("linear(x, 5)", "dense(x, 5)"),
        (
            "conv2d(x, 5, [3, 3], 2, activation_fn=tf.tanh, biases_initializer=None)",
            "conv2d(x, 5, kernel_size=[3, 3], strides=2, activation=tf.tanh, use_bias=False, "
            'padding="SAME")',
        ),
        ("max_pool2d(x, 2)", "max_pooling2d(x, 2, strides=2)"),
        ("avg_pool2d(x, 3, 1, 'SAME')", "average_pooling2d(x, 3, strides=1, padding='SAME')"),
        ("dropout(x, a + b)", "dropout(x, 1 - (a + b), training=True)"),
        ("dropout(x, keep_prob=k, is_training=t)", "dropout(x, 1 - k, training=t)"),
        ("flatten(x)", "flatten(x)"),
    ],
)
def test_layers_of_contrib_keep_their_defaults(old: str, new: str) -> None:
    assert second(f"tf.contrib.layers.{old}") == f"tf.layers.{new}"


@pytest.mark.parametrize(
    "code",
    [
        "tf.contrib.layers.fully_connected(x, 5, normalizer_fn=tf.contrib.layers.batch_norm)",
        "tf.contrib.layers.fully_connected(x, 5, scope=scope)",
        "tf.contrib.layers.fully_connected(x, *sizes)",
        "tf.contrib.layers.conv2d(x, 5, 3, data_format='NCHW')",
        "tf.contrib.layers.fully_connected(x, 5)\nv = [v for v in w if v.name == 'a/weights:0']",
        "tf.contrib.layers.xavier_initializer(uniform=evenly)",
        "tf.contrib.layers.batch_norm(x)",
        "tf.contrib.learn.DNNClassifier()",
    ],
)
def test_what_has_no_equal_stays(code: str) -> None:
    assert second(code) == code


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("xavier_initializer()", "glorot_uniform_initializer()"),
        ("xavier_initializer_conv2d(True, 3)", "glorot_uniform_initializer(seed=3)"),
        (
            "xavier_initializer(uniform=False)",
            'variance_scaling_initializer(scale=1.00586369, mode="fan_avg", '
            'distribution="truncated_normal")',
        ),
        (
            "variance_scaling_initializer(1.0, 'FAN_AVG', True)",
            'variance_scaling_initializer(scale=1.0, mode="fan_avg", distribution="uniform")',
        ),
    ],
)
def test_initializers_of_contrib_draw_from_the_same_distribution(old: str, new: str) -> None:
    assert second(f"tf.contrib.layers.{old}") == f"tf.{new}"


def test_unused_import_from_contrib_is_removed() -> None:
    old = "import tensorflow as tf\nfrom tensorflow.contrib.layers import fully_connected"
    code = "x = tf.placeholder(1)\ny = fully_connected(x, 5)"
    assert cells(old, code, rules=RULES) == [
        f"{SWITCH}{CONVERTED}",
        "x = tf.placeholder(1)\ny = tf.layers.dense(x, 5, activation=tf.nn.relu)",
    ]
