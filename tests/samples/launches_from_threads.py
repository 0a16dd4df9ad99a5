"""Two threads launch twenty times each, kernels of different signatures. Runs on every supported release."""
import threading
import time

import warp as wp


@wp.kernel
def single(x: wp.array(dtype=wp.float32)):
    i = wp.tid()
    x[i] = x[i] + 1.0


@wp.kernel
def double(x: wp.array(dtype=wp.float64)):
    i = wp.tid()
    x[i] = x[i] + wp.float64(1.0)


a = wp.zeros(4, dtype=wp.float32, device="cpu")
b = wp.zeros(9, dtype=wp.float64, device="cpu")
wp.load_module(device="cpu", block_dim=1)


def run(kernel, array):
    for _ in range(20):
        wp.launch(kernel, dim=array.shape[0], inputs=[array], device="cpu")
        time.sleep(0.001)


threads = [threading.Thread(target=run, args=pair) for pair in ((single, a), (double, b))]
for thread in threads:
    thread.start()
for thread in threads:
    thread.join()
print(a.numpy()[0], b.numpy()[0])
