from __future__ import annotations

from tests.fixing.rules.executed.case import Case

DATA = """
import numpy as np
import tensorflow as tf
from keras.models import Sequential
from keras.layers import Dense, Input
X = np.arange(48, dtype='float32').reshape(12, 4) / 48
y = np.array(['no', 'yes'] * 6)
m = Sequential([Input((4,)), Dense(1)])
def build(optimizer='adam', out=1):
    c = Sequential()
    c.add(Input((4,)))
    c.add(Dense(out, activation='sigmoid' if out == 1 else 'softmax'))
    loss = 'binary_crossentropy' if out == 1 else 'categorical_crossentropy'
    c.compile(optimizer=optimizer, loss=loss, metrics=['accuracy'])
    return c
def regression():
    c = Sequential([Input((4,)), Dense(1)])
    c.compile(optimizer='sgd', loss='mse')
    return c
"""
WRAPPED = "from keras.wrappers.scikit_learn import KerasClassifier\n"

LOUD: list[Case] = [
    Case(
        "keras-load-img-grayscale",
        "from PIL import Image\nImage.new('RGB', (9, 8)).save('a.png')\n"
        "from keras.preprocessing.image import load_img\n",
        "result = load_img('a.png', grayscale=True).mode",
        "result == 'L'",
    ),
    Case("keras-layers-core", "", "from keras.layers.core import Dense, Dropout", "Dense(2)"),
    Case("keras-layers-core", "", "from tensorflow.keras.layers.core import *", "Dense(2)"),
    Case("keras-layers-convolutional", "", "from keras.layers.convolutional import Conv2D"),
    Case("keras-layers-pooling", "", "from keras.layers.pooling import MaxPooling2D"),
    Case("keras-layers-recurrent", "", "from keras.layers.recurrent import LSTM, GRU"),
    Case("keras-layers-embeddings", "", "from keras.layers.embeddings import Embedding"),
    Case(
        "keras-layers-advanced-activations",
        "",
        "from keras.layers.advanced_activations import LeakyReLU, PReLU",
        "LeakyReLU(0.1)",
    ),
    Case("keras-layers-wrappers", "", "from keras.layers.wrappers import Bidirectional"),
    Case("keras-layers-noise", "", "from keras.layers.noise import GaussianNoise"),
    Case(
        "keras-layers-convolutional-recurrent",
        "",
        "from keras.layers.convolutional_recurrent import ConvLSTM2D",
    ),
    Case(
        "keras-layers-normalization",
        "",
        "from keras.layers.normalization import BatchNormalization",
    ),
    Case("keras-layers-merge", "", "from keras.layers.merge import concatenate, add"),
    Case("keras-engine", "", "from keras.engine.topology import Layer, InputSpec", "Layer"),
    Case(
        "keras-layers-cudnn-recurrent",
        "",
        "from keras.layers.cudnn_recurrent import CuDNNLSTM",
        also=("keras-cudnn-lstm",),
    ),
    Case("keras-engine", "", "from keras.engine import Model", "Model"),
    Case(
        "keras-utils-np-utils",
        "",
        "from keras.utils import np_utils\nresult = np_utils.to_categorical([0, 1])",
        "result.tolist() == [[1, 0], [0, 1]]",
    ),
    Case(
        "keras-utils-np-utils",
        "",
        "from keras.utils.np_utils import to_categorical\nresult = to_categorical([0, 2])",
        "result.shape == (2, 3)",
    ),
    Case("keras-utils-vis-utils", "", "from keras.utils.vis_utils import plot_model, model_to_dot"),
    Case("keras-utils-visualize-util", "", "from keras.utils.visualize_util import plot", "plot"),
    Case(
        "keras-utils-generic-utils", "", "from keras.utils.generic_utils import get_custom_objects"
    ),
    Case("keras-utils-data-utils", "", "from keras.utils.data_utils import Sequence, get_file"),
    Case("keras-utils-layer-utils", "", "from keras.utils.layer_utils import get_source_inputs"),
    Case("keras-objectives", "", "from keras.objectives import binary_crossentropy"),
    Case(
        "keras-initializations",
        "",
        "from keras import initializations",
        "initializations.get('one')",
    ),
    Case(
        "keras-losses-short-names",
        "",
        "from keras.losses import mse, mae",
        "float(mse([1.], [3.])) == 4",
    ),
    Case(
        "keras-metrics-short-names",
        "import keras",
        "result = keras.metrics.mae",
        "callable(result)",
    ),
    Case(
        "keras-losses-kullback-leibler", "", "from keras.losses import kullback_leibler_divergence"
    ),
    Case(
        "keras-losses-logcosh",
        "",
        "from keras.losses import logcosh",
        "float(logcosh([0.], [0.])) == 0",
    ),
    Case(
        "keras-losses-cosine-proximity",
        "",
        "from keras.losses import cosine_proximity",
        "abs(float(cosine_proximity([[1., 0.]], [[2., 0.]])[0]) + 1) < 1e-6",
    ),
    Case(
        "keras-constraints-maxnorm",
        "",
        "from keras.constraints import maxnorm\nresult = maxnorm(3)",
        "result.max_value == 3",
    ),
    Case(
        "keras-constraints-nonneg", "", "from keras.constraints import nonneg, unitnorm", "nonneg()"
    ),
    Case(
        "keras-regularizers-activity",
        "from keras import regularizers",
        "result = regularizers.activity_l2(0.1)",
        "abs(float(result.l2) - 0.1) < 1e-6",
    ),
    Case(
        "keras-regularizers-l1l2",
        "",
        "from keras.regularizers import l1l2\nresult = l1l2(0.1, 0.2)",
        "abs(float(result.l1) - 0.1) < 1e-6",
    ),
    Case(
        "keras-initializers-short-names",
        "import keras",
        "result = keras.initializers.normal(stddev=0.1)",
        "result.stddev == 0.1",
    ),
    Case(
        "keras-optimizers-lower-case",
        "",
        "from keras.optimizers import adam, sgd",
        "adam(learning_rate=0.1)",
    ),
    Case("keras-optimizers-lower-case", "import keras", "keras.optimizers.rmsprop(0.1)"),
    Case(
        "keras-optimizers-legacy",
        "import tensorflow as tf",
        "tf.keras.optimizers.legacy.Adam(learning_rate=0.1)",
    ),
    Case("keras-optimizers-experimental", "", "from keras.optimizers.experimental import AdamW"),
    Case("keras-optimizers-v2", "", "from tensorflow.keras.optimizer_v2.adam import Adam"),
    Case("keras-optimizers-v2", "", "from keras.optimizers import adam_v2\nadam_v2.Adam(0.1)"),
    Case(
        "keras-preprocessing-image-generator",
        "",
        "from keras.preprocessing.image import ImageDataGenerator, img_to_array",
        "ImageDataGenerator(rescale=2.0).rescale == 2",
    ),
    Case(
        "keras-preprocessing-image-generator",
        "from keras.preprocessing import image",
        "result = image.ImageDataGenerator(rescale=2.0)",
        "result.rescale == 2",
    ),
    Case(
        "keras-preprocessing-image-random",
        "",
        "from keras.preprocessing.image import random_rotation",
    ),
    Case(
        "keras-preprocessing-text",
        "",
        "from keras.preprocessing.text import Tokenizer\nt = Tokenizer()\n"
        "t.fit_on_texts(['b a', 'a'])",
        "t.word_index == {'a': 1, 'b': 2}",
    ),
    Case(
        "keras-preprocessing-text",
        "",
        "from keras.preprocessing import text, sequence",
        "text.Tokenizer and sequence.pad_sequences",
    ),
    Case(
        "keras-preprocessing-sequence",
        "",
        "from keras.preprocessing.sequence import TimeseriesGenerator, pad_sequences",
        "pad_sequences([[1]])[0] == 1",
    ),
    Case(
        "keras-preprocessing-package", "", "from keras_preprocessing.sequence import pad_sequences"
    ),
    Case("keras-applications-package", "", "from keras_applications.vgg16 import preprocess_input"),
    Case(
        "keras-applications-resnet-v2", "", "from keras.applications.mobilenetv2 import MobileNetV2"
    ),
    Case(
        "keras-cudnn-lstm",
        "",
        "from keras.layers import Dense, CuDNNLSTM\nresult = CuDNNLSTM(2)",
        "result.recurrent_activation.__name__ == 'sigmoid'",
    ),
    Case(
        "keras-cudnn-gru",
        "import tensorflow as tf",
        "result = tf.keras.layers.CuDNNGRU(2)",
        "result.reset_after",
    ),
    Case("keras-thresholded-relu", "", "from keras.layers import ThresholdedReLU"),
    Case(
        "keras-preprocessing-layers",
        "import tensorflow as tf",
        "tf.keras.layers.experimental.preprocessing.Rescaling(1 / 255)",
    ),
    Case(
        "keras-preprocessing-layers",
        "",
        "from tensorflow.keras.layers.experimental import preprocessing\n"
        "preprocessing.Resizing(2, 2)",
    ),
    Case(
        "keras-mixed-precision-experimental",
        "",
        "from tensorflow.keras.mixed_precision import experimental as mixed_precision\n"
        "mixed_precision.set_policy('float32')",
    ),
    Case(
        "keras-experimental-schedules",
        "import tensorflow as tf",
        "tf.keras.experimental.CosineDecay(0.1, 10)",
    ),
    Case("keras-callbacks-submodules", "", "from keras.callbacks.callbacks import EarlyStopping"),
    Case("keras-models-engine", "", "from keras.models.sequential import Sequential"),
    Case(
        "keras-merge-layer",
        "",
        "from keras.layers import Input, merge\na = Input((2,))\nb = Input((3,))\n"
        "result = merge([a, b], mode='concat')",
        "tuple(result.shape) == (None, 5)",
    ),
    Case(
        "keras-wrappers-scikit-learn",
        "",
        "from keras.wrappers.scikit_learn import KerasClassifier",
        fix=False,
    ),
    Case("keras-removed-layers", "", "from keras.layers import MaxoutDense", fix=False),
    Case("keras-locally-connected", "", "from keras.layers import LocallyConnected1D", fix=False),
    Case("keras-multi-gpu-model", "", "from keras.utils import multi_gpu_model", fix=False),
    Case("keras-hdf5-matrix", "", "from keras.utils.io_utils import HDF5Matrix", fix=False),
    Case("keras-contrib", "", "import keras_contrib", fix=False),
    Case(
        "keras-wrappers-scikit-learn",
        DATA + "from sklearn.model_selection import cross_val_score\n",
        WRAPPED + "c = KerasClassifier(build_fn=build, epochs=2, batch_size=4, verbose=0)\n"
        "result = cross_val_score(estimator=c, X=X, y=y, cv=3)",
        "result.shape == (3,) and ((0 <= result) & (result <= 1)).all()",
    ),
    Case(
        "keras-wrappers-scikit-learn",
        DATA + "from sklearn.model_selection import GridSearchCV\n",
        WRAPPED + "c = KerasClassifier(build_fn=build, verbose=0)\n"
        "g = GridSearchCV(c, {'epochs': [1], 'optimizer': ['sgd'], 'out': [2]}, cv=2)\n"
        "result = g.fit(X, y).predict(X)",
        "set(result) <= {'no', 'yes'} and g.best_params_['out'] == 2",
    ),
    Case(
        "keras-wrappers-scikit-learn",
        DATA,
        "from tensorflow.keras.wrappers.scikit_learn import KerasRegressor\n"
        "r = KerasRegressor(build_fn=regression, epochs=1, verbose=0)\nr.fit(X, X[:, 0])",
        "r.predict(X).shape == (12,) and r.score(X, X[:, 0]) <= 0",
    ),
    Case(
        "keras-wrappers-scikit-learn",
        DATA,
        "c = tf.keras.wrappers.scikit_learn.KerasClassifier(build, epochs=1, verbose=0)\n"
        "c.fit(X, y)",
        "c.predict_proba(X).shape == (12, 2) and c.predict(X).shape == (12, 1)",
    ),
]

SILENT: list[Case] = []
