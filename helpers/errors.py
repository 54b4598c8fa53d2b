"""Every error of this project: a message says what is wrong, where, and what to do about it."""

FAULTS_SHOWN = 10  # a terminal line stays readable; the rest is counted


class CitationCheckError(Exception):
    """Be the base of all errors that a user can act on; the shell prints it in one line and ends with exit code 2."""


class SourceError(CitationCheckError):
    """Say why a source document cannot be read."""


class InputFileError(CitationCheckError):
    """Tell all faults of one input file at once: `path: fault; fault; …`, ten of them, then a count."""

    def __init__(self, path: str, faults: list[str]) -> None:
        super().__init__(path, faults)  # both in args, so that the error pickles
        self.path = path
        self.faults = faults

    def __str__(self) -> str:
        more = len(self.faults) - FAULTS_SHOWN
        shown = self.faults[:FAULTS_SHOWN] + ([f"and {more} more"] if more > 0 else [])
        return f"{self.path}: {'; '.join(shown)}"


class CitationFileError(InputFileError):
    """Tell the faults of a citations file."""


class ReviewFileError(InputFileError):
    """Tell the faults of a reviews file."""


class ManifestError(InputFileError):
    """Tell the faults of an audit manifest or of its results file."""


class CacheError(CitationCheckError):
    """Say why a replay cache cannot be read or written; the file itself is never overwritten."""


class NotRecorded(CitationCheckError):
    """Say that the replay cache holds no answer to this question, and how to record one."""


class JudgeError(CitationCheckError):
    """Say why a model gave no answer that counts.

    `everywhere` is true when the cause (key, model name, unreachable server) would hit every other citation too.
    """

    def __init__(self, message: str, everywhere: bool = False) -> None:
        super().__init__(message, everywhere)
        self.everywhere = everywhere

    def __str__(self) -> str:
        return str(self.args[0])


class LinkError(CitationCheckError):
    """Say why a playground link cannot be made or read."""
