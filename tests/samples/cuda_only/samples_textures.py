"""Textures on a CUDA device: made, sampled, copied and captured, each result checked. Needs a CUDA device."""

import numpy as np
import warp as wp

if not wp.is_cuda_available():
    raise SystemExit("This program needs a CUDA device.")
wp.set_module_options({"enable_backward": False})
CLOSEST = wp.TextureFilterMode.CLOSEST


@wp.kernel
def sample_line(line: wp.Texture1D, out: wp.array(dtype=float)):
    i = wp.tid()
    out[i] = wp.texture_sample(line, (float(i) + 0.5) / 5.0, dtype=float)


@wp.kernel
def sample_image(image: wp.Texture2D, out: wp.array2d(dtype=wp.vec2)):
    i, j = wp.tid()
    out[i, j] = wp.texture_sample(
        image, wp.vec2((float(j) + 0.5) / 6.0, (float(i) + 0.5) / 4.0), dtype=wp.vec2
    )


@wp.kernel
def sample_level(image: wp.Texture2D, out: wp.array(dtype=float)):
    out[0] = wp.texture_sample(image, wp.vec2(0.25, 0.25), dtype=float, lod=1.0)


@wp.kernel
def sample_cube(cube: wp.Texture3D, out: wp.array3d(dtype=float)):
    i, j, k = wp.tid()
    at = wp.vec3((float(k) + 0.5) / 4.0, (float(j) + 0.5) / 3.0, (float(i) + 0.5) / 2.0)
    out[i, j, k] = wp.texture_sample(cube, at, dtype=float)


wp.set_device("cuda:0")
random = np.random.default_rng(1)

values = random.integers(0, 255, 5).astype(np.uint8)
out = wp.zeros(5, dtype=float)
wp.launch(sample_line, 5, inputs=[wp.Texture1D(values, filter_mode=CLOSEST), out])
assert np.allclose(out.numpy(), values / 255.0), out.numpy()

pixels = random.random((4, 6, 2), dtype=np.float32)
image, out = wp.Texture2D(pixels, filter_mode=CLOSEST), wp.zeros((4, 6), dtype=wp.vec2)
wp.launch(sample_image, (4, 6), inputs=[image, out])
assert (out.numpy() == pixels).all()
with wp.ScopedCapture() as capture:
    wp.launch(sample_image, (4, 6), inputs=[image, out])
image.copy_from(wp.array(pixels + 1.0, dtype=float))
wp.capture_launch(capture.graph)
assert (out.numpy() == pixels + 1.0).all()
back = wp.zeros((4, 6, 2), dtype=float)
image.copy_to(back)
assert (back.numpy() == pixels + 1.0).all()

checks = np.kron([[0.0, 1.0], [1.0, 0.0]], np.ones((2, 2))).astype(np.float32)
small = wp.Texture2D(checks, filter_mode=CLOSEST, mip_filter_mode=CLOSEST, num_mip_levels=0)
out = wp.full(1, 9.0, dtype=float)
wp.launch(sample_level, 1, inputs=[small, out])
assert out.numpy()[0] == 0.0

voxels = random.random((2, 3, 4), dtype=np.float32)
out = wp.zeros((2, 3, 4), dtype=float)
wp.launch(sample_cube, (2, 3, 4), inputs=[wp.Texture3D(voxels, filter_mode=CLOSEST), out])
assert (out.numpy() == voxels).all()
