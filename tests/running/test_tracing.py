"""Builds are taken out of a sample's own cache, and out of nothing else."""

from pathlib import Path
from typing import Any

from warp_mcp.models.compile_trace import TraceTarget
from warp_mcp.running.tracing import ELSEWHERE, forget_builds


def a_target(source: str = "wp_app_0123456.cu", **changes: Any) -> TraceTarget:
    told = {
        "module": "app",
        "block_dim": 256,
        "arch": 90,
        "builds": 1,
        "all_cpu_ms": 9.0,
        "timed_cpu_ms": 9.0,
    }
    return TraceTarget(source=source, **{**told, **changes})


def a_build(cache: Path, name: str) -> Path:
    binary = cache / "1.19.0" / name / f"{name}.sm90.cubin"
    binary.parent.mkdir(parents=True)
    binary.touch()
    return binary


def test_the_build_is_gone_and_its_neighbours_stay(tmp_path: Path) -> None:
    gone, other = a_build(tmp_path, "wp_app_0123456"), a_build(tmp_path, "wp_app_01234567")

    assert forget_builds(str(tmp_path), [a_target()]) == [a_target()]

    assert not gone.parent.exists() and other.exists()


def test_a_build_that_lies_elsewhere_is_marked(tmp_path: Path) -> None:
    (target,) = forget_builds(str(tmp_path), [a_target()])

    assert target == a_target(not_traced=ELSEWHERE)


def test_the_cache_keeps_what_is_not_to_be_built_again(tmp_path: Path) -> None:
    kept = a_build(tmp_path, "wp_app_0123456")
    target = a_target(not_traced="is too large")

    assert forget_builds(str(tmp_path), [target]) == [target]
    assert kept.exists()
