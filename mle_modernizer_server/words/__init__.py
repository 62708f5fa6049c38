"""The English of every message: the one place where a code becomes a sentence.

In: messages (a code and what it speaks of). Out: text, for the terminal, a report, a model's
prompt, and the sentence that an answer of the REST interface has beside its code. The panel has
the same words in its own language: `src/words/messages.ts` is made from `english.py`.

- `english.py`: the words, by code.
- `render.py`: puts parameters in their places.
- `typescript.py`: writes the panel's words; `python -m mle_modernizer_server.words.typescript`.
"""

from mle_modernizer_server.words.render import one_text as one_text
from mle_modernizer_server.words.render import text as text
