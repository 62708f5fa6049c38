from __future__ import annotations

from tests.fixing.rules.executed.case import Case

GENSIM = """
from gensim.models import Doc2Vec, FastText, KeyedVectors, Phrases, Word2Vec
from gensim.models.doc2vec import TaggedDocument
s = [['a', 'b'], ['b', 'c']] * 3
"""
MODEL = GENSIM + "m = Word2Vec(s, vector_size=4, min_count=1)\n"

LOUD: list[Case] = [
    Case("gensim-size", GENSIM, "m = Word2Vec(s, size=4, min_count=1)", "m.vector_size == 4"),
    Case("gensim-size", GENSIM, "m = FastText(s, size=4, min_count=1)", "m.vector_size == 4"),
    Case("gensim-iter", GENSIM, "m = Word2Vec(s, iter=2, min_count=1)", "m.epochs == 2"),
    Case(
        "gensim-positional",
        GENSIM,
        "m = Word2Vec(s, 4, min_count=1)",
        "m.vector_size == 4",
    ),
    Case(
        "gensim-train-amounts",
        GENSIM + "m = Word2Vec(vector_size=4, min_count=1)\nm.build_vocab(s)\n",
        "result = m.train(s)",
        "result[1] == 60",
    ),
    Case("gensim-vocab", MODEL, "result = sorted(m.wv.vocab)", "result == ['a', 'b', 'c']"),
    Case("gensim-vocab", MODEL, "result = m.wv.vocab['a'].count", "result == 3"),
    Case("gensim-vocab", MODEL, "w = m.wv\nresult = len(w.vocab)", "result == 3"),
    Case("gensim-model-vocab", MODEL, "result = len(m.vocab)", "result == 3"),
    Case("gensim-vocab-count", MODEL, "m.wv.key_to_index['a'].count", fix=False),
    Case("gensim-index2word", MODEL, "result = set(m.wv.index2word)", "result == set('abc')"),
    Case(
        "gensim-index2word", MODEL, "w = m.wv\nresult = set(w.index2word)", "result == set('abc')"
    ),
    Case("gensim-syn0", MODEL, "result = m.wv.syn0.shape", "result == (3, 4)"),
    Case("gensim-syn0norm", MODEL, "result = m.wv.syn0norm.shape", "result == (3, 4)"),
    Case("gensim-subscript", MODEL, "result = m['a']", "result.shape == (4,)"),
    Case("gensim-subscript", MODEL, "result = 'a' in m", "result"),
    Case("gensim-model-methods", MODEL, "result = m.most_similar('a')", "len(result) == 2"),
    Case(
        "gensim-load-word2vec",
        MODEL + "m.wv.save_word2vec_format('x.txt')\n",
        "result = Word2Vec.load_word2vec_format('x.txt', binary=False)",
        "len(result) == 3",
    ),
    Case("gensim-model-iter", MODEL, "result = m.iter", "result == 5"),
    Case("gensim-delete-training-data", MODEL, "m.delete_temporary_training_data()"),
    Case(
        "gensim-doctag-syn0",
        GENSIM + "m = Doc2Vec([TaggedDocument(['a'], [0])], vector_size=3, min_count=1)\n",
        "result = m.docvecs.doctag_syn0.shape",
        "result == (1, 3)",
    ),
    Case("gensim-labeled-sentence", "", "from gensim.models.doc2vec import LabeledSentence"),
    Case("gensim-phrases-common-terms", GENSIM, "Phrases(s, common_terms=['a'])"),
    Case(
        "gensim-phrases-delimiter",
        GENSIM,
        "p = Phrases(s, min_count=1, threshold=0.1, delimiter=b'_')\nresult = p[['a', 'b']]",
        "result == ['a_b']",
    ),
    Case("gensim-summarization", "", "from gensim.summarization import summarize", fix=False),
    Case("gensim-wrappers", "", "from gensim.models.wrappers import LdaMallet", fix=False),
    Case(
        "gensim-fasttext-wrapper",
        "",
        "from gensim.models.wrappers.fasttext import FastText",
        "FastText(vector_size=2, min_count=1).vector_size == 2",
    ),
    Case("gensim-lemmatize", "", "from gensim.utils import lemmatize", fix=False),
    Case(
        "gensim-smart-open",
        "",
        "from gensim.utils import smart_open",
        "callable(smart_open)",
    ),
    Case("gensim-sklearn-api", "", "import gensim.sklearn_api", fix=False),
    Case("gensim-similarity-matrix", MODEL, "m.wv.similarity_matrix()", fix=False),
]

SILENT: list[Case] = []
