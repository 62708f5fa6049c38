"""Rules for Plotly, with the codemods they need."""
