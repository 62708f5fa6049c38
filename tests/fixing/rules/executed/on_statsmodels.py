from __future__ import annotations

from tests.fixing.rules.executed.case import Case

LOUD: list[Case] = [
    Case(
        "statsmodels-formula-ols",
        "import numpy as np\n"
        "import statsmodels.api as sm\n"
        "import statsmodels.formula.api as smf\n"
        "x = np.sin(np.arange(60.0)) + np.arange(60) * 0.1\n"
        "z = np.c_[x, np.ones(60)]\n"
        "t = np.arange(60) % 2\n",
        "result = smf.OLS(x, z).fit().params",
        "abs(result[0] - 1) < 1e-9",
    ),
    Case(
        "statsmodels-decompose-freq",
        "import numpy as np\n"
        "import statsmodels.api as sm\n"
        "import statsmodels.formula.api as smf\n"
        "x = np.sin(np.arange(60.0)) + np.arange(60) * 0.1\n"
        "z = np.c_[x, np.ones(60)]\n"
        "t = np.arange(60) % 2\n",
        "result = sm.tsa.seasonal_decompose(x, freq=6)",
        "len(result.trend) == 60",
    ),
    Case(
        "statsmodels-acf-unbiased",
        "import numpy as np\n"
        "import statsmodels.api as sm\n"
        "import statsmodels.formula.api as smf\n"
        "x = np.sin(np.arange(60.0)) + np.arange(60) * 0.1\n"
        "z = np.c_[x, np.ones(60)]\n"
        "t = np.arange(60) % 2\n"
        "from statsmodels.tsa.stattools import acf\n",
        "result = acf(x, unbiased=True, nlags=3)",
        "len(result) == 4",
    ),
    Case(
        "statsmodels-pacf-method",
        "import numpy as np\n"
        "import statsmodels.api as sm\n"
        "import statsmodels.formula.api as smf\n"
        "x = np.sin(np.arange(60.0)) + np.arange(60) * 0.1\n"
        "z = np.c_[x, np.ones(60)]\n"
        "t = np.arange(60) % 2\n"
        "from statsmodels.tsa.stattools import pacf\n",
        "result = pacf(x, nlags=3, method='ywunbiased')",
        "len(result) == 4",
    ),
    Case(
        "statsmodels-kpss-lags",
        "import numpy as np\n"
        "import statsmodels.api as sm\n"
        "import statsmodels.formula.api as smf\n"
        "x = np.sin(np.arange(60.0)) + np.arange(60) * 0.1\n"
        "z = np.c_[x, np.ones(60)]\n"
        "t = np.arange(60) % 2\n"
        "from statsmodels.tsa.stattools import kpss\n",
        "result = kpss(x, lags=5)",
        "result[2] == 5",
    ),
    Case(
        "statsmodels-damped",
        "import numpy as np\n"
        "import statsmodels.api as sm\n"
        "import statsmodels.formula.api as smf\n"
        "x = np.sin(np.arange(60.0)) + np.arange(60) * 0.1\n"
        "z = np.c_[x, np.ones(60)]\n"
        "t = np.arange(60) % 2\n"
        "from statsmodels.tsa.api import ExponentialSmoothing\n",
        "result = ExponentialSmoothing(x, trend='add', damped=True).fit()",
        "len(result.fittedvalues) == 60",
    ),
    Case(
        "statsmodels-smoothing-slope",
        "import numpy as np\n"
        "import statsmodels.api as sm\n"
        "import statsmodels.formula.api as smf\n"
        "x = np.sin(np.arange(60.0)) + np.arange(60) * 0.1\n"
        "z = np.c_[x, np.ones(60)]\n"
        "t = np.arange(60) % 2\n"
        "from statsmodels.tsa.api import Holt\n",
        "result = Holt(x, "
        "initialization_method='estimated').fit(smoothing_level=0.8, "
        "smoothing_slope=0.2, optimized=False)",
        "result.params['smoothing_trend'] == 0.2",
    ),
    Case(
        "statsmodels-holt-initialization",
        "import numpy as np\n"
        "import statsmodels.api as sm\n"
        "import statsmodels.formula.api as smf\n"
        "x = np.sin(np.arange(60.0)) + np.arange(60) * 0.1\n"
        "z = np.c_[x, np.ones(60)]\n"
        "t = np.arange(60) % 2\n"
        "from statsmodels.tsa.api import Holt\n",
        "result = Holt(x).fit(smoothing_level=0.8, smoothing_trend=0.2, optimized=False)",
        "len(result.fittedvalues) == 60",
    ),
    Case(
        "statsmodels-arima",
        "import numpy as np\n"
        "import statsmodels.api as sm\n"
        "import statsmodels.formula.api as smf\n"
        "x = np.sin(np.arange(60.0)) + np.arange(60) * 0.1\n"
        "z = np.c_[x, np.ones(60)]\n"
        "t = np.arange(60) % 2\n",
        "from statsmodels.tsa.arima_model import ARIMA\nARIMA(x, order=(1, 0, 0))",
        fix=False,
    ),
    Case(
        "statsmodels-ar-model",
        "import numpy as np\n"
        "import statsmodels.api as sm\n"
        "import statsmodels.formula.api as smf\n"
        "x = np.sin(np.arange(60.0)) + np.arange(60) * 0.1\n"
        "z = np.c_[x, np.ones(60)]\n"
        "t = np.arange(60) % 2\n",
        "from statsmodels.tsa.ar_model import AR\nAR(x)",
        fix=False,
    ),
    Case(
        "statsmodels-link-class",
        "import numpy as np\n"
        "import statsmodels.api as sm\n"
        "import statsmodels.formula.api as smf\n"
        "x = np.sin(np.arange(60.0)) + np.arange(60) * 0.1\n"
        "z = np.c_[x, np.ones(60)]\n"
        "t = np.arange(60) % 2\n",
        "m = sm.GLM(t, z, family=sm.families.Binomial(sm.families.links.logit)).fit()",
        "len(m.params) == 2",
    ),
    Case(
        "statsmodels-predict-linear",
        "import numpy as np\n"
        "import statsmodels.api as sm\n"
        "import statsmodels.formula.api as smf\n"
        "x = np.sin(np.arange(60.0)) + np.arange(60) * 0.1\n"
        "z = np.c_[x, np.ones(60)]\n"
        "t = np.arange(60) % 2\n"
        "m = sm.Logit(t, z).fit(disp=0)\n",
        "result = m.predict(linear=True)",
        "np.allclose(result, z @ m.params)",
    ),
    Case(
        "statsmodels-arma-sample",
        "import numpy as np\n"
        "import statsmodels.api as sm\n"
        "import statsmodels.formula.api as smf\n"
        "x = np.sin(np.arange(60.0)) + np.arange(60) * 0.1\n"
        "z = np.c_[x, np.ones(60)]\n"
        "t = np.arange(60) % 2\n"
        "from statsmodels.tsa.arima_process import arma_generate_sample\n",
        "result = arma_generate_sample([1, 0.1], [1, 0.1], 5, sigma=2)",
        "len(result) == 5",
    ),
    Case(
        "statsmodels-het-arch",
        "import numpy as np\n"
        "import statsmodels.api as sm\n"
        "import statsmodels.formula.api as smf\n"
        "x = np.sin(np.arange(60.0)) + np.arange(60) * 0.1\n"
        "z = np.c_[x, np.ones(60)]\n"
        "t = np.arange(60) % 2\n"
        "from statsmodels.stats.diagnostic import het_arch\n",
        "result = het_arch(x, maxlag=3)",
        "len(result) == 4",
    ),
    Case(
        "statsmodels-breusch-godfrey",
        "import numpy as np\n"
        "import statsmodels.api as sm\n"
        "import statsmodels.formula.api as smf\n"
        "x = np.sin(np.arange(60.0)) + np.arange(60) * 0.1\n"
        "z = np.c_[x, np.ones(60)]\n"
        "t = np.arange(60) % 2\n"
        "from statsmodels.stats.diagnostic import acorr_breusch_godfrey\n"
        "m = sm.OLS(x, z[:, 1:]).fit()\n",
        "result = acorr_breusch_godfrey(results=m, nlags=2)",
        "len(result) == 4",
    ),
    Case(
        "statsmodels-multipletests",
        "import numpy as np\n"
        "import statsmodels.api as sm\n"
        "import statsmodels.formula.api as smf\n"
        "x = np.sin(np.arange(60.0)) + np.arange(60) * 0.1\n"
        "z = np.c_[x, np.ones(60)]\n"
        "t = np.arange(60) % 2\n",
        "from statsmodels.sandbox.stats.multicomp import multipletests\n"
        "result = multipletests([0.01, 0.5])",
        "result[0].tolist() == [True, False]",
    ),
    Case(
        "statsmodels-qqplot-formula",
        "import numpy as np\n"
        "import statsmodels.api as sm\n"
        "import statsmodels.formula.api as smf\n"
        "x = np.sin(np.arange(60.0)) + np.arange(60) * 0.1\n"
        "z = np.c_[x, np.ones(60)]\n"
        "t = np.arange(60) % 2\n",
        "result = smf.add_constant(x)",
        "result.shape == (60, 2)",
    ),
    Case(
        "statsmodels-formula-more",
        "import numpy as np\n"
        "import statsmodels.api as sm\n"
        "import statsmodels.formula.api as smf\n"
        "x = np.sin(np.arange(60.0)) + np.arange(60) * 0.1\n"
        "z = np.c_[x, np.ones(60)]\n"
        "t = np.arange(60) % 2\n",
        "result = smf.Poisson(t, z).fit(disp=0).params",
        "len(result) == 2",
    ),
]

SILENT: list[Case] = [
    Case(
        "statsmodels-pin-acf-lags",
        "import numpy as np\n"
        "import statsmodels.api as sm\n"
        "import statsmodels.formula.api as smf\n"
        "x = np.sin(np.arange(60.0)) + np.arange(60) * 0.1\n"
        "z = np.c_[x, np.ones(60)]\n"
        "t = np.arange(60) % 2\n"
        "from statsmodels.tsa.stattools import acf\n",
        "result = len(acf(x))",
        "result == 41",
    ),
    Case(
        "statsmodels-ljung-box",
        "import numpy as np\n"
        "import statsmodels.api as sm\n"
        "import statsmodels.formula.api as smf\n"
        "x = np.sin(np.arange(60.0)) + np.arange(60) * 0.1\n"
        "z = np.c_[x, np.ones(60)]\n"
        "t = np.arange(60) % 2\n"
        "from statsmodels.stats.diagnostic import acorr_ljungbox\n",
        "a, b = acorr_ljungbox(x, lags=[5])\nresult = b",
        "not isinstance(result, str) and result.shape == (1,) and result[0] < 0.05",
    ),
]
