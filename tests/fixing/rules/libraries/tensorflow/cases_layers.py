"""Layers and cells of TensorFlow 1, also in a notebook that has its namespace by now."""

from __future__ import annotations

from tests.fixing.rules.executed.case import Case

TF = "import tensorflow as tf\n"
GRAPH = (
    "import numpy as np\nimport tensorflow.compat.v1 as tf\ntf.disable_v2_behavior()\n"
    "rows = np.linspace(-1, 1, 12).reshape(3, 4)\n"
    "pictures = np.linspace(-1, 1, 96).reshape(2, 4, 4, 3)\n"
)
ROWS = "x = tf.placeholder(tf.float32, [None, 4])\nsame = tf.constant_initializer(0.3)\n"
PICTURES = "x = tf.placeholder(tf.float32, [None, 4, 4, 3])\nsame = tf.constant_initializer(0.3)\n"
RUN = (
    "\nwith tf.Session() as s:\n    s.run(tf.global_variables_initializer())\n"
    "    result = s.run(y, {x: %s})"
)
ON_ROWS, ON_PICTURES = RUN % "rows", RUN % "pictures"
ALSO = (
    "tf-legacy-keras",
    "tf-contrib-l2",
    "tf-contrib-layers",
    "tf-contrib-xavier",
)

LOUD: list[Case] = [
    Case(
        "tf-legacy-keras",
        TF,
        "dense = tf.compat.v1.layers.Dense(2)",
        "dense.units == 2",
    ),
    Case(
        "tf-legacy-keras",
        TF,
        "result = tf.compat.v1.nn.rnn_cell.GRUCell(4).state_size",
        "result == 4",
    ),
    Case(
        "tf-legacy-keras",
        GRAPH,
        f"{ROWS}h = tf.layers.dense(x, 2, tf.nn.relu, kernel_initializer=same, name='h')\n"
        "h = tf.layers.dropout(h, 0.5, training=False)\n"
        f"y = tf.layers.dense(h, 1, kernel_initializer=same){ON_ROWS}",
        "result.shape == (3, 1) and abs(result.sum() - 0.5236) < 0.001",
    ),
    Case(
        "tf-legacy-keras",
        GRAPH,
        f"{PICTURES}h = tf.layers.conv2d(x, 2, 3, padding='same', kernel_initializer=same)\n"
        "h = tf.layers.batch_normalization(h, training=False)\n"
        f"y = tf.layers.flatten(tf.layers.max_pooling2d(h, 2, 2)){ON_PICTURES}",
        "result.shape == (2, 8)",
    ),
    Case(
        "tf-layers",
        TF,
        "result = tf.layers.Flatten()(tf.ones((2, 3, 4)))",
        "result.shape == (2, 12)",
        also=("tf-legacy-keras",),
    ),
    Case(
        "tf-legacy-keras",
        GRAPH,
        f"{PICTURES}with tf.variable_scope('r', initializer=same):\n"
        "    cell = tf.nn.rnn_cell.BasicLSTMCell(2)\n"
        f"    y, _ = tf.nn.dynamic_rnn(cell, x[:, 0], dtype=tf.float32){ON_PICTURES}",
        "result.shape == (2, 4, 2)",
    ),
    Case("tf-rnn-cell", TF, "result = tf.nn.dynamic_rnn", "callable(result)"),
    Case("tf-contrib", TF, "tf.contrib.crf", fix=False),
    Case("tf-contrib-batch-norm", TF, "tf.contrib.layers.batch_norm", fix=False),
    Case("tf-contrib-learn", TF, "tf.contrib.learn.DNNClassifier", fix=False),
    Case(
        "tf-contrib-layers",
        GRAPH,
        f"{ROWS}h = tf.contrib.layers.fully_connected(\n"
        "    x, 2, weights_initializer=same, scope='h',\n"
        "    weights_regularizer=tf.contrib.layers.l2_regularizer(0.5))\n"
        "h = tf.contrib.layers.dropout(h, keep_prob=0.5, is_training=False)\n"
        "y = tf.contrib.layers.fully_connected(\n"
        "    h, 1, activation_fn=None, biases_initializer=None, weights_initializer=same)\n"
        f"z = tf.losses.get_regularization_loss(){ON_ROWS}\n"
        "    loss = s.run(z)",
        "result.shape == (3, 1) and abs(result.sum() - 0.5236) < 0.001 > abs(loss - 0.18)",
        also=ALSO,
    ),
    Case(
        "tf-contrib-layers",
        GRAPH,
        f"{PICTURES}h = tf.contrib.layers.conv2d(x, 2, 3, weights_initializer=same)\n"
        "h = tf.contrib.layers.max_pool2d(h, 2)\n"
        f"y = tf.contrib.layers.flatten(h){ON_PICTURES}",
        "result.shape == (2, 8) and result.min() == 0 < result.max()",
        also=ALSO,
    ),
    Case(
        "tf-contrib-layers",
        GRAPH,
        "from tensorflow.contrib.layers import fully_connected, flatten\n"
        f"{PICTURES}y = fully_connected(flatten(x), 2, weights_initializer=same){ON_PICTURES}",
        "result.shape == (2, 2)",
        also=ALSO,
    ),
    Case(
        "tf-contrib-xavier",
        GRAPH,
        f"{ROWS}w = tf.get_variable('w', [4, 300],\n"
        "                    initializer=tf.contrib.layers.xavier_initializer(seed=1))\n"
        "v = tf.get_variable('v', [4, 300],\n"
        "                    initializer=tf.contrib.layers.xavier_initializer(uniform=False))\n"
        f"y = tf.concat([w, v], 0) + 0 * tf.reduce_sum(x){ON_ROWS}",
        "abs(result[:4].std() - (2 / 304) ** 0.5) < 0.01 > abs(result[4:].std() - (2 / 304) ** 0.5)"
        " and result[:4].max() < (6 / 304) ** 0.5 < result[4:].max()",
        also=ALSO,
    ),
    Case(
        "tf-contrib-xavier",
        GRAPH,
        f"{ROWS}i = tf.contrib.layers.variance_scaling_initializer(factor=1.0, uniform=True)\n"
        f"w = tf.get_variable('w', [4, 300], initializer=i)\ny = w + 0 * tf.reduce_sum(x){ON_ROWS}",
        "0.8 < result.max() < (3 / 4) ** 0.5",
        also=ALSO,
    ),
    Case(
        "tf-contrib-xavier",
        TF,
        "i = tf.contrib.layers.xavier_initializer(seed=1)\nresult = i([2, 2])",
        "result.shape == (2, 2)",
    ),
    Case(
        "tf-contrib-l2",
        TF,
        "r = tf.contrib.layers.l2_regularizer(0.5)\nresult = float(r(tf.constant([2.0])))",
        "result == 1",
    ),
    Case(
        "tf-contrib-l2",
        TF,
        "r = tf.contrib.layers.l1_regularizer(0.5)\nresult = float(r(tf.constant([-2.0])))",
        "result == 1",
    ),
    Case(
        "tf-contrib-rnn",
        GRAPH,
        f"{PICTURES}with tf.variable_scope('r', initializer=same):\n"
        "    cells = [tf.contrib.rnn.BasicLSTMCell(2, forget_bias=0.5) for _ in range(2)]\n"
        "    cell = tf.contrib.rnn.MultiRNNCell(cells)\n"
        "    ys, _ = tf.contrib.rnn.static_rnn(\n"
        f"        cell, tf.unstack(x[:, 0], axis=1), dtype=tf.float32)\ny = ys[-1]{ON_PICTURES}",
        "result.shape == (2, 2)",
        also=ALSO,
    ),
    Case(
        "tf-contrib-rnn",
        GRAPH,
        "from tensorflow.contrib import rnn\n"
        f"{PICTURES}cell = rnn.GRUCell(2)\n"
        f"y = rnn.static_rnn(cell, tf.unstack(x[:, 0], axis=1), dtype=tf.float32)[0][-1]"
        f"{ON_PICTURES}",
        "result.shape == (2, 2)",
        also=ALSO,
    ),
]

SILENT: list[Case] = []
