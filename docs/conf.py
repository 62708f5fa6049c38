"""The documentation's site: Markdown pages, built by Sphinx."""

import json
from pathlib import Path

_PACKAGE = json.loads((Path(__file__).parents[1] / "package.json").read_text("utf-8"))

project = "MLE Modernizer"
author = "MLE Modernizer contributors"
version = release = _PACKAGE["version"]
extensions = ["myst_parser", "sphinxcontrib.mermaid"]
exclude_patterns = ["images"]
html_theme = "furo"
html_title = "MLE Modernizer"
myst_enable_extensions = ["colon_fence"]
myst_fence_as_directive = ["mermaid"]
myst_heading_anchors = 4
nitpicky = True
