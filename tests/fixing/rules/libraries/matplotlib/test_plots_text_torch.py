import pytest

from tests.fixing.rules.rewriting import assert_rewrites, assert_stays, cells, error

PLT = "import matplotlib.pyplot as plt\n"
GENSIM = "from gensim.models import Word2Vec\nm = Word2Vec(s)\n"


@pytest.mark.parametrize(
    ("rule", "before", "after", "setup"),
    [
        (
            "matplotlib-hold",
            "plt.plot(x)\nplt.hold(True)\nplt.plot(y)",
            "plt.plot(x)\nplt.plot(y)",
            PLT,
        ),
        ("matplotlib-hold", "plt.hold(True)  # both", "pass  # both", PLT),
        (
            "matplotlib-legend-loc",
            "plt.legend(['a'], 'best')",
            "plt.legend(['a'], loc='best')",
            PLT,
        ),
        (
            "matplotlib-tick-label",
            "for t in ax.xaxis.get_major_ticks(): t.label.set_fontsize(8)",
            "for t in ax.xaxis.get_major_ticks(): t.label1.set_fontsize(8)",
            PLT,
        ),
        (
            "matplotlib-tick-label",
            "ticks = ax.xaxis.get_major_ticks()\nfor n, t in enumerate(ticks):\n"
            "    t.label.set_color('r')",
            "ticks = ax.xaxis.get_major_ticks()\nfor n, t in enumerate(ticks):\n"
            "    t.label1.set_color('r')",
            PLT,
        ),
        (
            "matplotlib-axes3d-figure",
            "ax = Axes3D(fig, elev=-150, azim=110)",
            "ax = fig.add_subplot(projection='3d', elev=-150, azim=110)",
            "from mpl_toolkits.mplot3d import Axes3D",
        ),
        (
            "matplotlib-plot-date",
            "plt.plot_date(x, y, linestyle='-')",
            "plt.gca().xaxis_date()\nplt.plot(x, y, 'o', linestyle='-')",
            PLT,
        ),
        (
            "matplotlib-plot-date",
            "x = [datetime(2012, 1, 1)]\nplt.plot_date(x, y, linestyle='-')",
            "x = [datetime(2012, 1, 1)]\nplt.plot(x, y, 'o', linestyle='-')",
            PLT,
        ),
        (
            "matplotlib-plot-date",
            "days = Time(dates, format='jd').plot_date\nax[i].plot_date(days, y, '.')",
            "days = Time(dates, format='jd').plot_date\nax[i].plot(mdates.num2date(days), y, '.')",
            "import matplotlib.dates as mdates\n",
        ),
        (
            "matplotlib-plot-date",
            "n = mdates.date2num(x)\nax.plot_date(n, y, '-')",
            "n = mdates.date2num(x)\nax.plot(mdates.num2date(n), y, '-')",
            "import matplotlib.dates as mdates\n",
        ),
        *(
            ("matplotlib-gca-projection", f"{before}\n{asked}", f"{before}\n{after}", PLT)
            for before, asked, after in (
                (
                    "f = plt.figure()\na = f.add_subplot(121, projection='3d')",
                    "f.gca(projection='3d')",
                    "f.gca()",
                ),
                ("plt.subplot(121, projection='3d')", "plt.gca(projection='3d')", "plt.gca()"),
                (
                    "f = plt.figure()\na = f.add_subplot(121)",
                    "f.gca(projection='3d')",
                    "f.add_subplot(projection='3d')",
                ),
            )
        ),
        *(
            ("matplotlib-tight-layout-pad", before, after, PLT)
            for before, after in (
                ("gs.tight_layout(plt.gcf())", "gs.tight_layout(plt.gcf())"),
                ("gs.tight_layout(fig, rect=r)", "gs.tight_layout(fig, rect=r)"),
                ("f.tight_layout(2.5, 1)", "f.tight_layout(pad=2.5, h_pad=1)"),
            )
        ),
        (
            "plotly-title-font",
            "l = {'title': 'a', 'titlefont': {'size': 3}}",
            "l = {'title': dict(text='a', font={'size': 3})}",
            "import plotly.graph_objs as go",
        ),
        ("gensim-vocab", "len(m.wv.vocab)", "len(m.wv.key_to_index)", GENSIM),
        ("gensim-vocab", "n = m.wv.vocab[w].index", "n = m.wv.key_to_index[w]", GENSIM),
        ("gensim-subscript", "m[w] if w in m else 0", "m.wv[w] if w in m.wv else 0", GENSIM),
        (
            "spacy-create-pipe",
            "nlp.add_pipe(nlp.create_pipe('sentencizer'), first=True)",
            "nlp.add_pipe('sentencizer', first=True)",
            "import spacy",
        ),
        (
            "cv2-find-contours",
            "_, c, h = cv2.findContours(a, 1, 2)",
            "c, h = cv2.findContours(a, 1, 2)",
            "import cv2",
        ),
        (
            "skimage-multichannel",
            "ssim(a, b, multichannel=True)",
            "ssim(a, b, channel_axis=-1)",
            "from skimage.metrics import structural_similarity as ssim",
        ),
        ("torch-data-index", "t += loss.data[0]", "t += loss.item()", "import torch"),
        (
            "torch-stft",
            "s = torch.stft(x, 64)",
            "s = torch.view_as_real(torch.stft(x, 64, return_complex=True))",
            "import torch",
        ),
        (
            "transformers-pad-to-max-length",
            "tok.encode(t, max_length=9, pad_to_max_length=True)",
            "tok.encode(t, max_length=9, padding='max_length', truncation=True)",
            "",
        ),
    ],
)
def test_old_code_gets_its_meaning_back(rule: str, before: str, after: str, setup: str) -> None:
    assert_rewrites(rule, before, after, setup)


@pytest.mark.parametrize(
    ("rule", "source", "setup"),
    [
        (
            "cv2-find-contours",
            "im, c, h = cv2.findContours(a, 1, 2)\ncv2.drawContours(im, c, -1, 0)",
            "import cv2",
        ),
        ("matplotlib-hold", "plt.hold(False)", PLT),
        ("matplotlib-hold", "plt.hold()", PLT),
        ("matplotlib-hold", "lock.hold()", "import lock"),
        ("matplotlib-legend-loc", "plt.legend(h, ['a', 'b'])", PLT),
        ("matplotlib-legend-loc", "plt.legend('test data', 'fitted model')", PLT),
        ("matplotlib-gca-projection", "fig.gca()", PLT),
        ("matplotlib-is-last-row", "ax.get_subplotspec().is_last_row()", PLT),
        (
            "matplotlib-axes3d-figure",
            "fig.add_axes(Axes3D(fig))",
            "from mpl_toolkits.mplot3d import Axes3D",
        ),
        ("matplotlib-window-title", "plt.get_current_fig_manager().set_window_title('a')", PLT),
        ("matplotlib-tick-label", "patch.label.upper()", PLT),
        ("matplotlib-tick-label", "ticket.label.set_color('r')", PLT),
        ("matplotlib-tick-label", "for tick in ticks: tick.label.get_text()", PLT),
        ("matplotlib-tick-params-off", "ax.tick_params(labelbottom=False)", PLT),
        ("plotly-title-font", "dict(title='a', titlefont=3)", ""),
        ("gensim-subscript", "vectors[w]", "from gensim.models import Word2Vec\nvectors = {}"),
        ("gensim-vocab", "text.vocab", "import torchtext"),
        ("cv2-find-contours", "img, c, h = cv2.findContours(a, 1, 2)\nimg.shape", "import cv2"),
        ("torch-data-index", "batch.data[0]", "import torch"),
        ("torch-numpy-grad", "x.numpy()", "import torch"),
        ("torch-stft", "torch.stft(x, 64, return_complex=False)", "import torch"),
        ("pillow-pin-resize", "cv2.resize(a, (2, 2))", "import cv2"),
        ("pillow-pin-resize", "im.resize((2, 2))", ""),
    ],
)
def test_what_only_looks_like_it_stays(rule: str, source: str, setup: str) -> None:
    assert_stays(rule, source, setup)


def test_adamw_keeps_its_name_and_gets_its_old_defaults() -> None:
    assert cells(
        "from transformers import AdamW, BertModel",
        "o = AdamW(p, lr=2e-5, correct_bias=True)",
        rules=("transformers-adamw",),
    ) == [
        "from transformers import BertModel\nfrom torch.optim import AdamW",
        "o = AdamW(p, lr=2e-5, eps=1e-6, weight_decay=0.0)",
    ]


def test_a_tensor_is_detached_only_where_the_run_failed() -> None:
    seen = error("b", "RuntimeError", "Can't call numpy() on Tensor that requires grad.", 2)
    assert (
        cells(
            "import torch",
            "a = x.numpy()\nb = y.cpu().numpy()",
            rules=("torch-numpy-grad",),
            errors=(seen,),
        )[1]
        == "a = x.numpy()\nb = y.cpu().detach().numpy()"
    )
