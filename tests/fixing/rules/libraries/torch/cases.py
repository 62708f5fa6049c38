from __future__ import annotations

from tests.fixing.rules.executed.case import Case

TORCH = """
import numpy as np
import torch
import torch.nn as nn
import torch.nn.functional as F
x = torch.ones(2, 3)
o = torch.optim.SGD(nn.Linear(1, 1).parameters(), lr=0.1)
"""

LOUD: list[Case] = [
    Case("torch-data-index", TORCH, "loss = x.sum()\nresult = loss.data[0]", "result == 6"),
    Case("torch-mask-subtract", TORCH, "1 - (x > 0)", fix=False),
    Case(
        "torch-masked-fill",
        TORCH + "m = torch.tensor([1, 0, 0], dtype=torch.uint8)\n",
        "result = x.masked_fill(m, 5.0)",
        "result[0].tolist() == [5, 1, 1]",
    ),
    Case("torch-index-fraction", TORCH, "torch.arange(6)[torch.tensor(5) / 2]", fix=False),
    Case(
        "torch-load-weights-only",
        TORCH + "torch.save(nn.Linear(2, 2), 'm.pt')\n",
        "result = torch.load('m.pt')",
        "result.in_features == 2",
    ),
    Case(
        "torch-scheduler-verbose",
        TORCH,
        "torch.optim.lr_scheduler.ReduceLROnPlateau(o, patience=2, verbose=True)",
    ),
    Case(
        "torch-iterator-next",
        TORCH + "i = iter(torch.utils.data.DataLoader([1, 2]))\n",
        "result = i.next()",
        "int(result) == 1",
    ),
    Case(
        "torch-target-size",
        TORCH,
        "nn.BCELoss()(torch.full((4, 1), 0.5), torch.ones(4))",
        fix=False,
    ),
    Case(
        "torch-target-long",
        TORCH,
        "nn.BCEWithLogitsLoss()(torch.ones(4), torch.ones(4).long())",
        fix=False,
    ),
    Case(
        "torch-target-int", TORCH, "nn.CrossEntropyLoss()(x, torch.tensor([0, 1]).int())", fix=False
    ),
    Case("torch-view-stride", TORCH, "result = x.t().view(-1)", "result.shape == (6,)"),
    Case(
        "torch-numpy-grad",
        TORCH + "w = torch.ones(2, requires_grad=True)\n",
        "result = w.numpy()",
        "result.tolist() == [1, 1]",
    ),
    Case(
        "torch-symeig",
        TORCH,
        "e, v = torch.symeig(torch.eye(2), eigenvectors=True)",
        "e.tolist() == [1, 1]",
    ),
    Case(
        "torch-solve",
        TORCH,
        "s, _ = torch.solve(torch.ones(2, 1), torch.eye(2) * 2)",
        "s.tolist() == [[0.5], [0.5]]",
    ),
    Case(
        "torch-matrix-rank", TORCH, "result = torch.matrix_rank(torch.eye(2))", "int(result) == 2"
    ),
    Case("torch-eig", TORCH, "torch.eig(torch.eye(2))", fix=False),
    Case("torch-gels", TORCH, "result = torch.potrf(torch.eye(2))", "result.shape == (2, 2)"),
    Case("torch-rfft", TORCH, "torch.rfft(x, 1)", fix=False),
    Case("torch-stft", TORCH, "result = torch.stft(torch.ones(400), 64)", "result.shape[-1] == 2"),
    Case("torch-istft", TORCH, "torch.istft(torch.ones(33, 26, 2), 64, window=torch.ones(64))"),
    Case(
        "torch-six", "", "from torch._six import container_abcs, int_classes", "int_classes is int"
    ),
    Case(
        "torch-six",
        "",
        "from torch._six import string_classes, inf",
        "string_classes == (str, bytes) and inf > 1",
    ),
    Case(
        "torch-iterator-next",
        TORCH,
        "result = iter(torch.utils.data.DataLoader([1, 2])).next()",
        "int(result) == 1",
    ),
    Case("torch-no-gpu", TORCH, "result = nn.Linear(2, 1).cuda()", "result.weight.device.type"),
    Case(
        "torch-no-gpu",
        TORCH,
        "d = torch.device('cuda:0')\nresult = x.to(d)",
        "result.device.type == 'cpu'",
        line=2,
    ),
    Case("torch-apex", TORCH, "from apex import amp", fix=False),
    Case(
        "torch-data-frame",
        TORCH + "import pandas as pd\n",
        "torch.tensor(pd.DataFrame({'a': [1.0]}))",
        fix=False,
    ),
    Case("torch-object-array", TORCH, "torch.tensor(np.array(['a', 1], dtype=object))", fix=False),
    Case("torch-copy-numpy", TORCH, "x.copy_(np.ones((2, 3)))", fix=False),
    Case("torch-parameter-numpy", TORCH, "nn.Parameter(np.ones(2))", fix=False),
    Case(
        "torch-legacy-function",
        TORCH,
        "class A(torch.autograd.Function):\n    def forward(self, x):\n        return x\nA()(x)",
        fix=False,
    ),
    Case(
        "torch-private-loader",
        "",
        "from torch.utils.data.dataloader import _DataLoaderIter",
        fix=False,
    ),
    Case("torch-legacy-modules", "", "import torch.utils.ffi", fix=False),
    Case("torch-nll-loss2d", TORCH, "result = F.nll_loss2d"),
    Case(
        "torch-random-split",
        TORCH,
        "torch.utils.data.random_split([1, 2, 3], [1.5, 1.5])",
        fix=False,
    ),
    Case("torch-text", "import torch\n", "from torchtext.data import Field", fix=False),
    Case(
        "transformers-pretrained-bert",
        "import torch\n",
        "from pytorch_pretrained_bert import BertAdam",
        fix=False,
    ),
]

SILENT: list[Case] = [
    Case(
        "torch-integer-division",
        TORCH,
        "result = torch.tensor(5) / 2",
        "int(result) == result",
        fix=False,
    ),
    Case(
        "torch-floor-division", TORCH, "result = torch.tensor(-5) // 2", "result == -2", fix=False
    ),
    Case(
        "torch-scheduler-get-lr",
        TORCH,
        "s = torch.optim.lr_scheduler.StepLR(o, 1)\no.step()\ns.step()\nresult = s.get_lr()[0]",
        "abs(result - 0.01) < 1e-9",
    ),
    Case(
        "torch-pin-grid-sample",
        TORCH + "g = torch.full((1, 1, 1, 2), -1.0)\n",
        "result = float(F.grid_sample(torch.ones(1, 1, 2, 2), g))",
        "result == 1",
    ),
]
