"""The write-up of a comparison as a resource: what a model can afford, whatever was measured."""

import anyio
from mcp import Client

from tests.factories import a_report
from tests.ledger_made import record
from tests.lever_made import a_lever, with_options
from tests.server.clients import call, told
from tests.server.test_sizes import huge
from warp_mcp import storage
from warp_mcp.server import build_server
from warp_mcp.workflows import sharing


def read(comparison_id: str) -> str:
    async def session() -> str:
        async with Client(build_server()) as client:
            (content,) = (await client.read_resource(f"warp-compile://comparisons/{comparison_id}")).contents
            return getattr(content, "text", "")

    return anyio.run(session)


def test_five_hundred_modules_a_full_ledger_and_many_levers(tmp_path: object) -> None:
    levers = [a_lever(f"max_unroll={number}", takes_away=["x " * 400] * 5) for number in range(40)]
    before = huge().model_copy(update={"levers": a_report(levers=levers).levers, "cwd": str(tmp_path)})
    storage.save_report(before)
    for number in range(40):
        record(f"Option {number}", why="w " * 1_500, project=str(tmp_path))

    answer = told(call("compare", {"baseline": "latest", "candidate": "latest"}))
    text = read(answer["comparison_id"])

    assert len(text) / 4 < 4000
    assert "40 entries: 40 declined." in text and "… and " in text
    assert len(sharing.team_report("latest", "latest")[1]) > 100_000, "the command line tells all"


def test_the_levers_of_the_baseline_are_on_it() -> None:
    storage.save_report(a_report(levers=[a_lever()], modules=[with_options()]))
    after = {"report_id": "r-20261201-101545-ab13", "label": "after"}
    storage.save_report(a_report(**after, modules=[with_options(enable_backward="False")]))

    text = read(told(call("compare", {"baseline": "before", "candidate": "after"}))["comparison_id"])

    assert "- `enable_backward=false`: Gradients: this run used none" in text
    assert "every lever that was priced on these reports is taken" in text
