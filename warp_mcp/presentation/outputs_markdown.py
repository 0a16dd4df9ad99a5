"""What launches computed, as Markdown: of one report, and of a comparison."""

from warp_mcp.models.comparison import OutputComparison
from warp_mcp.models.outputs import Outputs
from warp_mcp.presentation import outputs_words as told
from warp_mcp.presentation.markdown import bullets, section, words


def outputs_comparison(outputs: OutputComparison) -> list[str]:
    """A section of a comparison; nothing where neither side recorded outputs."""
    sentence = told.outputs_sentence(outputs)
    if not sentence:
        return []
    return section(told.HEADING, [words(sentence), ""], bullets(map(words, told.further(outputs))))


def outputs_report(outputs: Outputs | None) -> list[str]:
    """A section of a report; nothing where outputs were not asked for."""
    return section(told.REPORT_HEADING, bullets(map(words, told.recorded_sentences(outputs))))
