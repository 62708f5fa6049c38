import pytest

from tests.fixing.rules.rewriting import assert_rewrites, assert_stays, cells, error, outcome

LAYERS = "from keras.layers import *\nfrom keras.models import Sequential, Model\n"
TF = "import tensorflow as tf\n"


@pytest.mark.parametrize(
    ("rule", "before", "after", "setup"),
    [
        (
            "keras-convolution-strides",
            "m.add(Convolution2D(nb_filters, k[0], k[1], border_mode='valid'))  # first",
            "m.add(Convolution2D(nb_filters, (k[0], k[1]), border_mode='valid'))  # first",
            LAYERS,
        ),
        (
            "keras-convolution-strides",
            "Conv2D(32, 3, 3, activation='relu')",
            "Conv2D(32, (3, 3), activation='relu')",
            LAYERS,
        ),
        (
            "keras-convolution-kernel",
            "Convolution2D(nb_filter=8, nb_row=3,\n              nb_col=2, name='a')",
            "Convolution2D(filters=8, kernel_size=(3, 2), name='a')",
            LAYERS,
        ),
        (
            "keras-rnn-input-length",
            "m.add(GRU(8, input_dim=5))",
            "m.add(GRU(8, input_shape=(None, 5)))",
            LAYERS,
        ),
        (
            "keras-input-int-shape",
            "Input(shape=(X.shape[1]))",
            "Input(shape=(X.shape[1],))",
            LAYERS,
        ),
        (
            "keras-float-units",
            "Dense(units / 2, activation='relu')",
            "Dense(int(units / 2), activation='relu')",
            LAYERS,
        ),
        (
            "keras-lr",
            "tf.keras.optimizers.Adam(lr=1e-3)",
            "tf.keras.optimizers.Adam(learning_rate=1e-3)",
            TF,
        ),
        (
            "keras-decay",
            "SGD(lr=0.01, decay=1e-6, momentum=0.9, nesterov=True)",
            "SGD(learning_rate=InverseTimeDecay(0.01, 1, 1e-6), momentum=0.9, nesterov=True)",
            "from keras.optimizers import SGD\n"
            "from keras.optimizers.schedules import InverseTimeDecay\n",
        ),
        ("keras-decay", "SGD(0.1, decay=0.0)", "SGD(0.1)", "from keras.optimizers import SGD"),
        (
            "keras-fit-generator",
            "model.fit_generator(gen.flow(X, y), len(X) / 32, 5, workers=4)",
            "model.fit(gen.flow(X, y), steps_per_epoch=int(np.ceil(len(X) / 32)), epochs=5)",
            "import numpy as np",
        ),
        (
            "keras-predict-classes",
            "p = model.predict_classes(X)",
            "p = model.predict(X, verbose=0).argmax(axis=-1)",
            LAYERS + "model.add(Dense(10, activation='softmax'))",
        ),
        (
            "keras-predict-classes",
            "p = model.predict_classes(X)[:, 0]",
            "p = (model.predict(X, verbose=0) > 0.5).astype('int32')[:, 0]",
            LAYERS + "model.add(Dense(1, activation='sigmoid'))",
        ),
        (
            "keras-monitor-acc",
            'EarlyStopping(monitor="val_acc", patience=3)',
            'EarlyStopping(monitor="val_accuracy", patience=3)',
            "from keras.callbacks import EarlyStopping\nm.compile('sgd', metrics=['accuracy'])",
        ),
        (
            "keras-optimizer-set-lr",
            "model.optimizer.lr = 1e-4",
            "model.optimizer.learning_rate = 1e-4",
            "import keras",
        ),
        (
            "keras-layers-pop",
            "vgg.layers.pop()",
            "vgg = Model(vgg.inputs, vgg.layers[-2].output)",
            "from keras.applications import VGG16\nfrom keras.models import Model\nvgg = VGG16()",
        ),
        (
            "keras-pin-adadelta",
            "m.compile(loss='mse', optimizer='Adadelta')",
            "m.compile(loss='mse', optimizer=Adadelta(learning_rate=1.0))",
            "import keras\nfrom keras.optimizers import Adadelta",
        ),
        (
            "keras-utils-np-utils",
            "from keras.utils import np_utils, plot_model",
            "from keras.utils import plot_model\nfrom keras import utils as np_utils",
            "",
        ),
        (
            "keras-backend-session",
            "if gpu:\n    K.set_session(tf.Session(config=config))",
            "if gpu:\n    pass",
            "from keras import backend as K",
        ),
        (
            "tf-contrib-l2",
            "r = tf.contrib.layers.l2_regularizer(scale=a + b)",
            "r = tf.keras.regularizers.L2((a + b) / 2)",
            TF,
        ),
        ("tf-casts", "x = tf.to_float(y)", "x = tf.cast(y, tf.float32)", TF),
    ],
)
def test_old_keras_gets_its_meaning_back(rule: str, before: str, after: str, setup: str) -> None:
    assert_rewrites(rule, before, after, setup)


@pytest.mark.parametrize(
    ("rule", "source", "setup"),
    [
        ("keras-convolution-strides", "Conv2D(32, 3, 3)", "from tensorflow.keras.layers import *"),
        ("keras-convolution-strides", "Conv2D(32, 3, strides=2)", LAYERS),
        ("keras-convolution-strides", "Conv2D(32, 3, 2, padding='same')", LAYERS),
        ("keras-convolution-strides", "nn.Conv2d(32, 3, 3)", "import torch.nn as nn"),
        ("keras-monitor-acc", "EarlyStopping('val_acc')", "m.compile('sgd', metrics=['acc'])"),
        ("keras-history-acc", "h.history['acc']", "m.compile('sgd', metrics=['acc'])"),
        ("keras-history-acc", "row['acc']", "m.compile('sgd', metrics=['accuracy'])"),
        ("keras-predict-proba", "clf.predict_proba(X)", "from sklearn.svm import SVC\nclf = SVC()"),
        ("keras-layers-pop", "net.layers.pop()", "import torch"),
        ("keras-layers-pop", "m.layers.pop(0)", "import keras\nm = keras.models.load_model('m')"),
        ("keras-lr", "Adam(lr=0.1)", "from torch.optim import Adam"),
        ("keras-decay", "Adam(lr=0.1, decay=0.1)\nReduceLROnPlateau()", LAYERS),
        ("keras-optimizer-set-lr", "self.optimizer.lr = 1", "import torch"),
        ("keras-pin-adadelta", "Adadelta(lr=0.5)", "from keras.optimizers import Adadelta"),
        ("keras-pin-adadelta", "Adadelta()", "from tensorflow.keras.optimizers import Adadelta"),
        ("keras-losses-short-names", "tf.keras.losses.mse(a, b)", TF),
        ("keras-preprocessing-text", "tf.keras.preprocessing.text.Tokenizer()", TF),
        ("keras-backend-functions", "K.epsilon()", "from keras import backend as K"),
        ("keras-merge-layer", "pd.merge([a, b], mode='sum')", "import pandas as pd"),
        ("keras-output-dim", "Embedding(10, output_dim=4)", LAYERS),
        ("tf-nn-dropout", "tf.nn.dropout(x, 0.5)", TF),
        ("tf-metrics", "tf.keras.metrics.AUC()", TF),
    ],
)
def test_what_only_looks_like_it_stays(rule: str, source: str, setup: str) -> None:
    assert_stays(rule, source, setup)


def test_decay_with_a_rate_callback_is_left_with_a_reason() -> None:
    seen = outcome(
        "from keras.optimizers import Adam\nfrom keras.callbacks import ReduceLROnPlateau",
        "o = Adam(lr=0.1, decay=0.01)\nc = ReduceLROnPlateau()",
        rules=("keras-decay",),
    )
    assert [doubt.why for doubt in seen.doubts] == [
        "a callback sets the learning rate too, which a schedule does not allow"
    ]


def test_a_weights_file_is_renamed_wherever_it_is_named() -> None:
    seen = error("b", "ValueError", "The filename must end in `.weights.h5`.", 1)
    assert cells(
        "import keras\npath = 'best.hdf5'",
        "model.save_weights(path)",
        "other.load_weights('best.hdf5')\nopen('best.hdf5.txt')",
        rules=("keras-save-weights-name",),
        errors=(seen,),
    ) == [
        "import keras\npath = 'best.weights.h5'",
        "model.save_weights(path)",
        "other.load_weights('best.weights.h5')\nopen('best.hdf5.txt')",
    ]


def test_a_backend_used_in_another_cell_changes_the_import() -> None:
    assert cells(
        "from keras import backend as K, layers  # both",
        "def loss(a, b):\n    return K.mean(K.square(a - b))",
        rules=("keras-backend-functions",),
    ) == [
        "from keras import layers  # both\nfrom tensorflow.keras import backend as K",
        "def loss(a, b):\n    return K.mean(K.square(a - b))",
    ]


def test_a_notebook_on_placeholders_becomes_one_of_tensorflow_1() -> None:
    assert (
        cells(
            "import tensorflow as tf\nimport numpy as np",
            "x = tf.placeholder(tf.float32)\nwith tf.Session() as s:\n    pass",
            rules=("tf-placeholder",),
        )[0]
        == "import tensorflow.compat.v1 as tf\ntf.disable_v2_behavior()\nimport numpy as np"
    )
    with_keras = ("import tensorflow as tf\nimport keras", "x = tf.placeholder(tf.float32)")
    assert cells(*with_keras, rules=("tf-placeholder",)) == list(with_keras)


def test_the_import_of_merge_goes_when_its_calls_have() -> None:
    assert cells(
        "from keras.layers import Input, add, merge",
        "x = merge([a, b], mode='sum')\ny = merge([a, b], mode='concat', concat_axis=1)",
        rules=("keras-merge-layer",),
    ) == [
        "from keras.layers import Input, add",
        "from keras.layers import concatenate\nx = add([a, b])\ny = concatenate([a, b], axis=1)",
    ]


def test_a_format_goes_with_the_ending_that_says_it() -> None:
    source = (
        "from keras.models import Sequential\nm = Sequential()\n"
        "m.save_weights('w.h5', save_format='tf')\nm.load_weights('w.h5')"
    )
    assert cells(source, rules=("keras-save-weights-name",)) == [
        "from keras.models import Sequential\nm = Sequential()\n"
        "m.save_weights('w.weights.h5')\nm.load_weights('w.weights.h5')"
    ]


def test_a_model_saved_in_a_format_is_saved_by_its_ending() -> None:
    source = (
        "from keras.models import Sequential, load_model\nm = Sequential()\n"
        "m.save('w', save_format='tf')\nload_model('w')"
    )
    assert cells(source, rules=("keras-save-name",)) == [
        "from keras.models import Sequential, load_model\nm = Sequential()\n"
        "m.save('w.keras')\nload_model('w.keras')"
    ]


@pytest.mark.parametrize(
    ("metrics", "key", "new"),
    [
        ("['AUC']", "val_auc", "val_AUC"),
        ("['AUC']", "auc_3", "AUC"),
        ("['accuracy', 'Precision']", "precision", "Precision"),
        ("[keras.metrics.AUC()]", "auc_1", "auc_1"),
        ("[keras.metrics.AUC(name='auc')]", "auc", "auc"),
        ("['AUC', keras.metrics.AUC()]", "auc_1", "auc_1"),
        ("[auc]", "auc", "auc"),
    ],
)
def test_a_metric_asked_for_by_its_class_is_logged_by_that_name(
    metrics: str, key: str, new: str
) -> None:
    start = f"import keras\nm.compile('sgd', 'mse', metrics={metrics})\nh = m.fit(X, y)\n"
    found = cells(f"{start}h.history['{key}']", rules=("keras-history-class",))
    assert found == [f"{start}h.history['{new}']"]


@pytest.mark.parametrize(
    "code",
    ["from keras_applications.resnext import ResNeXt101", "from keras_applications import resnext"],
)
def test_resnext_stays_keras_never_had_it(code: str) -> None:
    assert_stays("keras-applications-package", code)


def test_network_of_applications_loses_modules_it_was_given() -> None:
    assert_rewrites(
        "keras-applications-package",
        """
        from keras_applications import vgg16
        import keras
        m = vgg16.VGG16(weights=None, backend=keras.backend, layers=keras.layers)
        """,
        """
        from keras.applications import vgg16
        import keras
        m = vgg16.VGG16(weights=None)
        """,
    )


def test_number_of_samples_of_keras_1_is_no_number_of_steps() -> None:
    assert_stays(
        "keras-predict-generator",
        "f = m.predict_generator(g, g.n)",
        "from keras.models import Model",
    )


def test_channels_first_are_set_before_the_first_model() -> None:
    setup = "from keras.layers import Convolution2D"
    code = "layer = Convolution2D(8, (3, 3), input_shape=(3, 224, 224))"
    before, after = cells(setup, code, rules=("keras-theano-order",))
    assert after == code
    assert before == (
        f'{setup}\nimport keras\nkeras.config.set_image_data_format("channels_first")'
    )


@pytest.mark.parametrize(
    "code",
    [
        "Conv2D(8, (3, 3), input_shape=(3, 224, 3))",
        "Conv2D(8, (3, 3), input_shape=(28, 28, 1))",
        "Conv2D(8, (3, 3), input_shape=(1, 28, n_channels))",
        "Conv2D(8, (3, 3), input_shape=(1, 28, 28), data_format='channels_first')",
        "Conv2D(8, (3, 3), input_shape=input_shape)",
    ],
)
def test_another_order_of_channels_stays(code: str) -> None:
    assert_stays("keras-theano-order", code, LAYERS)
