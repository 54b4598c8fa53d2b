"""The HTML pages under `reporting`: cards, excerpts, charts, the page itself, and an excerpt for a notebook."""
