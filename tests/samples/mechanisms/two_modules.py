"""Two named modules of two kernels each. The first build of a thread takes long: it makes a header of its own."""
import warp as wp


def make(name, scale):
    @wp.kernel(module=name)
    def grind(x: wp.array(dtype=float)):
        i = wp.tid()
        x[i] = wp.sin(x[i]) * wp.static(scale)

    @wp.kernel(module=name)
    def polish(x: wp.array(dtype=float)):
        i = wp.tid()
        x[i] = x[i] * wp.static(scale)

    return grind, polish


LEFT = make("left_half", 0.5)
RIGHT = make("right_half", 0.25)
