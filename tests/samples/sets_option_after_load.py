"""An option is set after the module was loaded: two builds. Runs on every supported release."""
import warp as wp


@wp.kernel
def first(x: wp.array(dtype=float)):
    i = wp.tid()
    x[i] = wp.sin(x[i])


@wp.kernel
def second(x: wp.array(dtype=float)):
    i = wp.tid()
    x[i] = wp.cos(x[i])


x = wp.ones(8, dtype=float, device="cpu")
wp.launch(first, dim=8, inputs=[x], device="cpu")
wp.set_module_options({"fast_math": True})  # here: option
wp.launch(second, dim=8, inputs=[x], device="cpu")
print("x0", x.numpy()[0])
