"""The largest modules from inside, on both kinds of page."""

from warp_mcp.models.compile_trace import CompileTrace, KernelCost, ModuleCost
from warp_mcp.presentation import compile_trace_words as told
from warp_mcp.presentation.compile_trace_markdown import compile_trace as markdown
from warp_mcp.presentation.compile_trace_text import compile_trace as text
from warp_mcp.presentation.look import Look
from warp_mcp.presentation.page import Page


def a_kernel(name: str, forward_ms: float, backward_ms: float) -> KernelCost:
    return KernelCost(
        module="articulation",
        kernel=name,
        forward_ms=forward_ms,
        backward_ms=backward_ms,
        share=(forward_ms + backward_ms) / 39_000,
    )


ARTICULATION = ModuleCost(
    module="articulation",
    arch=90,
    block_dim=256,
    builds=1,
    compile_ms=39_000.0,
    forward_ms=14_000.0,
    backward_ms=23_790.0,
    backward_share=0.61,
    fixed_ms=900.0,
    kernels=[
        a_kernel("eval_fk", 12_000.0, 19_000.0),
        a_kernel("eval_id", 1_000.0, 4_000.0),
        a_kernel("clear", 40.0, 0.0),
    ],
)
LINKED = ModuleCost(module="tiles", arch=90, block_dim=64, builds=1, compile_ms=8_000.0, not_priced="is so")


def page_of(trace: CompileTrace | None) -> str:
    page = Page(Look(width=100))
    text(page, trace)
    return str(page)


def test_the_sentence_names_the_share_the_kernels_and_what_one_edit_saves() -> None:
    assert told.module_sentence(ARTICULATION) == (
        "Of 39.0 s of CPU time in `articulation`, 61 % (23.8 s) is backward code of 2 kernels: `eval_fk` "
        "19.0 s and `eval_id` 4.00 s. Switching backward off for `eval_fk` saves about 19.0 s."
    )


def used(*names: str) -> ModuleCost:
    """The same, where a backward pass went through these kernels."""
    kernels = [one.model_copy(update={"backward_used": one.kernel in names}) for one in ARTICULATION.kernels]
    return ARTICULATION.model_copy(update={"kernels": kernels})


def test_no_kernel_is_to_lose_the_gradients_that_this_run_asked_for() -> None:
    assert told.module_sentence(used("eval_fk")).endswith(
        "Switching backward off for `eval_id` saves about 4.00 s."
    )
    assert told.module_sentence(used("eval_fk", "eval_id")).endswith(
        "A backward pass of this run went through all of them: none can go without."
    )
    assert told.USED in told.trace_notes(CompileTrace(modules=[used("eval_fk")]))
    assert told.kernel_row(used("eval_fk").kernels[0])[2] == "19.0 s *"
    assert told.USED not in told.trace_notes(CompileTrace(modules=[ARTICULATION]))


def test_where_more_kernels_carry_it_than_are_named_that_is_said() -> None:
    many = [a_kernel(f"k{number}", 10.0, 1000.0 - number) for number in range(6)]
    sentence = told.module_sentence(ARTICULATION.model_copy(update={"kernels": many}))

    assert "backward code of 6 kernels, most of it in `k0` 1.00 s, `k1` 999 ms," in sentence
    assert "k4" not in sentence


def test_a_module_without_backward_code_names_its_dearest_kernels() -> None:
    forward = ARTICULATION.model_copy(update={"kernels": [a_kernel("clear", 40.0, 0.0)], "builds": 3})

    assert told.module_sentence(forward) == (
        "Of 39.0 s of CPU time in `articulation` (3 builds), none is backward code; "
        "the dearest kernel is `clear` 40 ms."
    )


def test_modules_that_could_not_be_priced_are_left_out_of_the_sentences_for_an_agent() -> None:
    trace = CompileTrace(modules=[LINKED, ARTICULATION])

    assert told.largest_words(trace) == [told.module_sentence(ARTICULATION)]
    assert told.largest_words(None) == []


def test_both_pages_have_the_sentence_the_kernels_and_how_it_was_measured() -> None:
    trace = CompileTrace(modules=[ARTICULATION, LINKED])

    for shown in (page_of(trace), "\n".join(markdown(trace))):
        flat = " ".join(shown.replace("`", "").replace("\\", "").split())
        assert "saves about 19.0 s." in flat
        assert "eval_id" in flat
        assert "tiles (8.00 s in NVRTC) is so." in flat
        assert told.HOW in flat
        assert told.PTX not in flat


def test_ptx_and_problems_are_said() -> None:
    ptx = ARTICULATION.model_copy(update={"assembled": False})
    trace = CompileTrace(modules=[ptx], problems=["Something failed."])

    assert told.trace_notes(trace) == [told.HOW, told.PTX, "Something failed."]


def test_nothing_is_shown_where_nothing_was_traced() -> None:
    assert page_of(None) == page_of(CompileTrace(modules=[])) == str(Page(Look()))
    assert markdown(None) == markdown(CompileTrace(modules=[])) == []
