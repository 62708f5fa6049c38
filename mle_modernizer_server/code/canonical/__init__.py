"""One form for both versions of changed code, so that comparisons only show other meanings.

- `library_forms.py`: one spelling for the ways to write the same with libraries, with
  `equal_scales.py` for models that scale their columns.
- `plain_names.py`: the earlier names of variables, and no intermediate ones.
- `label_codes.py`: no codes in place of class labels, with `roles.py` for the roles of expressions.
"""
