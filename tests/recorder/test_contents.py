"""What a kernel computes is told by its content: every change of it shows, nothing else does."""

from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
import warp as wp
from _warp_mcp_recorder import contents, kernels

PROGRAM = """
import warp as wp

C = 1.0
TABLE = wp.types.matrix(shape=(10, 10), dtype=float)
M = wp.constant(TABLE(*[float(i * 10 + j) for i in range(10) for j in range(10)]))

@wp.struct
class Inner:
    a: float

@wp.struct
class Outer:
    inner: Inner

@wp.func
def deep(x: float):
    return x * C

@wp.func
def middle(x: float):
    return deep(x) + 1.0

@wp.func
def own(x: float):
    return x

@wp.func_grad(own)
def adj_own(x: float, ret: float):
    wp.adjoint[x] += ret * 2.0

@wp.kernel
def work(x: wp.array(dtype=float), s: Outer):
    i = wp.tid()
    x[i] = middle(x[i]) + own(x[i]) + M[9, 9] + s.inner.a
"""


def kernel_of(directory: Path, text: str, name: str = "work", module: str = "program") -> Any:
    """The kernel `name` of a program, loaded as a module of its own."""
    path = directory / f"{module}_{len(list(directory.iterdir()))}.py"
    path.write_text(text, encoding="utf-8")
    loaded = ModuleType(path.stem)
    loaded.__file__ = str(path)
    exec(compile(text, str(path), "exec"), loaded.__dict__)
    kernel = loaded.__dict__[name]
    kernel.module.get_module_hash()
    return kernel


def digest(kernel: Any) -> str:
    contents.forget()
    return kernels.content_of(kernel)


@pytest.fixture(autouse=True)
def quiet() -> None:
    wp.config.log_level = wp.LOG_ERROR


@pytest.mark.parametrize(
    ("old", "new", "what"),
    [
        ("C = 1.0", "C = 2.0", "constants"),
        ("float(i * 10 + j)", "float(i * 10 + j + (i == 9) * (j == 9))", "constants"),
        ("    a: float\n", "    a: float\n    b: float\n", "uses"),
        ("ret * 2.0", "ret * 3.0", "uses"),
        ("deep(x) + 1.0", "deep(x) + 2.0", "uses"),
        ("+ M[9, 9]", "- M[9, 9]", "source"),
    ],
)
def test_a_change_shows_as_what_it_is(tmp_path: Path, old: str, new: str, what: str) -> None:
    before = contents.describe(kernel_of(tmp_path, PROGRAM))
    contents.forget()
    after = contents.describe(kernel_of(tmp_path, PROGRAM.replace(old, new)))
    names = ("source", "constants", "uses", "types")

    def compared(described: Any) -> tuple[Any, ...]:
        source, constants, uses, types = described
        return source, constants, {name: found for name, (found, _) in uses.items()}, types

    changed = [n for n, a, b in zip(names, compared(before), compared(after), strict=True) if a != b]
    assert changed == [what]


def test_a_gradient_of_its_own_is_told_with_its_line(tmp_path: Path) -> None:
    _, _, uses, _ = contents.describe(kernel_of(tmp_path, PROGRAM))
    _, place = uses["gradient of own"]
    file, _, line = place.rpartition(":")
    assert Path(file).read_text(encoding="utf-8").splitlines()[int(line) - 1].startswith("def adj_own(")


def test_a_constant_of_a_callee_is_named_with_it(tmp_path: Path) -> None:
    _, constants, _, _ = contents.describe(kernel_of(tmp_path, PROGRAM))
    assert constants["deep.C"] == "1.0"


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("def work(", "def renamed("),
        ("wp.array(dtype=float), s", "wp.array(dtype=wp.float32), s"),
        ("@wp.kernel\n", "# a comment before the kernel\n@wp.kernel\n"),
        ("@wp.kernel\n", "@wp.kernel(enable_backward=False)\n"),
        ("    i = wp.tid()\n", "    # a comment\n    i = wp.tid()  # and 'another\n\n"),
        ("    i = wp.tid()\n", '    """What it does: # nothing."""\n    i = wp.tid()\n'),
    ],
)
def test_what_is_no_change_does_not_show(tmp_path: Path, old: str, new: str) -> None:
    name = "renamed" if "renamed" in new else "work"
    assert digest(kernel_of(tmp_path, PROGRAM)) == digest(
        kernel_of(tmp_path, PROGRAM.replace(old, new), name)
    )


STAGES = """
import warp as wp

def make(number):
    @wp.kernel(module=MODULE)
    def stage(x: wp.array(dtype=float)):
        i = wp.tid()
        x[i] = x[i] + wp.static(float(number)) * SCALE
    return stage

SCALE = 2.0
stages = [make(number) for number in range(3)]
for one in stages:
    wp.launch(one, dim=1, inputs=[wp.zeros(1, dtype=float, device="cpu")], device="cpu")
"""


def test_what_only_a_static_expression_names_is_told_by_its_value(tmp_path: Path) -> None:
    """Also where the decorator names it too: that says which module, not what is computed."""

    def digests(module: str, scale: str = "2.0") -> list[str]:
        text = STAGES.replace("MODULE", module).replace("SCALE = 2.0", f"SCALE = {scale}")
        path = tmp_path / f"stages_{len(list(tmp_path.iterdir()))}.py"
        path.write_text(text, encoding="utf-8")
        loaded = ModuleType(path.stem)
        loaded.__file__ = str(path)
        exec(compile(text, str(path), "exec"), loaded.__dict__)
        return [digest(one) for one in loaded.__dict__["stages"]]

    apart = digests('f"apart_{number}"')
    assert len(set(apart)) == 3
    assert digests('"together"') == apart
    assert set(digests('"otherwise"', "3.0")).isdisjoint(apart)


def test_a_hash_in_a_string_is_no_comment(tmp_path: Path) -> None:
    printing = PROGRAM.replace("    i = wp.tid()\n", '    i = wp.tid()\n    wp.printf("# one\\\\n")\n')
    assert printing != PROGRAM
    one = kernel_of(tmp_path, printing)
    other = kernel_of(tmp_path, printing.replace("# one", "# two"))
    assert digest(one) != digest(other)


def test_an_indented_kernel_is_the_same_as_one_at_module_scope(tmp_path: Path) -> None:
    body = "    i = wp.tid()\n    x[i] = x[i] + 1.0\n"
    flat = "import warp as wp\n@wp.kernel\ndef work(x: wp.array(dtype=float)):\n" + body
    nested = "import warp as wp\ndef make():\n    @wp.kernel\n    def work(x: wp.array(dtype=float)):\n"
    nested += body.replace("    ", "        ") + "    return work\nwork = make()\n"
    assert digest(kernel_of(tmp_path, flat)) == digest(kernel_of(tmp_path, nested))


def test_the_line_of_a_kernel_is_that_of_its_def(tmp_path: Path) -> None:
    kernel = kernel_of(tmp_path, PROGRAM)
    place = contents.place_of(kernel)
    assert place is not None
    file, _, line = place.rpartition(":")
    assert Path(file).read_text(encoding="utf-8").splitlines()[int(line) - 1].startswith("def work(")


def test_a_name_is_told_as_it_was_written(tmp_path: Path) -> None:
    text = PROGRAM.replace("def work(", "def größe(")
    assert kernels.last_name(kernel_of(tmp_path, text, "größe")) == "größe"


def test_where_objects_lie_in_memory_does_not_show(tmp_path: Path) -> None:
    returns = PROGRAM.replace("def middle(x: float):", "def middle(x: float) -> float:") + (
        "\n@wp.func\ndef pair(s: Outer) -> tuple[Outer, Inner]:\n    return s, s.inner\n"
        "\nTWO = [deep, middle]\n"
        "\n@wp.kernel\ndef takes(x: wp.array(dtype=float), s: Outer):\n"
        "    first, second = pair(s)\n"
        "    x[0] = first.inner.a + second.a + wp.static(TWO[0])(x[0]) + float(wp.static(len(TWO)))\n"
    )
    first, second = (kernel_of(tmp_path, returns, "takes") for _ in range(2))
    assert digest(first) == digest(second)
    assert "at 0x" not in repr(contents.describe(first))
    assert contents.value_text([len, wp.vec3]) == contents.value_text([len, wp.vec3])
    assert "at 0x" not in contents.value_text({"a": (test_where_objects_lie_in_memory_does_not_show,)})
    changed = returns.replace("tuple[Outer, Inner]", "tuple[Outer, Outer]").replace("s, s.inner\n", "s, s\n")
    changed = changed.replace("second.a", "second.inner.a")
    assert digest(kernel_of(tmp_path, changed, "takes")) != digest(first)
