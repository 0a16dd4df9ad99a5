"""Two kernels are made in functions after the module was loaded: three builds. Runs on every supported release."""
import warp as wp


@wp.kernel
def base(x: wp.array(dtype=float)):
    i = wp.tid()
    x[i] = x[i] + 1.0


def make_halve():
    @wp.kernel
    def halve(x: wp.array(dtype=float)):  # here: halve
        i = wp.tid()
        x[i] = x[i] * 0.5

    return halve


def make_negate():
    @wp.kernel
    def negate(x: wp.array(dtype=float)):  # here: negate
        i = wp.tid()
        x[i] = -x[i]

    return negate


x = wp.ones(8, dtype=float, device="cpu")
wp.launch(base, dim=8, inputs=[x], device="cpu")
kept = []
for make in (make_halve, make_negate):
    kept.append(make())
    wp.launch(kept[-1], dim=8, inputs=[x], device="cpu")
wp.launch(base, dim=8, inputs=[x], device="cpu")
print("x0", x.numpy()[0])
