"""Does not work without the sitecustomize beside it."""
import builtins
import sys

import warp as wp

if getattr(builtins, "own_sitecustomize_ran", 0) != 1 or builtins.warp_was_there:
    raise SystemExit("the user's sitecustomize did not run as it should")
if "own_sitecustomize" not in sys.modules["sitecustomize"].__file__:
    raise SystemExit(f"sitecustomize is {sys.modules['sitecustomize'].__file__}")


@wp.kernel
def add_one(x: wp.array(dtype=float)):
    i = wp.tid()
    x[i] = x[i] + 1.0


x = wp.zeros(8, dtype=float, device="cpu")
wp.launch(add_one, dim=8, inputs=[x], device="cpu")
print("x0", x.numpy()[0])
