"""Scores: a submission's CSV and a competition's private answers in, a `Grade` out.

- `grader.py`: grades the CSVs of a run. `own_process.py`, `child.py`, `job.py`: the process that
  reads submission and answers, within limits of time and memory.
- `competitions.py`, `description.py`: the competitions below a data root, and `competition.yaml`;
  `known/`: those of MLE-bench.
- `csv_table.py`, `cells.py`, `pairs.py`, `matching.py`, `validation.py`, `refusal.py`: from a CSV
  to rows paired with the answers, or the reason why it is invalid.
- `metrics/`, `metric_facts.py`, `scoring.py`, `scoring_texts.py`: the metrics.
- `distance.py`, `floors.py`, `traps.py`, `repeats.py`, `student.py`: the meaning of a score: its
  distance from the target, the floor, peculiarities of a grader, statistics of repeated scores.
- `printed_score.py`, `target.py`, `detection.py`: scores, targets and competitions in a notebook.
- `proofs.py`, `preexisting_files.py`, `fingerprint.py`: whether a score comes from the run.
- `new_competition.py`, `holdout.py`: a competition from labelled data. `data_preview.py`: a
  preview of its data.
- `mlebench_adapter.py`: MLE-bench's own graders.
"""
