"""Uses of CUDA that need a real device, each caught. Does not start without one."""

import os
import tempfile

import warp as wp

if not wp.is_cuda_available():
    raise SystemExit("This program needs a CUDA device.")
wp.set_module_options({"enable_backward": False})


@wp.func_native("out[i] = threadIdx.x + 1; __syncthreads();")
def cuda_only(out: wp.array(dtype=int), i: int): ...


@wp.kernel
def native(out: wp.array(dtype=int)):
    cuda_only(out, wp.tid())


@wp.kernel
def plain(out: wp.array(dtype=int)):
    out[wp.tid()] = 7


@wp.kernel
def large(out: wp.array2d(dtype=float)):
    wp.tile_store(out, wp.tile_zeros(shape=(256, 300), dtype=float, storage="shared"))


def attempt(action):
    try:
        action()
    except Exception as error:
        print(type(error).__name__)


wp.set_device("cuda:0")
out = wp.zeros(4, dtype=int)
for _ in range(3):
    wp.launch(native, 4, inputs=[out])
wp.launch(plain, 4, inputs=[out])
assert out.numpy().tolist() == [7] * 4

begin, end = wp.Event(enable_timing=True), wp.Event(enable_timing=True)
wp.record_event(begin)
wp.record_event(end)
assert wp.get_event_elapsed_time(begin, end) >= 0.0

with wp.ScopedTimer("kernels", cuda_filter=wp.TIMING_KERNEL):
    wp.launch(plain, 4, inputs=[out])
wp.set_mempool_release_threshold("cuda:0", 1 << 20)
assert wp.get_mempool_release_threshold("cuda:0") == 1 << 20

attempt(lambda: wp.to_dlpack(out))
assert wp.from_dlpack(out).numpy().tolist() == [7] * 4  # from Warp to Warp
attempt(lambda: out.__cuda_array_interface__)
attempt(lambda: out.ipc_handle())
attempt(lambda: wp.from_ipc_handle(bytes(64), dtype=int, shape=4, device="cuda:0"))
attempt(lambda: wp.Event("cuda:0", interprocess=True).ipc_handle())
attempt(lambda: wp.event_from_ipc_handle(bytes(64), "cuda:0"))
tall = wp.zeros((256, 300), dtype=float)
attempt(lambda: wp.launch_tiled(large, dim=[1], inputs=[tall], block_dim=256))

wp.capture_begin(apic=True)
wp.launch(plain, 4, inputs=[out])
graph = wp.capture_end()
saved = os.path.join(tempfile.mkdtemp(dir=os.getcwd()), "graph.wrp")
wp.capture_save(graph, saved)
attempt(lambda: wp.capture_load(saved, device="cuda:0"))
