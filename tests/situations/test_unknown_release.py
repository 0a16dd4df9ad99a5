"""A release of Warp whose internals moved: what is missing is named, and the program runs as always."""

import re
import sys
from pathlib import Path

import pytest
import warp

from tests.situations.measuring import Probe, sample

ORIGINAL = Path(warp.__file__).parent
LINKED = ("bin", "native", "examples", "tests", "thirdparty")
"""Folders of the package without code that the recorder looks at: linked instead of copied."""


def moved_release(directory: Path, renames: dict[str, str]) -> Path:
    """Make a copy of Warp in which some names are others; return the path to import it from."""
    for source in [ORIGINAL, *ORIGINAL.rglob("*")]:
        relative = source.relative_to(ORIGINAL)
        if "__pycache__" in relative.parts or (
            relative.parts and relative.parts[0] in LINKED and len(relative.parts) > 1
        ):
            continue
        target = directory / "warp" / relative
        if relative.parts and relative.parts[0] in LINKED:
            target.symlink_to(source)
        elif source.is_dir():
            target.mkdir(parents=True)
        elif source.suffix == ".py":
            target.write_text(renamed(source.read_text(encoding="utf-8"), renames), encoding="utf-8")
        else:
            target.symlink_to(source)
    return directory


def renamed(text: str, renames: dict[str, str]) -> str:
    """Replace whole names, wherever they stand."""
    for old, new in renames.items():
        text = re.sub(rf"(?<![\w-]){old}\b(?!=)", new, text)
    return text


@pytest.mark.parametrize(
    ("renames", "launches_known"),
    [
        ({"invoke": "dispatch"}, False),
        ({"_compile": "_produce"}, True),
        ({"mark_modified": "_touch"}, True),
    ],
    ids=["launching", "building", "invalidating"],
)
def test_a_release_that_moved_is_said_to_be_unknown_when_it_comes_to(
    renames: dict[str, str], launches_known: bool, probe: Probe, tmp_path: Path
) -> None:
    release = moved_release(tmp_path / "release", renames)

    measured = probe.measure(
        sys.executable,
        sample("launches_once"),
        env={"PYTHONPATH": str(release), "PYTHONDONTWRITEBYTECODE": "1"},
    )

    assert measured.sample["outcome"] == "completed", measured.sample
    assert "x0 3.0" in measured.sample["stdout_tail"]
    assert measured.process.returncode == 0, measured.text
    warning = measured.warnings()["record_incomplete"]
    assert next(iter(renames)) in warning["message"], warning
    if launches_known:
        assert measured.launches["total"] == 3
    else:
        assert measured.launches["sequence_sha256"] is None
        assert measured.launches["complete"] is False


def test_a_release_whose_central_module_is_another_file_is_said_to_be_unknown(
    probe: Probe, tmp_path: Path
) -> None:
    moved = {
        r"_src\.context": "_src.kernels",
        r"from \.context": "from .kernels",
        "import context as": "import kernels as",
        "import context(?! as)": "import kernels as context",
    }
    release = moved_release(tmp_path / "release", moved)
    (release / "warp" / "_src" / "context.py").rename(release / "warp" / "_src" / "kernels.py")

    measured = probe.measure(
        sys.executable,
        sample("launches_once"),
        env={"PYTHONPATH": str(release), "PYTHONDONTWRITEBYTECODE": "1"},
    )

    assert measured.sample["outcome"] == "completed", measured.sample
    assert "x0 3.0" in measured.sample["stdout_tail"]
    assert "context" in measured.warnings()["record_incomplete"]["message"]
    assert measured.launches["sequence_sha256"] is None
    assert measured.launches["complete"] is False


def test_a_warp_that_cannot_be_imported_fails_as_it_does_without_the_probe(
    probe: Probe, tmp_path: Path
) -> None:
    (tmp_path / "broken" / "warp").mkdir(parents=True)
    (tmp_path / "broken" / "warp" / "__init__.py").write_text(
        "raise ImportError('libwarp.so is of another world')\n", encoding="utf-8"
    )

    measured = probe.measure(
        sys.executable, sample("launches_once"), env={"PYTHONPATH": str(tmp_path / "broken")}
    )

    assert measured.sample["outcome"] == "failed"
    assert "libwarp.so is of another world" in measured.sample["stderr_tail"]
    assert measured.process.returncode == 5
