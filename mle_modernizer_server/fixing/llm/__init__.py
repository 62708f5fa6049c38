"""Requests to language models behind an OpenAI-compatible endpoint.

- `fixer.py`: the fixer: repeats its request until the reply is a valid patch.
- `prompting.py`, `prompt.py`, `view.py`, `templates.py`, `prompts/`: the messages of all prompts
  and of repairs: the notebook as it is, within a limit, and facts about the run.
- `redaction.py`: masks secrets. `settings.py`: endpoint, model and key.
- `client.py`, `connection.py`, `chat.py`, `responses.py`, `partial_reply.py`,
  `endpoint_options.py`, `retry.py`, `reply_watch.py`, `failures.py`: one request: the two APIs,
  retries, limits and errors.
- `reply.py`, `search_replace.py`, `patch.py`, `draft.py`: from a reply to a proposal.
- `usage.py`, `prices.py`: tokens and cost.
- `claims.py`, `claim_reader.py`, `refining.py`, `writing.py`: requests for papers and for scores.
- `leak_reviewer.py`: an opinion on leaks.
"""
