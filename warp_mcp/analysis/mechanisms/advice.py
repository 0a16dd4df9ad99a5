"""What to try first for each mechanism, how far that may reach, and what to ask before it. No computation."""

from typing import NamedTuple

from warp_mcp.analysis.owners import is_library

ITS_CODE = "the module it is in"
ENTRY_POINT = "the application's entry point only: it is a setting of the whole process"


class Advice(NamedTuple):
    """Advice on one mechanism."""

    fix: str
    reach: str = ITS_CODE
    questions: tuple[str, ...] = ()


_GRADIENTS = (
    "Does anything that this command does not run need gradients through these kernels: training, tests, a "
    "documented promise of the API, another program? Without backward code they are lost."
)
_NUMBERS = "May results differ in the last digits, or the launches run slower? Both have to be measured."

ADVICE = {
    "CS-1": Advice(
        "Define every kernel of the module before its first launch: at the top of its file, or by "
        "creating all "
        "expected kernels first and launching afterwards."
    ),
    "CS-2": Advice(
        "Let the second start find what the first one built: keep one cache directory for each build, Warp "
        "version and set of options, and do not clear it.",
        reach="the program's own start-up code; a cache shared by unlike builds must not be kept",
    ),
    "CS-3": Advice(
        "Decide the options before the module's first launch: wp.set_module_options() at the top of its "
        "file, or with module='its name' for a module that has one.",
        questions=(
            "Does every kernel of the module want this option? fast_math, max_unroll and the like "
            "change speed or "
            "numbers: kernels that differ belong in modules of their own.",
        ),
    ),
    "CS-4": Advice(
        "Put kernels that are always loaded together into one module: in one file, or "
        '@wp.kernel(module="one_name") for all of them.',
        questions=("Is one of them edited, replaced or configured alone? It then stays by itself.",),
    ),
    "CS-5": Advice(
        "Give the kernels of each stable block_dim a module of their own; never collapse the launches to one "
        "block_dim, which changes the work."
    ),
    "CS-6": Advice(
        "Create the overloads in routine use with wp.overload() before the module's first launch, "
        "and only those."
    ),
    "CS-7": Advice(
        "Switch off backward code where nobody uses it, which removes its links; then measure "
        "enable_mathdx_* both "
        "ways, build and launches, in the precision in use.",
        questions=(
            "Which launches use these tiles, and are they faster with MathDx? Another "
            "implementation changes speed "
            "and numbers.",
        ),
    ),
    "CS-8": Advice(
        "Load CPU modules one after the other: max_workers=1 for every load that can reach the CPU "
        "(device=None "
        "and mixed lists too), first launches in one thread.",
        reach="wherever the loads are started",
    ),
    "CS-9": Advice(
        'Drop module="unique" for kernels that do not change: let them live in the module of their file, '
        "or in one named module.",
        questions=(
            "Does one of them capture values, or need options, that would change the others' module?",
        ),
    ),
    "CS-10": Advice(
        "wp.set_module_options({'enable_backward': False}) at the top of the module's file; for a library, "
        "warp.config.enable_backward = False at the entry point before the library is imported.",
        questions=(_GRADIENTS,),
    ),
    "CS-11": Advice(
        "Try a lower max_unroll for this module, wp.set_module_options({'max_unroll': 4}), and "
        "compare both the "
        "build and the launches.",
        questions=(_NUMBERS,),
    ),
    "CS-12": Advice(
        "Set warp.config.use_precompiled_headers at the entry point, before the first launch, and "
        "measure both ways.",
        reach=ENTRY_POINT,
    ),
    "CS-13": Advice(
        "Build them side by side before the first launch: wp.force_load(device, modules=[…these…], "
        "max_workers=N), at "
        "the block_dim of their launches, at the entry point; let its errors raise.",
        reach=ENTRY_POINT,
    ),
}


def scope_of(advice: Advice, owner: str) -> str:
    """How far a change may reach, given whose code it is."""
    if not is_library(owner):
        return f"Your own code: {advice.reach}."
    if advice.reach == ENTRY_POINT:
        return f"Your own code: {advice.reach}. It reaches {owner}, for this program alone."
    return (
        f"The code is {owner}'s, which serves other programs too: change it for the measured "
        "process only, before it "
        f"is imported, or send {owner}'s maintainers this measurement."
    )
