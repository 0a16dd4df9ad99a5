"""Where a constant got its new value: told only where one line alone can have done it."""

import sys
from pathlib import Path
from types import ModuleType

import pytest
from _warp_mcp_recorder import assignments


def assigned(
    monkeypatch: pytest.MonkeyPatch, directory: Path, name: str, value: str, **files: str
) -> str | None:
    """Line found for a change of `name`, which kernels of the first file refer to; "file:line"."""
    for stem, text in files.items():
        path = directory / f"{stem}.py"
        path.write_text(text, encoding="utf-8")
        module = ModuleType(stem)
        module.__file__ = str(path)
        module.SCALE = module.C = 1.0  # type: ignore[attr-defined]
        for other in files:
            setattr(module, other, sys.modules.get(f"made_{other}", module))
        monkeypatch.setitem(sys.modules, f"made_{stem}", module)
    home = directory / f"{next(iter(files))}.py"
    found = assignments.assigned_at(name, str(home), value)
    return found and found.replace(str(directory) + "/", "")


@pytest.mark.parametrize(
    ("value", "text", "line"),
    [
        ("2.0", "C = 1.0\nC = 2.0\n", 2),
        ("2.0", "C = 1.0\n\ndef change():\n    global C\n    C = 2.0\n", 5),
        ("2", "C = 1\nfor C in (1,):\n    pass\nC += 1\n", 4),
        ("wp.float32(2.0)", "C = 1.0\nC = wp.constant(2.0)\nC = wp.constant(3.0)\n", 2),
        ("2.0", "C = 1.0\nC = 5.0\nC = 2.0\n", 3),
        ("2.0", "C = 1.0\nC, z = 2.0, 3\n", 2),
    ],
    ids=["at the top", "in a function", "in place", "by value", "by value, of two", "in a tuple"],
)
def test_the_line_of_a_later_assignment_is_told(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, value: str, text: str, line: int
) -> None:
    assert assigned(monkeypatch, tmp_path, "C", value, app=text) == f"app.py:{line}"


def test_an_assignment_through_the_module_is_found_in_the_file_that_makes_it(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    files = {"app": "import shared\nshared.SCALE = 2.0\n", "shared": "SCALE = 1.0\n"}

    assert assigned(monkeypatch, tmp_path, "shared.SCALE", "2.0", **files) == "app.py:2"


@pytest.mark.parametrize(
    "text",
    [
        "C = 1.0\n",
        "C = 1.0\nC = read()\nC = read()\n",
        "C = 1.0\n\ndef local():\n    C = 2.0\n",
        "C = 1.0\nC = 5.0\n",
        "C = 1.0\n\nclass Lens:\n    def zoom(self):\n        self.C = 2.0\n",
        "C = 1.0\nC = 2.0\nC = read()\n",
    ],
    ids=[
        "only its definition",
        "two that can have done it",
        "a local of that name",
        "another value",
        "an attribute of something else",
        "one that may have been it",
    ],
)
def test_nothing_is_told_where_no_line_or_more_than_one_can_have_done_it(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, text: str
) -> None:
    assert assigned(monkeypatch, tmp_path, "C", "2.0", app=text) is None


def test_a_static_expression_has_no_assignment(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    assert assigned(monkeypatch, tmp_path, "static(n + 1)", "2", app="n = 1\nn = 1\n") is None


def test_a_file_that_is_no_python_any_more_is_passed_over(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    assert assigned(monkeypatch, tmp_path, "C", "2.0", app="C = (\n") is None
