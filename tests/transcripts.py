"""The README's transcripts: taken from real runs, and compared with such runs, numbers aside.

`python -m tests.transcripts` makes the runs and writes them into the README. `measure` and `compare` are
steps of `warp-mcp demo`; `lever`, `check` and `rehearsal` are parts of what the commands print that try an
option on the demo's program, check its repair, and rehearse it on CUDA.
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
NAMES = ("measure", "compare", "lever", "check", "rehearsal")
OF_DEMO = NAMES[:2]

LEVER = "warp-mcp measure --label before --outputs --steady-state --lever enable_backward=false"
AFTER = "warp-mcp measure --label after --outputs --steady-state --against before"
PROGRAM = "python simulate.py"
COMPARE = "warp-mcp compare before after"
REHEARSE = "warp-mcp measure --label on-cuda --rehearse-cuda sm_90"
ON_CUDA = f"{PROGRAM} cuda"

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


def run_check(state: Path) -> dict[str, str]:
    """A lever on the demo's program, a check of its repair and a rehearsal; what each prints, by its name."""
    sides = Path(warp_mcp.__file__).parent / "demo"
    lever = _ours(f"{LEVER} -- {PROGRAM}", sides / "faulty", state)
    _ours(f"{AFTER} -- {PROGRAM}", sides / "repaired", state)
    check = _ours(COMPARE, sides, state)
    return {
        "lever": lever,
        "check": check,
        "rehearsal": _ours(f"{REHEARSE} -- {ON_CUDA}", sides / "faulty", state),
    }


def shown(printed: dict[str, str]) -> dict[str, str]:
    """The parts worth showing of what `run_check` printed; `…` stands for the rest."""
    lever, check, rehearsal = printed["lever"], printed["check"], printed["rehearsal"]
    answer, _, _ = check.partition("\n")
    same = _part(check, "Does it compute the same?")
    fast = _part(check, "Do the kernels run as fast as before?")
    begin, _, _ = rehearsal.partition("\n\nBuilt again")
    inside = _part(rehearsal, "Inside the largest CUDA modules")
    return {
        "lever": f"$ {LEVER} -- \\\n    {PROGRAM}\n…\n{_part(lever, 'What each lever buys')}\n…\n",
        "check": f"$ {AFTER} -- \\\n    {PROGRAM}\n…\n$ {COMPARE}\n{answer}\n…\n{same}\n\n{fast}\n…\n",
        "rehearsal": f"$ {REHEARSE} -- {ON_CUDA}\n{begin}\n…\n{inside}\n…\n",
    }


def _part(page: str, heading: str) -> str:
    """From a heading to the next."""
    match = re.search(rf"^{re.escape(heading)}\n.*?(?=\n\n\S)", page, re.MULTILINE | re.DOTALL)
    assert match is not None, f"no part {heading!r} in:\n{page}"
    return match[0]


def _ours(command: str, directory: Path, state: Path) -> str:
    """What one command of ours prints, with this interpreter for both sides, and nothing of where that is."""
    _, *arguments = command.split()
    words = [sys.executable if word == "python" else word for word in arguments]
    result = subprocess.run(
        [sys.executable, "-m", "warp_mcp", *words],
        cwd=directory,
        env={**os.environ, "WARP_MCP_STATE_DIR": str(state)},
        capture_output=True,
        text=True,
        encoding="utf-8",
        check=False,
    )
    assert result.returncode == 0, result.stdout + result.stderr
    return result.stdout.replace(sys.executable, "python")


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
    noise, what a lever bought and after how many samples), figures and hashes, and the order of modules by
    time.
    """
    for volatile in _VOLATILE:
        transcript = volatile.sub("", transcript)
    text = re.sub(r"^Before you believe.*?\n\n", "", transcript, flags=re.MULTILINE | re.DOTALL)
    text = re.sub(r"^label .*?\n\n", "", text, count=1, flags=re.MULTILINE | re.DOTALL)
    tokens = re.findall(r"\S+", text.replace("\\\n", " "))
    return sorted(token for token in tokens if _is_word(token))


def _is_word(token: str) -> bool:
    figure = re.search(r"\d", token) is not None and not token.startswith("`simulate.py")
    return not figure and re.search(r"[^\W\d_]{2}", token) is not None and token not in _UNITS


_VOLATILE = (
    re.compile(r"^ +enable_backward=false .*$", re.MULTILINE),
    re.compile(r"(?<=● `enable_backward=false`:).*?(?=Takes away)", re.DOTALL),
    re.compile(r"^ +(?:Stopped after|Kernels that ran slower) .*?(?=^…)", re.MULTILINE | re.DOTALL),
    re.compile(r"(?<=as fast as before\?\n).*?(?=^  kernel)", re.MULTILINE | re.DOTALL),
    re.compile(r"^(?:Improved|Inconclusive): .*$(?=\n…)", re.MULTILINE),
    re.compile(r"^  · (?:baseline|candidate): other programs .*$", re.MULTILINE),
    re.compile(r"\s+\([\d.]+\s+m?s\s+of\s+CPU\s+time:\s+it\s+was\s+busy\)"),
)
"""A lever's row and reasons, why it stopped, what came of launch times, and that the machine was busy."""

_UNITS = set("ms µs min ms) ms, ms: ms): yes no native compile code generation under".split())
"""Also the phase that takes most of a small module, which is not the same in every run."""


def main() -> None:
    with tempfile.TemporaryDirectory() as state:
        demo = run_demo(Path(state))
        print(demo.stderr, file=sys.stderr)
        assert demo.returncode == 0, demo.stdout
        found = {**transcripts(demo.stdout), **shown(run_check(Path(state)))}
    README.write_text(with_transcripts(README.read_text(encoding="utf-8"), found), encoding="utf-8")


if __name__ == "__main__":
    main()
