"""A small simulation with a backward pass. Tests edit it in one way after the other, and see what is said."""
import numpy as np
import warp as wp

wp.config.use_precompiled_headers = False

N = 32


@wp.kernel
def advance(gain: wp.array(dtype=float), x: wp.array(dtype=float), y: wp.array(dtype=float)):
    i = wp.tid()
    y[i] = gain[0] * x[i] * x[i]


@wp.kernel
def weigh(y: wp.array(dtype=float), energy: wp.array(dtype=wp.float64)):
    i = wp.tid()
    energy[i] = wp.float64(y[i]) / wp.float64(3.0)


@wp.kernel
def mark(y: wp.array(dtype=float), marks: wp.array(dtype=int)):
    i = wp.tid()
    marks[i] = marks[i] + int(y[i] * 100000.0)


@wp.kernel
def add_up(y: wp.array(dtype=float), loss: wp.array(dtype=float)):
    wp.atomic_add(loss, 0, y[wp.tid()])


with wp.ScopedDevice("cpu"):
    gain = wp.array([1.5], dtype=float, requires_grad=True)
    x = wp.array(np.linspace(0.1, 1.0, N), dtype=float, requires_grad=True)
    y = wp.zeros(N, dtype=float, requires_grad=True)
    energy = wp.zeros(N, dtype=wp.float64)
    marks = wp.zeros(N, dtype=int)
    loss = wp.zeros(1, dtype=float, requires_grad=True)
    with wp.Tape() as tape:
        wp.launch(advance, dim=N, inputs=[gain, x], outputs=[y])
        wp.launch(add_up, dim=N, inputs=[y], outputs=[loss])
    tape.backward(loss)
    for step in range(3):
        wp.launch(weigh, dim=N, inputs=[y], outputs=[energy])
        wp.launch(mark, dim=N, inputs=[y], outputs=[marks])
print("loss", loss.numpy()[0])
