"""Training is shortened in its place, consistently."""

from __future__ import annotations

import pytest

from mle_modernizer_server.code.training import shorten_training


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("model.fit(X, y, nb_epoch=50)", "model.fit(X, y, nb_epoch=2)"),
        ("learn.fit_one_cycle(4, 1e-3)", "learn.fit_one_cycle(2, 1e-3)"),
        ("learn.fit(10, lr)", "learn.fit(2, lr)"),
        ("learn.fine_tune(5)", "learn.fine_tune(2)"),
        ("Trainer(max_epochs=100, gpus=1)", "Trainer(max_epochs=2, gpus=1)"),
        ("RandomForestClassifier(n_estimators=500)", "RandomForestClassifier(n_estimators=2)"),
        ("KFold(n_splits=5, shuffle=True)", "KFold(n_splits=2, shuffle=True)"),
        ("StratifiedKFold(10)", "StratifiedKFold(2)"),
        ("cross_val_score(m, X, y, cv=10)", "cross_val_score(m, X, y, cv=2)"),
        ("lgb.train(params, data, 1000)", "lgb.train(params, data, 2)"),
        ("grid = {'n_estimators': [100, 500]}", "grid = {'n_estimators': [2, 2]}"),
        ("params['n_estimators'] = 500", "params['n_estimators'] = 2"),
        ("config.epochs = 500", "config.epochs = 2"),
        ("def run(net, num_epochs=25): pass", "def run(net, num_epochs=2): pass"),
        ("p.add_argument('--epochs', default=9)", "p.add_argument('--epochs', default=2)"),
        ("for epoch in range(50): pass", "for epoch in range(2): pass"),
        ("for epoch in tqdm(range(1, 51)): pass", "for epoch in tqdm(range(1, 3)): pass"),
        ("for e in range(a.epochs): f(epoch=e)", "for e in range(min(2, a.epochs)): f(epoch=e)"),
        ("for epoch in range(args.n): pass", "for epoch in range(min(2, args.n)): pass"),
        (
            "for epoch in range(begin, end): pass",
            "for epoch in range(begin, min(begin + 2, end)): pass",
        ),
        (
            "m.fit(g, steps_per_epoch=len(g) // 32, epochs=5)",
            "m.fit(g, steps_per_epoch=min(2, len(g) // 32), epochs=2)",
        ),
        ("for i in range(900):\n    loss.backward()", "for i in range(2):\n    loss.backward()"),
        (
            "for x, y in train_loader:\n    loss.backward()",
            "for x, y in __import__('itertools').islice(train_loader, 2):\n    loss.backward()",
        ),
        (
            "for i in range(900):\n    sess.run(train_op)",
            "for i in range(2):\n    sess.run(train_op)",
        ),
        (
            "import keras\nm.fit(X, y, epochs=1)",
            "import keras\nm.fit(X, y, epochs=1, steps_per_epoch=2)",
        ),
        ("for epoch in range(9):\n    print epoch", "for epoch in range(2):\n    print epoch"),
        (
            "%time m.fit(X, epochs=5)\nEPOCHS = 5",
            "%time m.fit(X, epochs=2)\nEPOCHS = 2",
        ),
    ],
)
def test_training_in_a_cell_becomes_short(before: str, after: str) -> None:
    assert shorten_training([before]).sources == (after,)


@pytest.mark.parametrize(
    "source",
    [
        "epochs = 2",
        "for i in range(10): print(i)",
        "for x in test_loader: predict(x)",
        "model.fit(X, y)",
        "model.fit(30 * X, y)",
        "m.fit(g, initial_epoch=10, epochs=20)",
        "cross_val_score(m, X, cv=folds_of(y))",
        "KMeans(n_clusters=5, max_iter=300)",
        "m.fit(g, steps_per_epoch=None, epochs=1)",
        "epoch_loss = 50",
        "print 'epochs = 50'",
        "min = 3\nfor epoch in range(n + 1): pass",
    ],
)
def test_other_code_stays_as_it_is(source: str) -> None:
    short = shorten_training([source])
    assert short.sources == (source,) and not short.cuts


def test_a_variable_is_reduced_where_it_is_bound() -> None:
    cells = ("N = 50", "m.fit(X, epochs=N)", "plt.plot(range(N), h)", "cv = KFold(N)")
    short = shorten_training(cells)
    assert short.sources == ("N = 2", *cells[1:])
    (cut,) = short.cuts
    assert (cut.cell, cut.name, cut.was, cut.number) == (0, "N", "50", 50)


def test_a_variable_with_two_meanings_is_reduced_at_use() -> None:
    cells = ("n = 50", "m.fit(X, epochs=n)", "n = len(X)")
    assert shorten_training(cells).sources[1] == "m.fit(X, epochs=min(2, n))"


def test_names_of_skipped_rounds_are_listed() -> None:
    source = "for epoch in range(9):\n    if epoch == 8:\n        best = model\n    last = model"
    assert shorten_training([source]).conditional == {"best"}
