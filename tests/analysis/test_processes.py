from tests.analysis.factories import load, process, recording, run, seen, spawn
from warp_mcp.analysis.processes import is_python, list_processes, program_record


def test_a_python_process_without_a_record_is_listed_as_not_attached():
    cold = run(processes=[seen(10), seen(11, ["python3", "-I", "child.py"], parent=10)])
    found = list_processes(cold, recording(process(pid=10)))
    assert [(one.pid, one.parent, one.attached) for one in found] == [(10, 1, True), (11, 10, False)]


def test_a_record_of_a_process_that_the_runner_never_saw_is_listed():
    found = list_processes(run(processes=[]), recording(process(pid=10)))
    assert [(one.pid, one.attached) for one in found] == [(10, True)]


def test_a_short_lived_python_child_that_only_its_parent_saw_is_listed():
    record = process(pid=10, spawned=[spawn(11)])
    found = list_processes(run(), recording(record))
    assert [(one.pid, one.parent, one.attached) for one in found] == [(10, 1, True), (11, 10, False)]


def test_a_process_that_became_another_program_is_listed_once():
    found = list_processes(run(), recording(process(pid=10), process(pid=10, started_ms=5.0)))
    assert len(found) == 1


def test_interpreters_are_known_by_their_names():
    for name in ("python", "/usr/bin/python3", "/v/bin/python3.11", "python3.13t"):
        assert is_python([name, "x.py"])
    for name in ("pythonic", "bash", "/opt/python/bin/tool"):
        assert not is_python([name])
    assert not is_python([])


def test_the_program_is_the_process_with_warp_and_the_most_work():
    launcher = process(pid=1, warp_version=None)
    idle = process(pid=2, started_ms=1.0)
    worker = process(pid=3, started_ms=2.0, loads=[load()])
    found = program_record(recording(launcher, idle, worker))
    assert found is not None
    assert found.pid == 3
    assert program_record(recording()) is None
