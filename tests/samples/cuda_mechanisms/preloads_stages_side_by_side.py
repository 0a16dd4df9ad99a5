"""CS-13 and CS-5 repaired: three threads build the modules at the block dimension of their launches."""
import warp as wp

if not wp.is_cuda_available():
    raise SystemExit("this program needs a CUDA device")
wp.set_device("cuda:0")
wp.config.enable_backward = False


@wp.kernel(module="predict")
def predict_stir(x: wp.array(dtype=float)):
    i = wp.tid()
    a = x[i]
    d = wp.vec3(a, wp.sin(a), 0.1)
    n = wp.curlnoise(wp.rand_init(1, i), wp.vec4(d[0], d[1], d[2], a))
    x[i] = wp.dot(n, d)


@wp.kernel(module="predict")
def predict_damp(x: wp.array(dtype=float)):
    i = wp.tid()
    x[i] = 0.5 * x[i] + 0.1


@wp.kernel(module="solve")
def solve_stir(x: wp.array(dtype=float)):
    i = wp.tid()
    a = x[i]
    d = wp.vec3(a, wp.sin(a), 0.2)
    n = wp.curlnoise(wp.rand_init(1, i), wp.vec4(d[0], d[1], d[2], a))
    x[i] = wp.dot(n, d)


@wp.kernel(module="solve")
def solve_damp(x: wp.array(dtype=float)):
    i = wp.tid()
    x[i] = 0.5 * x[i] + 0.2


@wp.kernel(module="correct")
def correct_stir(x: wp.array(dtype=float)):
    i = wp.tid()
    a = x[i]
    d = wp.vec3(a, wp.sin(a), 0.3)
    n = wp.curlnoise(wp.rand_init(1, i), wp.vec4(d[0], d[1], d[2], a))
    x[i] = wp.dot(n, d)


@wp.kernel(module="correct")
def correct_damp(x: wp.array(dtype=float)):
    i = wp.tid()
    x[i] = 0.5 * x[i] + 0.3


stages = [wp.get_module(name) for name in ("predict", "solve", "correct")]
wp.force_load("cuda:0", modules=stages, block_dim=128, max_workers=3)  # here: preload
x = wp.ones(256, dtype=float)
for kernel in (predict_stir, predict_damp, solve_stir, solve_damp, correct_stir, correct_damp):
    wp.launch(kernel, dim=256, inputs=[x], block_dim=128)
print("x0", x.numpy()[0])
