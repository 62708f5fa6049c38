"""A first notebook from nothing but a competition's public files.

In: a competition with its public directory. Out: a plain notebook that loads and describes the
data, fits a model, estimates its score by cross-validation and writes a submission in the sample's
format. No model is called, and the answers are not used.

- `task.py`: the tables, their columns, and the target
- `writing.py`: the notebook
"""

from mle_modernizer_server.improving.draft.task import DraftTask as DraftTask
from mle_modernizer_server.improving.draft.task import survey_task as survey_task
from mle_modernizer_server.improving.draft.writing import write_draft as write_draft
