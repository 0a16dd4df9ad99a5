"""Builds for CUDA in a spawned process, a forked one and two threads. Does not start without a device."""

import multiprocessing
import threading

import warp as wp

if not wp.is_cuda_available():
    raise SystemExit("This program needs a CUDA device.")
wp.set_module_options({"enable_backward": False})


@wp.kernel
def fill(x: wp.array(dtype=int), value: int):
    x[wp.tid()] = value


def work(value):
    with wp.ScopedDevice("cuda:0"):
        x = wp.zeros(4, dtype=int)
        wp.launch(fill, 4, inputs=[x, value])
        assert x.numpy().tolist() == [value] * 4


if __name__ == "__main__":
    for way in ("spawn", "fork"):
        child = multiprocessing.get_context(way).Process(target=work, args=(3,))
        child.start()
        child.join()
        assert child.exitcode == 0, way
    threads = [threading.Thread(target=work, args=(number,)) for number in (1, 2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
