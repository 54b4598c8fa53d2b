"""Links that open one citation in TypeSafe's playground, with the question already filled in."""

from __future__ import annotations

import json
import struct
from collections.abc import Mapping, Sequence
from typing import TypedDict

from .errors import LinkError

PLAYGROUND = "https://console.typesafe.ai"
MARK = "/playground#share/"  # what follows is a fragment: a browser never sends it to the server


class Playground(TypedDict):
    """What one link carries."""

    document: object  # str, or what was given as an object or a list
    questions: dict[str, dict[str, object]]  # name -> question
    models: list[str] | None


def make_playground_link(
    document: Mapping[str, object] | Sequence[object] | str,
    questions: Mapping[str, object],
    base_url: str | None = None,
    models: Sequence[str] | None = None,
) -> str:
    """Return the link that opens this document and these questions in the playground.

    A question is a plain dict or an object of the SDK (`Choice`, `Score`, …). `models` are selected on the page;
    without them it selects its own. Whoever has the link can read all of it. LinkError: JSON cannot hold the input.
    """
    if not isinstance(document, str | Mapping | Sequence):
        raise LinkError(f"document: expected text, a dict or a list, got {document!r}; give the claim and its section")
    if not questions:
        raise LinkError("questions: there is none; give at least one, such as judging.QUESTIONS")
    share: dict[str, object] = {
        "documentText": document if isinstance(document, str) else _to_json(document, "document"),
        "promptsText": _to_json({name: _plain(name, q) for name, q in questions.items()}, "questions"),
        "apiVersion": "v1",  # without it the page reads the questions as those of a preview API
    }
    if models:
        share["selectedModels"] = list(models)
    return (base_url or PLAYGROUND).rstrip("/") + MARK + _compress(_to_json(share, "models"))


def read_playground_link(link: str) -> Playground:
    """Return what a link carries, the inverse of `make_playground_link`; raise LinkError when it is damaged.

    A document that is the JSON text of an object or a list comes back as that object or list.
    """
    _, mark, packed = link.strip().partition("#share/")
    if not mark or not packed:
        raise LinkError(f"{link[:60]!r}: not a playground link; expected one like {PLAYGROUND}{MARK}…")
    try:
        share = json.loads(_decompress(packed))
        document, models = share["documentText"], share.get("selectedModels")
        questions = json.loads(share["promptsText"])
        if not (isinstance(document, str) and isinstance(questions, dict) and isinstance(models, list | None)):
            raise ValueError("a part has another type than the page writes")
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise LinkError(f"{link[:60]!r}…: damaged, perhaps cut short; copy the whole link again ({error})") from error
    return {"document": _document(document), "questions": questions, "models": models}


def _plain(name: str, question: object) -> object:
    if isinstance(question, Mapping):
        return dict(question)
    dump = getattr(question, "model_dump", None)  # the SDK's questions are pydantic models; importing it takes 0.5 s
    if dump is None:
        raise LinkError(f"questions: {name!r} is {question!r}; expected a dict or a question of the SDK")
    return {key: value for key, value in dump(mode="json").items() if value is not None}


def _to_json(value: object, what: str) -> str:
    try:
        return json.dumps(value, ensure_ascii=False, allow_nan=False)
    except (TypeError, ValueError, RecursionError) as error:
        raise LinkError(f"{what}: cannot be written as JSON ({error}); use text, numbers, lists and dicts") from error


def _document(text: str) -> object:
    try:
        value = json.loads(text)
    except (ValueError, RecursionError):
        return text
    return value if isinstance(value, dict | list) else text


def _compress(text: str) -> str:
    """Pack text as the page's JavaScript library does: by UTF-16 units, where the Python library would cut an emoji."""
    from lzstring import LZString  # type: ignore[import-untyped]

    units = text.encode("utf-16-le", "surrogatepass")
    characters = "".join(map(chr, struct.unpack(f"<{len(units) // 2}H", units)))
    packed: str = LZString().compressToEncodedURIComponent(characters)
    return packed


def _decompress(packed: str) -> str:
    from urllib.parse import unquote

    from lzstring import LZString

    # Mail programs wrap links and encode "+" as "%2B"; a form turns it into a blank.
    packed = "".join(unquote(packed).split("\n")).replace(" ", "+")
    try:
        units = LZString().decompressFromEncodedURIComponent(packed)
        return struct.pack(f"<{len(units)}H", *map(ord, units)).decode("utf-16-le", "surrogatepass")
    except Exception as error:  # the library has no errors of its own: bad input ends in whatever breaks first
        raise ValueError("not packed text") from error
