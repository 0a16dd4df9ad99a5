"""Machine and versions of a measurement, and the fingerprint that says which times may be compared."""

import hashlib
import json

from warp_mcp.models.recording import ProcessRecord
from warp_mcp.models.report import Environment
from warp_mcp.models.run import Machine


def build_environment(machine: Machine, program: ProcessRecord | None) -> Environment:
    """`program`: the process that is the program itself; `None` when nothing attached.

    Then the executable is what the command names, and the versions of Python and Warp are not known.
    """
    python = program.python if program else None
    warp = program.warp_version if program else None
    parts = [machine.cpu, machine.cores, machine.gpu, machine.driver, machine.cuda_toolkit, machine.platform]
    text = json.dumps([*parts, python, warp])
    return Environment(
        fingerprint=hashlib.sha256(text.encode("utf-8")).hexdigest(),
        cpu=machine.cpu,
        cores=machine.cores,
        memory_bytes=machine.memory_bytes,
        gpu=machine.gpu,
        driver=machine.driver,
        cuda_toolkit=machine.cuda_toolkit,
        platform=machine.platform,
        python=python,
        executable=program.executable if program else machine.executable,
        warp=warp,
        variables=machine.variables,
    )
