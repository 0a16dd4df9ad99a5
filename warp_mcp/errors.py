"""Errors a user can do something about. Each says what happened and what to do next."""


class ProbeError(Exception):
    """A failure with a code for programs, a message for people, and the step to take next.

    `exit_code` is what the command line leaves with (see the README's table).
    """

    exit_code = 70

    def __init__(self, code: str, message: str, next_step: str) -> None:
        super().__init__(message)
        self.code = code
        self.message = message
        self.next_step = next_step


class UsageError(ProbeError):
    """The request cannot be carried out as it was put: exit code 2."""

    exit_code = 2


class UnreadableReport(ProbeError):
    """A report that is missing, cut, not JSON, or of another schema version: exit code 2."""

    exit_code = 2


class CannotWrite(ProbeError):
    """A file or directory could not be written: exit code 74 (EX_IOERR of sysexits.h)."""

    exit_code = 74
