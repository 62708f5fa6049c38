import pytest

from tests.fixing.rules.rewriting import assert_rewrites, assert_stays, cells, error

TORCH = "import torch"
NO_GPU = error("b", "RuntimeError", "Found no NVIDIA driver on your system. Please check", 1)


@pytest.mark.parametrize(
    ("code", "new"),
    [
        (
            "model.cuda()",
            "model.to('cuda' if torch.cuda.is_available() else 'cpu')",
        ),
        (
            "x = x.cuda(non_blocking=True)",
            "x = x.to('cuda' if torch.cuda.is_available() else 'cpu', non_blocking=True)",
        ),
        (
            "d = torch.device('cuda:0')",
            "d = torch.device('cuda' if torch.cuda.is_available() else 'cpu')",
        ),
        ("x.to('cuda')", "x.to('cuda' if torch.cuda.is_available() else 'cpu')"),
        (
            "device = torch.device('cuda' if torch.cuda.is_available() else 'cpu')\nnet.cuda()",
            "device = torch.device('cuda' if torch.cuda.is_available() else 'cpu')\nnet.to(device)",
        ),
        ("x.to('cpu')", "x.to('cpu')"),
        ("x.to(torch.float32)", "x.to(torch.float32)"),
        ("torch.cuda.is_available()", "torch.cuda.is_available()"),
    ],
)
def test_gpu_that_is_missing_becomes_a_device(code: str, new: str) -> None:
    assert cells(TORCH, code, rules=("torch-no-gpu",), errors=(NO_GPU,))[1] == new
    assert_stays("torch-no-gpu", code, TORCH)  # before a run has shown that there is none


@pytest.mark.parametrize(
    ("code", "new"),
    [
        ("x, y = iter(loader).next()", "x, y = next(iter(loader))"),
        ("batches = iter(loader)\nb = batches.next()", "batches = iter(loader)\nb = next(batches)"),
        ("b = reader.next()", "b = reader.next()"),
        ("it = iter(a)\nit = Mine()\nb = it.next()", "it = iter(a)\nit = Mine()\nb = it.next()"),
        ("class A:\n    def f(self):\n        return self.it.next()",) * 2,
    ],
)
def test_method_of_an_iterator_becomes_the_function(code: str, new: str) -> None:
    assert_rewrites("torch-iterator-next", code, new, TORCH)


@pytest.mark.parametrize(
    ("code", "new"),
    [
        ("from torch._six import string_classes", "string_classes = (str, bytes)"),
        (
            "from torch._six import string_classes as texts, int_classes",
            "texts = (str, bytes)\nint_classes = int",
        ),
    ],
)
def test_texts_of_six_are_written_out(code: str, new: str) -> None:
    assert_rewrites("torch-six", code, new)


@pytest.mark.parametrize(
    ("use", "changed"),
    [
        ("words, pooled = self.bert(ids)", True),
        ("out = self.bert(ids)", False),
        ("words, pooled = self.other(ids)", False),
    ],
)
def test_model_gives_tuples_where_they_are_unpacked(use: str, changed: bool) -> None:
    setup = (
        "from transformers import AutoTokenizer, BertModel\nclass Net:\n    def __init__(self):\n"
        "        self.bert = BertModel.from_pretrained(name)\n"
        "        self.words = AutoTokenizer.from_pretrained(name)\n"
        f"    def forward(self, ids):\n        {use}"
    )
    (seen,) = cells(setup, rules=("transformers-tuple-output",))
    assert ("BertModel.from_pretrained(name, return_dict=False)" in seen) is changed
    assert "AutoTokenizer.from_pretrained(name)" in seen
