"""Studies: runs that answer a question and are no iterations; a session is afterwards where it was.

- `repeat.py`: the engine: trials one after the other until their result is done.
- `verification.py`: is the outcome still there when the notebook runs again?
- `seed_variance.py`: how far does the score move by itself?
- `cause.py`: which silent change of a library moved the score? By bisection.
- `differential_run.py`: the same cells with old libraries and with today's.
- `reproduction.py`: the notebook that does a paper's experiment again, and what it is to reproduce;
  `reproduce.py`: does it? Clean runs, the claims, the checklist.
- `completion.py`: a model completes a paper's claims, kept beside the paper.
- `learn.py`: what the fixes of a model teach.
- `write.py`: a model writes it, stage by stage; `write_session.py`: in a session, for review.
- `prove.py`: does a result depend on the data it claims to come from?
"""
