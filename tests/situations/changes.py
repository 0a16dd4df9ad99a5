"""Edits of the programs in `samples/changes`, and where a comparison has to find each. Holds no test."""

from collections.abc import Mapping
from dataclasses import dataclass

from tests.situations.editing import Edit

SIMULATION = "changes/simulates_and_differentiates"
LOOP = "changes/relaxes_in_a_loop"

WEIGH = """@wp.kernel
def weigh(y: wp.array(dtype=float), energy: wp.array(dtype=wp.float64)):
    i = wp.tid()
    energy[i] = wp.float64(y[i]) / wp.float64(3.0)
"""
MARK = """@wp.kernel
def mark(y: wp.array(dtype=float), marks: wp.array(dtype=int)):
    i = wp.tid()
    marks[i] = marks[i] + int(y[i] * 100000.0)
"""
WEIGHED = "energy[i] = wp.float64(y[i]) / wp.float64(3.0)"
MARKED = "int(y[i] * 100000.0)"
ADVANCED = "y[i] = gain[0] * x[i] * x[i]"
ADVANCE = "@wp.kernel\ndef advance"
ADVANCE_LAUNCH = "        wp.launch(advance, dim=N, inputs=[gain, x], outputs=[y])\n"
TAPE = "    with wp.Tape() as tape:\n"


@dataclass(frozen=True)
class Found:
    """An edit, and where the comparison has to find it."""

    edit: Edit
    launch: int
    """Of the first divergence of the launches, or of the first array that differs."""
    words: tuple[str, ...]
    """What has to be named there."""


def found(says: str, changes: Mapping[str, str], launch: int, *words: str) -> Found:
    return Found(Edit(says, changes), launch, words)


LAUNCHES_CHANGED = [
    found(
        "a launch left out",
        {"        wp.launch(mark, dim=N, inputs=[y], outputs=[marks])\n": ""},
        6,
        "mark",
        "weigh",
    ),
    found("half of the dim", {"launch(weigh, dim=N,": "launch(weigh, dim=N // 2,"}, 5, "[32]", "[16]"),
    found("float32 in place of float64", {"wp.float64": "wp.float32"}, 5, "float64", "float32"),
    found(
        "int64 in place of int",
        {"dtype=int)": "dtype=wp.int64)", MARKED: "wp.int64(y[i] * 100000.0)"},
        6,
        "int32",
        "int64",
    ),
    found(
        "a launch moved out of the tape",
        {TAPE + ADVANCE_LAUNCH: ADVANCE_LAUNCH.removeprefix("    ") + TAPE},
        4,
        "advance",
        "adjoint",
    ),
]

OUTPUTS_CHANGED = [
    found("an empty kernel", {WEIGHED: "pass"}, 5, "energy", "weigh", "did not write"),
    found(
        "float32 inside the kernel",
        {WEIGHED: "energy[i] = wp.float64(y[i] / 3.0)"},
        5,
        "energy",
        "weigh",
        "in place of",
    ),
    found("int16 inside the kernel", {MARKED: f"int(wp.int16({MARKED}))"}, 6, "marks", "mark", "in place of"),
]
"""The launches are those of the baseline, and what they compute is not."""

GRADIENTS_CHANGED = [
    Edit(
        "backward off for a module that a tape goes through",
        {"N = 32\n": 'N = 32\nwp.set_module_options({"enable_backward": False})\n'},
    ),
    Edit("an argument made static", {"gain[0] * x[i]": "wp.static(1.5) * x[i]"}),
    Edit(
        "a copy through numpy inside a tape",
        {
            ADVANCE_LAUNCH: ADVANCE_LAUNCH
            + "        y = wp.array(y.numpy(), dtype=float, requires_grad=True)\n"
        },
    ),
    Edit(
        "a gradient of one's own that is wrong",
        {
            ADVANCE: "@wp.func\ndef square(v: float):\n    return v * v\n\n\n@wp.func_grad(square)\n"
            "def adj_square(v: float, adj_ret: float):\n    wp.adjoint[v] += adj_ret * v\n\n\n" + ADVANCE,
            ADVANCED: "y[i] = gain[0] * square(x[i])",
        },
    ),
]
"""Every launch of a kernel computes what it did before, but for those of the backward pass."""

HARMLESS = [
    Edit(
        "a kernel renamed, one moved to another file, and other comments",
        {
            "weigh": "weigh_cells",
            MARK: "from cells import mark\n",
            f"    i = wp.tid()\n    {ADVANCED}": '    """One step."""\n    # with a gain: #1\n\n'
            f"    i = wp.tid()  # a cell\n    {ADVANCED}",
        },
        {"cells.py": f"import warp as wp\n\n\n{MARK}"},
    ),
    Edit(
        "a kernel of the backward pass moved, definitions in another order, defaults and types spelt out",
        {
            ADVANCE: f'@wp.kernel(module="unique")\n{ADVANCE.splitlines()[1]}',
            f"{WEIGH}\n\n{MARK}": f"{MARK}\n\n{WEIGH}",
            "launch(weigh, dim=N,": 'launch(weigh, dim=(N,), device="cpu",',
            "dtype=float)": "dtype=wp.float32)",
            "dtype=int)": "dtype=wp.int32)",
        },
    ),
    Edit(
        "backward off for a kernel that no tape goes through, one made by a function",
        {
            "@wp.kernel\ndef weigh": "@wp.kernel(enable_backward=False)\ndef weigh",
            MARK: "def make():\n"
            + "".join(f"    {line}\n" for line in MARK.splitlines())
            + "    return mark\n\n\nmark = make()\n",
        },
    ),
]
REWRITTEN = Edit(
    "a body moved into a function",
    {
        "@wp.kernel\ndef weigh": "@wp.func\ndef third(v: float):\n"
        "    return wp.float64(v) / wp.float64(3.0)\n\n\n@wp.kernel\ndef weigh",
        WEIGHED: "energy[i] = third(y[i])",
    },
)
"""Harmless too, but only the outputs show that."""

SLOWER = {
    "relax": Edit("loops no longer unrolled", {"N = 64\n": "N = 64\nwp.config.max_unroll = 1\n"}),
    "square": Edit(
        "more arithmetic with an equal result",
        {
            "    z[i] = y[i] * y[i]\n": "    waste = float(0.0)\n    for k in range(500):\n"
            "        waste = wp.sin(waste + y[i])\n    z[i] = y[i] * y[i] + wp.min(waste * waste, 0.0)\n"
        },
    ),
}
"""By the kernel that gets slower, several times over."""
