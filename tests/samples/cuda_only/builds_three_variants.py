"""One module at three block dimensions, and once more after an option that comes late. Needs a CUDA device.

With the word `hashes` it only prints the hash of each, which needs none.
"""

import sys

import warp as wp

wp.set_module_options({"enable_backward": False})


@wp.kernel
def fill(x: wp.array(dtype=int), value: int):
    x[wp.tid()] = value


module = fill.module
if "hashes" in sys.argv:
    wp.init()
    first = [module.get_module_hash(block_dim).hex()[:7] for block_dim in (256, 128, 64)]
    wp.set_module_options({"fast_math": True})
    print(*first, module.get_module_hash(256).hex()[:7])
    raise SystemExit
if not wp.is_cuda_available():
    raise SystemExit("This program needs a CUDA device.")

wp.set_device("cuda:0")
x = wp.zeros(10, dtype=int)
wp.load_module(device="cuda:0")
wp.launch(fill, 10, inputs=[x, 1])
wp.launch(fill, 10, inputs=[x, 2], block_dim=128)
wp.load_module(device="cuda:0", block_dim=64)
wp.set_module_options({"fast_math": True})
wp.launch(fill, 10, inputs=[x, 3])
assert x.numpy().tolist() == [3] * 10
on_host = wp.zeros(10, dtype=int, device="cpu")
wp.launch(fill, 10, inputs=[on_host, 4], device="cpu")
assert on_host.numpy().tolist() == [4] * 10
