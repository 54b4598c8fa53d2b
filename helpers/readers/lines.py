"""Lines of a text and what stands next to them."""

from __future__ import annotations


def blank_before(text: str, start: int) -> bool:
    """Tell whether the line before this line's start is blank, or there is none."""
    if start < 2 or text[start - 2] == "\n":
        return True
    return not text[text.rfind("\n", 0, start - 1) + 1 : start].strip()


def blank_after(text: str, end: int) -> bool:
    """Tell whether the line after this line's end is blank, or there is none."""
    if text[end + 1 : end + 2] in ("", "\n"):
        return True
    stop = text.find("\n", end + 1)
    return not text[end : len(text) if stop < 0 else stop].strip()
