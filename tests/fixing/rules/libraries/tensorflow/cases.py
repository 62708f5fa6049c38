from __future__ import annotations

from tests.fixing.rules.executed.case import Case

TF = "import tensorflow as tf\n"
GRAPH = TF + "import numpy as np\n"

LOUD: list[Case] = [
    Case(
        "tf-cond-strict",
        "import tensorflow as tf\n",
        "result = tf.cond(tf.constant(True), lambda: 1, lambda: 2, strict=True, name='loss')",
        "int(result) == 1",
    ),
    Case(
        "tf-keras-long-loss-names",
        "import tensorflow as tf\n",
        "result = tf.keras.losses.mean_squared_error([[0., 2.]], [[0., 0.]])",
        "float(result[0]) == 2",
    ),
    Case("tf-session", TF, "result = tf.Session()", "result.close() is None"),
    Case("tf-session", "", "from tensorflow import InteractiveSession, constant"),
    Case("tf-config-proto", TF, "c = tf.ConfigProto()\nc.gpu_options.allow_growth = True"),
    Case("tf-global-variables", TF, "result = tf.trainable_variables()", "result == []"),
    Case("tf-initialize-all-variables", TF, "result = tf.initialize_all_variables"),
    Case("tf-get-variable", TF, "result = tf.variable_scope"),
    Case("tf-default-graph", TF, "tf.reset_default_graph()"),
    Case(
        "tf-set-random-seed",
        TF,
        "tf.set_random_seed(1)\na = float(tf.random.uniform([]))\n"
        "tf.compat.v1.set_random_seed(1)\nb = float(tf.random.uniform([]))",
        "a == b",
    ),
    Case(
        "tf-placeholder",
        GRAPH,
        "x = tf.placeholder(tf.float32, [None])\ny = tf.reduce_sum(x)\n"
        "with tf.Session() as s:\n    result = s.run(y, {x: np.ones(3)})",
        "result == 3",
    ),
    Case(
        "tf-placeholder-eager",
        TF,
        "tf.compat.v1.placeholder(tf.float32)",
        fix=False,
    ),
    Case(
        "tf-session-graph",
        TF,
        "tf.compat.v1.Session().run(tf.constant(1))",
        fix=False,
    ),
    Case("tf-train-optimizers", TF, "tf.train.AdamOptimizer(0.1)"),
    Case("tf-train-saver", TF, "result = tf.train.Saver"),
    Case(
        "tf-train-decay",
        TF,
        "r = tf.train.exponential_decay(1.0, 10, 10, 0.5)\nresult = float(r())",
        "result == 0.5",
    ),
    Case("tf-train-queues", TF, "result = tf.train.string_input_producer"),
    Case("tf-estimator", TF, "tf.estimator.DNNClassifier", fix=False),
    Case("tf-logging", TF, "tf.logging.set_verbosity(tf.logging.ERROR)"),
    Case("tf-app-flags", TF, "result = tf.app.flags"),
    Case("tf-gfile", TF, "result = tf.gfile.Exists('nowhere')", "result is False"),
    Case("tf-math-names", TF, "result = float(tf.log(1.0))", "result == 0"),
    Case("tf-div", TF, "result = int(tf.div(7, 2))", "result == 3"),
    Case("tf-linalg-names", TF, "result = tf.matrix_inverse([[2.0]])", "result.shape == (1, 1)"),
    Case("tf-random-names", TF, "result = tf.random_normal([3])", "result.shape == (3,)"),
    Case("tf-multinomial", TF, "tf.multinomial([[1.0, 1.0]], 3)"),
    Case(
        "tf-keep-dims",
        TF,
        "result = tf.reduce_sum([[1.0, 2.0]], reduction_indices=1, keep_dims=True)",
        "result.shape == (1, 1)",
    ),
    Case("tf-argmax-dimension", TF, "result = int(tf.argmax([1, 3], dimension=0))", "result == 1"),
    Case(
        "tf-axis-arguments",
        TF,
        "result = tf.squeeze([[1]], squeeze_dims=[0])",
        "result.shape == (1,)",
    ),
    Case("tf-axis-arguments", TF, "tf.expand_dims([1.0], dim=0)"),
    Case("tf-casts", TF, "result = tf.to_float(1)", "result.dtype == tf.float32"),
    Case(
        "tf-image-resize",
        GRAPH,
        "result = tf.image.resize_images(np.ones((4, 4, 3)), (2, 2))",
        "result.shape == (2, 2, 3)",
    ),
    Case("tf-losses", TF, "tf.losses.log_loss([1.0], [0.5])"),
    Case("tf-metrics", TF, "result = tf.metrics.auc", "callable(result)"),
    Case("tf-py-func", TF, "result = tf.py_func(lambda x: x + 1, [1.0], tf.float32)"),
    Case(
        "tf-one-shot-iterator",
        TF,
        "i = tf.data.Dataset.range(2).make_one_shot_iterator()\nresult = int(i.get_next())",
        "result == 0",
    ),
    Case("tf-io-names", TF, "result = tf.FixedLenFeature([], tf.int64)"),
    Case("tf-io-changed", TF, "result = tf.decode_raw(b'a', tf.uint8)", "int(result[0]) == 97"),
    Case("tf-python-io", TF, "result = tf.python_io.TFRecordWriter"),
    Case("tf-image-decode", TF, "result = tf.decode_png"),
    Case("tf-enable-eager", TF, "tf.enable_eager_execution()"),
    Case("tf-python-keras", "", "from tensorflow.python.keras.preprocessing.text import Tokenizer"),
    Case(
        "tf-examples-mnist",
        "",
        "from tensorflow.examples.tutorials.mnist import input_data",
        fix=False,
    ),
    Case("tf-assign", TF, "v = tf.Variable(1)\ntf.assign(v, 5)", "int(v) == 5"),
    Case("tf-summary", TF, "result = tf.summary.FileWriter"),
    Case(
        "tf-nn-names", TF, "tf.nn.softmax_cross_entropy_with_logits_v2(labels=[1.0], logits=[2.0])"
    ),
    Case(
        "tf-nn-dropout",
        TF,
        "result = tf.nn.dropout(tf.ones(5), keep_prob=1.0)",
        "float(tf.reduce_sum(result)) == 5",
    ),
    Case("tf-arithmetic-names", TF, "result = int(tf.mul(2, 3))", "result == 6"),
    Case("tf-sparse-names", TF, "tf.sparse_tensor_to_dense(tf.sparse.from_dense([1]))"),
    Case(
        "tf-run-v2",
        TF,
        "result = tf.distribute.get_strategy().experimental_run_v2(lambda: 3)",
        "result == 3",
    ),
    Case("tf-dimension-value", TF, "result = tf.ones((2, 3)).get_shape()[1].value", "result == 3"),
    Case(
        "tf-symbolic-numpy",
        TF,
        "@tf.function\ndef f(x):\n    return x.numpy()\nf(tf.ones(2))",
        fix=False,
    ),
    Case("tf-tpu-resolver", TF, "tf.distribute.cluster_resolver.TPUClusterResolver()", fix=False),
]

SILENT: list[Case] = []
