"""What an intervention is told, and where it writes what it saw: files in the directory of the run's records.

`pass.json`, written before the run, holds one object with the parameters of each intervention by its name.
`<pid>.<kind>` holds one JSON object a line; each process writes its own, a forked child too.
"""

import os


def told(name):
    """Parameters of the intervention `name`; None when there are none to be read."""
    import json  # here, because most processes of a run never need it

    try:
        with open(os.path.join(os.environ["WARP_MCP_RECORD_DIR"], "pass.json"), "rb") as file:
            return json.loads(file.read().decode("utf-8")).get(name)
    except Exception:
        return None


def write(kind, value):
    """Append one line to this process's file of a kind, through to the system at once. Never raises."""
    import json

    try:
        path = os.path.join(os.environ["WARP_MCP_RECORD_DIR"], "%d.%s" % (os.getpid(), kind))
        line = (json.dumps(value) + "\n").encode("utf-8")
        file = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
        try:
            os.write(file, line)
        finally:
            os.close(file)
    except Exception:
        pass
