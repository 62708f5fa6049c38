"""Rules for bokeh, with the codemod they need."""
