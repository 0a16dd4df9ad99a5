"""A kernel whose native code does not compile is tried three times; each time the program goes on with another one.

Where Warp raises, the error is caught; up to 1.15 the launch does nothing and says so on standard output only. Runs on every supported release.
"""
import warp as wp

snippet = """
    x[tid] = this_is_not_declared_anywhere;
"""


@wp.func_native(snippet)
def broken(x: wp.array(dtype=float), tid: int):
    ...


@wp.kernel(module="unique")
def fancy(x: wp.array(dtype=float)):
    i = wp.tid()
    broken(x, i)


@wp.kernel(module="unique")
def simple(x: wp.array(dtype=float)):
    i = wp.tid()
    x[i] = x[i] + 1.0


x = wp.zeros(8, dtype=float, device="cpu")
for _ in range(3):
    try:
        wp.launch(fancy, dim=8, inputs=[x], device="cpu")
    except Exception as error:
        print("fallback", type(error).__name__)
    wp.launch(simple, dim=8, inputs=[x], device="cpu")
print("x0", x.numpy()[0])
