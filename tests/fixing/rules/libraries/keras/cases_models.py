"""What Keras models are compiled with and wrapped in."""

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
        "keras-tensorflow-optimizer",
        DATA,
        "m.compile(loss='mse', optimizer=tf.train.AdamOptimizer(0.25))\n"
        "m.fit(X, X[:, 0], verbose=0)",
        "float(m.optimizer.learning_rate) == 0.25 and m.optimizer.epsilon == 1e-8",
    ),
    Case(
        "keras-tensorflow-optimizer",
        DATA,
        "o = tf.train.RMSPropOptimizer(0.5, 0.8)\nm.compile(o, 'mse')",
        "m.optimizer.rho == 0.8 and m.optimizer.epsilon == 1e-10",
    ),
    Case(
        "keras-tensorflow-optimizer",
        DATA,
        "o = tf.compat.v1.train.MomentumOptimizer(learning_rate=0.5, momentum=0.75)\n"
        "m.compile(optimizer=o, loss='mse')",
        "m.optimizer.momentum == 0.75 and float(m.optimizer.learning_rate) == 0.5",
    ),
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
    Case(
        "keras-history-acc",
        DATA,
        "import pandas as pd\n"
        "h = build().fit(X, y == 'yes', validation_split=0.25, verbose=0)\n"
        "d = pd.DataFrame(h.history)\nresult = d[['acc', 'val_acc']], d.val_acc, d.loc[:, 'acc']",
        "len(result[0]) == 1",
    ),
    Case(
        "keras-history-acc",
        DATA + "m.compile('sgd', 'mse', metrics=['mae', 'mse'])\n",
        "h = m.fit(X, X[:, 0], validation_split=0.25, verbose=0)\n"
        "result = h.history['mean_absolute_error'], h.history['val_mean_squared_error']",
        "len(result[0]) == 1",
    ),
    Case(
        "keras-metric-types",
        DATA
        + "from tensorflow.keras import backend as K\n"
        + "def r2(y_true, y_pred):\n"
        + "    'Coefficient of determination.'\n"
        + "    left = K.sum(K.square(y_true - y_pred))\n"
        + "    return 1 - left / (K.sum(K.square(y_true - K.mean(y_true))) + K.epsilon())\n",
        "m.compile('sgd', 'mse', metrics=[r2])\nh = m.fit(X, np.arange(12), verbose=0)",
        "'r2' in h.history",
    ),
]

SILENT: list[Case] = []
