"""Records a launch command and runs it five times, the last two with another dim. Runs on every supported release."""
import warp as wp


@wp.kernel
def add_one(x: wp.array(dtype=float), by: float):
    i = wp.tid()
    x[i] = x[i] + by


x = wp.zeros(8, dtype=float, device="cpu")
command = wp.launch(add_one, dim=8, inputs=[x, 1.0], device="cpu", record_cmd=True)
for _ in range(3):
    command.launch()
command.set_dim(4)
command.set_param_by_name("by", 2.0)
for _ in range(2):
    command.launch()
print("x", x.numpy()[0], x.numpy()[7])
