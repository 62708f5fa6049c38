from __future__ import annotations

from tests.fixing.rules.executed.case import Case

LAYERS = "import keras\nfrom keras.layers import *\nfrom keras.models import Model, Sequential\n"

LOUD: list[Case] = [
    Case(
        "keras-output-dim", LAYERS, "result = Dense(output_dim=3, input_dim=4)", "result.units == 3"
    ),
    Case(
        "keras-init",
        LAYERS,
        "result = Dense(3, init='uniform')",
        "result.kernel_initializer.maxval == 0.05",
    ),
    Case(
        "keras-init",
        LAYERS,
        "result = Embedding(3, 2, init='uniform')",
        "result.embeddings_initializer",
    ),
    Case("keras-inner-init", LAYERS, "LSTM(3, inner_init='orthogonal')"),
    Case("keras-inner-activation", LAYERS, "result = LSTM(3, inner_activation='sigmoid')"),
    Case(
        "keras-forget-bias-init",
        LAYERS,
        "result = LSTM(3, forget_bias_init='one')",
        "result.unit_forget_bias",
    ),
    Case(
        "keras-w-regularizer",
        LAYERS,
        "result = Dense(3, W_regularizer='l2')",
        "result.kernel_regularizer",
    ),
    Case("keras-w-constraint", LAYERS, "Dense(3, W_constraint='max_norm', b_constraint='non_neg')"),
    Case("keras-bias", LAYERS, "result = Conv2D(3, (2, 2), bias=False)", "not result.use_bias"),
    Case(
        "keras-dropout-w",
        LAYERS,
        "result = LSTM(3, dropout_W=0.2, dropout_U=0.1)",
        "result.recurrent_dropout == 0.1",
    ),
    Case("keras-consume-less", LAYERS, "LSTM(3, consume_less='gpu')"),
    Case(
        "keras-rnn-input-length",
        LAYERS,
        "m = Sequential()\nm.add(LSTM(4, input_dim=3, input_length=5))",
        "m.input_shape == (None, 5, 3)",
        line=2,
    ),
    Case(
        "keras-batch-input-shape",
        LAYERS,
        "m = Sequential()\nm.add(LSTM(4, batch_input_shape=(2, 5, 3), stateful=True))",
        "m.input_shape == (2, 5, 3) and m.output_shape == (2, 4)",
        line=2,
    ),
    Case(
        "keras-batch-input-shape",
        LAYERS,
        "m = Sequential([Dense(2, batch_input_shape=(4, 3)), Dense(1)])",
        "m.input_shape == (4, 3)",
    ),
    Case("keras-dropout-p", LAYERS, "result = Dropout(p=0.5)", "result.rate == 0.5"),
    Case("keras-dropout-p", LAYERS, "result = SpatialDropout1D(p=0.5)", "result.rate == 0.5"),
    Case("keras-gaussian-noise-sigma", LAYERS, "GaussianNoise(sigma=0.1)"),
    Case(
        "keras-convolution-kernel",
        LAYERS,
        "result = Convolution2D(nb_filter=8, nb_row=3, nb_col=2)",
        "result.kernel_size == (3, 2) and result.filters == 8",
    ),
    Case(
        "keras-convolution-kernel",
        LAYERS,
        "result = Convolution1D(nb_filter=8, filter_length=3)",
        "result.kernel_size == (3,)",
    ),
    Case(
        "keras-border-mode",
        LAYERS,
        "result = Conv2D(8, (3, 3), border_mode='same')",
        "result.padding == 'same'",
    ),
    Case(
        "keras-border-mode",
        LAYERS,
        "result = MaxPooling2D((2, 2), border_mode='same')",
        "result.padding == 'same'",
    ),
    Case(
        "keras-subsample",
        LAYERS,
        "result = Conv2D(8, (3, 3), subsample=(2, 2))",
        "result.strides == (2, 2)",
    ),
    Case(
        "keras-atrous-rate",
        LAYERS,
        "result = Conv2D(8, (3, 3), atrous_rate=(2, 2))",
        "result.dilation_rate == (2, 2)",
    ),
    Case(
        "keras-deconvolution",
        "",
        "from keras.layers import Deconvolution2D",
        "Deconvolution2D(2, 2)",
    ),
    Case(
        "keras-dim-ordering",
        LAYERS,
        "result = Conv2D(8, (3, 3), dim_ordering='tf')",
        "result.data_format == 'channels_last'",
    ),
    Case(
        "keras-dim-ordering",
        LAYERS,
        "result = MaxPooling2D((2, 2), dim_ordering='th')",
        "result.data_format == 'channels_first'",
    ),
    Case(
        "keras-pool-length",
        LAYERS,
        "result = MaxPooling1D(pool_length=3, stride=1)",
        "result.pool_size == (3,)",
    ),
    Case("keras-upsampling-length", LAYERS, "result = UpSampling1D(length=3)", "result.size == 3"),
    Case(
        "keras-reshape-dims",
        LAYERS,
        "result = Reshape(dims=(2, 2))",
        "result.target_shape == (2, 2)",
    ),
    Case("keras-batch-norm-mode", LAYERS, "BatchNormalization(mode=0, axis=1)"),
    Case("keras-batch-norm-init", LAYERS, "result = BatchNormalization(gamma_init='zeros')"),
    Case(
        "keras-time-distributed-dense",
        "",
        "from keras.layers import TimeDistributedDense\nTimeDistributedDense(2)",
    ),
    Case(
        "keras-model-input-output",
        LAYERS + "i = Input((4,))\n",
        "m = Model(input=i, output=Dense(1)(i))",
        "m.output_shape == (None, 1)",
    ),
    Case("keras-input-int-shape", LAYERS, "result = Input(shape=4)", "result.shape == (None, 4)"),
    Case("keras-input-int-shape", LAYERS, "result = Input(shape=(4))", "result.shape == (None, 4)"),
    Case("keras-float-units", LAYERS, "result = Dense(6 / 2)", "result.units == 3"),
    Case(
        "keras-l2-argument",
        LAYERS,
        "result = keras.regularizers.l2(l=0.5)",
        "float(result.l2) == 0.5",
    ),
    Case(
        "keras-max-norm-m",
        LAYERS,
        "result = keras.constraints.max_norm(m=3)",
        "result.max_value == 3",
    ),
    Case(
        "keras-layer-output-shape",
        LAYERS + "m = Sequential([Input((4,)), Dense(3)])\n",
        "result = [layer.output_shape for layer in m.layers]",
        "result == [(None, 3)]",
    ),
    Case(
        "keras-layer-input-shape",
        LAYERS + "m = Sequential([Input((4,)), Dense(3)])\n",
        "result = m.layers[0].input_shape",
        "result == (None, 4)",
    ),
    Case(
        "keras-get-output-at",
        LAYERS + "m = Sequential([Input((4,)), Dense(3)])\n",
        "result = m.layers[0].get_output_at(0)",
        "result.shape == (None, 3)",
    ),
    Case(
        "keras-add-weight-positional",
        LAYERS,
        "class A(Layer):\n"
        "    def build(self, shape):\n"
        "        self.w = self.add_weight('w', (2, 3), initializer='zeros')\n"
        "a = A()\n"
        "a.build((1, 2))",
        "a.w.shape == (2, 3)",
    ),
    Case("keras-embedding-dropout", LAYERS, "Embedding(3, 2, dropout=0.1)", fix=False),
    Case("keras-layer-weights", LAYERS, "Dense(3, weights=[1])", fix=False),
    Case("keras-layer-nodes", LAYERS, "Dense(3).outbound_nodes", fix=False),
    Case("keras-layer-kernel", LAYERS, "Dense(3).W", fix=False),
    Case("keras-trainable-weights-setter", LAYERS, "Dense(3).trainable_weights = []", fix=False),
    Case("keras-weight-name-slash", LAYERS, "Dense(3, name='a/b')", fix=False),
    Case(
        "keras-tensor-in-tensorflow",
        LAYERS + "import tensorflow as tf\n",
        "tf.reduce_mean(Input((3,)))",
        fix=False,
    ),
    Case(
        "keras-tensor-in-tensorflow",
        LAYERS + "from tensorflow.keras import backend as K\n",
        "K.mean(Input((3,)), axis=1)",
        fix=False,
    ),
    Case(
        "keras-custom-activation-name",
        LAYERS,
        "keras.utils.get_custom_objects().update({'s2': Activation('relu')})\n"
        "Dense(3, activation='s3')",
        line=2,
        fix=False,
    ),
    Case("keras-never-called", LAYERS, "Sequential([Dense(1)]).output", fix=False),
]

SILENT: list[Case] = [
    Case(
        "keras-convolution-strides",
        LAYERS,
        "result = Convolution2D(8, 3, 2)",
        "result.kernel_size == (3, 2) and result.strides == (1, 1)",
    ),
    Case(
        "keras-convolution-strides",
        LAYERS,
        "result = Conv2D(8, 3, 3, activation='relu')",
        "result.kernel_size == (3, 3) and result.strides == (1, 1)",
    ),
    Case(
        "keras-pin-l1-l2",
        LAYERS,
        "result = keras.regularizers.l1_l2(l1=0.5)",
        "abs(float(result.l2) - 0.01) < 1e-6",
    ),
    Case(
        "keras-hard-sigmoid",
        LAYERS + "import numpy as np\n",
        "a = Activation('hard_sigmoid')\nresult = float(a(np.array([1.0]))[0])",
        "abs(result - 0.7) < 1e-6",
    ),
    Case(
        "keras-hard-sigmoid",
        LAYERS,
        "a = LSTM(2, recurrent_activation='hard_sigmoid')\n"
        "result = float(a.recurrent_activation(keras.ops.ones(())))",
        "abs(result - 0.7) < 1e-6",
    ),
    Case(
        "keras-pin-lstm-activation",
        LAYERS,
        "result = LSTM(2)",
        "result.recurrent_activation.__name__ == 'hard_sigmoid'",
    ),
    Case("keras-pin-gru-reset-after", LAYERS, "result = GRU(2)", "not result.reset_after"),
]
