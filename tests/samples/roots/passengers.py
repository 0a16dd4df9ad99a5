"""A setting of Warp that rides along with three rebuilds, each of which has a cause of its own that forces it."""
import drift
import rope
import spring
import warp as wp
from running import run

run(drift.drift, spring.spring, rope.rope)

wp.config.verify_fp = True


@wp.kernel(module=wp.get_module("drift"))
def first(x: wp.array(dtype=float)):  # here: first
    i = wp.tid()
    x[i] = x[i] - 1.0


@wp.kernel(module=wp.get_module("spring"))
def second(x: wp.array(dtype=float)):  # here: second
    i = wp.tid()
    x[i] = x[i] - 1.0


wp.set_module_options({"max_unroll": 4}, module=rope)  # here: own
run(drift.drift, spring.spring, rope.rope)
