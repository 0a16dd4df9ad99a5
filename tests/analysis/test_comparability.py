import pytest

from tests.analysis.factories import machine, process, report, sample
from warp_mcp.analysis.comparability import environment_differences, incomparable, same_command
from warp_mcp.models.report import Report


def ran(command: str, cwd: str = "/work") -> Report:
    return report(command=command.split(), cwd=cwd)


def same(one: str, other: str, cwd: str = "/work", other_cwd: str = "/work") -> bool:
    return same_command(ran(one, cwd), ran(other, other_cwd))


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("python app.py", "python app.py"),
        ("python app.py", "/venv/bin/python3.11 app.py"),
        ("/a/bin/python3 app.py", "/b/bin/python3 app.py"),
        ("python /a/repo/app.py", "python /b/fixed/app.py"),
        ("python before/app.py", "python after/app.py"),
        ("python /a/repo/run.py --scene /a/repo/x.usd", "python /b/wt/run.py --scene /b/wt/x.usd"),
        ("python /a/repo/run.py --out=/a/repo/out", "python /b/wt/run.py --out=/b/wt/out"),
        ("env CASE=before python app.py", "env CASE=after python app.py"),
        ("python -m pkg.app --n 3", "python3 -m pkg.app --n 3"),
    ],
)
def test_the_interpreter_the_checkout_and_the_programs_own_variables_are_not_the_command(
    one: str, other: str
):
    assert same(one, other)
    assert same(other, one)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("python app.py", "python other.py"),
        ("python app.py", "python app.py --fast"),
        ("python app.py --n 3", "python app.py --n 4"),
        ("python -m pkg.before", "python -m pkg.after"),
        ("python app.py --scene /data/a.usd", "python app.py --scene /data/b.usd"),
        ("python app.py --scene /data/a/s.usd", "python app.py --scene /data/b/s.usd"),
        ("python app.py", "bash app.py"),
        ("pytest tests/a.py", "pytest tests/b.py"),
    ],
)
def test_anything_else_is_another_command(one: str, other: str):
    assert not same(one, other)
    assert not same(other, one)


def test_paths_below_the_working_directory_are_compared_without_it():
    assert same(
        "python /a/main/run.py /a/main/d.txt", "python /b/fix/run.py /b/fix/d.txt", "/a/main", "/b/fix"
    )
    assert same("python run.py", "python /b/fix/run.py", "/a/main", "/b/fix")


@pytest.mark.parametrize(
    "change",
    [
        {"cpu": "x"},
        {"cores": 4},
        {"gpu": "x"},
        {"driver": "x"},
        {"cuda_toolkit": "13"},
        {"platform": "Darwin"},
    ],
)
def test_any_part_of_the_machine_that_differs_forbids_the_comparison(change: dict[str, object]):
    assert len(incomparable(report(), report(on=machine(**change)))) == 1


def test_memory_and_variables_do_not_forbid_it_but_variables_are_shown():
    other = report(on=machine(memory_bytes=1, variables={"WARP_X": "1", "CUDA_Y": "2"}))
    assert incomparable(report(), other) == []
    assert environment_differences(report(), other) == ["CUDA_Y: not set → 2", "WARP_X: not set → 1"]


@pytest.mark.parametrize(("version", "forbidden"), [("3.11.9", False), ("3.12.1", True)])
def test_another_python_forbids_it_unless_it_is_only_a_patch_release(version: str, forbidden: bool):
    one, other = report(sample(process())), report(sample(process(python=version)))
    assert bool(incomparable(one, other)) is forbidden
    assert any("3.11.4" in text and version in text for text in environment_differences(one, other))


def test_another_warp_forbids_it():
    one, other = report(sample(process())), report(sample(process(warp_version="1.20.0")))
    assert incomparable(one, other) == ["Warp differs: 1.19.0 and 1.20.0"]


def test_versions_that_are_not_known_do_not_forbid_it():
    assert incomparable(report(), report(sample(process()))) == []
