"""What runs of real notebooks had left over, executed."""

from __future__ import annotations

from tests.fixing.rules.executed.case import Case

LOUD: list[Case] = [
    Case(
        "matplotlib-lower-case",
        "import matplotlib.pyplot as plt\n",
        "lines = plt.plot([1, 2], Label='a', LineWidth=3)\ntitle = plt.title('t', FontSize=20)",
        "lines[0].get_label() == 'a' and lines[0].get_linewidth() == 3 "
        "and title.get_fontsize() == 20",
    ),
    Case(
        "tf-keras-long-loss-names",
        "import tensorflow as tf\n",
        "result = tf.keras.losses.mean_squared_error([[0., 2.]], [[0., 0.]])",
        "float(result[0]) == 2",
    ),
    Case(
        "pandas-row-position",
        "import pandas as pd\ndf = pd.DataFrame({'a': [1, 2], 'b': [3, 4]})\n",
        "def total(cols):\n    return cols[0] + 10 * cols[-1]\n"
        "result = df[['a', 'b']].apply(total, axis=1)",
        "result.tolist() == [31, 42]",
    ),
    Case(
        "pandas-drop-columns-axis",
        "import pandas as pd\ndf = pd.DataFrame({'a': [1, 2], 'b': [3, 4]})\n",
        "df.drop(columns=df.columns[0], axis=1, inplace=True)",
        "list(df.columns) == ['b']",
    ),
    Case(
        "matplotlib-plot-axes",
        "import pandas as pd\nimport matplotlib.pyplot as plt\n"
        "s = pd.Series([1, 2])\nax = plt.subplot(211)\n",
        "s.plot(lw=1, axes=ax)",
        "len(ax.lines) == 1",
    ),
    Case(
        "keras-available-gpus",
        "from keras import backend as K\n",
        "result = K._get_available_gpus()",
        "result == []",
    ),
    Case(
        "pandas-infer-string",
        "import numpy as np\n",
        "import pandas as pd\n"
        "d = pd.DataFrame({'a': list('xy') * 9})\n"
        "d.loc[:, 'a'] = np.zeros(18, dtype=int)",
        "d.a.tolist() == [0] * 18",
    ),
]

SILENT: list[Case] = []
