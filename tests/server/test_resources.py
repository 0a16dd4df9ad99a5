"""References, reports, comparisons and ledgers as resources: listed, read, completed, told of when new."""

import json
from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any
from urllib.parse import quote

import anyio
import pytest
from mcp import Client, MCPError
from mcp.server.mcpserver import Context, MCPServer
from mcp_types import INTERNAL_ERROR, INVALID_PARAMS, ResourceTemplateReference

from tests.factories import a_comparison, a_report
from tests.ledger_made import record
from warp_mcp import storage
from warp_mcp.models.mechanism import CATALOGUE
from warp_mcp.models.report import Report
from warp_mcp.server import updates
from warp_mcp.server.resource_list import MOST
from warp_mcp.server.resources import (
    notify_ledger,
    notify_new_comparison,
    notify_new_report,
    register_resources,
)

ERAS = ("legacy", "auto")
SCHEME = "warp-compile://"
eras = pytest.mark.parametrize("mode", ERAS)


def a_server() -> MCPServer[Any]:
    """A bare server with the resources, and tools that only notify."""
    server: MCPServer[Any] = MCPServer("resources", log_level="CRITICAL")
    register_resources(server)

    @server.tool()
    async def make_report(context: Context[Any, Any]) -> str:
        await notify_new_report(context, "r-new")
        return ""

    @server.tool()
    async def make_comparison(context: Context[Any, Any]) -> str:
        await notify_new_comparison(context, "c-new")
        return ""

    @server.tool()
    async def record_entry(context: Context[Any, Any]) -> str:
        await notify_ledger(context, "fluid-1a2b3c4d")
        return ""

    return server


@asynccontextmanager
async def connected(mode: str, **options: Any) -> AsyncGenerator[Client, None]:
    async with Client(a_server(), mode=mode, **options) as client:  # type: ignore[arg-type]
        yield client


def ask(mode: str, question: Callable[[Client], Awaitable[Any]]) -> Any:
    """What one client hears."""

    async def session() -> Any:
        async with connected(mode) as client:
            return await question(client)

    return anyio.run(session)


def listed(mode: str = "auto") -> dict[str, Any]:
    """The listed resources by URI."""
    return {one.uri: one for one in ask(mode, lambda client: client.list_resources()).resources}


def read(uri: str, mode: str = "auto") -> tuple[str, str]:
    """Text and MIME type."""
    (content,) = ask(mode, lambda client: client.read_resource(SCHEME + uri)).contents
    return content.text, content.mime_type


def refused(uri: str, mode: str = "auto") -> MCPError:
    """The protocol error with which a URI is answered."""

    async def session() -> MCPError:
        async with connected(mode) as client:
            with pytest.raises(MCPError) as caught:
                await client.read_resource(SCHEME + uri)
            return caught.value

    return anyio.run(session)


def completed(template: str, value: str = "", mode: str = "auto") -> list[str]:
    reference = ResourceTemplateReference(uri=SCHEME + template)
    result = ask(mode, lambda client: client.complete(reference, {"name": "id", "value": value}))
    return result.completion.values


def keep(number: int, label: str | None = None, **changes: Any) -> Report:
    report = a_report(
        report_id=f"r-202612{number // 60:02}-1015{number % 60:02}-ab12", label=label, **changes
    )
    storage.save_report(report)
    return report


def compared(baseline: Report, candidate: Report, number: int = 0, **changes: Any) -> str:
    comparison = a_comparison(
        comparison_id=f"c-20261201-1016{number:02}-cd34",
        baseline=baseline.report_id,
        candidate=candidate.report_id,
        **changes,
    )
    storage.save_comparison(comparison)
    return comparison.comparison_id


# --- Listing ---


@eras
def test_everything_listed_is_exactly_as_long_and_of_the_type_that_the_list_says(mode: str) -> None:
    before, after = keep(1, "before"), keep(2, "a|b `c`")
    compared(before, after)
    record()

    resources = listed(mode)

    assert {f"{SCHEME}{name}" for name in ("references", "ledger", "ledger.json")} <= set(resources)
    for uri, resource in resources.items():
        text, mime_type = read(uri.removeprefix(SCHEME), mode)
        assert resource.title and resource.description
        assert (resource.size, resource.mime_type) == (len(text.encode()), mime_type), uri


@eras
def test_each_mechanism_is_listed_by_its_label(mode: str) -> None:
    resources = listed(mode)

    for one in CATALOGUE:
        assert resources[f"{SCHEME}references/mechanisms/{one.label}"].title == f"{one.label}: {one.name}"


@eras
def test_the_newest_reports_and_comparisons_are_listed_newest_first_and_the_rest_can_be_read(
    mode: str,
) -> None:
    reports = [keep(number) for number in range(MOST + 5)]
    comparisons = [compared(reports[0], reports[1], number) for number in range(MOST + 5)]

    uris = list(listed(mode))
    told = [uri.rsplit("/", 1)[1] for uri in uris if "://reports/" in uri]
    pairs = [uri.rsplit("/", 1)[1] for uri in uris if "://comparisons/" in uri]

    assert told == [report.report_id for report in reversed(reports)][:MOST]
    assert pairs == comparisons[::-1][:MOST]
    assert json.loads(read(f"reports/{reports[0].report_id}", mode)[0])["report_id"] == reports[0].report_id
    assert comparisons[0] in read(f"comparisons/{comparisons[0]}", mode)[0]


def test_the_whole_list_stays_affordable_whatever_names_programs_have() -> None:
    reports = [keep(n, "x" * 5000, command=["python", "y" * 5000, "\x1b[31m"]) for n in range(MOST + 5)]
    for number in range(MOST + 5):
        compared(reports[0], reports[1], number, baseline_label="x" * 5000)

    told = [one.model_dump(mode="json", exclude_none=True) for one in listed().values()]

    assert len(json.dumps(told)) / 4 < 10_000
    assert "\x1b" not in json.dumps(told, ensure_ascii=False)


@eras
def test_what_cannot_be_read_is_not_listed_and_what_can_be_still_is(mode: str) -> None:
    kept = keep(1)
    for folder, name in (("reports", "r-20261201-999999-zzzz"), ("comparisons", "c-20261201-999999-zzzz")):
        storage.state_dir().joinpath(folder).mkdir(exist_ok=True)
        (storage.state_dir() / folder / f"{name}.json").write_text('{"schema": "warp-mcp', encoding="utf-8")

    resources = listed(mode)

    assert f"{SCHEME}reports/{kept.report_id}" in resources
    assert not any("zzzz" in uri for uri in resources)


@eras
def test_an_empty_state_directory_lists_the_references_and_an_empty_ledger(mode: str) -> None:
    resources = listed(mode)

    assert not any("reports/" in uri or "comparisons/" in uri for uri in resources)
    assert "Nothing is recorded yet." in read("ledger", mode)[0]


@eras
def test_every_template_has_a_title_a_description_and_a_type(mode: str) -> None:
    templates = ask(mode, lambda client: client.list_resource_templates()).resource_templates

    assert {f"{SCHEME}reports/{{id}}", f"{SCHEME}comparisons/{{id}}", f"{SCHEME}ledger/{{id}}"} <= {
        one.uri_template for one in templates
    }
    assert all(one.title and one.description and one.mime_type for one in templates)


# --- Reading ---


@eras
@pytest.mark.parametrize("name", ["CS-3", "cs3", "options-after-load"])
def test_a_mechanism_is_read_by_label_or_slug(mode: str, name: str) -> None:
    text, mime_type = read(f"references/mechanisms/{name}", mode)

    assert text.startswith("# CS-3: options set after first load\n")
    assert mime_type == "text/markdown"


@eras
def test_the_documents_are_read_whole_or_by_section(mode: str) -> None:
    whole = read("references/measurement", mode)[0]
    section = read("references/measurement/the-verdict", mode)[0]

    assert whole.startswith("# Measuring the cold start of a Warp program")
    assert section.startswith("# The verdict")
    assert len(section) < len(whole) / 5
    assert read("references/trade-offs", mode)[0] == read("references/mechanisms/trade-offs", mode)[0]


def test_every_link_in_every_section_leads_to_a_resource_that_can_be_read() -> None:
    index = read("references")[0]
    sections = [line.rsplit(": ", 1)[1] for line in index.splitlines() if line.startswith("- ")]
    texts = {uri: read(uri.removeprefix(SCHEME))[0] for uri in sections}

    targets = {
        target
        for text in texts.values()
        for target in (part.split(")", 1)[0] for part in text.split("](")[1:])
    }

    assert len(sections) > 13 and targets
    assert {target for target in targets if not target.startswith(("https://", SCHEME))} == set()
    for target in targets:
        if target.startswith(SCHEME):
            assert target in texts or read(target.removeprefix(SCHEME))[0]


@eras
def test_a_report_is_read_by_id_latest_label_or_the_beginning_of_its_id(mode: str) -> None:
    keep(1, "old")
    report = keep(2, "feature/fast start")

    names = [report.report_id, "latest", quote("feature/fast start", safe=""), report.report_id[:-3]]
    texts = {read(f"reports/{name}", mode)[0] for name in names}

    assert texts == {storage.report_path(report.report_id).read_text(encoding="utf-8")}


@eras
def test_a_report_is_read_as_markdown_too(mode: str) -> None:
    keep(1, "before")

    text, mime_type = read("reports/before.md", mode)

    assert mime_type == "text/markdown"
    assert text.startswith("# Cold start of `python app.py`\n")


@eras
def test_a_comparison_is_the_report_to_send_and_its_json_is_beside_it(mode: str) -> None:
    comparison = compared(keep(1, "before"), keep(2, "after"))

    text, mime_type = read("comparisons/latest", mode)
    data, data_type = read(f"comparisons/{comparison}.json", mode)

    assert (mime_type, data_type) == ("text/markdown", "application/json")
    assert text.startswith("# Cold start of `python app.py`: improved\n")
    assert "A processor, 2 cores" in text
    assert json.loads(data)["comparison_id"] == comparison


@eras
def test_a_comparison_outlives_its_reports(mode: str) -> None:
    before, after = keep(1, "before"), keep(2, "after")
    comparison = compared(before, after)
    for report in (before, after):
        storage.report_path(report.report_id).unlink()

    text = read(f"comparisons/{comparison}", mode)[0]

    assert "a report that is not kept here" in text
    assert "neither report is kept" in text


def test_a_comparison_tells_what_the_ledger_of_its_project_holds(tmp_path: Path) -> None:
    project = tmp_path / "fluid"
    project.mkdir()
    record("Build the module sim without backward code", project=str(project))
    report = keep(1, cwd=str(project))

    text = read(f"comparisons/{compared(report, report)}")[0]

    assert "Build the module sim without backward code" in text
    assert "A notebook may call Tape.backward" in text


def test_a_comparison_made_from_a_file_with_a_path_as_its_id_reads_no_file_by_it(tmp_path: Path) -> None:
    hidden = a_report(report_id="r-hidden", command=["python", "hidden.py"])
    (storage.state_dir().parent / "hidden.json").write_text(storage.to_json(hidden), encoding="utf-8")
    storage.save_report(a_report())

    text = read(
        f"comparisons/{compared(hidden.model_copy(update={'report_id': '../../hidden'}), a_report())}"
    )[0]

    assert "hidden.py" not in text


@eras
def test_the_ledger_is_read_as_markdown_and_as_json_by_project_or_as_the_nearest(mode: str) -> None:
    project = record().entry.project

    assert read("ledger", mode) == read(f"ledger/{project}", mode)
    assert read("ledger.json", mode) == read(f"ledger/{project}.json", mode)
    assert read("ledger", mode)[0].startswith("# Ledger of ")
    listing = json.loads(read("ledger.json", mode)[0])
    assert listing["project"] == project and len(listing["entries"]) == 1


def test_without_a_ledger_of_its_own_the_server_shows_the_one_used_last(tmp_path: Path) -> None:
    project = tmp_path / "elsewhere"
    project.mkdir()
    record("Keep the cache of CI", project=str(project))

    assert "Keep the cache of CI" in read("ledger")[0]


# --- What is not there ---


@eras
@pytest.mark.parametrize(
    ("uri", "code", "there"),
    [
        ("reports/nope", "no_such_report", "r-20261200-101501-ab12 (before)"),
        ("reports/", "no_such_report", "r-20261200-101501-ab12"),
        ("reports/r-2", "ambiguous", "r-20261200-101501-ab12"),
        ("comparisons/nope", "no_such_comparison", "c-20261201-101600-cd34"),
        ("references/mechanisms/CS-14", "unknown_section", "CS-13"),
        ("references/measurement/nope", "unknown_section", "the-verdict"),
        ("references/nope", "unknown_section", "mechanisms"),
        ("ledger/nope", "unknown_project", "There are ledgers of: "),
        ("nope", "no_such_resource", "warp-compile://references"),
        ("reports/a/b/c", "no_such_resource", "warp-compile://reports/latest"),
    ],
)
def test_a_name_that_is_not_there_is_a_protocol_error_that_says_what_is(
    mode: str, uri: str, code: str, there: str
) -> None:
    compared(keep(1, "before"), keep(2))
    record()

    error = refused(uri, mode)

    assert error.code == INVALID_PARAMS
    assert error.data["code"] == code
    assert error.data["uri"] == SCHEME + uri
    assert there in error.data["next"]
    assert error.message == f"{error.data['message']} {error.data['next']}"


OUTSIDE = [
    "..%2F..%2Fsecret",
    "..%2Fsecret",
    "..%5C..%5Csecret",
    "%2E%2E%2F%2E%2E%2Fsecret",
    "%2Ftmp%2Fsecret",
    "secret%00",
    "secret%0A",
    "..",
    "%FF%FE",
    "~%2Fsecret",
    "x" * 20_000,
]


@eras
@pytest.mark.parametrize("kind", ["reports", "comparisons", "ledger", "references/mechanisms", "references"])
def test_a_name_never_reaches_outside_its_directory(mode: str, kind: str) -> None:
    record()
    storage.save_report(a_report())
    secret = storage.to_json(a_report(report_id="secret", command=["secret"]))
    for directory in (storage.state_dir(), storage.state_dir().parent):
        for suffix in (".json", ".jsonl", ".md"):
            (directory / f"secret{suffix}").write_text(secret, encoding="utf-8")

    async def session() -> list[MCPError]:
        errors: list[MCPError] = []
        async with connected(mode) as client:
            for name in OUTSIDE:
                with pytest.raises(MCPError) as caught:
                    await client.read_resource(f"{SCHEME}{kind}/{name}")
                errors.append(caught.value)
        return errors

    for name, error in zip(OUTSIDE, anyio.run(session), strict=True):
        assert error.code == INVALID_PARAMS, name
        assert len(error.message) < 3000


@eras
def test_a_damaged_report_is_an_error_of_this_side_and_quotes_nothing_of_it(mode: str) -> None:
    report = keep(1)
    storage.report_path(report.report_id).write_text('{"schema": "warp-mcp/report/1", "PASSWORD": 1}')

    error = refused(f"reports/{report.report_id}", mode)

    assert error.code == INTERNAL_ERROR
    assert "PASSWORD" not in error.message
    assert error.data["code"] == "damaged"


# --- Completion ---


@eras
def test_names_are_completed_by_their_beginning_first_then_by_what_they_hold(mode: str) -> None:
    first, second = keep(1, "before"), keep(2, "after fix")
    comparison = compared(first, second)
    project = record().entry.project

    assert completed("reports/{id}", mode=mode) == [
        "latest",
        "after fix",
        "before",
        second.report_id,
        first.report_id,
    ]
    assert completed("reports/{id}.md", "BEF", mode) == ["before"]
    assert completed("reports/{id}", "fix", mode) == ["after fix"]
    assert completed("comparisons/{id}", mode=mode) == ["latest", comparison]
    assert completed("ledger/{id}", mode=mode) == [project]
    assert completed("references/mechanisms/{id}", "cs-1", mode)[:2] == ["CS-1", "CS-10"]
    assert "late-overloads" in completed("references/mechanisms/{id}", "overload", mode)
    assert "the-verdict" in completed("references/measurement/{id}", "the-v", mode)
    assert completed("no/such/{id}", mode=mode) == []


def test_every_name_that_is_completed_can_be_read() -> None:
    compared(keep(1, "a b/ü%"), keep(2))
    record()

    for template in (
        "references/mechanisms/{id}",
        "references/measurement/{id}",
        "references/{id}",
        "reports/{id}",
        "reports/{id}.md",
        "comparisons/{id}",
        "comparisons/{id}.json",
        "ledger/{id}",
        "ledger/{id}.json",
    ):
        names = completed(template)
        assert names
        for name in names:
            assert read(template.replace("{id}", quote(name, safe="")))[0]


@eras
def test_no_more_than_a_hundred_names_are_proposed_and_the_rest_is_counted(mode: str) -> None:
    for number in range(120):
        keep(number)

    reference = ResourceTemplateReference(uri=f"{SCHEME}reports/{{id}}")
    found = ask(mode, lambda client: client.complete(reference, {"name": "id", "value": "r-"})).completion

    assert (len(found.values), found.total, found.has_more) == (100, 120, True)


# --- Updates ---

TOOLS = [
    ("make_report", "reports/r-new", "reports/latest"),
    ("make_comparison", "comparisons/c-new", "comparisons/latest"),
    ("record_entry", "ledger/fluid-1a2b3c4d", "ledger"),
]


@pytest.mark.parametrize(("tool", "new", "changed"), TOOLS)
def test_a_client_that_listens_hears_of_what_is_new_and_of_what_has_changed(
    tool: str, new: str, changed: str
) -> None:
    async def session() -> list[Any]:
        async with connected("auto") as client:
            wanted = [SCHEME + changed, SCHEME + new]
            async with client.listen(resources_list_changed=True, resource_subscriptions=wanted) as events:
                await client.call_tool(tool, {})
                with anyio.fail_after(10):
                    return [await anext(events) for _ in range(3)]

    events = anyio.run(session)

    assert {type(event).__name__ for event in events} == {"ResourcesListChanged", "ResourceUpdated"}
    assert {getattr(event, "uri", None) for event in events} == {None, SCHEME + changed, SCHEME + new}


async def heard(tool: str, subscribe: list[str], unsubscribe: list[str]) -> list[tuple[str, str | None]]:
    """What a client of the older era is notified of."""
    messages: list[tuple[str, str | None]] = []

    async def on_message(message: Any) -> None:
        inner = getattr(message, "root", message)
        messages.append((inner.method, getattr(inner.params, "uri", None)))

    async with connected("legacy", message_handler=on_message) as client:
        for uri in subscribe:
            await client.session.subscribe_resource(SCHEME + uri)
        for uri in unsubscribe:
            await client.session.unsubscribe_resource(SCHEME + uri)
        await client.call_tool(tool, {})
        await client.list_tools()  # what was sent before it has arrived
    return messages


@pytest.mark.filterwarnings("ignore::mcp.shared.exceptions.MCPDeprecationWarning")
@pytest.mark.parametrize(("tool", "new", "changed"), TOOLS)
def test_in_the_older_era_the_list_is_told_to_all_and_a_resource_to_those_who_subscribed(
    tool: str, new: str, changed: str
) -> None:
    everybody = ("notifications/resources/list_changed", None)
    updated = ("notifications/resources/updated", SCHEME + changed)

    assert anyio.run(heard, tool, [], []) == [everybody]
    assert anyio.run(heard, tool, [changed, "reports/other"], []) == [everybody, updated]
    assert anyio.run(heard, tool, [changed], [changed]) == [everybody]


@eras
def test_the_server_says_that_it_tells_of_changes(mode: str) -> None:
    async def capabilities() -> Any:
        async with connected(mode) as client:
            return client.server_capabilities

    resources = anyio.run(capabilities).resources

    assert resources.subscribe and resources.list_changed


@pytest.mark.filterwarnings("ignore::mcp.shared.exceptions.MCPDeprecationWarning")
def test_endless_subscriptions_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(updates, "MOST_SUBSCRIPTIONS", 3)

    async def session() -> MCPError:
        async with connected("legacy") as client:
            for number in range(3):
                await client.session.subscribe_resource(f"{SCHEME}reports/{number}")
            with pytest.raises(MCPError) as caught:
                await client.session.subscribe_resource(f"{SCHEME}reports/3")
            return caught.value

    assert anyio.run(session).code == INVALID_PARAMS


def test_a_tool_that_is_called_outside_of_a_session_notifies_nobody() -> None:
    result = anyio.run(a_server().call_tool, "make_report", {})

    assert not result.is_error  # type: ignore[union-attr]
