"""CS-1: a library's factory is asked for each kernel after the one before it has run."""
import reducers
import warp as wp

wp.config.enable_backward = False

import ordinary_modules


@wp.func
def halve(a: float):
    return a * 0.5


@wp.func
def negate(a: float):
    return -a


@wp.func
def square(a: float):
    return a * a


x = wp.ones(8, dtype=float, device="cpu")
ordinary_modules.launch_all()
kept = []
for func in (halve, negate, square):
    kept.append(reducers.make_apply(func))
    wp.launch(kept[-1], dim=8, inputs=[x], device="cpu")
print("x0", x.numpy()[0])
