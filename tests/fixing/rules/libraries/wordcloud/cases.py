from __future__ import annotations

from tests.fixing.rules.executed.case import Case

LOUD: list[Case] = [
    Case(
        "wordcloud-frequencies",
        "from wordcloud import WordCloud\npairs = [('a', 3), ('b', 2)]\n",
        "result = WordCloud().generate_from_frequencies(pairs)",
        "result.words_ == {'a': 1.0, 'b': 2 / 3}",
    ),
]

SILENT: list[Case] = []
