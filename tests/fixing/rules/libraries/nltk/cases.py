from __future__ import annotations

from tests.fixing.rules.executed.case import Case

LOUD: list[Case] = [
    Case("nltk-punkt-tab", "import nltk\n", "nltk.word_tokenize('a b')", fix=False),
    Case("nltk-tagger-eng", "import nltk\n", "nltk.pos_tag(['a'])", fix=False),
    Case("nltk-chunker-tab", "import nltk\n", "nltk.ne_chunk([('a', 'NN')])", fix=False),
    Case("nltk-freqdist-inc", "import nltk\nf = nltk.FreqDist()\n", "f.inc('a')", "f['a'] == 1"),
    Case(
        "nltk-batch",
        "",
        "from nltk import batch_pos_tag",
        "callable(batch_pos_tag)",
    ),
    Case(
        "nltk-stem-word",
        "from nltk.stem import PorterStemmer\n",
        "result = PorterStemmer().stem_word('running')",
        "result == 'run'",
    ),
]

SILENT: list[Case] = []
