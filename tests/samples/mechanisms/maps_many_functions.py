"""CS-4: eight functions are mapped one after the other; wp.map makes a module for each."""
import warp as wp

wp.config.enable_backward = False

import ordinary_modules


@wp.func
def halve(a: float):
    return a * 0.5


@wp.func
def double(a: float):
    return a * 2.0


@wp.func
def negate(a: float):
    return -a


@wp.func
def square(a: float):
    return a * a


@wp.func
def cube(a: float):
    return a * a * a


@wp.func
def offset(a: float):
    return a + 1.0


@wp.func
def wave(a: float):
    return wp.sin(a)


@wp.func
def bell(a: float):
    return wp.exp(-a * a)


x = wp.ones(8, dtype=float, device="cpu")
ordinary_modules.launch_all()
for func in (halve, double, negate, square, cube, offset, wave, bell):
    x = wp.map(func, x)  # here: map
print("x0", x.numpy()[0])
