"""The code of a notebook, understood without running it: the ground floor above `domain`.

In: the sources of a notebook's cells. Out: parsed cells, names, types, data flow, effects, slices.

Text and syntax
- `ipython.py`: separates a cell's Python from its magics. `cell_syntax.py`: parses both.
- `masking.py`: a cell's text with IPython syntax masked and restored.
- `tree.py`: helpers for libcst trees. `time_limit.py`: the processor time for one question.
- `traceback.py`: parses tracebacks; the lines of a cell that failed.

The program
- `cell_code.py`: one parsed cell: scopes, bindings, positions.
- `program.py`: all cells, with names resolved across them. `flow.py`: bindings that may reach a
  statement. `own_classes.py`: the notebook's own classes. `model_settings.py`: parameters that
  models get by grids and by `set_params`.
- `types/`: the type of an expression: DataFrame, Series, estimator, …
- `data_flow/`: the origins of values, over all cells.
- `canonical/`: one form for both versions of changed code.
- `experiment/`: the parts of an experiment that code shows. `differences.py`: the differences
  between two versions of a cell.
- `pipeline/`: the notebook's models, tables and target.

Effects
- `calls.yaml`, `calls.py`: facts about functions and methods, in one table.
- `names.py`: the names that code binds, reads and deletes. `statements.py`: the changes and reads
  of each statement, the notebook's own functions included. `slices.py`: the cells a result
  depends on. `effects.py`: the effects that a failed cell lacks.
- `call_effects.py`, `side_effects.py`, `liveness.py`: whether a half-run cell may run again.
- `training.yaml`, `training.py`: the code with a short training, for a rehearsal.
- `contents.py`: imports, numbers, texts and shell commands. `written_values.py`: the values of
  names and of a dict's entries. `expressions.py`: names of expressions and imports, targets,
  constants. `cell_relevance.py`: the cells that a question about one cell requires.

Uses
- `package_names.py`: names of packages that code uses. `vocabulary.py`: all its names and
  arguments. `used_forms.py`: imports, attributes, methods and syntax that show its age.
- `needs.py`, `needs.yaml`: downloads, and demands of a GPU. `colab.py`: statements for Google
  Colab. `machine.py`: cells that only show the machine.

Paths
- `paths.py`: evaluates path expressions. `named_paths.py`: the paths, patterns and modules that
  code names. `opened_paths.py`: those that something opens. `path_uses.py`: reads, writes and
  listings, with their places. `file_use.py`: whether code reads a file that was there before the
  run. `python_path.py`: folders added to Python's path. `string_edits.py`: changed literals.
"""
