from __future__ import annotations

from tests.fixing.rules.executed.case import Case

LOUD: list[Case] = [
    Case(
        "bayes-opt-acquisition",
        "from bayes_opt import BayesianOptimization\n",
        "b = BayesianOptimization(lambda a: -a * a, {'a': (-1, 1)}, random_state=0, "
        "verbose=0)\n"
        "b.maximize(init_points=2, n_iter=2, acq='ei', xi=0.01)",
        "type(b.acquisition_function).__name__ == 'ExpectedImprovement' and "
        "b.acquisition_function.xi == 0.01 and len(b.res) == 4",
    ),
    Case(
        "bayes-opt-results",
        "from bayes_opt import BayesianOptimization\n"
        "b = BayesianOptimization(lambda a: -a * a, {'a': (-1, 1)}, random_state=0, "
        "verbose=0)\n"
        "b.maximize(2, 1)\n",
        "result = b.res['max']['max_params']['a'], b.res['max']['max_val'], b.res['all']['values']",
        "result[1] == -result[0] ** 2 and len(result[2]) == 3",
    ),
    Case(
        "bayes-opt-explore",
        "from bayes_opt import BayesianOptimization\n"
        "b = BayesianOptimization(lambda a: -a * a, {'a': (-1, 1)}, random_state=0, "
        "verbose=0)\n",
        "b.explore({'a': [0.5, -0.5]})\nb.maximize(init_points=1, n_iter=0)",
        "len(b.res) == 3",
    ),
    Case(
        "bayes-opt-utility-function",
        "from bayes_opt import BayesianOptimization\n"
        "b = BayesianOptimization(lambda a: -a * a, {'a': (-1, 1)}, random_state=0, "
        "verbose=0)\n",
        "from bayes_opt import UtilityFunction",
        fix=False,
    ),
    Case(
        "bayes-opt-gp-arguments",
        "from bayes_opt import BayesianOptimization\n"
        "b = BayesianOptimization(lambda a: -a * a, {'a': (-1, 1)}, random_state=0, "
        "verbose=0)\n",
        "b.maximize(init_points=2, n_iter=1, alpha=1e-3)",
        "b._gp.alpha == 1e-3",
    ),
    Case(
        "bayes-opt-events",
        "from bayes_opt import BayesianOptimization\n"
        "b = BayesianOptimization(lambda a: -a * a, {'a': (-1, 1)}, random_state=0, "
        "verbose=0)\n",
        "from bayes_opt.event import Events",
        fix=False,
    ),
]

SILENT: list[Case] = []
