"""Before the first launch of a process, build side by side what the unchanged run built one after the other.

Only modules that exist by then, only variants (device, block_dim) that the unchanged run built, and only
where it is safe: several threads may load modules on the CPU since Warp 1.17.0, where its JIT has a lock.

`levers.py` starts this with {"workers": N, "variants": [{"module", "device", "block_dim"}, ...]}; a variant
may name the "hash" that it had, and is left alone while its module hashes otherwise: it is incomplete yet.
Lines of `<pid>.levers`: {"preloaded": {"loaded": n, "left": n}}, {"problem": sentence, "option": "preload"}.
"""

import sys
import threading

from . import channel, waiting

SAFE_ON_CPU = (1, 17, 0)
VARIANTS_APART = (1, 15, 0)
"""From here on threads may load one module at several block_dims at once (tried on 1.15, 1.17 and 1.19)."""


def start(told, same_options):
    """Wait for Warp. Hashes are only known when the options are those of the unchanged run."""
    variants = [one if same_options else dict(one, hash=None) for one in told["variants"]]
    preload = _Preload(int(told["workers"]), variants)
    waiting.when_imported(waiting.CONTEXT, preload.install)


class _Preload:
    """Runs once, in whichever thread launches first; the others wait."""

    def __init__(self, workers, variants):
        self.workers = workers
        self.variants = variants
        self.pending = True
        self.lock = threading.Lock()
        self.done = threading.Event()
        self.owner = None
        """Thread that builds; None before."""

    def install(self, context):
        """Wrap what launches, and what begins a capture: within a capture nothing should be loaded."""
        if "Module" not in vars(context):
            return
        for name in ("launch", "capture_begin"):
            if name in vars(context):
                setattr(context, name, self._before(vars(context)[name], context))

    def _before(self, original, context):
        def launch(*args, **kwargs):
            if self.pending:
                self.run(context)
            try:
                return original(*args, **kwargs)
            except BaseException as error:
                waiting.drop_frame(error)
                raise

        return waiting.unseen(launch, original)

    def run(self, context):
        """Build, or wait until another thread has. Never raises."""
        me = threading.get_ident()
        with self.lock:
            mine = self.owner is None
            if mine:
                self.owner = me
        if not mine:
            if me != self.owner and not _within_load(context):
                self.done.wait()
            return
        try:
            build(context, self.workers, self.variants)
        except Exception as error:
            _problem("Building ahead failed: %s: %s." % (type(error).__name__, error))
        finally:
            self.pending = False
            self.done.set()


def _within_load(context):
    """Whether the caller is part of a build: generating code may launch, and would wait for itself."""
    frame = sys._getframe(1)
    while frame is not None:
        code = frame.f_code
        if code.co_name == "load" and code.co_filename == context.__file__:
            return True
        frame = frame.f_back
    return False


def build(context, workers, variants):
    """Load what exists of the variants, all together.

    In older releases those of one device and block_dim together, and one such group after the other: up to
    Warp 1.12 a load writes its block_dim into its module.
    """
    context.init()
    groups, left = {}, 0
    for device, block_dim, name, hashes in _variants(variants, _safe_on_cpu()):
        module = context.user_modules.get(name)
        if module is None or (hashes and _hash(module, block_dim) not in hashes):
            left += 1
        else:
            groups.setdefault((device, block_dim), []).append(module)
    if workers > 1 and _release() >= VARIANTS_APART:
        loaded = _load_together(context, groups, workers)
    else:
        loaded = sum(
            _load(context, device, block_dim, modules, workers)
            for (device, block_dim), modules in groups.items()
        )
    channel.write("levers", {"preloaded": {"loaded": loaded, "left": left}})


def _variants(variants, safe_on_cpu):
    """(device, block_dim, module's name, hashes it may have) of each variant that may be loaded here."""
    found, refused = {}, False
    for one in variants:
        if one["device"] == "cpu" and not safe_on_cpu:
            refused = True
            continue
        hashes = found.setdefault((one["device"], one["block_dim"], one["module"]), set())
        if one.get("hash"):
            hashes.add(one["hash"])
    if refused:
        _problem(
            "On the CPU nothing was built ahead: before Warp 1.17.0 threads may not load modules at once."
        )
    return [(device, block_dim, name, hashes) for (device, block_dim, name), hashes in found.items()]


def _safe_on_cpu():
    """Whether this Warp is 1.17.0 or later; a build on the way there is not."""
    return _release() > SAFE_ON_CPU or (_release() == SAFE_ON_CPU and len(_version_parts()) == 3)


def _version_parts():
    version = str(vars(sys.modules["warp"]).get("__version__") or "")
    return version.partition("+")[0].split(".")


def _release():
    return tuple(int(part) for part in _version_parts() if part.isdigit())


def _hash(module, block_dim):
    try:
        return module.get_module_hash(block_dim).hex()
    except Exception:
        return ""


def _load(context, device, block_dim, modules, workers):
    """Load one group; how many are there afterwards. What fails raises again at the launch."""
    failed_before = {id(module): set(module.failed_builds) for module in modules}
    try:
        device = context.get_device(device)
        if "max_workers" in _parameters(context.force_load):
            context.force_load(device=device, modules=modules, block_dim=block_dim, max_workers=workers)
        else:
            _load_in_threads(device, block_dim, modules, workers)
    except Exception:
        pass
    for module in modules:
        _forget_failures(module, failed_before[id(module)])
    return sum(any(dim == block_dim for _, dim in list(module.execs)) for module in modules)


def _load_together(context, groups, workers):
    """Load all groups; how many variants are there afterwards. What fails raises again at the launch."""
    from concurrent.futures import ThreadPoolExecutor

    modules = {id(module): module for group in groups.values() for module in group}
    failed_before = {key: set(module.failed_builds) for key, module in modules.items()}
    with ThreadPoolExecutor(max_workers=workers) as executor:
        for (device, block_dim), group in groups.items():
            for module in group:
                executor.submit(module.load, context.get_device(device), block_dim=block_dim)
    for key, module in modules.items():
        _forget_failures(module, failed_before[key])
    return sum(
        any(dim == block_dim for _, dim in list(module.execs))
        for (_, block_dim), group in groups.items()
        for module in group
    )


def _parameters(function):
    while hasattr(function, "__wrapped__"):
        function = function.__wrapped__
    return function.__code__.co_varnames[: function.__code__.co_argcount]


def _load_in_threads(device, block_dim, modules, workers):
    """What `force_load` does since it takes `max_workers` (Warp 1.11)."""
    from concurrent.futures import ThreadPoolExecutor

    with ThreadPoolExecutor(max_workers=workers) as executor:
        for module in modules:
            executor.submit(module.load, device, block_dim=block_dim)


def _forget_failures(module, before):
    """Where Warp notes failures as a bare set, a launch after one does nothing in silence: let it try again.

    Later releases note the error with it, and raise that at the launch.
    """
    if isinstance(module.failed_builds, set):
        module.failed_builds &= before


def _problem(sentence):
    channel.write("levers", {"problem": sentence, "option": "preload"})
