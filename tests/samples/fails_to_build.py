"""A kernel that cannot be compiled is launched; nobody catches the error."""
import warp as wp


@wp.kernel
def wrong(x: wp.array(dtype=float)):
    i = wp.tid()
    x[i] = wp.no_such_function(x[i])


x = wp.zeros(8, dtype=float, device="cpu")
wp.launch(wrong, dim=8, inputs=[x], device="cpu")
