"""Two launches on a tape and their adjoints, twice: four forward, four adjoint. Runs on every supported release."""
import warp as wp


@wp.kernel
def square(x: wp.array(dtype=float), y: wp.array(dtype=float)):
    i = wp.tid()
    y[i] = x[i] * x[i]


@wp.kernel
def total(y: wp.array(dtype=float), loss: wp.array(dtype=float)):
    i = wp.tid()
    wp.atomic_add(loss, 0, y[i])


x = wp.ones(8, dtype=float, device="cpu", requires_grad=True)
for _ in range(2):
    y = wp.zeros(8, dtype=float, device="cpu", requires_grad=True)
    loss = wp.zeros(1, dtype=float, device="cpu", requires_grad=True)
    tape = wp.Tape()
    with tape:
        wp.launch(square, dim=8, inputs=[x], outputs=[y], device="cpu")
        wp.launch(total, dim=8, inputs=[y], outputs=[loss], device="cpu")
    tape.backward(loss)
    gradient = x.grad.numpy()[0]
    tape.zero()
print("gradient", gradient)
