from __future__ import annotations

import pytest

from mle_modernizer_server.code.needs import SOURCES, needs_of_notebook
from mle_modernizer_server.domain.files import checked_address, places_of
from tests.fixing.rules.rewriting import notebook

TORCH = "https://download.pytorch.org/models/"
KERAS = "https://storage.googleapis.com/tensorflow/"
NLTK = "https://raw.githubusercontent.com/nltk/nltk_data/gh-pages/packages/"


@pytest.mark.parametrize(
    ("source", "what", "addresses"),
    [
        (
            "from torchvision import models\nm = models.resnet18(pretrained=True)",
            "weights of resnet18",
            (f"{TORCH}resnet18-f37072fd.pth",),
        ),
        (
            "from keras.applications.vgg16 import VGG16\nm = VGG16(include_top=False)",
            "weights of VGG16",
            (f"{KERAS}keras-applications/vgg16/vgg16_weights_tf_dim_ordering_tf_kernels_notop.h5",),
        ),
        (
            "import tensorflow as tf\ntf.keras.datasets.mnist.load_data()",
            "Keras' data mnist",
            (f"{KERAS}tf-keras-datasets/mnist.npz",),
        ),
        (
            "from keras.datasets import cifar10\ncifar10.load_data()",
            "Keras' data cifar10",
            (),
        ),
        (
            "from nltk.corpus import stopwords",
            "nltk's data stopwords",
            (f"{NLTK}corpora/stopwords.zip",),
        ),
        (
            "from nltk.tokenize import word_tokenize\nword_tokenize('a b')",
            "nltk's data punkt_tab",
            (f"{NLTK}tokenizers/punkt_tab.zip",),
        ),
        ("import nltk\nnltk.download('all')", "nltk's data all", ()),
        (
            "import seaborn as sns\nd = sns.load_dataset('tips')",
            "seaborn's data tips",
            ("https://raw.githubusercontent.com/mwaskom/seaborn-data/master/tips.csv",),
        ),
        (
            "from transformers import BertModel\nm = BertModel.from_pretrained('bert')",
            "the pretrained model bert",
            (),
        ),
        (
            "import tensorflow_datasets as tfds\nd = tfds.load('mnist')",
            "a data set of TensorFlow Datasets",
            (),
        ),
        (
            "from torchvision.datasets import MNIST\nd = MNIST('.', download=True)",
            "torchvision's data set MNIST",
            (),
        ),
        (
            "from fastai.vision.all import *\nlearn = cnn_learner(data, models.resnet34)",
            "weights of resnet34",
            (f"{TORCH}resnet34-b627a593.pth",),
        ),
    ],
)
def test_download_is_named_with_the_files_to_fetch(
    source: str, what: str, addresses: tuple[str, ...]
) -> None:
    (need,) = needs_of_notebook(notebook(source)).network
    assert (need.what, need.addresses) == (what, addresses)


@pytest.mark.parametrize(
    "source",
    [
        "from torchvision import models\nm = models.resnet18(pretrained=False)",
        "from torchvision import models\nm = models.resnet18()",
        "from keras.applications import VGG16\nm = VGG16(weights=None)",
        "from torchvision.datasets import MNIST\nd = MNIST('.')",
        "from transformers import BertModel\nm = BertModel.from_pretrained('./model')",
        "import pandas as pd\nd = pd.read_csv('a')",
    ],
)
def test_code_without_a_download_needs_no_network(source: str) -> None:
    assert not needs_of_notebook(notebook(source)).network


def test_each_file_is_named_once() -> None:
    needs = needs_of_notebook(
        notebook(
            "import nltk\nfrom nltk.corpus import stopwords\nnltk.download('stopwords')",
            "stopwords.words('english')",
        )
    )
    assert [(one.cell_id, one.what) for one in needs.network] == [("a", "nltk's data stopwords")]
    assert needs.addresses == (f"{NLTK}corpora/stopwords.zip",)


def test_known_files_can_be_fetched_into_their_caches() -> None:
    for table in ("torchvision", "keras_applications", "keras_datasets"):
        base, files = SOURCES[table]["base"], SOURCES[table]["files"]
        for listed in files.values():
            for file in [listed] if isinstance(listed, str) else listed:
                assert places_of(checked_address(base + file))[0].startswith("~/.")


@pytest.mark.parametrize(
    ("source", "wants"),
    [
        ("import torch\nm = torch.nn.Linear(2, 1)\nm.cuda()", True),
        ("import torch\nd = torch.device('cuda:0')", True),
        ("m.to('cuda')", True),
        ("import xgboost\nm = xgboost.XGBClassifier(tree_method='gpu_hist')", True),
        ("import tensorflow as tf\nwith tf.device('/gpu:0'):\n    pass", True),
        ("import cudf", True),
        ("import torch\nif torch.cuda.is_available():\n    m.cuda()", False),
        ("import torch\nd = torch.device('cuda' if torch.cuda.is_available() else 'cpu')", False),
        ("x = 'cuda'\nprint('GPU')", False),
    ],
)
def test_demand_of_a_gpu_is_seen_unless_the_code_asks(source: str, wants: bool) -> None:
    assert bool(needs_of_notebook(notebook(source)).gpu_cells) is wants
