"""Builds a module of many kernels, which takes some seconds: something can happen in the middle of it."""

import warp as wp

TEXT = """
@wp.kernel
def work_{i}(x: wp.array(dtype=wp.mat44)):
    i = wp.tid()
    m = x[i]
    for p in range(12):
        m = m * wp.transpose(m) + wp.inverse(m) * float({i})
    x[i] = m
"""


@wp.kernel
def small(x: wp.array(dtype=float)):
    x[wp.tid()] = 1.0


def large():
    import importlib.util
    import pathlib
    import tempfile

    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder) / "large.py"
        path.write_text("import warp as wp\n" + "".join(TEXT.format(i=i) for i in range(40)), encoding="utf-8")
        spec = importlib.util.spec_from_file_location("large", path)
        module = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(module)
        return module.work_0


x = wp.zeros(8, dtype=float, device="cpu")
wp.launch(small, dim=8, inputs=[x], device="cpu")
wp.launch(large(), dim=1, inputs=[wp.zeros(1, dtype=wp.mat44, device="cpu")], device="cpu")
