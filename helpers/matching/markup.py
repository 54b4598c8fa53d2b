"""A quote that was copied out of a Markdown file, as a viewer shows it."""

from __future__ import annotations

import re

# Marks that are more than a pair of signs, which `folding` reads. Kept as text: most quotes have none of them.
MARKUP = (
    (r"(?m)^[ \t]*(?:`{3,}|~{3,})[^\n`]*$", ""),  # a fence
    (r"(?m)^[ \t]*#{1,6}[ \t]+", ""),  # a heading
    (r"(?m)^[ \t]*\|?(?:[ \t]*:?-{2,}:?[ \t]*\|)+[ \t:-]*$", ""),  # the line under a table's head
    (r"(?m)^[ \t]*\||\|[ \t]*$|(?<=[ \t])\|(?=[ \t])", " "),  # cells
    (r"!?\[([^\[\]]+)\](?:\[[^\[\]]*\]|\([^()\s]*(?:\s+\"[^\"]*\")?\))", r"\1"),  # a link, its text in several lines
    (r"<((?:https?|mailto):[^<>\s]+|[\w.+-]+@[\w.-]+)>", r"\1"),
    (r"</?(?:a|b|br|code|del|em|i|ins|kbd|mark|s|span|strong|u)(?:\s[^<>]*)?/?>", ""),
    (r"\\([!-/:-@\[-`{-~])", r"\1"),
)


def as_shown(quote: str) -> str:
    """Return the quote without fences, heading marks, cell borders, reference links, inline tags and escapes."""
    import html  # 2,200 names of characters

    for pattern, shown in MARKUP:
        quote = re.sub(pattern, shown, quote)
    return html.unescape(quote)
