from __future__ import annotations

from tests.fixing.rules.executed.case import Case

K = "from keras import backend as K\n"

LOUD: list[Case] = [
    Case(
        "keras-available-gpus",
        "from keras import backend as K\n",
        "result = K._get_available_gpus()",
        "result == []",
    ),
    Case(
        "keras-backend-functions",
        K,
        "result = float(K.sum(K.constant([1.0, 2.0])))",
        "result == 3",
    ),
    Case(
        "keras-backend-functions",
        "import numpy as np\nimport keras.backend as K\n",
        "def f1(a, b):\n    return K.sum(K.round(K.clip(a * b, 0, 1)))\n"
        "result = float(f1(np.ones(2), np.ones(2)))",
        "result == 2",
    ),
    Case(
        "keras-backend-functions",
        "from keras import layers, backend as K, models\n",
        "result = K.int_shape(K.zeros((2, 3)))",
        "result == (2, 3) and models.Model and layers.Dense",
    ),
    Case(
        "keras-backend-functions",
        "import keras",
        "result = float(keras.backend.epsilon() * 0 + keras.backend.abs(-2.0))",
        "result == 2",
    ),
    Case(
        "keras-backend-functions", "", "from keras.backend import sum, epsilon", "sum and epsilon()"
    ),
    Case(
        "keras-backend-tensorflow-backend",
        "",
        "import keras.backend.tensorflow_backend as K\nresult = float(K.sum([1.0]))",
        "result == 1",
    ),
    Case("keras-backend-tf", K, "result = K.tf.add(1, 2)", "int(result) == 3"),
    Case("keras-backend-session", K, "K.set_session(None)"),
    Case(
        "keras-backend-session",
        "",
        "from keras.backend import set_session, epsilon\nset_session(None)",
    ),
    Case(
        "keras-image-dim-ordering",
        K,
        "K.set_image_dim_ordering('tf')",
        "K.image_data_format() == 'channels_last'",
    ),
    Case(
        "keras-image-dim-ordering",
        K,
        "result = 1 if K.image_dim_ordering() == 'th' else 2",
        "result == 2",
    ),
    Case(
        "keras-theano-order",
        "from keras.layers import Conv2D, MaxPooling2D\nfrom keras.models import Sequential\n",
        "model = Sequential()\n"
        "model.add(Conv2D(4, (3, 3), input_shape=(1, 8, 8)))\n"
        "model.add(MaxPooling2D((2, 2)))\n"
        "result = model.output_shape",
        "result == (None, 4, 3, 3)",
    ),
    Case("keras-backend-get-session", K, "K.get_session()", fix=False),
    Case("keras-learning-phase", K, "K.set_learning_phase(1)", fix=False),
    Case("keras-backend-function", K, "K.function([], [])", fix=False),
    Case(
        "keras-backend-gradients",
        "import tensorflow as tf\nx = tf.Variable(1.0)\n",
        "tf.gradients(x * x, x)",
        fix=False,
    ),
    Case("keras-backend-placeholder", K, "K.placeholder((2,))", fix=False),
    Case("keras-backend-update", K, "K.in_train_phase(1, 2)", fix=False),
    Case(
        "keras-legacy-switch",
        "from keras.models import Sequential\n",
        "Sequential().add(object())",
        fix=False,
    ),
]

SILENT: list[Case] = []
