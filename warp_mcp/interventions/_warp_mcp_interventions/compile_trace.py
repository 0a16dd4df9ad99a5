"""Build the largest CUDA modules once more, with NVRTC's trace on: what each kernel takes to compile.

While the program runs, only what the compiler was given is remembered. When the process ends in order, the
same source is compiled again, with the same options, into a directory of its own, which is removed. Warp's
option for this moves the hash of a module; here the compiler itself is called, so that no module, cache or
record knows of it. How a trace is read is told in `compile_trace_events.py`.

`pass.json`: {"compile_trace": {"modules": null or [names], "arch": null or 90, "most": 3,
"least_share": 0.15, "repeats": 1}}; `least_share` is of the compiler's time for CUDA in this process.

Lines of `<pid>.trace`: a build that was repeated {"module", "source" (name of its file), "block_dim", "arch",
"links" (objects linked to it), "builds" (of this module), "all_cpu_ms" (of them all), "timed": {"wall_ms",
"cpu_ms"}, "traced": the same, and what `compile_trace_events.read` returns}, one line for each repetition,
or one without a second build where objects are linked to it;
{"spent_ms"}: what all of this took at the end; {"problem": sentence, "module"}.
"""

import atexit
import os
import sys
import time

from . import channel, compile_trace_events, waiting

KIND = "trace"
MOST = 3
LEAST_SHARE = 0.15
FRAMES = 6
"""Wrappers that may lie between a module's compilation and the call of the compiler."""


def start():
    """Wait for Warp."""
    told = channel.told("compile_trace")
    if told is not None:
        builds = _Builds(told)
        waiting.when_imported(waiting.CONTEXT, builds.watch, first=True)


def _not_there(*_args, **_kwargs):
    raise RuntimeError("there is no compiler")


class _Build:
    """One call of the compiler: what it was given and what it took."""

    def __init__(self, source, args, kwargs):
        self.file = os.path.basename(source)
        with open(source, "rb") as file:
            self.source = file.read()
        self.args = args
        self.kwargs = kwargs
        self.module, self.block_dim = _asked_by(sys._getframe(2))
        self.pid = os.getpid()
        self.wall_ms = self.cpu_ms = 0.0

    def arch(self):
        return self.args[0] if self.args else self.kwargs.get("arch")

    def links(self):
        """Objects linked to it: then the linker optimises and assembles, and no trace tells of that."""
        return len(self.kwargs.get("ltoirs") or ())

    def output(self):
        return self.args[1] if len(self.args) > 1 else self.kwargs.get("output_path")


def _asked_by(frame):
    """(module, block_dim) from the variables of `Module._compile`; a module is called by its own name."""
    for _ in range(FRAMES):
        if frame is None:
            break
        if frame.f_code.co_name in ("_compile", "compile"):
            module = frame.f_locals.get("self")
            block_dim = frame.f_locals.get("active_block_dim") or vars(module)["options"].get("block_dim")
            return str(vars(module)["name"]), int(block_dim or 0)
        frame = frame.f_back
    return "", 0


class _Builds:
    """All CUDA builds of this process."""

    def __init__(self, told):
        self.told = told
        self.seen = []
        self.registered = False
        self.compile = _not_there

    def watch(self, context):
        """Put a wrapper around the compiler, inside the recorder's."""
        if vars(context).get("Module") is None:
            return
        place = vars(sys.modules[context.__name__.rpartition(".")[0] + ".build"])
        self.compile = original = place["build_cuda"]
        remember = self.remember

        def build_cuda(cu_path, *args, **kwargs):
            build = remember(cu_path, args, kwargs)
            wall, cpu = time.perf_counter(), time.thread_time()
            original(cu_path, *args, **kwargs)
            if build is not None:
                build.wall_ms = 1000 * (time.perf_counter() - wall)
                build.cpu_ms = 1000 * (time.thread_time() - cpu)

        place["build_cuda"] = build_cuda

    def remember(self, cu_path, args, kwargs):
        """The build that begins; None when it is not one to look at."""
        try:
            build = _Build(cu_path, args, kwargs)
            if self.told.get("arch") not in (None, build.arch()):
                return None
            if not self.registered:  # after Warp itself, so that it runs before Warp is taken down
                self.registered = True
                atexit.register(self.trace)
            self.seen.append(build)
            return build
        except Exception:
            return None

    def trace(self):
        """At exit: build the largest once more. Never raises."""
        try:
            begin = time.perf_counter()
            for build, fellows in self.largest():
                if build.links():
                    self.write(build, fellows, compile_trace_events.nothing(), 0.0, 0.0)
                    continue
                for _ in range(self.told.get("repeats") or 1):
                    self.again(build, fellows)
            channel.write(KIND, {"spent_ms": 1000 * (time.perf_counter() - begin)})
        except Exception as error:
            channel.write(KIND, {"problem": "Nothing more was traced: %r" % error})

    def largest(self):
        """[(dearest build, all builds)] of the modules to be looked at, those with the most work first."""
        by_module = {}
        for build in self.seen:
            if build.pid == os.getpid() and build.wall_ms:
                by_module.setdefault(build.module or build.file, []).append(build)
        work = {name: sum(one.cpu_ms for one in builds) for name, builds in by_module.items()}
        names = self.told.get("modules")
        if names is None:
            least = (self.told.get("least_share") or LEAST_SHARE) * sum(work.values())
            names = [name for name in work if work[name] >= least]
        chosen = sorted((name for name in names if name in work), key=lambda name: -work[name])
        chosen = chosen[: self.told.get("most") or MOST]
        return [(max(by_module[name], key=lambda one: one.cpu_ms), by_module[name]) for name in chosen]

    def again(self, build, fellows):
        """Compile one of them with the trace on, and write what it tells."""
        try:
            self.write(build, fellows, *self.traced(build))
        except Exception as error:
            problem = "%s could not be built with a trace: %s" % (build.module, str(error)[:300])
            channel.write(KIND, {"problem": problem, "module": build.module})

    def write(self, build, fellows, told, wall_ms, cpu_ms):
        """The line of one build."""
        told.update(
            module=build.module,
            source=build.file,
            block_dim=build.block_dim,
            arch=build.arch(),
            links=build.links(),
            builds=len(fellows),
            all_cpu_ms=sum(one.cpu_ms for one in fellows),
            timed={"wall_ms": build.wall_ms, "cpu_ms": build.cpu_ms},
            traced={"wall_ms": wall_ms, "cpu_ms": cpu_ms},
        )
        channel.write(KIND, told)

    def traced(self, build):
        """(what the trace tells, wall in ms, CPU of the thread in ms)."""
        import shutil
        import tempfile

        directory = tempfile.mkdtemp(prefix="trace-", dir=os.environ["WARP_MCP_RECORD_DIR"])
        try:
            source = os.path.join(directory, build.file)
            with open(source, "wb") as file:
                file.write(build.source)
            output = os.path.join(directory, os.path.basename(build.output()))
            trace = compile_trace_events.expected(output)
            wall, cpu = time.perf_counter(), time.thread_time()
            with _Silence():
                self.compile(source, *_replaced(build, output), **_tracing(build, output))
            wall, cpu = time.perf_counter() - wall, time.thread_time() - cpu
            return compile_trace_events.read(trace, build.source), 1000 * wall, 1000 * cpu
        finally:
            shutil.rmtree(directory, ignore_errors=True)


def _replaced(build, output):
    """Positional arguments: the output is the second of them, where it is given so."""
    return (build.args[0], output) + build.args[2:] if len(build.args) > 1 else build.args


def _tracing(build, output):
    given = dict(build.kwargs, compile_time_trace=True)
    if len(build.args) < 2:
        given["output_path"] = output
    return given


class _Silence:
    """What the compiler prints goes nowhere: the program is over, and its output is complete."""

    def __enter__(self):
        for stream in (sys.stdout, sys.stderr):
            try:
                stream.flush()
            except Exception:
                pass
        self.kept = [(number, os.dup(number)) for number in (1, 2)]
        nowhere = os.open(os.devnull, os.O_WRONLY)
        for number in (1, 2):
            os.dup2(nowhere, number)
        os.close(nowhere)

    def __exit__(self, *_):
        for number, copy in self.kept:
            os.dup2(copy, number)
            os.close(copy)
