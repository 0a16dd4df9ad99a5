"""Launches kernels, all through the same line."""
import warp as wp

floats = wp.ones(8, dtype=wp.float32, device="cpu")
doubles = wp.ones(8, dtype=wp.float64, device="cpu")


def run(*kernels, on=floats):
    for kernel in kernels:
        wp.launch(kernel, dim=8, inputs=[on], device="cpu")  # here: launch


def hash_again(*modules):
    """Sets an option to what it is: the modules are hashed again, and nothing else happens."""
    for module in modules:
        wp.set_module_options({"fast_math": False}, module=module)
