"""What a rehearsal cannot do is said in the program's words, and the program goes on or fails as it would."""

from pathlib import Path

import pytest

from tests.interventions.injected import Ran
from tests.interventions.rehearsing import completed, rehearse, said

CONDITION = (
    "at the first in each process Warp compiles three small kernels, outside of its modules and its cache; "
    "they are not built here"
)
NOT_BUILT = "it cannot be built for the CPU, so its launches are left out"
NO_DEVICE = "it needs a CUDA device"
INVALID = "Warp CUDA error 1: invalid argument"
HANDLE = "there is no device memory and no event that another process could open"
HANDLES = ("array.ipc_handle", "wp.from_ipc_handle", "Event.ipc_handle", "wp.event_from_ipc_handle")
POINTER = "device memory is the host's in a rehearsal, and no other library can use it"


def test_graphs_and_their_memory_are_replayed_and_their_conditions_said(tmp_path: Path) -> None:
    ran = completed(rehearse(tmp_path, "captures_graphs"))
    assert said(ran) == [("wp.capture_if and wp.capture_while", CONDITION)]  # for all of them


@pytest.fixture(scope="module")
def asked(tmp_path_factory: pytest.TempPathFactory) -> Ran:
    return completed(rehearse(tmp_path_factory.mktemp("asked"), "asks_what_only_a_device_can"))


def test_what_only_a_device_can_do_is_said_by_kernel_or_call(asked: Ran) -> None:
    native = f"{NOT_BUILT}: use of undeclared identifier 'threadIdx'"
    assert said(asked) == [
        *[("kernel native", native)] * 3,
        ("wp.get_event_elapsed_time", "the time is that of the kernels on the CPU"),
        ("wp.timing_begin and ScopedTimer(cuda_filter=...)", NO_DEVICE),
        ("wp.to_dlpack", POINTER),
        ("array.__cuda_array_interface__", POINTER),
        *[(handle, HANDLE) for handle in HANDLES],
        ("graphs from a file (wp.capture_load)", NO_DEVICE),
    ]
    assert "error:" not in asked.errors and "CUDA error" not in asked.errors.replace(
        INVALID, ""
    )  # the compiler's words about a stand-in are not the program's


def test_too_much_shared_memory_is_refused_as_on_the_architecture(asked: Ran) -> None:
    assert (
        "requests 307200 bytes, but only 231424 bytes are available at block_dim=256 "
        "(device limit 232448 bytes, minus 1024 bytes of static shared memory this kernel reserves)"
        in asked.errors
    )
    # sharing with another process, the launch, the graph from a file
    assert asked.output.splitlines()[-6:] == ["RuntimeError"] * 6


def test_textures_are_sampled_copied_and_captured_as_on_a_device(tmp_path: Path) -> None:
    ran = completed(rehearse(tmp_path, "samples_textures"))
    assert [(one.device, one.status) for one in ran.loads()] == [("cuda:0", "compiled")]
    assert said(ran) == []


def test_a_library_that_is_asked_for_a_device_finds_none_and_that_is_said(tmp_path: Path) -> None:
    package = tmp_path / "torch"
    package.mkdir()
    (package / "__init__.py").write_text("import torch.cuda; torch.cuda.is_available()", encoding="utf-8")
    (package / "cuda.py").write_text("def is_available():\n    return False\n", encoding="utf-8")
    ran = completed(rehearse(tmp_path, ASKS))
    assert ran.output.splitlines()[-1] == "cpu rehearsed sm_90"
    assert said(ran) == [("torch.cuda.is_available", WITHOUT)]  # asked by the program, not by the library


def test_one_kernel_that_no_cpu_can_build_keeps_none_of_the_others_from_running(tmp_path: Path) -> None:
    ran = completed(rehearse(tmp_path, "mixes_kernels_that_no_cpu_can_build"))
    assert said(ran) == []  # it was built for CUDA and never launched
    assert [one.status for one in ran.loads()] == ["compiled"]


def test_deterministic_sums_and_block_sizes_are_worked_through(tmp_path: Path) -> None:
    ran = completed(rehearse(tmp_path, DETERMINISTIC))
    assert ran.output.splitlines()[-1] == "100.0 100 True"
    assert set(said(ran)) == {("deterministic mode: the order of its sums", "it needs a CUDA device")}


WITHOUT = "only Warp is told that there is a device: the program goes the way that it goes without one"
ASKS = """
import torch
import warp as wp

print("cuda" if torch.cuda.is_available() else "cpu", wp.get_device("cuda:0").name)
"""
DETERMINISTIC = """
import warp as wp

wp.set_module_options({"enable_backward": False, "deterministic": wp.DeterministicMode.RUN_TO_RUN})
wp.set_device("cuda:0")

@wp.kernel
def add(total: wp.array(dtype=float), count: wp.array(dtype=int), order: wp.array(dtype=int)):
    wp.atomic_add(total, 0, 1.0)
    order[wp.atomic_add(count, 0, 1)] = wp.tid()

total, count, order = wp.zeros(1, dtype=float), wp.zeros(1, dtype=int), wp.zeros(100, dtype=int)
wp.launch(add, 100, inputs=[total, count, order])
size, grid = wp.get_suggested_block_size(add)
print(total.numpy()[0], count.numpy()[0], size % 32 == 0 and grid > 0)
"""
