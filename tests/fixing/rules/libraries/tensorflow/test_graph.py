"""A notebook on graphs becomes one of TensorFlow 1 as a whole, or stays as it is."""

from __future__ import annotations

from tests.fixing.rules.rewriting import cells, outcome

RULES = ("tf-placeholder", "tf-session", "tf-random-names", "tf-train-optimizers")
GRAPH = (
    "x = tf.placeholder(tf.float32)\nw = tf.Variable(tf.random_normal([2]))",
    "step = tf.train.AdamOptimizer(0.1).minimize(w)\nwith tf.Session() as s:\n    pass",
)


def test_what_the_namespace_of_tensorflow_1_has_keeps_its_name() -> None:
    found = outcome("import tensorflow as tf", *GRAPH, rules=RULES)
    assert [cell.source for cell in found.notebook.cells] == [
        "import tensorflow.compat.v1 as tf\ntf.disable_v2_behavior()",
        *GRAPH,
    ]
    assert {one.rule.id for one in found.applied} == {"tf-placeholder"}, "no rule that did nothing"


def test_data_sets_of_keras_go_with_graphs() -> None:
    for line in (
        "data = tf.keras.datasets.mnist.load_data()",
        "from keras.datasets import mnist",
        "from tensorflow.keras.utils import to_categorical",
    ):
        old = (f"import tensorflow as tf\n{line}", *GRAPH)
        assert cells(*old, rules=RULES)[0] == (
            f"import tensorflow.compat.v1 as tf\ntf.disable_v2_behavior()\n{line}"
        )


def test_graph_with_layers_of_keras_gets_only_safe_renames() -> None:
    for line in ("import keras", "from tensorflow import keras", "m = tf.keras.Sequential()"):
        old = (f"import tensorflow as tf\n{line}", *GRAPH)
        found = outcome(*old, rules=RULES)
        assert [cell.source for cell in found.notebook.cells] == [
            old[0],
            old[1].replace("random_normal", "random.normal"),
            old[2],
        ]
        assert found.doubts


def test_session_does_not_hold_back_a_cast_next_to_keras() -> None:
    first = "import tensorflow as tf\nm = tf.keras.Sequential()"
    code = (
        "with tf.Session() as s:\n    pass\nx = tf.to_float(1)\ny = tf.cond(x, f, g, strict=True)"
    )
    rules = (*RULES, "tf-casts", "tf-cond-strict")
    assert cells(first, code, rules=rules)[1] == (
        "with tf.Session() as s:\n    pass\nx = tf.cast(1, tf.float32)\ny = tf.cond(x, f, g)"
    )


def test_without_placeholders_single_names_are_mended() -> None:
    assert cells("import tensorflow as tf\nw = tf.random_normal([2])", rules=RULES) == [
        "import tensorflow as tf\nw = tf.random.normal([2])"
    ]
