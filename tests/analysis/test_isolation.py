from typing import Any

from tests.analysis.factories import CACHE, config, process, recording, sample, spawn
from warp_mcp.analysis.isolation import check_isolation
from warp_mcp.models.recording import CacheEvent


def violations(**changes: Any) -> list[str]:
    found = check_isolation([sample(process(**changes))])
    assert found.ok is not bool(found.violations)
    return found.violations


def directory(path: str, where: str | None = None) -> CacheEvent:
    return CacheEvent(kind="directory", t_ms=1.0, path=path, where=where, via=None)


def test_a_run_in_its_own_cache_is_isolated():
    assert violations(cache=[directory(f"{CACHE}/1.19.0")]) == []


def test_a_cache_directory_set_in_code_is_a_violation_with_its_line_and_told_once():
    [text] = violations(
        config=[config("kernel_cache_dir", "None", "/tmp/pinned", where="app.py:6")],
        cache=[directory("/tmp/pinned")],
    )
    assert text.startswith("app.py:6: ")
    assert "/tmp/pinned" in text


def test_a_cache_directory_set_in_code_to_a_place_within_the_runs_own_is_none():
    assert violations(config=[config("kernel_cache_dir", "None", f"{CACHE}/mine")]) == []


def test_a_directory_that_only_begins_with_the_same_letters_is_another_one():
    assert len(violations(cache=[directory(f"{CACHE}-of-another")])) == 1


def test_a_variable_that_was_changed_on_the_way_is_a_violation():
    [text] = violations(cache=[directory("/home/user/.cache/warp")])
    assert "WARP_CACHE_PATH" in text


def test_a_python_child_without_the_environment_is_a_violation_at_the_line_that_starts_it():
    [text] = violations(spawned=[spawn(where="app.py:30", keeps_recorder=False, keeps_caches=False)])
    assert text.startswith("app.py:30: ")


def test_a_child_that_keeps_its_environment_is_none():
    assert violations(spawned=[spawn(keeps_recorder=False)]) == []


def test_a_warm_run_that_escapes_counts_and_equal_sentences_of_several_samples_are_told_once():
    escaped = process(config=[config("kernel_cache_dir", "None", "/tmp/pinned")])
    one = sample(process(), warm_recording=recording(escaped))
    assert len(check_isolation([one, one, sample(escaped)]).violations) == 1


def test_a_directory_that_is_new_in_each_run_is_one_violation():
    samples = [
        sample(process(config=[config("kernel_cache_dir", "None", f"/tmp/{i}", where="app.py:6")]))
        for i in range(30)
    ]
    [text] = check_isolation(samples).violations
    assert text.endswith("/tmp/0")


def test_many_lines_do_not_make_the_list_endless():
    changes = [config("kernel_cache_dir", "None", "/tmp/x", where=f"app.py:{i}") for i in range(30)]
    found = violations(config=changes)
    assert len(found) == 10
    assert found[-1] == "and 21 more of the kind"


def test_an_isolated_interpreter_keeps_the_cache_although_it_loses_the_recorder():
    child = spawn(argv=["/usr/bin/python3", "-I", "child.py"], keeps_recorder=False)
    assert violations(spawned=[child]) == []
