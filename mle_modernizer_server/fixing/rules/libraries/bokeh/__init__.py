"""Rules for bokeh, with the codemods they need."""
