"""CS-4 repaired: the chain of functions is mapped as one."""
import warp as wp

wp.config.enable_backward = False

import ordinary_modules


@wp.func
def chain(a: float):
    b = -(a * 0.5) * 2.0
    c = b * b
    return wp.exp(-wp.sin(c * c * c + 1.0) * wp.sin(c * c * c + 1.0))


x = wp.ones(8, dtype=float, device="cpu")
ordinary_modules.launch_all()
x = wp.map(chain, x)
print("x0", x.numpy()[0])
