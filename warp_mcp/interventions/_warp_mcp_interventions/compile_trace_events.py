"""NVRTC's trace of one compilation, as the time of each function that the generated source holds.

What belongs here: where the trace lies, and which of its events are counted. Events nest (a phase holds the
passes, a header the headers that it includes), so of each stage one kind is summed that does not:

optimiser   "OptFunction": the passes over one function, in both phases and in code generation
assembler   "Optimizing compilation unit": one kernel in ptxas

The whole of each stage is told beside them, so that what belongs to no function can be shared out. The front
end tells little of a function by itself: templates are instantiated where they are first used.
"""

import json
import os
import re

FRONT_END = "CUDA C++ Front-End"
SCAN = "Scanning Function Body"
STAGES = {
    FRONT_END: "front_ms",
    "Wrapping up translation unit": "wrap_ms",
    "LibNVVM": "optimiser_ms",
    "NVVM Module Linker": "linker_ms",
    "Total PTXAS Time": "assembler_ms",
    "Post processing": "output_ms",
}
KINDS = {"OptFunction": "optimiser_ms", "Optimizing compilation unit": "assembler_ms"}
INTERNAL = re.compile(r"^_ZN\d+_INTERNAL_\w*?_cu_[0-9a-f]{8}(\d+)")
"""A function of the generated source in a trace of the optimiser: static, so in a namespace of its file."""
BEGINS = re.compile(r'^(?:static |extern "C" |CUDA_CALLABLE |inline |template)[^;]*?\b(\w+)\($', re.MULTILINE)
"""Where a function of the generated source begins: its parameters are on lines of their own."""


def expected(output):
    """Where the trace of a build to `output` is going to be.

    Warp asks for `<output>_compile-time-trace.json`. NVRTC 13 adds `.json` to that. NVRTC 12.9 writes to the
    name it is given, and its assembler then opens the one with the addition, and fails: a link serves both.
    """
    place = output + "_compile-time-trace.json"
    os.symlink(os.path.basename(place), place + ".json")
    return place


def read(path, source):
    """{stage: ms of the whole, "headers_ms", "counted": {stage: ms}, "functions": [{"name", ...}]}.

    "headers_ms" is what the front end takes until it comes to the first function of the generated source:
    reading the headers, or their precompiled form, and writing that. "functions" are those of the generated
    source with their "bytes", and "calls", the names of others among them. Raises when there is no trace, or
    one of another kind.
    """
    with open(path, "rb") as file:
        events = json.loads(file.read().decode("utf-8", "replace"))["traceEvents"]
    functions = _functions(source.decode("utf-8", "replace"))
    told = dict.fromkeys(STAGES.values(), 0.0)
    counted = dict.fromkeys(KINDS.values(), 0.0)
    own = []
    for event in (one for one in events if "dur" in one):
        name, ms = event["name"], event["dur"] / 1000
        if name in STAGES:
            told[STAGES[name]] += ms
        elif name in KINDS:
            counted[KINDS[name]] += ms
            if _function(event) in functions:
                functions[_function(event)][KINDS[name]] += ms
        elif name == SCAN and _function(event) in functions:
            own.append(event["ts"] / 1000)
    if not told["front_ms"]:
        raise ValueError("the trace has no events of a compiler")
    headers = min(own) - _begin_ms(events) if own else told["front_ms"]
    return dict(told, headers_ms=headers, counted=counted, functions=list(functions.values()))


def _begin_ms(events):
    return min(one["ts"] for one in events if one.get("name") == FRONT_END) / 1000


def _function(event):
    """Name in the generated source of the function that an event is about, if it is one of those."""
    about = event.get("args") or {}
    text = about.get("detail") or about.get("name") or ""
    inner = INTERNAL.match(text)
    if inner:
        return text[inner.end() : inner.end() + int(inner.group(1))]
    return text.partition("(")[0]


def _functions(source):
    """{name: entry with its size and which others it calls} of the generated source."""
    begins = list(BEGINS.finditer(source))
    ends = [one.start() for one in begins[1:]] + [len(source)]
    bodies = {}
    for begin, end in zip(begins, ends):
        bodies[begin.group(1)] = bodies.get(begin.group(1), "") + source[begin.start() : end]
    entries = {}
    for name, body in bodies.items():
        used = set(re.findall(r"(?<![\w:])(\w+)\(", body))
        entries[name] = {
            "name": name,
            "bytes": len(body),
            "calls": sorted((used & bodies.keys()) - {name}),
            "optimiser_ms": 0.0,
            "assembler_ms": 0.0,
        }
    return entries
