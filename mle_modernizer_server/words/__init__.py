"""The English text of every message: the only place that turns a code into a sentence.

In: messages (a code and its parameters). Out: text for the terminal, reports, prompts, and the
`message` of REST errors. The panel has the same texts, which can be translated:
`src/words/messages.ts` is generated from `english.json` and not tracked by git.

- `english.json`: the texts, by code, sorted.
- `render.py`: inserts the parameters. `cells.py`: names the cells of a notebook.
- `typescript.py`: generates the panel's file: `python -m mle_modernizer_server.words.typescript`.
"""

from mle_modernizer_server.words.cells import CellNames as CellNames
from mle_modernizer_server.words.render import label as label
from mle_modernizer_server.words.render import one_text as one_text
from mle_modernizer_server.words.render import text as text
