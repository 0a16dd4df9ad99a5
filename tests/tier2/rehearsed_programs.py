"""The programs of `samples/cuda_mechanisms`, what a rehearsal has to say of each, and their pairs. No test.

A program refuses to start without a device. Its kernels are small; what it shows does not hang on times.
"""

import json
import sys
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from tests.once import once
from tests.situations.editing import PROGRAM, text_of
from tests.situations.measuring import Probe
from tests.situations.mechanism_table import CUDA, LETTERS
from warp_mcp.models.finding import MECHANISMS

FOLDER = "cuda_mechanisms"
ARCH = "sm_90"
REHEARSALS_FOR_A_VERDICT = 3
LIMIT_S = 1200
"""For one measurement on a machine that does other things too."""


class Build(NamedTuple):
    """One binary."""

    module: str
    block_dim: int
    kernels: int
    """Those it holds."""
    launches: int


@dataclass(frozen=True)
class Program:
    """A program, the statuses of CS-1 to CS-13 by letter, and its builds; what fires with its evidence."""

    name: str
    statuses: str
    builds: tuple[Build, ...]
    evidence: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    """By mechanism, what the finding's evidence has to hold; nothing of it is a time."""
    lines: Mapping[str, str] = field(default_factory=dict)
    """By mechanism, the marker of the line that the finding points to."""
    causes: tuple[str, ...] = ()
    """Kinds of the rebuilds, in order."""
    links: tuple[int, int] = (0, 0)
    """MathDx objects of the forward pass and of the adjoint."""
    rehearsals: int = 1

    @property
    def expected(self) -> dict[str, str]:
        letters = self.statuses.split()
        return {name: LETTERS[letter] for name, letter in zip(MECHANISMS, letters, strict=True)}


@dataclass(frozen=True)
class ProofPair:
    """Two programs that make the same launches, and what the comparison has to say."""

    fault: str
    repaired: str
    fixed: tuple[str, ...]
    falls: tuple[str, ...]
    """Figures of the structure that fall; all others stay or are named in `rises`."""
    new: tuple[str, ...] = ()
    remaining: tuple[str, ...] = ()
    rises: tuple[str, ...] = ()
    by_time: bool = False
    """Whether nothing but the wait tells the two apart, so that a busy machine may leave it uncredited."""
    same_last: bool = True
    """Whether what the repaired program builds is what the faulty one ended with: the same hashes."""


STAGES = ("correct", "predict", "solve")
TILE = Build("__main__", 32, 1, 1)
CS_5 = "- - - - F - - n - - - n -"
CS_7 = "- - - - - - F n - - - n -"
CS_7_AND_10 = "- - - - - - F n - F - n -"
CS_13 = "- - - - - - - n - - - n F"

PROGRAMS = (
    Program(
        "multiplies_tiles_with_backward_code",
        CS_7_AND_10,
        (TILE,),
        {"CS-7": {"modules": ["__main__"]}, "CS-10": {"modules": ["__main__"], "adjoint_links": 2}},
        {"CS-7": "launch", "CS-10": "kernel"},
        links=(1, 2),
    ),
    Program(
        "switches_backward_off_for_the_tiles_kernel",
        CS_7_AND_10,
        (TILE,),
        {"CS-7": {"modules": ["__main__"]}, "CS-10": {"adjoint_bytes": 0, "adjoint_links": 2}},
        {"CS-7": "launch", "CS-10": "kernel"},
        links=(1, 2),
    ),
    Program("switches_backward_off_for_the_tiles_module", CS_7, (TILE,), links=(1, 0)),
    Program("switches_backward_off_for_the_whole_program", CS_7, (TILE,), links=(1, 0)),
    Program("multiplies_tiles_without_mathdx", CUDA, (TILE,)),
    Program(
        "launches_one_module_at_three_block_dims",
        CS_5,
        tuple(Build("__main__", block_dim, 3, 1) for block_dim in (64, 128, 256)),
        {"CS-5": {"modules": ["__main__"], "block_dims": [64, 128, 256]}},
        {"CS-5": "256"},
        causes=("block_dim", "block_dim"),
    ),
    Program(
        "keeps_a_module_for_each_block_dim",
        CS_13,
        (Build("at_128", 128, 1, 1), Build("at_256", 256, 1, 1), Build("at_64", 64, 1, 1)),
        {"CS-13": {"overlap_factor": 1.0, "not_safe_to_preload": []}},
    ),
    Program(
        "sets_an_option_between_launches",
        "- - F - - - - n - - - n -",
        (Build("__main__", 256, 2, 1),) * 2,
        {"CS-3": {"rebuilds": 1, "causes": ["fuse_fp: True → False"]}},
        {"CS-3": "option"},
        causes=("option_changed",),
        rehearsals=REHEARSALS_FOR_A_VERDICT,
    ),
    Program(
        "sets_the_option_before_the_first_launch",
        CUDA,
        (Build("__main__", 256, 2, 2),),
        rehearsals=REHEARSALS_FOR_A_VERDICT,
    ),
    Program(
        "makes_a_unique_module_for_each_factor",
        "- - - - - - - n F - - n -",
        (Build("unique", 256, 1, 1),) * 8,
        {"CS-9": {"one_kernel_modules": 8, "groups": 1}},
        {"CS-9": "step"},
    ),
    Program("makes_all_factors_kernels_in_the_files_module", CUDA, (Build("__main__", 256, 8, 8),)),
    Program(
        "meets_types_one_after_the_other",
        "- - - - - F - n - - - n -",
        tuple(Build("__main__", 256, kernels, 1) for kernels in (1, 2, 3)),
        {"CS-6": {"rebuilds": 2, "modules": ["__main__"]}},
        {"CS-6": "double"},
        causes=("overload_added", "overload_added"),
    ),
    Program("declares_the_types_in_use_first", CUDA, (Build("__main__", 256, 3, 3),)),
    Program(
        "preloads_stages_at_another_block_dim",
        CS_5,
        tuple(Build(name, block_dim, 2, n) for name in STAGES for block_dim, n in ((128, 2), (256, 0))),
        {"CS-5": {"block_dims": [128, 256]}},
        causes=("block_dim",) * 3,
    ),
    Program("preloads_stages_side_by_side", CUDA, tuple(Build(name, 128, 2, 2) for name in STAGES)),
    Program(
        "builds_stages_one_after_the_other",
        CS_13,
        tuple(Build(name, 128, 2, 2) for name in STAGES),
        {"CS-13": {"overlap_factor": 1.0, "not_safe_to_preload": []}},
        {"CS-13": "launch"},
    ),
)
BY_NAME = {program.name: program for program in PROGRAMS}

BYTES, BUILDS, IDENTITIES, REBUILDS = "generated_source_bytes", "builds", "identities", "rebuilds"
LINKS, MODULES = "lto_artifacts", "modules"

PAIRS = (
    ProofPair(
        "multiplies_tiles_with_backward_code",
        "switches_backward_off_for_the_tiles_module",
        ("CS-10",),
        (BYTES, LINKS),
        remaining=("CS-7",),
        same_last=False,
    ),
    ProofPair(
        "multiplies_tiles_with_backward_code",
        "switches_backward_off_for_the_whole_program",
        ("CS-10",),
        (BYTES, LINKS),
        remaining=("CS-7",),
        same_last=False,
    ),
    ProofPair(
        "multiplies_tiles_with_backward_code",
        "switches_backward_off_for_the_tiles_kernel",
        (),
        (BYTES,),
        remaining=("CS-7", "CS-10"),
        same_last=False,
    ),
    ProofPair(
        "switches_backward_off_for_the_tiles_module",
        "multiplies_tiles_without_mathdx",
        ("CS-7",),
        (BYTES, LINKS),
        same_last=False,
    ),
    ProofPair(
        "launches_one_module_at_three_block_dims",
        "keeps_a_module_for_each_block_dim",
        ("CS-5",),
        (BYTES, REBUILDS),
        new=("CS-13",),
        rises=(MODULES,),
        same_last=False,
    ),
    ProofPair(
        "sets_an_option_between_launches",
        "sets_the_option_before_the_first_launch",
        ("CS-3",),
        (BYTES, BUILDS, IDENTITIES, REBUILDS),
    ),
    ProofPair(
        "makes_a_unique_module_for_each_factor",
        "makes_all_factors_kernels_in_the_files_module",
        ("CS-9",),
        (BYTES, BUILDS, IDENTITIES, MODULES),
        same_last=False,
    ),
    ProofPair(
        "meets_types_one_after_the_other",
        "declares_the_types_in_use_first",
        ("CS-6",),
        (BYTES, BUILDS, IDENTITIES, REBUILDS),
    ),
    ProofPair(
        "preloads_stages_at_another_block_dim",
        "preloads_stages_side_by_side",
        ("CS-5",),
        (BYTES, BUILDS, IDENTITIES, REBUILDS),
    ),
    ProofPair(
        "builds_stages_one_after_the_other", "preloads_stages_side_by_side", ("CS-13",), (), by_time=True
    ),
)


def report_of(factory: pytest.TempPathFactory, name: str) -> Path:
    """The report of a program, measured once for all tests: run as `program.py`, so that pairs compare."""

    def make(directory: Path) -> None:
        (directory / PROGRAM).write_text(text_of(f"{FOLDER}/{name}"), encoding="utf-8")
        options = ("--no-compile-trace", "--rehearse-cuda", ARCH)
        options += ("--rehearsals", str(BY_NAME[name].rehearsals))
        found = Probe(directory).measure(
            sys.executable, PROGRAM, options=options, cwd=directory, limit_s=LIMIT_S
        )
        assert found.process.returncode == 0, found.text

    return once(factory, name, make) / "report.json"


def rehearsal_of(report: Path) -> dict[str, Any]:
    """The rehearsal in a report that holds nothing else."""
    told = json.loads(report.read_text(encoding="utf-8"))
    assert told["samples"] == [] and "needs_cuda" in {one["code"] for one in told["warnings"]}
    return told["rehearsal"]
