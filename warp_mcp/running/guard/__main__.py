"""Sees to it that nothing of a sample is left, at whatever moment everybody who worked on it is killed.

A program of its own, never imported by the package, started for each sample as
`python -I -S guard/__main__.py ROOT RUN_ID [FROM TO]...` in a session of its own, with the standard library
only. It is told of the sample's directory ROOT before that is made, and until the end it does nothing but
wait.

Standard input is the lifeline: the probe holds its other end, and so does the supervisor of each run, but
never the target. On it the probe says a word a line: ``made`` once the directory is there with its owner
file, ``done`` once it is gone. The end of the file without ``done`` means that the probe was killed and that
its supervisor, if there was one, has ended the target and is gone, or was killed too. Then, in this order:
what still runs with an id that begins with RUN_ID is ended, each directory of records FROM is copied to TO,
folders of precompiled headers that the records name are removed, and ROOT is.

While it lives the guard shares the lock on the owner file: nobody takes the directory for a stale one.
"""

import os
import signal
import sys
import time
from collections.abc import Iterator, Sequence

PREFIX = "warp-mcp-"
OWNER = "owner.json"
MARK = b"WARP_MCP_RUN_ID="
END_LIMIT_S = 4.0
"""What has not ended so long after the first SIGKILL is stuck in the kernel."""
WITHOUT_PROC = "import sys; from warp_mcp.running.processes import end_marked; end_marked(sys.argv[1])"
"""Where there is no /proc, only the package's process library sees what others have in their environment."""


def main(root: str, run_id: str, *pairs: str) -> None:
    """Wait until nobody holds the lifeline, and clean up when that was not in order."""
    for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
        signal.signal(number, signal.SIG_IGN)
    if all_is_done(root) or not os.path.basename(root).startswith(PREFIX):
        return
    for step in (
        lambda: end_marked(run_id),
        lambda: rescue(pairs),
        lambda: [remove(folder) for folder in named_headers(root)],
        lambda: remove(root),
    ):
        try:
            step()
        except Exception:  # a step that cannot be taken takes none of the others away
            continue


def all_is_done(root: str) -> bool:
    """Listen until the lifeline ends; whether the last word was `done`."""
    text = b""
    while chunk := os.read(0, 4096):
        if b"made\n" in text + chunk and b"made\n" not in text:
            share_lock(root)
        text += chunk
    return text.endswith(b"done\n")


def share_lock(root: str) -> None:
    """Take the owner's lock too, until this process ends; without it the directory may be cleared earlier."""
    import fcntl

    try:
        fcntl.flock(os.open(os.path.join(root, OWNER), os.O_RDONLY), fcntl.LOCK_SH | fcntl.LOCK_NB)
    except OSError:
        pass


def end_marked(run_id: str) -> None:
    """Kill what carries the run's id, again and again: what is about to fork may be one step ahead."""
    if not os.path.isdir("/proc/self"):
        import subprocess

        subprocess.run([sys.executable, "-I", "-c", WITHOUT_PROC, run_id], timeout=END_LIMIT_S, check=False)
        return
    until = time.monotonic() + END_LIMIT_S
    while (pids := list(marked(run_id))) and time.monotonic() < until:
        for pid in pids:
            try:
                os.kill(pid, signal.SIGKILL)
            except OSError:  # gone meanwhile
                pass
        time.sleep(0.02)


def marked(run_id: str) -> "Iterator[int]":
    """Processes whose environment carries a run id that begins so."""
    mark = MARK + run_id.encode()
    for name in os.listdir("/proc"):
        if name.isdigit() and int(name) != os.getpid():
            try:
                with open(f"/proc/{name}/environ", "rb") as file:
                    if any(variable.startswith(mark) for variable in file.read().split(b"\0")):
                        yield int(name)
            except OSError:  # gone, or another user's
                continue


def rescue(pairs: "Sequence[str]") -> None:
    """Copy records to where a later probe reads how far the run got."""
    import shutil

    for source, target in zip(pairs[::2], pairs[1::2], strict=True):
        try:
            if os.path.isdir(source) and os.path.isdir(os.path.dirname(target)):
                shutil.copytree(source, target)
        except (OSError, shutil.Error):  # nowhere to copy to: these records are lost
            continue


def named_headers(root: str) -> "list[str]":
    """Folders of precompiled headers that the records below name: their makers were killed and left them.
    NVRTC's are named by the process that made them, and lie beside Warp's.
    """
    import json
    import tempfile

    found: list[str] = []
    pids: set[str] = set()
    for parent, _, names in os.walk(root):
        for name in names:
            if name.endswith(".jsonl"):
                pids.add(name.partition("-")[0])
                try:
                    with open(os.path.join(parent, name), "rb") as file:
                        lines = [line for line in file if line.startswith(b'{"e":"headers"')]
                    found += [json.loads(line)["path"] for line in lines if line.endswith(b"}\n")]
                except (OSError, ValueError, KeyError):  # a damaged record names nothing
                    continue
    named = [path for path in found if os.path.basename(path).startswith("wp_pch_")]
    for directory in {tempfile.gettempdir(), *map(os.path.dirname, named)}:
        named += [os.path.join(directory, name) for name in os.listdir(directory) if maker_of(name) in pids]
    return named


def maker_of(folder: str) -> str:
    """Id of the process that made a folder of NVRTC, `__nvrtc_auto_pch_<pid>_<n>`; empty for any other."""
    begin, _, rest = folder.partition("__nvrtc_auto_pch_")
    return rest.partition("_")[0] if not begin else ""


def remove(path: str) -> None:
    """Remove a directory with everything in it, also where a program made parts of it read-only."""
    import shutil

    shutil.rmtree(path, ignore_errors=True)
    for directory, _, _ in os.walk(path):
        try:
            os.chmod(directory, 0o700)
        except OSError:
            continue
    shutil.rmtree(path, ignore_errors=True)


if __name__ == "__main__":
    main(*sys.argv[1:])
