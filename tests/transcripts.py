"""The README's transcripts: taken from a real `warp-mcp demo`, and compared with one, numbers aside.

`python -m tests.transcripts` runs the demo and writes them into the README.
"""

import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

import warp_mcp

ROOT = Path(__file__).parents[1]
README = ROOT / "README.md"
NAMES = ("measure", "compare")

_BLOCK = r"(<!-- transcript: {name} -->\n)(.*?)(<!-- /transcript -->)"
_STEPS = {
    "measure": re.compile(
        r"^  \$ (?:cd faulty && )?(warp-mcp measure .*?)$\n(.*?)^── 2", re.MULTILINE | re.DOTALL
    ),
    "compare": re.compile(r"^  \$ (warp-mcp compare .*?)$\n(.*?)^── Your", re.MULTILINE | re.DOTALL),
}


def run_demo(state: Path) -> "subprocess.CompletedProcess[str]":
    """The demo as a newcomer runs it, with a state directory of its own."""
    return subprocess.run(
        [sys.executable, "-m", "warp_mcp", "demo"],
        env={**os.environ, "WARP_MCP_STATE_DIR": str(state)},
        capture_output=True,
        text=True,
        encoding="utf-8",
        check=False,
    )


def transcripts(demo: str) -> dict[str, str]:
    """The two steps worth showing, with nothing in them of the machine's paths."""
    package = str(Path(warp_mcp.__file__).parent)
    neutral = demo.replace(sys.executable, "python").replace(package, "…/warp_mcp")
    found: dict[str, str] = {}
    for name, pattern in _STEPS.items():
        match = pattern.search(neutral)
        assert match is not None, f"the demo shows no step {name}"
        found[name] = f"$ {match[1]}\n{match[2].strip()}\n"
    return found


def in_readme(readme: str, name: str) -> str:
    """One transcript as the README has it; empty when it has none yet."""
    match = re.search(_BLOCK.format(name=name), readme, re.DOTALL)
    assert match is not None, f"the README has no place for {name}"
    return match[2].removeprefix("```text\n").removesuffix("```\n")


def with_transcripts(readme: str, found: dict[str, str]) -> str:
    """The README with these transcripts in it."""
    for name, text in found.items():
        pattern = re.compile(_BLOCK.format(name=name), re.DOTALL)
        readme = pattern.sub(lambda match, text=text: f"{match[1]}```text\n{text}```\n{match[3]}", readme)
    return readme


def skeleton(transcript: str) -> list[str]:
    """The words of a transcript that are the same in every run and on every machine, sorted.

    Left out: what depends on the load of the machine (warnings, whether a difference of a few milliseconds is
    noise), figures and hashes, and the order of modules by time.
    """
    text = re.sub(r"^Before you believe.*?\n\n", "", transcript, flags=re.MULTILINE | re.DOTALL)
    text = re.sub(r"^label .*?\n\n", "", text, count=1, flags=re.MULTILINE | re.DOTALL)
    tokens = re.findall(r"\S+", text.replace("\\\n", " "))
    return sorted(token for token in tokens if _is_word(token))


def _is_word(token: str) -> bool:
    figure = re.search(r"\d", token) is not None and not token.startswith("`simulate.py")
    return not figure and re.search(r"[^\W\d_]{2}", token) is not None and token not in _UNITS


_UNITS = set("ms min ms) ms, ms: ms): yes no native compile code generation under".split())
"""Also the phase that takes most of a small module, which is not the same in every run."""


def main() -> None:
    with tempfile.TemporaryDirectory() as state:
        demo = run_demo(Path(state))
    print(demo.stderr, file=sys.stderr)
    assert demo.returncode == 0, demo.stdout
    README.write_text(
        with_transcripts(README.read_text(encoding="utf-8"), transcripts(demo.stdout)), encoding="utf-8"
    )


if __name__ == "__main__":
    main()
