from __future__ import annotations

from tests.fixing.rules.executed.case import Case

PD = """
import numpy as np
import pandas as pd
df = pd.DataFrame({'s': ['m', 'f', 'm', 'f'], 'n': [1, 2, 3, 4], 'b': [True, None, False, True]})
codes = {'m': 1, 'f': 0}
"""
KERAS = (
    PD
    + """
from keras.models import Sequential
from keras.layers import Dense, Input
X = np.array([[1, 2.5, True], [0, 1.5, False]], dtype=object)
y = np.array([1, 0], dtype=object)
m = Sequential([Input((3,)), Dense(1)])
m.compile(loss='mse', optimizer='sgd', metrics=['mae'])
def train(model, features, labels):
    model.fit(features, labels, verbose=0)
"""
)
TWELVE_ROWS = """
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
DATA = """
import numpy as np
import keras
from keras.layers import Dense, Input
from keras.models import Model, Sequential
X = np.arange(32, dtype='float32').reshape(8, 4) / 32
y = np.array([0, 1] * 4)
"""
MODEL = (
    DATA
    + """
m = Sequential([Input((4,)), Dense(1, activation='sigmoid')])
m.compile(loss='binary_crossentropy', optimizer='adam', metrics=['accuracy'])
"""
)
GENERATOR = (
    MODEL
    + """
def batches():
    while True:
        yield X, y
g = batches()
"""
)
SOFTMAX = (
    DATA
    + """
m = Sequential([Input((4,)), Dense(3, activation='softmax')])
m.compile(loss='sparse_categorical_crossentropy', optimizer='sgd')
"""
)

LOUD: list[Case] = [
    Case(
        "keras-metrics-list",
        "from keras.layers import Dense\nfrom keras.models import Sequential\n"
        "model = Sequential([Dense(1)])\n",
        "model.compile(optimizer='sgd', loss='mse', metrics='mae')\nresult = model.loss",
        "result == 'mse'",
    ),
    Case("keras-object-input", KERAS, "m.fit(X, y, validation_data=(X, y), verbose=0)"),
    Case("keras-object-input", KERAS, "result = m.predict(X, verbose=0)", "result.shape == (2, 1)"),
    Case(
        "keras-object-input", KERAS, "result = m.evaluate(x=X, y=y, verbose=0)", "len(result) == 2"
    ),
    Case("keras-list-targets", KERAS, "m.fit(X.astype(float), y.tolist(), verbose=0)"),
    Case(
        "keras-list-inputs",
        KERAS,
        "result = m.predict([[1, 2.5, 0]], verbose=0)",
        "result.shape == (1, 1)",
    ),
    Case(
        "keras-tensorflow-optimizer",
        TWELVE_ROWS,
        "m.compile(loss='mse', optimizer=tf.train.AdamOptimizer(0.25))\n"
        "m.fit(X, X[:, 0], verbose=0)",
        "float(m.optimizer.learning_rate) == 0.25 and m.optimizer.epsilon == 1e-8",
    ),
    Case(
        "keras-tensorflow-optimizer",
        TWELVE_ROWS,
        "o = tf.train.RMSPropOptimizer(0.5, 0.8)\nm.compile(o, 'mse')",
        "m.optimizer.rho == 0.8 and m.optimizer.epsilon == 1e-10",
    ),
    Case(
        "keras-tensorflow-optimizer",
        TWELVE_ROWS,
        "o = tf.compat.v1.train.MomentumOptimizer(learning_rate=0.5, momentum=0.75)\n"
        "m.compile(optimizer=o, loss='mse')",
        "m.optimizer.momentum == 0.75 and float(m.optimizer.learning_rate) == 0.5",
    ),
    Case(
        "keras-history-acc",
        TWELVE_ROWS,
        "import pandas as pd\n"
        "h = build().fit(X, y == 'yes', validation_split=0.25, verbose=0)\n"
        "d = pd.DataFrame(h.history)\nresult = d[['acc', 'val_acc']], d.val_acc, d.loc[:, 'acc']",
        "len(result[0]) == 1",
    ),
    Case(
        "keras-history-acc",
        TWELVE_ROWS + "m.compile('sgd', 'mse', metrics=['mae', 'mse'])\n",
        "h = m.fit(X, X[:, 0], validation_split=0.25, verbose=0)\n"
        "result = h.history['mean_absolute_error'], h.history['val_mean_squared_error']",
        "len(result[0]) == 1",
    ),
    Case(
        "keras-metric-types",
        TWELVE_ROWS
        + "from tensorflow.keras import backend as K\n"
        + "def r2(y_true, y_pred):\n"
        + "    'Coefficient of determination.'\n"
        + "    left = K.sum(K.square(y_true - y_pred))\n"
        + "    return 1 - left / (K.sum(K.square(y_true - K.mean(y_true))) + K.epsilon())\n",
        "m.compile('sgd', 'mse', metrics=[r2])\nh = m.fit(X, np.arange(12), verbose=0)",
        "'r2' in h.history",
    ),
    Case(
        "keras-fit-generator",
        GENERATOR,
        "h = m.fit_generator(g, 2, epochs=3, verbose=0, workers=2)",
        "len(h.history['loss']) == 3",
    ),
    Case(
        "keras-fit-generator",
        GENERATOR,
        "h = m.fit_generator(generator=g, steps_per_epoch=3 / 2, nb_epoch=1, verbose=0)",
        "m.optimizer.iterations.numpy() == 2",
    ),
    Case(
        "keras-evaluate-generator",
        GENERATOR,
        "result = m.evaluate_generator(g, steps=1)",
        "len(result) == 2",
    ),
    Case(
        "keras-predict-generator",
        GENERATOR,
        "result = m.predict_generator(g, 2, verbose=0)",
        "result.shape == (16, 1)",
    ),
    Case(
        "keras-nb-epoch",
        MODEL,
        "h = m.fit(X, y, nb_epoch=2, verbose=0)",
        "len(h.history['loss']) == 2",
    ),
    Case("keras-fit-workers", MODEL, "m.fit(X, y, verbose=0, workers=2, max_queue_size=3)"),
    Case("keras-show-accuracy", MODEL, "m.evaluate(X, y, verbose=0, show_accuracy=True)"),
    Case("keras-class-mode", MODEL, "m.compile('adam', 'mse', class_mode='binary')"),
    Case(
        "keras-sample-weight-mode", MODEL, "m.compile('sgd', 'mse', sample_weight_mode='temporal')"
    ),
    Case("keras-class-weight-auto", MODEL, "m.fit(X, y, verbose=0, class_weight='auto')"),
    Case("keras-class-weight-auto", MODEL, "m.fit(X, y, verbose=0, class_weight='balanced')"),
    Case(
        "keras-class-weight-array",
        MODEL,
        "m.fit(X, y, verbose=0, class_weight=np.array([1., 2.]))",
    ),
    Case(
        "keras-predict-classes",
        MODEL,
        "result = m.predict_classes(X)",
        "result.dtype == 'int32' and result.shape == (8, 1)",
    ),
    Case(
        "keras-predict-classes",
        SOFTMAX,
        "result = m.predict_classes(X, batch_size=2)",
        "result.shape == (8,) and result.max() < 3",
    ),
    Case(
        "keras-predict-classes",
        SOFTMAX + "k = Sequential([Input((4,)), Dense(1)])\n",
        "result = m.predict_classes(X).shape, k.predict_classes(X).shape",
        "result == ((8,), (8, 1))",
    ),
    Case("keras-predict-proba", MODEL, "result = m.predict_proba(X)", "result.shape == (8, 1)"),
    Case(
        "keras-lr",
        DATA + "from keras.optimizers import *\n",
        "result = Adam(lr=0.5)",
        "float(result.learning_rate) == 0.5",
    ),
    Case(
        "keras-lr",
        "import tensorflow as tf",
        "result = tf.keras.optimizers.SGD(lr=0.5, momentum=0.9)",
        "float(result.learning_rate) == 0.5",
    ),
    Case(
        "keras-epsilon-none",
        MODEL,
        "o = keras.optimizers.Adam(epsilon=None)\nm.compile(o, 'mse')\nm.fit(X, y, verbose=0)",
        "o.epsilon == 1e-7",
    ),
    Case("keras-schedule-decay", DATA, "keras.optimizers.Nadam(schedule_decay=0.004)"),
    Case(
        "keras-history-acc",
        MODEL,
        "h = m.fit(X, y, verbose=0, validation_data=(X, y))\n"
        "result = h.history['acc'] + h.history['val_acc']",
        "len(result) == 2",
    ),
    Case(
        "keras-monitor-acc",
        MODEL + "from keras.callbacks import EarlyStopping\n",
        "s = EarlyStopping(monitor='val_acc', patience=1)\n"
        "m.fit(X, y, epochs=9, verbose=0, validation_data=(X, y * 0), callbacks=[s])",
        "s.monitor == 'val_accuracy' and s.best is not None",
    ),
    Case(
        "keras-history-class",
        MODEL,
        "m.compile('sgd', 'binary_crossentropy', metrics=['AUC', 'Precision'])\n"
        "h = m.fit(X, y, verbose=0, validation_data=(X, y))\n"
        "result = h.history['auc'] + h.history['val_precision']",
        "len(result) == 2",
    ),
    Case(
        "keras-logs-acc",
        MODEL,
        "class C(keras.callbacks.Callback):\n"
        "    def on_epoch_end(self, epoch, logs={}):\n"
        "        if logs.get('acc') > 2.0:\n"
        "            self.model.stop_training = True\n"
        "m.fit(X, y, verbose=0, callbacks=[C()])",
    ),
    Case(
        "keras-checkpoint-period",
        DATA,
        "keras.callbacks.ModelCheckpoint('w.keras', save_best_only=True, period=1)",
    ),
    Case(
        "keras-checkpoint-weights-name",
        MODEL + "from keras.callbacks import ModelCheckpoint\n",
        "path = 'weights.hdf5'\n"
        "c = ModelCheckpoint(path, save_weights_only=True)\n"
        "m.fit(X, y, verbose=0, callbacks=[c])\n"
        "m.load_weights(path)",
    ),
    Case(
        "keras-checkpoint-name",
        MODEL + "from keras.callbacks import ModelCheckpoint\n",
        "c = ModelCheckpoint('best.hdf5', monitor='loss', save_best_only=True)\n"
        "m.fit(X, y, verbose=0, callbacks=[c])\n"
        "m.load_weights('best.hdf5')",
    ),
    Case("keras-save-weights-name", MODEL, "m.save_weights('w.h5')\nm.load_weights('w.h5')"),
    Case("keras-save-name", MODEL, "m.save('model')\nk = keras.models.load_model('model')"),
    Case(
        "keras-tensorboard-arguments",
        DATA,
        "keras.callbacks.TensorBoard('x', write_grads=True)",
    ),
    Case(
        "keras-optimizer-lr", MODEL, "result = float(m.optimizer.lr)", "abs(result - 1e-3) < 1e-6"
    ),
    Case(
        "keras-set-value-lr",
        MODEL + "from tensorflow.keras import backend as K\n",
        "K.set_value(m.optimizer.learning_rate, 0.5)",
        "float(m.optimizer.learning_rate) == 0.5",
    ),
    Case(
        "keras-set-value-lr",
        MODEL + "from keras import backend as K\n",
        "K.set_value(m.optimizer.lr, K.get_value(m.optimizer.lr) * 2)",
        "abs(float(m.optimizer.learning_rate) - 2e-3) < 1e-6",
    ),
    Case("keras-to-yaml", MODEL, "result = m.to_yaml()"),
    Case("keras-model-from-yaml", "", "from keras.models import model_from_yaml"),
    Case(
        "keras-reset-states",
        DATA + "from keras.layers import LSTM\n"
        "m = Sequential([Input(batch_shape=(2, 3, 1)), LSTM(2, stateful=True)])\n"
        "m.predict(np.ones((2, 3, 1)), verbose=0)\n",
        "m.reset_states()",
        "not np.any(m.layers[0].states[0])",
    ),
    Case(
        "keras-metric-reset-states",
        "import tensorflow as tf\nt = tf.keras.metrics.Mean()\nt(3.0)\n",
        "t.reset_states()",
        "float(t.result()) == 0",
    ),
    Case("keras-private-calls", MODEL, "m._make_predict_function()"),
    Case(
        "keras-sequence-length",
        MODEL,
        "class S(keras.utils.Sequence):\n"
        "    def __len__(self):\n"
        "        return np.ceil(8 / 3)\n"
        "    def __getitem__(self, index):\n"
        "        return X[index * 3 : index * 3 + 3], y[index * 3 : index * 3 + 3]\n"
        "m.fit(S(), verbose=0)",
        "m.optimizer.iterations.numpy() == 3",
    ),
    Case(
        "keras-fit-steps-float",
        GENERATOR,
        "m.fit(g, steps_per_epoch=5 / 2, verbose=0)",
        "m.optimizer.iterations.numpy() == 3",
    ),
    Case(
        "keras-generator-list",
        MODEL,
        "m.fit(([X, y] for _ in range(9)), steps_per_epoch=2, verbose=0)",
        fix=False,
    ),
    Case("keras-list-targets", MODEL, "m.fit(X, list(y), verbose=0)"),
    Case("keras-list-inputs", MODEL, "m.fit(list(X), y, verbose=0)"),
    Case("keras-target-shape", MODEL, "m.fit(X, np.c_[y, y], verbose=0)", fix=False),
    Case(
        "keras-iterator-next",
        DATA + "from tensorflow.keras.preprocessing.image import ImageDataGenerator\n"
        "flow = ImageDataGenerator().flow(np.zeros((2, 4, 4, 3)), [0, 1])\n",
        "result = flow.next()",
        "result[0].shape == (2, 4, 4, 3)",
    ),
    Case(
        "keras-callback-validation-data",
        MODEL,
        "class C(keras.callbacks.Callback):\n"
        "    def on_epoch_end(self, epoch, logs={}):\n"
        "        self.validation_data[0]\n"
        "m.fit(X, y, verbose=0, callbacks=[C()])",
        fix=False,
    ),
    Case(
        "keras-optimizer-reuse",
        MODEL + "k = Sequential([Input((4,)), Dense(3), Dense(1)])\n",
        "m.fit(X, y, verbose=0)\nk.compile(m.optimizer, 'mse')\nk.fit(X, y, verbose=0)",
        fix=False,
        without={"kaggle": "Keras 3.8 fails with an error about eager execution instead"},
    ),
    Case(
        "keras-load-unsafe-lambda",
        DATA + "from keras.layers import Lambda\n"
        "m = Sequential([Input((4,)), Lambda(lambda x: x + 1)])\nm.save('m.keras')\n",
        "keras.models.load_model('m.keras')",
        fix=False,
    ),
    Case("keras-load-saved-model", MODEL, "keras.models.load_model('folder')", fix=False),
    Case(
        "keras-flow-from-dataframe-strings",
        DATA + "import pandas as pd\n"
        "from tensorflow.keras.preprocessing.image import ImageDataGenerator\n"
        "d = pd.DataFrame({'f': ['a.png'], 'l': [1]})\n",
        "ImageDataGenerator().flow_from_dataframe(d, '.', 'f', 'l', class_mode='binary')",
        fix=False,
    ),
    Case("keras-object-input", MODEL, "m.fit(X.astype(object), y, verbose=0)"),
]

SILENT: list[Case] = [
    Case(
        "keras-monitor-class",
        MODEL + "from keras.callbacks import EarlyStopping\n",
        "m.compile('sgd', 'binary_crossentropy', metrics=['AUC'])\n"
        "s = EarlyStopping(monitor='val_auc', mode='max', patience=1)\n"
        "m.fit(X, y, epochs=9, verbose=0, validation_data=(X, y), callbacks=[s])",
        "s.monitor == 'val_AUC' and s.best is not None and s.best >= 0",
    ),
    Case(
        "keras-decay",
        DATA,
        "o = keras.optimizers.SGD(learning_rate=0.5, decay=0.1, momentum=0.9)\n"
        "o.iterations.assign(5)\nresult = float(o.learning_rate)",
        "abs(result - 0.5 / 1.5) < 1e-6",
    ),
    Case(
        "keras-decay",
        DATA + "from keras.optimizers import Adam\n",
        "o = Adam(decay=1.0)\no.iterations.assign(1)\nresult = float(o.learning_rate)",
        "abs(result - 0.0005) < 1e-8",
    ),
    Case(
        "keras-pin-adadelta",
        MODEL,
        "m.compile(loss='mse', optimizer='adadelta')\nresult = float(m.optimizer.learning_rate)",
        "result == 1",
    ),
    Case(
        "keras-pin-adadelta",
        DATA,
        "result = float(keras.optimizers.Adadelta().learning_rate)",
        "result == 1",
    ),
    Case(
        "keras-pin-adagrad",
        DATA + "from keras.optimizers import Adagrad\n",
        "result = Adagrad()",
        "abs(float(result.learning_rate) - 0.01) < 1e-8 and result.initial_accumulator_value == 0",
    ),
    Case(
        "keras-pin-nadam",
        MODEL,
        "m.compile('nadam', 'mse')",
        "abs(float(m.optimizer.learning_rate) - 0.002) < 1e-8",
    ),
    Case(
        "keras-pin-adamax",
        DATA,
        "result = float(keras.optimizers.Adamax().learning_rate)",
        "abs(result - 0.002) < 1e-8",
    ),
    Case(
        "keras-optimizer-set-lr",
        MODEL,
        "m.optimizer.lr = 0.5",
        "float(m.optimizer.learning_rate) == 0.5",
    ),
    Case("keras-layers-pop", MODEL, "m.layers.pop()", "len(m.layers) == 0"),
    Case(
        "keras-layers-pop",
        DATA + "i = Input((4,))\nm = Model(i, Dense(1)(Dense(3)(i)))\n",
        "m.layers.pop()\nresult = m.layers[-1].output.shape",
        "result == (None, 3) and m.output_shape == (None, 3)",
    ),
    Case(
        "keras-random-seed",
        "import keras\nimport tensorflow as tf\n",
        "def w():\n    tf.random.set_seed(1)\n    d = keras.layers.Dense(2)\n    d.build((1, 3))\n"
        "    return d.get_weights()[0]\nresult = w(), w()",
        "(result[0] == result[1]).all()",
        fix=False,
    ),
]
