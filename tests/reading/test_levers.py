"""What runs with a lever left behind, to sentences about what was not applied."""

import json
from pathlib import Path
from typing import Any

from warp_mcp.reading.levers import read_lever_changes, read_lever_problems

BACKWARD = {"option": "enable_backward", "value": False, "module": None}
SOLVER = {"option": "max_unroll", "value": 4, "module": "pkg.solver"}
PRELOAD = {"workers": 2, "variants": []}


def applied(setting: dict[str, Any]) -> dict[str, Any]:
    return {"applied": {"option": setting["option"], "module": setting["module"]}}


def left(
    directory: Path,
    *processes: list[dict[str, Any]],
    settings: list[dict[str, Any]] | None = None,
    preload: dict[str, Any] | None = None,
) -> list[str]:
    """Problems of a run that was told the settings, with the lines of each of its processes."""
    told = {"levers": {"settings": settings or [], "preload": preload}}
    (directory / "pass.json").write_text(json.dumps(told), encoding="utf-8")
    for number, lines in enumerate(processes):
        text = "".join(json.dumps(line) + "\n" for line in lines)
        (directory / f"{number}.levers").write_text(text, encoding="utf-8")
    return read_lever_problems(str(directory))


def test_a_run_without_levers_has_no_problems(tmp_path: Path) -> None:
    assert read_lever_problems(str(tmp_path)) == []
    assert read_lever_problems(str(tmp_path / "gone")) == []
    (tmp_path / "pass.json").write_text('{"outputs": {}}', encoding="utf-8")
    assert read_lever_problems(str(tmp_path)) == []


def test_parameters_that_are_no_object_are_no_levers(tmp_path: Path) -> None:
    for text in ("[]", "7", "{", '{"levers": 3}', '"levers"'):
        (tmp_path / "pass.json").write_text(text, encoding="utf-8")
        assert read_lever_problems(str(tmp_path)) == []


def test_what_took_hold_in_one_process_is_applied(tmp_path: Path) -> None:
    processes = [applied(BACKWARD)], [applied(BACKWARD), applied(SOLVER)]
    assert left(tmp_path, *processes, settings=[BACKWARD, SOLVER]) == []


def test_options_of_the_process_that_had_another_value_are_told_once(tmp_path: Path) -> None:
    changed = {**applied(BACKWARD), "changed": True}
    same = {**applied({**BACKWARD, "option": "mode"}), "changed": False}
    of_a_module = {**applied(SOLVER), "changed": True}
    left(tmp_path, [changed, same, of_a_module, {"changed": True}], [changed], settings=[BACKWARD])
    assert read_lever_changes(str(tmp_path)) == ["enable_backward"]
    assert read_lever_changes(str(tmp_path / "gone")) == []


def test_a_module_that_no_process_made_is_named(tmp_path: Path) -> None:
    assert left(tmp_path, [applied(BACKWARD)], settings=[BACKWARD, SOLVER]) == [
        "No module named `pkg.solver` was made, so `max_unroll` was set on none."
    ]


def test_the_modules_that_were_made_are_named_the_nearest_first(tmp_path: Path) -> None:
    made = {"made": ["a.b", "c.d", "e.f", "g.h", "pkg.solver2"]}
    (told,) = left(tmp_path, [made], settings=[SOLVER])
    assert told.endswith("set on none; made were `pkg.solver2`, `a.b`, `c.d`, `e.f` and 1 more.")


def test_the_script_itself_is_named_where_it_made_the_only_module(tmp_path: Path) -> None:
    (told,) = left(tmp_path, [{"made": ["__main__"]}], settings=[{**SOLVER, "module": "lev"}])
    assert told.endswith("made were `__main__` (that of the script itself).")


def test_a_run_in_which_no_process_imported_warp_says_so(tmp_path: Path) -> None:
    assert left(tmp_path, settings=[BACKWARD]) == [
        "`enable_backward` was set in no process: none imported Warp with the lever attached."
    ]


def test_what_a_process_says_is_said_once_and_explains_the_rest(tmp_path: Path) -> None:
    problem = {
        "problem": "Warp 1.10.1 has none.",
        "option": "max_unroll",
        "module": "pkg.solver",
    }
    assert left(tmp_path, [problem], [problem], settings=[SOLVER]) == [problem["problem"]]


def test_parameters_that_a_process_could_not_read_explain_everything(tmp_path: Path) -> None:
    problem = {"problem": "What the levers are could not be read, so none was applied."}
    assert left(tmp_path, [problem], settings=[SOLVER], preload=PRELOAD) == [problem["problem"]]


def test_lines_that_cannot_be_read_are_counted(tmp_path: Path) -> None:
    (tmp_path / "9.levers").write_bytes(b'{"applied"\n[1]\n\xff\xfe\n')
    assert left(tmp_path, [applied(SOLVER)], settings=[SOLVER]) == [
        "3 lines about what the lever did could not be read."
    ]


def test_one_line_that_cannot_be_read_is_one_line(tmp_path: Path) -> None:
    (tmp_path / "9.levers").write_bytes(b"{\n")
    assert left(tmp_path)[0] == "1 line about what the lever did could not be read."


def test_preloading_that_loaded_in_one_process_has_no_problem(tmp_path: Path) -> None:
    some = {"preloaded": {"loaded": 3, "left": 0}}
    none = {"preloaded": {"loaded": 0, "left": 3}}
    assert left(tmp_path, [some], [none], preload=PRELOAD) == []


def test_preloading_that_found_nothing_or_never_ran_says_so(tmp_path: Path) -> None:
    assert left(tmp_path, preload=PRELOAD) == ["Nothing was built ahead: no process launched anything."]
    assert left(tmp_path, [{"preloaded": {"loaded": 0, "left": 3}}], preload=PRELOAD) == [
        "Nothing was built ahead: no module of the unchanged run existed at the first launch."
    ]


def test_preloading_that_a_process_refused_says_why_alone(tmp_path: Path) -> None:
    lines = [{"problem": "Not here.", "option": "preload"}, {"preloaded": {"loaded": 0, "left": 0}}]
    assert left(tmp_path, lines, preload=PRELOAD) == ["Not here."]
