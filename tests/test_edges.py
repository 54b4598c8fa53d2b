"""Where a hit may begin and end."""

import pytest

from helpers.matching.edges import whole


@pytest.mark.parametrize(
    ("text", "hit", "is_whole"),
    [
        ("A gate holds 1500 tokens.", "A gate holds 150", False),
        ("A gate holds 1.5 tokens.", ".5 tokens", False),
        ("It costs 1,500 each.", "It costs 1,", False),
        ("It costs 1.500 each.", "It costs 1.", False),
        ("It costs 1,500 each.", "costs 1", False),
        ("It holds 1. Then it closes.", "It holds 1.", True),
        ("Grade A, 5 tokens.", ", 5 tokens", True),
        ("Open at 10:30 sharp.", "at 10", False),
        ("Open until 5-6 tokens.", "6 tokens", False),
        ("At 100% load.", "At 100", False),
        ("At 100 % load.", "At 100", True),
        ("Below -5 degrees.", "5 degrees", False),
        ("Below (5 degrees).", "5 degrees", True),
        ("See serial_number.", "serial", False),
        ("See serial_number.", "number", False),
        ("They don't go.", "They don", False),
        ("The porters' gate.", "The porters", True),
        ("The cafe\u0301 is open.", "The cafe", False),
        ("门必须拒绝", "必须", True),
        ("不必要的门", "必要的门", False),
        ("A non-empty list.", "empty list", False),
        ("A well-kept list.", "kept list", True),
        ("Gates", "Gates", True),
    ],
)
def test_words_numbers_and_what_turns_them_around_stay_whole(text, hit, is_whole):
    start = text.index(hit)
    assert whole(text, start, start + len(hit)) is is_whole
