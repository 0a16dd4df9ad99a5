"""The recorder: the only code of this project that enters the measured program.

It uses the standard library alone, never raises into the program, never prints, and starts no
thread. What it sees goes to the directory named by WARP_MCP_RECORD_DIR:

`<pid>-<start>.jsonl`  one JSON object a line, written through at once. The first line is the
    handshake {"e": "process", "wire": 1, …}. The kinds of line ("e") are listed in `wire.py`.
`<pid>-<start>.<n>.launches`  one memory map for each launching thread (see `sequence.py`): what a
    thread launched survives any end of the process, SIGKILL included.

Importing this package is cheap on purpose (every Python process of the run pays for it); the hooks
themselves are imported when Warp is.
"""

from . import _state


def start():
    """Open this process's record, and wait for Warp to be imported."""
    from . import imports, processes, record

    opened = record.Record.open()
    if opened is None:
        return
    _state.record = opened
    _state.directory = opened.cwd
    processes.watch_children()
    processes.restart_after_fork()
    imports.wait_for_warp()


def launch_total():
    """Launches that ran in this process so far (graph replays count each launch they replay)."""
    from . import threads

    return threads.total()


def finish():
    """Write what is only written at the end. Safe to call more than once."""
    from . import processes

    processes.write_exit()
