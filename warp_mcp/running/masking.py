"""Hides values that look like secrets before anything about a command leaves this layer.

What belongs here: the one function through which every argument vector passes on its way out. The vector
that is executed is never touched.
"""

import re
from collections.abc import Iterable

MASK = "***"

_SECRET = (
    r"(?:token(?!iz)|password|passwd|passphrase|secret|credential|(?<![a-z])keys?(?![a-z])"
    r"|(?:api|access|private|auth|signing|encryption|licen[cs]e|ssh)[-_.]?key)"
)
"""Names that announce a secret. `key` alone only as a word of its own: not `--keyframe`, not `--monkey`."""
_NAME = rf"[\w.-]{{0,40}}?{_SECRET}[\w.-]{{0,40}}"
"""Bounded, so that a long argument without a secret is passed in linear time."""
_VALUE = r"(?:\"[^\"]*\"|'[^']*'|\S+)"
_OPTION = re.compile(rf"--?{_NAME}", re.IGNORECASE)
_ASSIGNED = re.compile(rf"({_NAME}=)(?!=){_VALUE}", re.IGNORECASE)
_OPTION_AND_VALUE = re.compile(rf"((?:^|\s)--?{_NAME}\s+)(?!-){_VALUE}", re.IGNORECASE)
_JSON = re.compile(rf"([\"']{_NAME}[\"']\s*:\s*){_VALUE}", re.IGNORECASE)
_IN_ADDRESS = re.compile(r"(\w://[^/\s:@]*:)[^/\s@]+(?=@)")
_BEARER = re.compile(r"(\bbearer\s+)\S+", re.IGNORECASE)


def masked(argv: Iterable[str]) -> list[str]:
    """The arguments with every value that looks like a secret replaced by `***`.

    Covers `--token X`, `--token=X`, `TOKEN=X` (also inside one argument, as in `sh -c "TOKEN=X run"`),
    passwords in addresses and bearer tokens.
    """
    shown: list[str] = []
    hide_next = False
    for argument in argv:
        hidden = hide_next and not argument.startswith("--")
        shown.append(MASK if hidden else masked_text(argument))
        hide_next = not hidden and _OPTION.fullmatch(argument) is not None
    return shown


def printable(text: str) -> str:
    """The text without lone surrogates, which stand for bytes that are not UTF-8: no report can hold them."""
    return text.encode("utf-8", "replace").decode("utf-8")


def masked_text(text: str) -> str:
    """One argument, or one line of a command, printable and with the secrets in it replaced."""
    text = printable(text)
    if " " not in text and "=" in text:
        name, _, value = text.partition("=")
        return f"{name}={MASK}" if value and is_secret_name(name) else _masked_inside(text)
    return _masked_inside(text)


def is_secret_name(name: str) -> bool:
    """Whether a variable or option of this name probably holds a secret."""
    return re.search(_SECRET, name, re.IGNORECASE) is not None


def _masked_inside(text: str) -> str:
    for pattern in (_ASSIGNED, _OPTION_AND_VALUE, _JSON):
        text = pattern.sub(rf"\g<1>{MASK}", text)
    text = _IN_ADDRESS.sub(rf"\g<1>{MASK}", text)
    return _BEARER.sub(rf"\g<1>{MASK}", text)
