"""Refuses to start without a CUDA device; launches one kernel at two block dimensions. `raise`: then fails."""

import sys

import warp as wp

if not wp.is_cuda_available():
    raise SystemExit("this program needs a CUDA device")


@wp.kernel(enable_backward=False)
def grow(x: wp.array(dtype=float)):
    i = wp.tid()
    x[i] = x[i] * 2.0 + 1.0


x = wp.zeros(8, dtype=float, device="cuda:0")
wp.launch(grow, dim=8, inputs=[x], device="cuda:0")
wp.launch(grow, dim=8, inputs=[x], device="cuda:0", block_dim=128)
wp.synchronize()
if "raise" in sys.argv:
    raise RuntimeError("broken half way")
print(x.numpy().sum())
