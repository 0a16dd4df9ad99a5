"""The layers of the package: who may import whom, what enters the user's process, how large a file may be.

A new arrow is a decision, made in the table here.
"""

import ast
import sys
from pathlib import Path

import pytest

PACKAGE = Path(__file__).parents[1] / "warp_mcp"

LAYERS: dict[str, set[str]] = {
    "models": set(),
    "errors": set(),
    "recorder": set(),
    "interventions": set(),
    "running": {"models", "errors"},
    "reading": {"models", "errors"},
    "analysis": {"models", "errors"},
    "storage": {"models", "errors"},
    "presentation": {"models"},
    "workflows": {"models", "errors", "running", "reading", "analysis", "storage", "presentation"},
    "server": {"workflows", "models", "errors", "presentation"},
    "cli": {"workflows", "models", "errors", "presentation"},
}
"""Layer to the layers it may import; every layer may import itself."""

STDLIB_ONLY = {"recorder", "interventions", "errors"}
OUTSIDE_ANALYSIS = {
    "os",
    "time",
    "subprocess",
    "pathlib",
    "datetime",
    "random",
    "io",
    "shutil",
    "tempfile",
    "socket",
}
"""Modules through which analysis would see the machine, the clock or a file."""

OTHERS = {"demo", "floor"}
"""Folders that hold programs to be measured, not layers."""

MOST_LINES = 300


def files() -> list[Path]:
    return sorted(path for path in PACKAGE.rglob("*.py") if path.relative_to(PACKAGE).parts[0] not in OTHERS)


def layer(path: Path) -> str:
    """Name of the layer a file belongs to; empty for the package's own `__init__` and `__main__`."""
    first = path.relative_to(PACKAGE).parts[0]
    return "" if first in ("__init__.py", "__main__.py") else first.removesuffix(".py")


def imports(path: Path) -> set[str]:
    """Absolute dotted names of everything a file imports, wherever in the file."""
    names: set[str] = set()
    package = ["warp_mcp", *path.relative_to(PACKAGE).parts[:-1]]
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            base = package[: len(package) - node.level + 1] if node.level else []
            origin = ".".join([*base, *([node.module] if node.module else [])])
            names |= {f"{origin}.{alias.name}" for alias in node.names}
    return names


def own_layers(path: Path) -> set[str]:
    """Layers of the package that a file imports from."""
    parts = (name.split(".") for name in imports(path))
    return {name[1] for name in parts if name[0] == "warp_mcp" and len(name) > 1 and name[1] != "__version__"}


def foreign(path: Path) -> set[str]:
    """Top-level names of what a file imports from outside the package."""
    return {name.split(".")[0] for name in imports(path)} - {"warp_mcp"}


def test_every_file_belongs_to_a_layer_of_the_table() -> None:
    unknown = [str(path) for path in files() if layer(path) and layer(path) not in LAYERS]

    assert unknown == []


@pytest.mark.parametrize("name", sorted(LAYERS))
def test_a_layer_imports_only_what_its_row_allows(name: str) -> None:
    allowed = LAYERS[name] | {name}

    wrong = {str(path): own_layers(path) - allowed for path in files() if layer(path) == name}

    assert {path: extra for path, extra in wrong.items() if extra} == {}


def test_nothing_imports_what_enters_the_users_process() -> None:
    wrong = [
        str(path)
        for path in files()
        if own_layers(path) & {"recorder", "interventions"}
        and layer(path) not in {"recorder", "interventions"}
    ]

    assert wrong == []


@pytest.mark.parametrize("name", sorted(STDLIB_ONLY))
def test_what_enters_the_users_process_needs_the_standard_library_only(name: str) -> None:
    siblings = {part.removesuffix(".py") for path in files() if layer(path) == name for part in path.parts}

    wrong = {
        str(path): foreign(path) - set(sys.stdlib_module_names) - siblings - {"warp"}
        for path in files()
        if layer(path) == name
    }

    assert {path: extra for path, extra in wrong.items() if extra} == {}


@pytest.mark.parametrize("name", sorted(STDLIB_ONLY))
def test_what_enters_the_users_process_does_not_import_warp_itself(name: str) -> None:
    at_import = {
        str(path): [
            node.lineno
            for node in ast.parse(path.read_text(encoding="utf-8")).body
            if isinstance(node, (ast.Import, ast.ImportFrom)) and "warp" in foreign_names(node)
        ]
        for path in files()
        if layer(path) == name
    }

    assert {path: lines for path, lines in at_import.items() if lines} == {}


def foreign_names(node: ast.Import | ast.ImportFrom) -> set[str]:
    if isinstance(node, ast.Import):
        return {alias.name.split(".")[0] for alias in node.names}
    return {(node.module or "").split(".")[0]}


def test_analysis_sees_no_file_no_clock_and_no_process() -> None:
    wrong = {str(path): foreign(path) & OUTSIDE_ANALYSIS for path in files() if layer(path) == "analysis"}

    assert {path: extra for path, extra in wrong.items() if extra} == {}


def test_the_probe_never_imports_warp_or_numpy_itself() -> None:
    wrong = [
        str(path) for path in files() if layer(path) not in STDLIB_ONLY and foreign(path) & {"warp", "numpy"}
    ]

    assert wrong == []


@pytest.mark.parametrize(
    "name", ["analysis", "presentation", "recorder", "interventions", "reading", "models", "storage"]
)
def test_a_layer_that_only_computes_never_prints(name: str) -> None:
    prints = [
        f"{path}:{node.lineno}"
        for path in files()
        if layer(path) == name
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "print"
    ]

    assert prints == []


def test_every_file_does_one_thing() -> None:
    lengths = {str(path): len(path.read_text(encoding="utf-8").splitlines()) for path in files()}

    assert {path: count for path, count in lengths.items() if count > MOST_LINES} == {}


def test_every_file_says_what_belongs_in_it() -> None:
    silent = [
        str(path) for path in files() if not ast.get_docstring(ast.parse(path.read_text(encoding="utf-8")))
    ]

    assert silent == []
