"""What the source of a build consists of: adjoint code, unrolled loops; and how its module came to be."""

from tests.recorder.target import Target

HEAD = """
import warp as wp
wp.config.log_level = wp.LOG_ERROR
wp.config.use_precompiled_headers = False
x = wp.zeros(8, dtype=float, device="cpu")
"""

LOOPS = """
wp.set_module_options({{"max_unroll": {budget}}})

@wp.kernel(enable_backward={backward})
def work(x: wp.array(dtype=float)):
    i = wp.tid()
    for p in range(6):
        for q in range(5):
            x[i] = x[i] * 2.0 + float(p * q)

wp.launch(work, dim=8, inputs=[x], device="cpu")
"""


def built(target: Target, text: str):
    target.environment["WARP_CACHE_PATH"] = str(target.directory / "cache")  # only what is built has a source
    result = target.recorded(target.program(HEAD + text))
    assert result.returncode == 0, result.stderr
    (process,) = target.processes()
    assert not process.problems
    return process


def test_adjoint_code_is_told_apart_and_is_absent_where_backward_is_off(target: Target) -> None:
    (load,) = built(target, LOOPS.format(budget=16, backward=True)).loads

    assert 0.3 * load.source_bytes < load.adjoint_bytes < 0.9 * load.source_bytes


def test_a_kernel_without_backward_has_an_empty_adjoint_at_most(target: Target) -> None:
    (load,) = built(target, LOOPS.format(budget=16, backward=False)).loads

    assert load.adjoint_bytes < 0.3 * load.source_bytes


def test_statements_that_unrolling_added_are_counted_through_nested_loops(target: Target) -> None:
    """30 bodies in place of 1: most statements within the loops, and some around them."""
    (load,) = built(target, LOOPS.format(budget=16, backward=False)).loads

    assert 0.9 < load.unrolled_statements / load.statements < 0.98


def test_a_loop_that_is_not_unrolled_adds_nothing(target: Target) -> None:
    (load,) = built(target, LOOPS.format(budget=0, backward=False)).loads

    assert load.statements
    assert load.unrolled_statements == 0


FORCED = """
@wp.kernel(enable_backward=False)
def work(x: wp.array(dtype=float)):
    i = wp.tid()
    for p in range(4):
        x[i] = x[i] * 2.0
    for q in range(10):
        x[i] = x[i] + wp.static(float(q))

wp.launch(work, dim=8, inputs=[x], device="cpu")
"""


def test_loops_that_a_lower_budget_would_leave_as_they_are_add_nothing(target: Target) -> None:
    """Short ones, and those that `wp.static` makes Warp unroll whatever the budget."""
    (load,) = built(target, FORCED).loads

    assert load.unrolled_statements == 0


def test_how_a_module_came_to_be_is_told(target: Target) -> None:
    process = built(
        target,
        """
import warp.fem as fem

@wp.kernel
def of_the_file(x: wp.array(dtype=float)):
    x[wp.tid()] = 1.0

@wp.kernel(module="by_name")
def named(x: wp.array(dtype=float)):
    x[wp.tid()] = 2.0

@wp.kernel(module="unique")
def alone(x: wp.array(dtype=float)):
    x[wp.tid()] = 3.0

def mapped(a: float):
    return a + 1.0

@fem.integrand
def one(s: fem.Sample):
    return 1.0

for kernel in (of_the_file, named, alone):
    wp.launch(kernel, dim=8, inputs=[x], device="cpu")
wp.map(mapped, x)
fem.integrate(one, domain=fem.Cells(fem.Grid2D(res=wp.vec2i(2, 2))))
""",
    )
    made = {module.name: module.made for module in process.modules}
    loaded = {made[load.name] for load in process.loads}

    assert made["__main__"] == "file"
    assert made["by_name"] == "named"
    assert made["map_mapped"] == "map"
    assert [how for name, how in made.items() if name.startswith("alone_")] == ["unique"]
    assert "fem" in loaded
