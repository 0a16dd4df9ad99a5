"""Secrets in arguments."""

import pytest

from warp_mcp.running import masked
from warp_mcp.running.masking import secret_values, without


@pytest.mark.parametrize(
    ("argv", "shown"),
    [
        (["--token", "X"], ["--token", "***"]),
        (["--token=X"], ["--token=***"]),
        (["TOKEN=X"], ["TOKEN=***"]),
        (["env", "HF_TOKEN=a=b", "python"], ["env", "HF_TOKEN=***", "python"]),
        (["--api-key", "X", "y"], ["--api-key", "***", "y"]),
        (["--apikey=X"], ["--apikey=***"]),
        (["--db.password", "X"], ["--db.password", "***"]),
        (["--client_secret=X"], ["--client_secret=***"]),
        (["-key", "X"], ["-key", "***"]),
        (["--credentials", "X"], ["--credentials", "***"]),
        (["--passwd", "-starts-with-dash"], ["--passwd", "***"]),
        (["--token", "--verbose"], ["--token", "--verbose"]),
        (["sh", "-c", "TOKEN=X run --password 'a b' now"], ["sh", "-c", "TOKEN=*** run --password *** now"]),
        (["https://me:X@host/path"], ["https://me:***@host/path"]),
        (["https://host/?a=1&token=X"], ["https://host/?a=1&token=***"]),
        (["-H", "Authorization: Bearer X"], ["-H", "Authorization: ***"]),
        (['{"api_key": "X", "n": 1}'], ['{"api_key": ***, "n": 1}']),
        (["AWS_SECRET_ACCESS_KEY=X"], ["AWS_SECRET_ACCESS_KEY=***"]),
    ],
)
def test_values_that_look_like_secrets_are_hidden(argv: list[str], shown: list[str]) -> None:
    assert masked(argv) == shown


@pytest.mark.parametrize(
    "argv",
    [
        ["python", "train.py", "--keyframes", "10"],
        ["--monkey", "george"],
        ["--tokenizer", "gpt2"],
        ["tests/test_tokens.py::test_a"],
        ["-k", "token and not slow"],
        ["a==b"],
        ["--lr=0.1", "x y z"],
    ],
)
def test_ordinary_arguments_are_shown(argv: list[str]) -> None:
    assert masked(argv) == argv


def test_a_long_argument_is_passed_in_reasonable_time() -> None:
    """The longest argument that Linux passes has 131,072 bytes."""
    plain, secret = "a" * 131_000, "token=X " + "a" * 131_000

    assert masked([plain, "k" + "e" * 131_000 + "=1"])[0] == plain
    assert masked([secret]) == [secret.replace("X", "***")]


@pytest.mark.parametrize(
    ("argv", "shown"),
    [
        (["--userKey", "X"], ["--userKey", "***"]),
        (["MYKEY=X"], ["MYKEY=***"]),
        (["X-Api-Key: X"], ["X-Api-Key: ***"]),
        (["Authorization: Basic X"], ["Authorization: ***"]),
        (["token:X"], ["token:***"]),
        (["--tokens", "X", "Y", "--other", "z"], ["--tokens", "***", "***", "--other", "z"]),
        (["https://X@host/a"], ["https://***@host/a"]),
        (["postgresql://u:p/X@host"], ["postgresql://u:***@host"]),
        (["--pwd", "X"], ["--pwd", "***"]),
        (["tests/token.py:41"], ["tests/token.py:41"]),
        (["PWD=/here"], ["PWD=/here"]),
        (["ssh://git@host/a"], ["ssh://git@host/a"]),
    ],
)
def test_secrets_are_hidden_in_the_ways_they_are_given(argv: list[str], shown: list[str]) -> None:
    assert masked(argv) == shown


def test_a_secret_that_the_program_repeats_is_hidden_in_its_output() -> None:
    secrets = secret_values(
        ["run", "--token", "S3CRET", "KEY=other1"], {"API_TOKEN": "third3", "PWD": "/here"}
    )
    assert without("bad S3CRET, other1, third3 in /here", secrets) == "bad ***, ***, *** in /here"


def test_a_value_too_short_to_be_found_by_is_not_looked_for() -> None:
    assert secret_values(["--key", "ab"], {}) == []
