"""Maps a function over arrays with wp.map, twice: Warp makes the kernel."""
import warp as wp


@wp.func
def blend(a: float, b: float):
    return a * 0.25 + b * 0.75


a = wp.ones(8, dtype=float, device="cpu")
b = wp.zeros(8, dtype=float, device="cpu")
for _ in range(2):
    c = wp.map(blend, a, b, device="cpu")
print("c0", c.numpy()[0])
