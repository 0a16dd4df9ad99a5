"""The wrapper of CUDA's launch function, driven as Warp drives it.

No machine with a GPU is at hand in tests, so the native function is a stand-in: it takes what Warp
passes and says whether the launch failed. What is tested is ours: which launches are counted, as what,
and what becomes of those that are captured into a graph.
"""

from tests.recorder.target import KERNEL, Target

DRIVE = """
import ctypes, sys
from _warp_mcp_recorder import cuda, graphs, launch_total
from warp._src.types import launch_bounds_t

class Core:
    def wp_cuda_stream_is_capturing(self, stream):
        return stream == 99

    def wp_cuda_stream_get_capture_id(self, stream):
        return 5

class Runtime:
    core = Core()
    captures = {}

class Graph:
    pass

class Command:
    def launch(self, call):
        call(None, 777, self.bounds.size, 0, 256, 1, 1, 0, self.parameters, 7, None)

runtime, graph = Runtime(), Graph()
works, fails = cuda.make(lambda *_: 0, runtime), cuda.make(lambda *_: 1, runtime)
entry = next(iter(add.module.execs.values())).get_kernel_hooks(add)

def launch(call, count, stream=7):
    kernel, hooks, adjoint, bounds = add, entry, False, launch_bounds_t((count,))
    parameters = (ctypes.c_void_p * 1)(ctypes.addressof(bounds))
    return call(None, 12345, bounds.size, 0, 256, 1, 1, 0, parameters, stream, None)

def elsewhere(call):
    bounds_elsewhere = launch_bounds_t((3,))
    parameters = (ctypes.c_void_p * 1)(ctypes.addressof(bounds_elsewhere))
    call(None, 4711, 3, 0, 256, 1, 1, 0, parameters, 7, None)

"""


def test_launches_are_counted_by_what_their_function_stands_for(target: Target) -> None:
    text = "for _ in range(3):\n    launch(works, 8)\nassert launch(fails, 8) == 1\nlaunch(works, 16)\n"
    result = target.recorded(target.program(KERNEL + DRIVE + text))
    assert result.returncode == 0, result.stderr
    (process,) = target.processes()
    assert {tuple(one.dim): one.count for one in process.signatures} == {(8,): 4, (16,): 1}
    assert {one.kernel for one in process.signatures} == {"add"}


def test_captured_launches_count_when_the_graph_is_replayed(target: Target) -> None:
    text = "runtime.captures = {5: graph}\nlaunch(works, 8, stream=99)\nlaunch(works, 8, stream=99)\n"
    text += "assert launch_total() == 1\n"
    text += "for _ in range(3):\n    graphs._graph_launched(None, None, None, (graph,), {})\n"
    result = target.recorded(target.program(KERNEL + DRIVE + text))
    assert result.returncode == 0, result.stderr
    assert [process.launches for process in target.processes()] == [7]


def test_a_recorded_command_is_known_by_its_object(target: Target) -> None:
    text = "command = Command()\ncommand.kernel, command.hooks, command.adjoint = add, entry, True\n"
    text += "command.bounds = launch_bounds_t((4,))\n"
    text += "command.parameters = (ctypes.c_void_p * 1)(ctypes.addressof(command.bounds))\n"
    text += "command.launch(works)\n"
    result = target.recorded(target.program(KERNEL + DRIVE + text))
    assert result.returncode == 0, result.stderr
    (process,) = target.processes()
    assert [(one.dim, one.adjoint, one.count) for one in process.signatures] == [
        ([8], False, 1),
        ([4], True, 1),
    ]


def test_a_launch_from_a_place_that_tells_nothing_is_said_to_be_uncounted(target: Target) -> None:
    result = target.recorded(target.program(KERNEL + DRIVE + "elsewhere(works)\nelsewhere(works)\n"))
    assert result.returncode == 0, result.stderr
    (process,) = target.processes()
    assert process.launches == 1
    assert [problem.detail for problem in process.problems] == [
        "a CUDA launch from elsewhere",
        "2 launches could not be counted",
    ]


def test_a_launch_through_the_wrapper_of_somebody_else_is_counted_all_the_same(target: Target) -> None:
    text = "def between(*args):\n    return works(*args)\nlaunch(between, 8)\n"
    result = target.recorded(target.program(KERNEL + DRIVE + text))
    assert result.returncode == 0, result.stderr
    (process,) = target.processes()
    assert {tuple(one.dim): one.count for one in process.signatures} == {(8,): 2}
    assert process.problems == []
