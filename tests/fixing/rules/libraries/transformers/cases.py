from __future__ import annotations

from tests.fixing.rules.executed.case import Case

BERT = """
import torch
from transformers import BertConfig, BertModel
small = BertConfig(
    vocab_size=40, hidden_size=8, num_hidden_layers=1, num_attention_heads=2, intermediate_size=8)
BertModel(small).save_pretrained('bert')
ids = torch.ones(1, 3, dtype=torch.long)
"""

LOUD: list[Case] = [
    Case(
        "transformers-adamw",
        "import torch\nw = [torch.ones(1, requires_grad=True)]\n",
        "from transformers import AdamW\nresult = AdamW(w, lr=1e-3).defaults['eps']",
        "result == 1e-6",
    ),
    Case(
        "transformers-modules",
        "",
        "from transformers.modeling_bert import BertModel",
    ),
    Case(
        "transformers-tuple-output",
        BERT,
        "bert = BertModel.from_pretrained('bert')\n"
        "words, pooled = bert(ids)\nresult = tuple(words.shape)",
        "result == (1, 3, 8)",
    ),
    Case("transformers-tensorflow", "", "from transformers import TFBertModel", fix=False),
]
SILENT: list[Case] = []
