"""Whether a rehearsal of CUDA can be made, and what is said where it cannot."""

from typing import Any

import pytest

from tests.analysis.factories import machine, request
from warp_mcp import running
from warp_mcp.errors import UsageError
from warp_mcp.server.door import step_for_tools
from warp_mcp.workflows.rehearsing import check_rehearsal, parse_archs


@pytest.mark.parametrize(
    ("texts", "archs"),
    [
        (["sm_90"], [90]),
        (["sm_80,sm_90", "SM_120"], [80, 90, 120]),
        (["90", "compute_90", " sm_90 ", "sm90"], [90]),
        ([], []),
    ],
)
def test_architectures_are_read_as_people_write_them(texts: list[str], archs: list[int]) -> None:
    assert parse_archs(texts, request()) == archs


@pytest.mark.parametrize("text", ["hopper", "sm_9", "sm_90,,sm_80", "sm_90a", "-1", ""])
def test_what_names_no_architecture_is_refused_in_the_words_of_each_door(
    text: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    supporting(monkeypatch, [80, 90])
    with pytest.raises(UsageError) as caught:
        parse_archs([text], request())

    assert caught.value.code == "bad_arch"
    assert "--rehearse-cuda sm_90" in caught.value.next_step
    assert step_for_tools(caught.value) == 'Give names, as in ["sm_80", "sm_90"].'
    assert caught.value.message.endswith(
        "names no architecture to rehearse: this Warp can compile for sm_80, sm_90."
    )


def test_a_command_whose_warp_cannot_be_asked_is_refused_without_a_list(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    supporting(monkeypatch, None)
    with pytest.raises(UsageError, match=r"names no architecture to rehearse\."):
        parse_archs(["hopper"], request())


def test_a_machine_with_a_gpu_measures_instead_unless_forced(monkeypatch: pytest.MonkeyPatch) -> None:
    supporting(monkeypatch, [90])
    here = machine(gpu="NVIDIA H100")

    with pytest.raises(UsageError) as caught:
        check_rehearsal(request(rehearse_archs=[90]), here)

    assert caught.value.code == "gpu_present" and "NVIDIA H100" in caught.value.message
    assert "--force" in caught.value.next_step
    assert "rehearse_force" in step_for_tools(caught.value) and "--" not in step_for_tools(caught.value)
    check_rehearsal(request(rehearse_archs=[90], rehearse_force=True), here)
    check_rehearsal(request(), here)


def test_what_this_warp_can_compile_for_is_listed_where_it_cannot(monkeypatch: pytest.MonkeyPatch) -> None:
    supporting(monkeypatch, [80, 90])

    with pytest.raises(UsageError) as caught:
        check_rehearsal(request(rehearse_archs=[90, 30]), machine())

    assert caught.value.code == "bad_arch" and "sm_30" in caught.value.message
    assert "sm_90" not in caught.value.message
    assert (
        caught.value.next_step
        == step_for_tools(caught.value)
        == "Rehearse for one that it can: sm_80, sm_90."
    )


def test_a_warp_that_compiles_nothing_without_a_driver_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    supporting(monkeypatch, [])

    with pytest.raises(UsageError) as caught:
        check_rehearsal(request(rehearse_archs=[90]), machine())

    assert caught.value.code == "cannot_rehearse"
    assert "interpreter" in caught.value.next_step and "--" not in step_for_tools(caught.value)


def test_a_command_whose_warp_cannot_be_asked_is_let_through(monkeypatch: pytest.MonkeyPatch) -> None:
    supporting(monkeypatch, None)

    check_rehearsal(request(rehearse_archs=[90]), machine())


def supporting(monkeypatch: pytest.MonkeyPatch, archs: list[int] | None) -> None:
    def archs_of(asked: Any) -> list[int] | None:
        return archs

    monkeypatch.setattr(running, "archs_of", archs_of)
