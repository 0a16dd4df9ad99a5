"""Takes `launch` and others by name at import. Runs on every supported release."""
import warp as wp
from warp import launch, zeros


@wp.kernel
def add_one(x: wp.array(dtype=float)):
    i = wp.tid()
    x[i] = x[i] + 1.0


x = zeros(8, dtype=float, device="cpu")
launch(add_one, 8, [x], device="cpu")
launch(add_one, 8, [x], device="cpu")
print("x0", x.numpy()[0])
