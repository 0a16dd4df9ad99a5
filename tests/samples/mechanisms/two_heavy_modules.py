"""Two named modules that take long enough to build that two threads meet in them."""
import warp as wp


def make(name, scale):
    @wp.kernel(module=name)
    def grind(x: wp.array(dtype=float)):
        i = wp.tid()
        a = x[i]
        for _k in range(12):
            a = wp.sin(a) * wp.static(scale) + wp.exp(-a * a) * wp.cos(a)
        x[i] = a

    @wp.kernel(module=name)
    def polish(x: wp.array(dtype=float)):
        i = wp.tid()
        x[i] = x[i] * wp.static(scale)

    return grind, polish


LEFT = make("left_half", 0.5)
RIGHT = make("right_half", 0.25)
