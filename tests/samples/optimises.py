"""Three steps of Adam from warp.optim on one array."""
import warp as wp
from warp.optim import Adam

wp.set_device("cpu")
x = wp.ones(8, dtype=float, requires_grad=True)
gradient = wp.ones(8, dtype=float)
optimiser = Adam([x], lr=0.1)
for _ in range(3):
    optimiser.step([gradient])
print("x0", x.numpy()[0])
