from tests.analysis.factories import load, process, run, sample
from warp_mcp.analysis.wall import split_wall
from warp_mcp.models.recording import ImportRecord


def parts(**changes: object) -> dict[str, float]:
    record = process(loads=[load(ms=400), load("bb", 1200, 400)], **changes)
    return {part.name: part.ms for part in split_wall(sample(record, cold=run(3000.0)))}


def test_the_parts_add_up_to_the_wall():
    found = parts(imports=[ImportRecord(name="torch", ms=500.0)])
    assert sum(found.values()) == 3000.0
    assert list(found) == ["interpreter", "imports", "warp_import", "compilation", "program"]


def test_time_in_which_two_builds_ran_counts_once():
    assert parts()["compilation"] == 600.0


def test_the_import_of_warp_is_told_apart_from_that_of_the_package_that_imports_it():
    found = parts(imports=[ImportRecord(name="newton", ms=900.0)])
    assert (found["imports"], found["warp_import"]) == (700.0, 200.0)
    found = parts(imports=[ImportRecord(name="warp", ms=200.0), ImportRecord(name="torch", ms=500.0)])
    assert (found["imports"], found["warp_import"]) == (500.0, 200.0)


def test_the_slowest_imports_are_named():
    record = process(imports=[ImportRecord(name=f"m{i}", ms=1000.0 * i) for i in range(1, 6)])
    [detail] = [part.detail for part in split_wall(sample(record)) if part.name == "imports"]
    assert detail == "m5 5.0 s, m4 4.0 s, m3 3.0 s"


def test_nothing_is_said_when_no_process_attached():
    assert split_wall(sample()) == []
