"""Types of calls and attributes of the learning libraries that their names do not show."""

from __future__ import annotations

from mle_modernizer_server.code.types.type import Type

KERAS_MODEL = Type("keras.models.Model")
PICTURE = Type("PIL.Image.Image")
WORD_VECTORS = Type("gensim.models.KeyedVectors")

MADE_BY: dict[str, Type] = {
    "keras.models.load_model": KERAS_MODEL,
    "keras.models.model_from_json": KERAS_MODEL,
    "tensorflow.keras.models.load_model": KERAS_MODEL,
    "tensorflow.keras.models.model_from_json": KERAS_MODEL,
    "bokeh.plotting.figure": Type("bokeh.plotting.figure"),
    "PIL.Image.open": PICTURE,
    "PIL.Image.new": PICTURE,
    "PIL.Image.fromarray": PICTURE,
    "gensim.downloader.load": WORD_VECTORS,
    "gensim.models.KeyedVectors.load": WORD_VECTORS,
    "gensim.models.KeyedVectors.load_word2vec_format": WORD_VECTORS,
    "gensim.models.keyedvectors.KeyedVectors.load_word2vec_format": WORD_VECTORS,
    "gensim.models.Word2Vec.load": Type("gensim.models.Word2Vec"),
    "gensim.models.word2vec.Word2Vec.load": Type("gensim.models.Word2Vec"),
    "gensim.models.Doc2Vec.load": Type("gensim.models.Doc2Vec"),
    "gensim.models.FastText.load": Type("gensim.models.FastText"),
}
"""Types that functions return, by their addresses."""

PARTS: dict[tuple[str, str], Type] = {
    (f"{module}.{model}", part): WORD_VECTORS
    for module, models in (
        ("gensim.models", ("Word2Vec", "Doc2Vec", "FastText")),
        ("gensim.models.word2vec", ("Word2Vec",)),
        ("gensim.models.doc2vec", ("Doc2Vec",)),
        ("gensim.models.fasttext", ("FastText",)),
    )
    for model in models
    for part in ("wv", "dv", "docvecs")
}
"""Kinds of attributes, by the address of the class and their name."""

MADE_BY |= {
    "seaborn.jointplot": Type("seaborn.JointGrid"),
    "seaborn.pairplot": Type("seaborn.PairGrid"),
    "seaborn.catplot": Type("seaborn.FacetGrid"),
    "seaborn.lmplot": Type("seaborn.FacetGrid"),
}
PARTS |= {("pandas.DataFrame", "style"): Type("pandas.Styler")}
