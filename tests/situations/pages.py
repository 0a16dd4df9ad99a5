"""What holds of every page of `warp-mcp report`, whatever the verdict."""

import re

from tests.situations.measuring import Probe

CLAIMS = r"(?i)\b(optimal|irreducible|necessary|as fast as|guarantee)"
COMPLAINT = "8 s before the first frame, and CS-1 is not optimal"


def page(probe: Probe, baseline: str, candidate: str, verdict: str, code: int) -> list[str]:
    """What is wrong with the page on two reports; empty when nothing is."""
    options = ("--complaint", COMPLAINT, "--note", "the necessary edit")
    process = probe.run("report", baseline, candidate, *options)
    text = process.stdout
    outside = re.sub(r"`+[^`]*`+", "", re.sub(r"“[^”]*”", "", text))
    wrong = {
        "exit code": process.returncode != code,
        "title": not text.split("\n", 1)[0].endswith(f": {verdict}"),
        "label": "CS-" in text,
        "claim": re.search(CLAIMS, outside) is not None,
        "complaint": "The complaint: “8 s before the first frame" not in text,
        "credit": ("the change takes" in text.lower()) != (verdict == "improved"),
        "note": "“the necessary edit”" not in text,
        "field name": "cold_module_ms" in text,
        "error": process.stderr != "",
    }
    return [f"{name}: {text[:500]} {process.stderr}" for name, bad in wrong.items() if bad]
