"""Pairs of programs that need CUDA, and what was changed: rows of `mechanism_savings`. Measures nothing."""

from tests.benchmarks.savings_table import REHEARSED, REHEARSED_WAIT, Pair

REHEARSED_PAIRS = (
    Pair(
        "CS-3",
        "sets_an_option_between_launches",
        "sets_the_option_before_the_first_launch",
        "option of one module set before it loads; CUDA, rehearsed",
        REHEARSED,
    ),
    Pair(
        "CS-5",
        "launches_one_module_at_three_block_dims",
        "keeps_a_module_for_each_block_dim",
        "a module for each of three block_dim; CUDA, rehearsed",
        REHEARSED,
    ),
    Pair(
        "CS-5",
        "preloads_stages_at_another_block_dim",
        "preloads_stages_side_by_side",
        "preload at the block_dim of the launches; CUDA, rehearsed",
        REHEARSED_WAIT,
    ),
    Pair(
        "CS-6",
        "meets_types_one_after_the_other",
        "declares_the_types_in_use_first",
        "three overloads declared first; CUDA, rehearsed",
        REHEARSED,
    ),
    Pair(
        "CS-7",
        "switches_backward_off_for_the_tiles_module",
        "multiplies_tiles_without_mathdx",
        "MathDx off for one tile product; CUDA, rehearsed",
        REHEARSED,
    ),
    Pair(
        "CS-9",
        "makes_a_unique_module_for_each_factor",
        "makes_all_factors_kernels_in_the_files_module",
        "eight unique modules made one; CUDA, rehearsed",
        REHEARSED,
    ),
    Pair(
        "CS-10",
        "multiplies_tiles_with_backward_code",
        "switches_backward_off_for_the_tiles_module",
        "backward off for one tile product; CUDA, rehearsed",
        REHEARSED,
    ),
    Pair(
        "CS-13",
        "builds_stages_one_after_the_other",
        "preloads_stages_side_by_side",
        "three modules built by three threads; CUDA, rehearsed",
        REHEARSED_WAIT,
    ),
)
