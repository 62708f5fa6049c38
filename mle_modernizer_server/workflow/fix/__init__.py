"""Fixes: what a run showed in, a proposal with its integrity notes out, or why there is none.

- `propose.py`: asks the fixers in order; what they get to see, and what of their answers stands.
- `by_hand.py`: a fix the user asks for, and a look at what a model would be sent.
- `before_run.py`: what will break, and a fix for it, before anything has run.
- `listening.py`: what is noted while a fixer works: its growing plan, its calls of a model.
- `findings.py`: what studies have shown, for a fixer.
- `difference.py`: two notebooks as edits; several edits of a cell as one.
"""
