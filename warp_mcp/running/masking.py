"""Hides values that look like secrets before anything about a command leaves this layer.

What belongs here: the one function through which every argument vector passes on its way out. The vector
that is executed is never touched.
"""

import re
from collections.abc import Iterable, Mapping

MASK = "***"

_SECRET = (
    r"(?:token(?!iz)|password|passwd|passphrase|passcode|secret|credential"
    r"|(?<![a-z])(?:keys?|pass)(?![a-z])"
    r"|(?:api|access|private|auth|signing|encryption|licen[cs]e|ssh)[-_.]?key)"
)
"""Names that announce a secret. `key` alone only as a word of its own: not `--keyframe`, not `--monkey`."""
_KEY_AT_END = re.compile(r"(?:[a-z]Key|[A-Z]KEY)s?$")
"""`userKey`, `MYKEY`: a word of its own by its capitals."""
_NAME = rf"[\w.-]{{0,40}}?{_SECRET}[\w.-]{{0,40}}"
"""Bounded, so that a long argument without a secret is passed in linear time."""
_VALUE = r"(?:\"[^\"]*\"|'[^']*'|\S+)"
_OPTION = re.compile(rf"--?(?:{_NAME}|pwd)", re.IGNORECASE)
_ASSIGNED = re.compile(rf"({_NAME}=)(?!=){_VALUE}", re.IGNORECASE)
_OPTION_AND_VALUE = re.compile(rf"((?:^|\s)--?{_NAME}\s+)(?!-){_VALUE}", re.IGNORECASE)
_JSON = re.compile(rf"([\"']{_NAME}[\"']\s*:\s*){_VALUE}", re.IGNORECASE)
_HEADER = re.compile(rf"((?<![\w./-]){_NAME}\s*:\s*)(?![\d\s/]+$)\S.*", re.IGNORECASE)
"""`X-Api-Key: X`, `token:X`; a number after the colon is a line or a port."""
_AUTHORIZATION = re.compile(r"(\bauthorization\s*:\s*).+", re.IGNORECASE)
_IN_ADDRESS = re.compile(r"(\w://[^/\s:@]*:)[^\s@]+(?=@)")
_ALONE_IN_ADDRESS = re.compile(r"(\w://)(?!git@)[^/\s:@]+(?=@)")
_BEARER = re.compile(r"(\bbearer\s+)\S+", re.IGNORECASE)
LEAST_CHARACTERS = 4
"""Shorter values are not looked for in a program's output: they occur everywhere."""


def masked(argv: Iterable[str]) -> list[str]:
    """The arguments with every value that looks like a secret replaced by `***`.

    Covers `--token X`, `--token=X`, `TOKEN=X` (also inside one argument, as in `sh -c "TOKEN=X run"`),
    several values of `--tokens`, headers, passwords in addresses, and bearer tokens.
    """
    shown: list[str] = []
    hiding = several = False
    for argument in argv:
        hidden = hiding and not argument.startswith("--")
        shown.append(MASK if hidden else masked_text(argument))
        if not hidden:
            hiding = _announces(argument)
            several = hiding and argument.lower().endswith("s")
        hiding = hiding and (several or not hidden)
    return shown


def secret_values(argv: Iterable[str], env: Mapping[str, str]) -> list[str]:
    """Values that are hidden in the arguments, or whose variable's name announces a secret; longest first."""
    given = list(argv)
    found = {value for name, value in env.items() if is_secret_name(name)}
    for argument, shown in zip(given, masked(given), strict=True):
        if shown == MASK:
            found.add(argument)
        elif shown.endswith(f"={MASK}"):
            found.add(argument.partition("=")[2])
    return sorted((one for one in found if len(one) >= LEAST_CHARACTERS), key=len, reverse=True)


def without(text: str, secrets: Iterable[str]) -> str:
    """A program's output with the values of `secret_values` replaced, wherever it repeats them."""
    for secret in secrets:
        text = text.replace(secret, MASK)
    return text


def _announces(argument: str) -> bool:
    name = argument.lstrip("-")
    return (
        argument.startswith("-")
        and "=" not in argument
        and (_OPTION.fullmatch(argument) is not None or _KEY_AT_END.search(name) is not None)
    )


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


def _announced(text: str) -> bool:
    """Whether a name that announces a secret is anywhere in it: what takes least, and rules out most."""
    return re.search(_SECRET, text, re.IGNORECASE) is not None


def is_secret_name(name: str) -> bool:
    """Whether a variable or option of this name probably holds a secret."""
    return _announced(name) or _KEY_AT_END.search(name) is not None


def _masked_inside(text: str) -> str:
    named = (_ASSIGNED, _OPTION_AND_VALUE, _JSON, _HEADER) if _announced(text) else ()
    for pattern in (*named, _AUTHORIZATION, _IN_ADDRESS):
        text = pattern.sub(rf"\g<1>{MASK}", text)
    text = _ALONE_IN_ADDRESS.sub(rf"\g<1>{MASK}", text)
    return _BEARER.sub(rf"\g<1>{MASK}", text)
