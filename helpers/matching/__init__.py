"""The search engine under `locating`: folding, index, ladder, alignment, risks, labels."""
