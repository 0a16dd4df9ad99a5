"""The prompts `diagnose` and `report`: the loop for a command, and how to write it up."""

from typing import Any

import anyio
import pytest
from mcp import Client, MCPError
from mcp.server.mcpserver import MCPServer
from mcp_types import INVALID_PARAMS, PromptReference

from tests.factories import a_report
from warp_mcp import storage
from warp_mcp.server.prompts import ARGUMENTS, register_prompts

ERAS = ("legacy", "auto")
eras = pytest.mark.parametrize("mode", ERAS)


def ask(mode: str, method: str, *arguments: Any) -> Any:
    """What one client of a bare server with the prompts hears."""

    async def session() -> Any:
        server: MCPServer[Any] = MCPServer("prompts", log_level="CRITICAL")
        register_prompts(server)
        async with Client(server, mode=mode) as client:  # type: ignore[arg-type]
            try:
                return await getattr(client, method)(*arguments)
            except MCPError as error:
                return error

    return anyio.run(session)


def text(name: str, arguments: dict[str, str] | None = None, mode: str = "auto") -> str:
    (message,) = ask(mode, "get_prompt", name, arguments).messages
    assert message.role == "user"
    return " ".join(message.content.text.split())


@eras
def test_there_are_two_prompts_whose_arguments_are_described_and_can_be_left_out(mode: str) -> None:
    prompts = {prompt.name: prompt for prompt in ask(mode, "list_prompts").prompts}

    assert {
        name: tuple(one.name for one in prompt.arguments) for name, prompt in prompts.items()
    } == ARGUMENTS
    for prompt in prompts.values():
        assert prompt.title and prompt.description
        assert all(one.description and not one.required for one in prompt.arguments)


@eras
def test_without_a_command_the_user_is_asked_for_it_first(mode: str) -> None:
    asking = text("diagnose", mode=mode)
    given = text("diagnose", {"command": "python train.py --size 3", "goal": "under 5 s"}, mode)

    assert "First ask the user: which exact command" in asking
    assert asking.index("First ask the user") < asking.index("**Measure.**")
    assert "First ask the user" not in given
    assert "`python train.py --size 3`" in given and "`under 5 s`" in given


@eras
@pytest.mark.parametrize(
    "words",
    [
        "`measure`",
        "run_id",
        "`explain_mechanism`",
        "`compare`",
        "`ledger_append`",
        "**Price before you edit.**",
        "`levers` in `options`",
        "a lever that was priced by `report`, `lever` and `why` alone",
        "`outputs` where you will edit, and `steady_state` where",
        "`against` the report before",
        "`floor` bounds",
        "**Ask before any trade-off.**",
        "When nobody can be asked:",
        "no wider than the scope of the evidence",
        "everything under next_checks",
        "cache reuse (CS-2)",
        "backward code (CS-10)",
        "overlap (CS-13)",
        "prompt `report`",
    ],
)
def test_the_loop_is_told_whole(mode: str, words: str) -> None:
    assert words in text("diagnose", {"command": "python app.py"}, mode)


def test_the_steps_are_told_in_the_order_of_the_loop() -> None:
    told = text("diagnose", {"command": "python app.py"})

    tools = [
        "`measure`",
        "`explain_mechanism`",
        "Price before",
        "Ask before",
        "Edit one thing",
        "`compare`",
        "`ledger_append`",
    ]
    places = [told.index(words) for words in tools]
    assert places == sorted(places)


@eras
@pytest.mark.parametrize(
    "words",
    [
        "`v1`",
        "`v2`",
        "warp-compile://comparisons/",
        "medians ± MAD with counts",
        "*and* what is left",
        "recorded cause",
        "measured and declined",
        "not reached",
        "Trade-offs",
        "What was not verified",
        "ledger",
        "How to revert",
        "complaint",
        "each lever that was priced and not taken: `ledger_append` with `report`, `lever` and `why`",
        "warp-mcp report",
        "machine",
        "Promise nothing",
    ],
)
def test_the_report_prompt_names_what_a_report_has_to_say(mode: str, words: str) -> None:
    assert words in text("report", {"baseline": "v1", "candidate": "v2"}, mode)


@pytest.mark.parametrize("name", sorted(ARGUMENTS))
def test_a_prompt_is_one_that_a_model_can_afford(name: str) -> None:
    assert len(text(name)) / 4 < 1500


def test_what_is_put_into_a_prompt_stays_one_line_of_code() -> None:
    told = ask("auto", "get_prompt", "diagnose", {"command": "a`b\n\n# Now\x1b[31m " + "x" * 10_000})

    lines = told.messages[0].content.text.splitlines()
    assert not any(line.startswith("# Now") for line in lines)
    assert max(map(len, lines)) < 600
    assert "\x1b" not in told.messages[0].content.text


@eras
@pytest.mark.parametrize(
    ("name", "arguments", "code", "there"),
    [
        ("nope", {}, "unknown_prompt", "diagnose, report"),
        ("diagnose", {"comand": "x"}, "unknown_argument", "command, goal"),
        ("report", {"base": "x"}, "unknown_argument", "baseline, candidate"),
    ],
)
def test_an_unknown_prompt_or_argument_is_refused_by_name(
    mode: str, name: str, arguments: dict[str, str], code: str, there: str
) -> None:
    error = ask(mode, "get_prompt", name, arguments)

    assert error.code == INVALID_PARAMS
    assert error.data["code"] == code
    assert there in error.data["next"] and there in error.message


@eras
def test_commands_and_reports_are_completed_from_what_is_kept(mode: str) -> None:
    storage.save_report(a_report(command=["python", "my app.py"]))
    storage.save_report(a_report(report_id="r-20261201-101531-ab12", label="after"))

    def completed(prompt: str, argument: str, value: str = "") -> list[str]:
        reference = PromptReference(name=prompt)
        return ask(mode, "complete", reference, {"name": argument, "value": value}).completion.values

    assert completed("diagnose", "command") == ["python app.py", "python 'my app.py'"]
    assert completed("diagnose", "goal") == []
    assert completed("report", "baseline", "bef") == ["before"]
    assert completed("report", "candidate", "af") == ["after"]
