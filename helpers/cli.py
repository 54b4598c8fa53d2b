"""The shell: parse arguments, call one command, turn errors into one line and an exit code."""

from __future__ import annotations

import argparse
import os
import sys
import warnings
from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from typing import Any, NoReturn, TypeVar

from .errors import CitationCheckError

DONE, BAD_INPUT, INTERRUPTED = 0, 2, 130
MODULES = {
    "check": "check",
    "sections": "looks",
    "find": "looks",
    "link": "looks",
    "tune": "measures",
    "selftest": "measures",
    "audit": "measures",
}
Number = TypeVar("Number", int, float)
FAIL_ON = ("fabricated", "contradicted", "unsupported", "review")


class _Parser(argparse.ArgumentParser):
    """Tell a usage error in one line; argparse's own answer begins with the whole usage."""

    def error(self, message: str) -> NoReturn:
        self.exit(BAD_INPUT, f"{self.prog}: {message}; see {self.prog} --help\n")


class _Command(_Parser):
    """Tell a file whose name looks like an option, and an option that is read as a file."""

    def parse_known_args(self, args: Any = None, namespace: Any = None) -> Any:
        """Parse what stands after the command's name; what cannot be meant so is a usage error."""
        given = list(args or [])
        options, end = self._option_string_actions, given.index("--") if "--" in given else len(given)
        for name in given[:end]:
            if name[:1] == "-" != name and name not in options and Path(name).is_file():
                self.error(f"{name} is read as an option; write the file as ./{name}")
        for name in given[end + 1 :]:
            if name in options and not Path(name).exists() and not self.get_default("any_text"):
                self.error(f"{name} is read as a file's name, like all after --; write it before --")
        parsed, unknown = super().parse_known_args(given, namespace)
        if unknown:  # told here, since the parser around this one would name its own --help
            self.error(f"unrecognized arguments: {' '.join(unknown)}")
        return parsed, unknown


def main(argv: list[str] | None = None) -> int:
    """Run one command and return its exit code: 0 done, 1 a named verdict, 2 bad input, 3 unjudged, 130 interrupted."""
    _use_streams_for_any_text()
    warnings.showwarning = _show_warning
    try:
        arguments = build_parser().parse_args(argv)
        code = int(arguments.command(arguments))
        if sys.stdout:  # None where the caller has closed it
            sys.stdout.flush()
        return code
    except CitationCheckError as error:
        print(_one_line(error), file=sys.stderr)
        return BAD_INPUT
    except BrokenPipeError:  # the reader of a pipe (head, less) has gone; nothing is left to say
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return DONE
    except OSError as error:  # files are told of where they are read and written: this is the output, on a full disk
        sys.stdout = None  # nothing is tried again at exit
        print(f"{error.filename or 'the output'}: {error.strerror}", file=sys.stderr)
        return BAD_INPUT
    except KeyboardInterrupt:
        print("interrupted; every answer that had arrived is kept", file=sys.stderr)
        return INTERRUPTED


def build_parser() -> argparse.ArgumentParser:
    """Return the parser of all commands; each sets `command`, the function that runs it."""
    parser = _Parser(
        prog="python -m helpers", description="Check the citations of an LLM's answer against their sources."
    )
    commands = parser.add_subparsers(metavar="COMMAND", required=True, parser_class=_Command)
    _add_check(commands)
    _add_looks(commands)
    _add_measures(commands)
    return parser


def _add_check(commands: Any) -> None:
    check = _command(commands, "check", "check citations; without arguments the shipped ones")
    check.add_argument(
        "inputs",
        nargs="*",
        metavar="SOURCE … CITATIONS",
        help="files, folders or URLs, then a .json or .jsonl file, or - for stdin",
    )
    check.add_argument("--cache", metavar="FILE", help="recorded answers (default: beside the citations file)")
    mode = check.add_mutually_exclusive_group()
    mode.add_argument("--offline", action="store_true", help="replay only; never ask a model or fetch a URL")
    mode.add_argument("--refresh", action="store_true", help="ask again and replace what is recorded")
    check.add_argument("--json", metavar="FILE", help="write the results as JSON; - for stdout instead of the table")
    check.add_argument("--report", metavar="FILE", help="write an HTML report to read and to review in")
    check.add_argument("--sarif", metavar="FILE", help="write SARIF for code scanning")
    check.add_argument("--junit", metavar="FILE", help="write JUnit XML for a test report")
    check.add_argument("--reviews", metavar="FILE", help="a human's decisions, as downloaded from the report")
    check.add_argument(
        "--fail-on",
        type=_verdicts,
        default=(),
        metavar="LIST",
        help=f"exit 1 on any of {', '.join(FAIL_ON)}",
    )
    _add_asking(check)
    check.add_argument("--estimate", action="store_true", help="print calls, tokens and dollars, and ask nothing")
    check.add_argument(
        "--twice", action="store_true", help="ask again with the options in another order; a difference goes to review"
    )
    check.add_argument(
        "--elsewhere", action="store_true", help="where a section says nothing, ask three others that might"
    )


def _add_looks(commands: Any) -> None:
    sections = _command(commands, "sections", "show how a document is split")
    sections.add_argument("source", metavar="SOURCE")
    sections.add_argument("--json", action="store_true", help="print a JSON list")
    find = _command(commands, "find", "find one quote in a document")
    find.add_argument("source", metavar="SOURCE")
    find.add_argument("quote", metavar="QUOTE", help="in quotation marks; after -- where it begins with -")
    find.set_defaults(any_text=True)
    find.add_argument("--json", action="store_true", help="print a JSON object")
    link = _command(commands, "link", "print the playground link of one citation")
    link.usage = "%(prog)s [-h] [--model NAME] [SOURCE CITATIONS] ID"
    link.add_argument(
        "inputs",
        nargs="+",
        metavar="[SOURCE CITATIONS] ID",
        help="a citation's id, after its files unless shipped",
    )
    link.add_argument("--model", metavar="NAME", help="the model to choose on the page")


def _add_measures(commands: Any) -> None:
    tune = _command(commands, "tune", "find the threshold that a human's decisions support")
    tune.add_argument("results", metavar="RESULTS.json")
    tune.add_argument("reviews", metavar="REVIEWS.json")
    tune.add_argument("--target", type=_share, default=0.05, metavar="RATE", help="errors to stay under (0.05)")
    tune.add_argument("--confidence", type=_share, default=0.95, metavar="C", help="of the interval (0.95)")
    tune.add_argument("--json", action="store_true", help="print a JSON object")
    selftest = _command(commands, "selftest", "damage quotes of a document on purpose and count wrong answers")
    selftest.add_argument("source", metavar="SOURCE")
    selftest.add_argument("--json", action="store_true", help="print a JSON object")
    audit = _command(commands, "audit", "check the citations of many documents")
    audit.add_argument("manifest", metavar="MANIFEST.jsonl")
    audit.add_argument("--out", required=True, metavar="RESULTS.jsonl", help="results, one JSON object a line")
    audit.add_argument("--cache", metavar="FILE", help="recorded answers (default: RESULTS.cache.json)")
    audit.add_argument("--offline", action="store_true", help="replay only; never ask a model or fetch a URL")
    _add_asking(audit)
    audit.add_argument("--dask", metavar="ADDRESS", help="parse and locate on a running dask.distributed cluster")
    audit.add_argument("--retry-errors", action="store_true", help="try rows again that ended in an error")
    audit.add_argument("--report", metavar="FOLDER", help="write an index page and a report a document")


def _add_asking(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--model", metavar="NAME", help="the model to ask or replay")
    parser.add_argument(
        "--auto-accept", type=_share, metavar="X", help="confidence from which a verdict stands by itself (0.8)"
    )
    parser.add_argument("--jobs", type=_count, default=8, metavar="N", help="questions under way at once (8)")
    parser.add_argument("--rate", type=_positive, metavar="N", help="questions a minute (1200 for TypeSafe's own host)")
    parser.add_argument(
        "--timeout", type=_positive, default=120.0, metavar="SECONDS", help="for one answer, retries included (120)"
    )


def _command(commands: Any, name: str, help_text: str) -> argparse.ArgumentParser:
    about = help_text[0].upper() + help_text[1:] + "."
    parser: argparse.ArgumentParser = commands.add_parser(name, help=help_text, description=about)
    parser.set_defaults(command=lambda arguments: _run(name, arguments))
    return parser


def _run(name: str, arguments: argparse.Namespace) -> int:
    module = import_module(f".commands.{MODULES[name]}", __package__)  # now: --help and usage errors need none of it
    run: Callable[[argparse.Namespace], int] = getattr(module, name)
    return run(arguments)


def _share(text: str) -> float:
    value = _number(float, text)
    if not 0 <= value <= 1:
        raise argparse.ArgumentTypeError(f"{text} is not between 0 and 1")
    return value


def _positive(text: str) -> float:
    value = _number(float, text)
    if not 0 < value < float("inf"):
        raise argparse.ArgumentTypeError(f"{text} is not a positive number")
    return value


def _count(text: str) -> int:
    value = _number(int, text)
    if value < 1:
        raise argparse.ArgumentTypeError(f"{text} is not a positive whole number")
    return value


def _number(kind: type[Number], text: str) -> Number:
    try:
        return kind(text)
    except ValueError:
        raise argparse.ArgumentTypeError(f"{text} is not a {'whole ' * (kind is int)}number") from None


def _verdicts(text: str) -> tuple[str, ...]:
    names = tuple(name.strip() for name in text.split(",") if name.strip())
    if unknown := [name for name in names if name not in FAIL_ON]:
        raise argparse.ArgumentTypeError(f"{', '.join(unknown)} is none of {', '.join(FAIL_ON)}")
    return names


def _use_streams_for_any_text() -> None:
    """Print every character: as UTF-8 into files and pipes, whatever the locale; a terminal keeps its own encoding."""
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(encoding=None if stream.isatty() else "utf-8", errors="backslashreplace")


def _show_warning(message: Warning | str, *_: Any, **__: Any) -> None:
    print(f"warning: {_one_line(message)}", file=sys.stderr)


def _one_line(message: object) -> str:
    return " ".join(str(message).split())
