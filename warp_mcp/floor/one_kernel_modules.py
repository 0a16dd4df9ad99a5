"""Build modules of one tiny kernel each, one after the other: what a module costs whatever it holds.

Run in the interpreter of a measured program, with the recorder, which does the timing. The argument is JSON:
`device`, `block_dim` (0: Warp's own), `modules` (how many) and `options`, texts by name as the recorder
writes resolved options. The last line of standard output is `MARK` and JSON: `set`, the options that differ
from what Warp would have used, and `could_not`, those that could not be given the wanted value.
"""

import ast
import json
import sys

import warp as wp

MARK = "one-kernel modules:"


def add_one(a: wp.array(dtype=float)):
    i = wp.tid()
    a[i] = a[i] + 1.0


def resolved(module):
    """Option values that the module would be built with."""
    config = vars(wp.config)
    if hasattr(type(module), "resolve_options"):
        return dict(module.resolve_options(wp.config))
    return {**config, **{name: value for name, value in module.options.items() if value is not None}}


def value_of(text, like):
    """The value that a text stands for, of the kind that Warp has now."""
    if isinstance(like, str):
        return text
    try:
        value = ast.literal_eval(text)
    except (ValueError, SyntaxError):
        return text
    return value if like is None or isinstance(like, (bool, tuple, list)) else type(like)(value)


def apply(module, name, value):
    """Give a module an option, or the whole process where Warp has it for all."""
    if name in module.options:
        module.options[name] = value
    else:
        setattr(wp.config, name, value)


def wanted(module, options):
    """Values by name that differ from what the module would be built with."""
    now = resolved(module)
    return {
        name: value_of(text, now[name])
        for name, text in options.items()
        if name in now and str(now[name]) != text
    }


def main(request):
    device = wp.get_device(request["device"])
    differing = wanted(wp.get_module("one_kernel_modules.options"), request["options"])
    modules = [wp.get_module(f"one_kernel_modules.number_{n}") for n in range(1, request["modules"] + 1)]
    for module in modules:
        for name, value in differing.items():
            apply(module, name, value)
    now = {name: str(value) for name, value in resolved(modules[0]).items()}
    told = {
        "set": {name: now[name] for name in differing},
        "could_not": sorted(name for name, text in request["options"].items() if now.get(name) != text),
    }
    kernels = [wp.Kernel(func=add_one, key="add_one", module=module) for module in modules]
    a = wp.zeros(1, dtype=float, device=device)
    at = {"block_dim": request["block_dim"]} if request["block_dim"] else {}
    for kernel in kernels:
        wp.launch(kernel, dim=1, inputs=[a], device=device, **at)
    wp.synchronize_device(device)
    print(MARK, json.dumps(told), flush=True)


if __name__ == "__main__":
    main(json.loads(sys.argv[1]))
