"""The table of programs and recordings, each with the statuses of all thirteen mechanisms. Holds no test.

A program is kept away from every threshold, so that a busy machine changes no status: nearly all switch
backward code off and build six ordinary modules, for which the precompiled header pays off. What exists only
on a GPU is told by the recordings in `tests/recordings`.
"""

from dataclasses import dataclass

from warp_mcp.models.finding import MECHANISMS

LETTERS = {"F": "fired", "-": "ruled_out", "n": "not_reached"}
FOLDER = "mechanisms"


@dataclass(frozen=True)
class Row:
    """One program and the statuses of CS-1 to CS-13 in order, by the letters above."""

    program: str
    statuses: str
    line: str | None = None
    """Marker of the line that the fault's finding has to point to."""

    @property
    def expected(self) -> dict[str, str]:
        letters = self.statuses.split()
        return {name: LETTERS[letter] for name, letter in zip(MECHANISMS, letters, strict=True)}

    @property
    def fired(self) -> set[str]:
        return {name for name, status in self.expected.items() if status == "fired"}


@dataclass(frozen=True)
class Pair:
    """A fault and its repaired twin."""

    mechanism: str
    fault: Row
    repaired: Row


KEEPS = "- - - - n - n - - - - - n"
"""A healthy program on the CPU: what concerns CUDA alone does not arise."""

CUDA = "- - - - - - - n - - - n -"
"""A healthy program that builds ahead of time for a GPU: what concerns the CPU alone does not arise."""

CS_1 = "F - - - n - n - - - - - n"
CS_2 = "- F - - n - n - - - - - n"
CS_3 = "- - F - n - n - - - - - n"
CS_4 = "- - - F n - n - - - - - n"
CS_6 = "- - - - n F n - - - - - n"
CS_8 = "- - - - n - n F - - - - n"
CS_9 = "- - - - n - n - F - - - n"
CS_10 = "- - - - n - n - - F - - n"
CS_11 = "- - - - n - n - - - F - n"
CS_12 = "- - - - n - n - - - - F n"

HEALTHY = Row("keeps_the_cache", KEEPS)
NO_TIME = Row("passes_the_time_as_argument", KEEPS)
NO_SALT = Row("names_kernels_by_content", KEEPS)

PAIRS = [
    Pair(
        "CS-1",
        Row("makes_kernels_between_launches", CS_1, "decay"),
        Row("makes_kernels_before_launches", KEEPS),
    ),
    Pair(
        "CS-1",
        Row("redefines_a_kernel_for_each_gain", CS_1, "amplify"),
        Row("passes_the_gain_as_argument", KEEPS),
    ),
    Pair(
        "CS-1",
        Row("asks_a_factory_between_launches", CS_1),
        Row("asks_a_factory_before_launches", KEEPS),
    ),
    Pair("CS-2", Row("clears_the_cache_at_start", CS_2, "clear"), HEALTHY),
    Pair("CS-2", Row("removes_its_cache_at_exit", CS_2), HEALTHY),
    Pair("CS-2", Row("switches_the_cache_off", CS_2, "off"), HEALTHY),
    Pair("CS-2", Row("caches_in_a_new_directory", CS_2, "directory"), HEALTHY),
    Pair("CS-2", Row("caches_in_a_directory_named_by_time", CS_2, "directory"), HEALTHY),
    Pair("CS-2", Row("verifies_array_access", CS_2, "verify"), HEALTHY),
    Pair("CS-2", Row("bakes_the_time_into_a_constant", CS_2, "stamp"), NO_TIME),
    Pair("CS-2", Row("bakes_the_time_into_a_static_value", CS_2, "stamp"), NO_TIME),
    Pair("CS-2", Row("names_kernels_by_hash", CS_2, "scale"), NO_SALT),
    Pair("CS-2", Row("names_modules_by_hash", CS_2), NO_SALT),
    Pair("CS-2", Row("names_kernels_by_identity", CS_2, "scale"), NO_SALT),
    Pair("CS-2", Row("names_kernels_by_uuid", CS_2, "scale"), NO_SALT),
    Pair(
        "CS-3",
        Row("sets_options_between_launches", CS_3, "option"),
        Row("sets_options_before_launches", KEEPS),
    ),
    Pair(
        "CS-3",
        Row("sets_a_global_option_before_a_late_kernel", "F - F - n - n - - - - - n", "option"),
        Row("sets_a_global_option_at_start", CS_1),
    ),
    Pair(
        "CS-3",
        Row("has_a_helper_set_options_of_many_modules", CS_3, "option"),
        Row("has_a_helper_set_options_first", KEEPS),
    ),
    Pair(
        "CS-4",
        Row("keeps_each_kernel_in_a_file", CS_4),
        Row("keeps_all_kernels_in_one_file", KEEPS),
    ),
    Pair(
        "CS-4",
        Row("names_a_module_for_each_stage", CS_4, "stage"),
        Row("names_one_module_for_all_stages", KEEPS),
    ),
    Pair("CS-4", Row("maps_many_functions", CS_4, "map"), Row("maps_one_function", KEEPS)),
    Pair(
        "CS-4", Row("integrates_many_integrands", CS_4, "integrate"), Row("integrates_one_integrand", KEEPS)
    ),
    Pair(
        "CS-5",
        Row("compiles_for_three_block_dims", "- - - - F - - n - - - n -", "compile"),
        Row("compiles_for_one_block_dim", CUDA),
    ),
    Pair("CS-6", Row("meets_types_one_by_one", CS_6, "double"), Row("declares_types_first", KEEPS)),
    Pair("CS-6", Row("fills_arrays_of_each_type", CS_6), Row("prepares_the_types_to_fill", KEEPS)),
    Pair(
        "CS-7",
        Row("links_a_tile_factorisation", "- - - - - - F n - - - n -"),
        Row("factorises_a_tile_without_links", CUDA),
    ),
    Pair(
        "CS-8",
        Row("launches_first_from_two_threads", CS_8, "launch"),
        Row("loads_before_two_threads_launch", KEEPS),
    ),
    Pair(
        "CS-8",
        Row("force_loads_with_two_workers", CS_8),
        Row("force_loads_with_one_worker", KEEPS),
    ),
    Pair(
        "CS-8",
        Row("loads_modules_in_a_pool", CS_8, "load"),
        Row("loads_modules_in_a_pool_of_one", KEEPS),
    ),
    Pair(
        "CS-9",
        Row("gives_stable_kernels_unique_modules", CS_9),
        Row("gives_stable_kernels_their_file", KEEPS),
    ),
    Pair(
        "CS-9",
        Row("takes_the_unique_default_of_a_factory", CS_9),
        Row("tells_a_factory_the_module", KEEPS),
    ),
    Pair(
        "CS-10",
        Row("builds_backward_for_a_forward_program", CS_10),
        Row("builds_forward_code_alone", KEEPS),
    ),
    Pair(
        "CS-10",
        Row("switches_backward_off_after_the_kernels", CS_10),
        Row("switches_backward_off_before_the_kernels", KEEPS),
    ),
    Pair(
        "CS-10",
        Row("switches_backward_off_for_one_kernel", CS_10),
        Row("switches_backward_off_for_each_kernel", KEEPS),
    ),
    Pair(
        "CS-10",
        Row("builds_backward_for_a_forward_program", CS_10),
        Row("goes_backward_through_large_kernels", KEEPS),
    ),
    Pair("CS-11", Row("unrolls_nested_loops", CS_11), Row("keeps_nested_loops_rolled", KEEPS)),
    Pair(
        "CS-11",
        Row("unrolls_nested_loops", CS_11),
        Row("takes_the_lengths_of_loops_as_arguments", KEEPS),
    ),
    Pair(
        "CS-12",
        Row("builds_a_header_for_one_module", CS_12),
        Row("builds_one_module_without_a_header", KEEPS),
    ),
    Pair(
        "CS-12",
        Row("builds_many_modules_without_a_header", CS_12),
        Row("builds_many_modules_with_a_header", KEEPS),
    ),
    Pair(
        "CS-13",
        Row("compiles_cuda_modules_in_turn", "- - - - - - - n - - - n F", "compile"),
        Row("compiles_cuda_modules_side_by_side", CUDA),
    ),
]

NO_FAULT = [Row("imports_kernels_late", KEEPS)]
"""What looks like a fault and is none."""

RECORDED_PAIRS = [
    Pair(
        "CS-5",
        Row("one_module_at_three_block_dims", "- - - - F - - n - - - n -"),
        Row("one_module_for_each_block_dim", CUDA),
    ),
    Pair(
        "CS-5",
        Row("one_module_at_three_block_dims", "- - - - F - - n - - - n -"),
        Row("one_module_on_two_devices", CUDA),
    ),
    Pair(
        "CS-7",
        Row("tiles_linked_forward_and_backward", "- - - - - - F n - F - n -"),
        Row("tiles_without_links", CUDA),
    ),
    Pair(
        "CS-10",
        Row("tiles_whose_kernel_alone_goes_without_backward", "- - - - - - F n - F - n -"),
        Row("tiles_linked_forward", "- - - - - - F n - - - n -"),
    ),
    Pair(
        "CS-13",
        Row("modules_built_in_turn", "- - - - - - - n - - - n F"),
        Row("modules_built_side_by_side", CUDA),
    ),
]
RECORDED = {row.program: row for pair in RECORDED_PAIRS for row in (pair.fault, pair.repaired)}

INTENDED = {pair.fault.program: pair.mechanism for pair in PAIRS}
ROWS = {row.program: row for pair in PAIRS for row in (pair.fault, pair.repaired)}
ROWS |= {row.program: row for row in NO_FAULT}
LIBRARIES = {"fills", "heavy_kernels", "stencils", "two_modules"}
"""Files that the programs import."""
