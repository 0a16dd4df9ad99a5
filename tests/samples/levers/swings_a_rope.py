"""Backward code that nobody uses, in four modules that share the precompiled header."""
import warp as wp

from rope.advance import advance
from rope.drag import drag
from rope.limit import limit
from rope.pull import pull

N = 32
with wp.ScopedDevice("cpu"):
    x = wp.array([(0.1 * i, 0.0, 0.0) for i in range(N)], dtype=wp.vec3)
    v = wp.zeros(N, dtype=wp.vec3)
    force = wp.zeros(N, dtype=wp.vec3)
    for _ in range(8):
        wp.launch(pull, N, inputs=[x, force, 0.1])
        wp.launch(drag, N, inputs=[v, force, wp.vec3(1.0, 0.0, 2.0)])
        wp.launch(advance, N, inputs=[x, v, force, 0.01])
        wp.launch(limit, N, inputs=[x, v])
    print("tip", x.numpy()[-1])
