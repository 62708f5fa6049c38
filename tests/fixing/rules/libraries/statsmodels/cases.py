from __future__ import annotations

from tests.fixing.rules.executed.case import Case

WAVE = (
    "import numpy as np\n"
    "import statsmodels.api as sm\n"
    "import statsmodels.formula.api as smf\n"
    "x = np.sin(np.arange(60.0)) + np.arange(60) * 0.1\n"
    "z = np.c_[x, np.ones(60)]\n"
    "t = np.arange(60) % 2\n"
)

LOUD: list[Case] = [
    Case(
        "statsmodels-formula-ols",
        WAVE,
        "result = smf.OLS(x, z).fit().params",
        "abs(result[0] - 1) < 1e-9",
    ),
    Case(
        "statsmodels-decompose-freq",
        WAVE,
        "result = sm.tsa.seasonal_decompose(x, freq=6)",
        "len(result.trend) == 60",
    ),
    Case(
        "statsmodels-acf-unbiased",
        WAVE + "from statsmodels.tsa.stattools import acf\n",
        "result = acf(x, unbiased=True, nlags=3)",
        "len(result) == 4",
    ),
    Case(
        "statsmodels-pacf-method",
        WAVE + "from statsmodels.tsa.stattools import pacf\n",
        "result = pacf(x, nlags=3, method='ywunbiased')",
        "len(result) == 4",
    ),
    Case(
        "statsmodels-pacf-lags",
        WAVE + "from statsmodels.tsa.stattools import pacf\n",
        "result = pacf(x, nlags=40)",
        "len(result) == 31",
    ),
    Case(
        "statsmodels-kpss-lags",
        WAVE + "from statsmodels.tsa.stattools import kpss\n",
        "result = kpss(x, lags=5)",
        "result[2] == 5",
    ),
    Case(
        "statsmodels-damped",
        WAVE + "from statsmodels.tsa.api import ExponentialSmoothing\n",
        "result = ExponentialSmoothing(x, trend='add', damped=True).fit()",
        "len(result.fittedvalues) == 60",
    ),
    Case(
        "statsmodels-smoothing-slope",
        WAVE + "from statsmodels.tsa.api import Holt\n",
        "result = Holt(x, "
        "initialization_method='estimated').fit(smoothing_level=0.8, "
        "smoothing_slope=0.2, optimized=False)",
        "result.params['smoothing_trend'] == 0.2",
    ),
    Case(
        "statsmodels-holt-initialization",
        WAVE + "from statsmodels.tsa.api import Holt\n",
        "result = Holt(x).fit(smoothing_level=0.8, smoothing_trend=0.2, optimized=False)",
        "len(result.fittedvalues) == 60",
    ),
    Case(
        "statsmodels-arima",
        WAVE,
        "from statsmodels.tsa.arima_model import ARIMA\nARIMA(x, order=(1, 0, 0))",
        fix=False,
    ),
    Case(
        "statsmodels-ar-model",
        WAVE,
        "from statsmodels.tsa.ar_model import AR\nAR(x)",
        fix=False,
    ),
    Case(
        "statsmodels-link-class",
        WAVE,
        "m = sm.GLM(t, z, family=sm.families.Binomial(sm.families.links.logit)).fit()",
        "len(m.params) == 2",
    ),
    Case(
        "statsmodels-predict-linear",
        WAVE + "m = sm.Logit(t, z).fit(disp=0)\n",
        "result = m.predict(linear=True)",
        "np.allclose(result, z @ m.params)",
    ),
    Case(
        "statsmodels-arma-sample",
        WAVE + "from statsmodels.tsa.arima_process import arma_generate_sample\n",
        "result = arma_generate_sample([1, 0.1], [1, 0.1], 5, sigma=2)",
        "len(result) == 5",
    ),
    Case(
        "statsmodels-het-arch",
        WAVE + "from statsmodels.stats.diagnostic import het_arch\n",
        "result = het_arch(x, maxlag=3)",
        "len(result) == 4",
    ),
    Case(
        "statsmodels-breusch-godfrey",
        WAVE + "from statsmodels.stats.diagnostic import acorr_breusch_godfrey\n"
        "m = sm.OLS(x, z[:, 1:]).fit()\n",
        "result = acorr_breusch_godfrey(results=m, nlags=2)",
        "len(result) == 4",
    ),
    Case(
        "statsmodels-multipletests",
        WAVE,
        "from statsmodels.sandbox.stats.multicomp import multipletests\n"
        "result = multipletests([0.01, 0.5])",
        "result[0].tolist() == [True, False]",
    ),
    Case(
        "statsmodels-qqplot-formula",
        WAVE,
        "result = smf.add_constant(x)",
        "result.shape == (60, 2)",
    ),
    Case(
        "statsmodels-formula-more",
        WAVE,
        "result = smf.Poisson(t, z).fit(disp=0).params",
        "len(result) == 2",
    ),
]

SILENT: list[Case] = [
    Case(
        "statsmodels-pin-acf-lags",
        WAVE + "from statsmodels.tsa.stattools import acf\n",
        "result = len(acf(x))",
        "result == 41",
    ),
    Case(
        "statsmodels-ljung-box",
        WAVE + "from statsmodels.stats.diagnostic import acorr_ljungbox\n",
        "a, b = acorr_ljungbox(x, lags=[5])\nresult = b",
        "not isinstance(result, str) and result.shape == (1,) and result[0] < 0.05",
    ),
]
