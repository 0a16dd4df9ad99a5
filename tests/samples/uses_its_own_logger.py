"""Hands Warp's messages to a logger of its own, which keeps them to itself."""
import warp as wp


class Quiet:
    def __init__(self):
        self.messages = []

    def debug(self, message):
        self.messages.append(message)

    def info(self, message):
        self.messages.append(message)

    def warning(self, message, category=None, stacklevel=1):
        self.messages.append(message)

    def error(self, message):
        self.messages.append(message)


logger = Quiet()
wp.set_logger(logger)


@wp.kernel
def add_one(x: wp.array(dtype=float)):
    i = wp.tid()
    x[i] = x[i] + 1.0


x = wp.zeros(8, dtype=float, device="cpu")
wp.launch(add_one, dim=8, inputs=[x], device="cpu")
print("kept", len(logger.messages) > 0)
