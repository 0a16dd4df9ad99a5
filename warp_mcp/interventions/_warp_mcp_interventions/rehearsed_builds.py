"""Kernels built for the CPU, to stand for those that a CUDA device would run.

Each build is of a copy of the module, so that what Warp knows of the module itself is as on a machine with a
GPU. It is made as cheap as can be: without adjoint code until an adjoint launch comes, with little
optimisation, and in a directory of its own that another run may use again.
"""

import contextlib
import ctypes
import itertools
import os
import threading
import weakref

from .rehearsed_muting import muted, native_errors, plain_log

OPTIMIZATION = 1
"""Without any, a tile takes so much of the stack that some kernels overflow it."""
OF_ONE_BLOCK_DIM = (
    "execs",
    "hashers",
    "resolved_options",
    "failed_builds",
    "_tid_extent_limits",
    "_scalar_tid_extent_limits",
)
"""What a module remembers of its variants."""
WHY = "it cannot be built for the CPU, so its launches are left out"


class Builds:
    """Finds the CPU function of a kernel, and builds it when it has to."""

    def __init__(self, context, cache, say):
        self.context = context
        self.cache = cache
        self.say = say
        self.ids = itertools.count(1)
        self.functions = weakref.WeakKeyDictionary()
        """Kernel to {(hash of its module, adjoint): function}."""
        self.copies = weakref.WeakKeyDictionary()
        """Module to {(its hash, adjoint, hash of the kernel or None): copy}. No kernel is kept alive."""
        self._unlock()
        if hasattr(os, "register_at_fork"):
            os.register_at_fork(after_in_child=self._unlock)

    def _unlock(self):
        self.lock = threading.RLock()

    def function(self, kernel, adjoint, block_dim):
        """The function to call for a kernel; None, and said, when there is none."""
        with muted():
            identity = (kernel.module.get_module_hash(block_dim), adjoint)
            known = self.functions.setdefault(kernel, {})
            if identity not in known:
                with self.lock, plain_log(self._config()):
                    known[identity] = self._find(kernel, *identity)
        function, problem = known[identity]
        if function is None:
            self.say("kernel " + kernel.key, problem)
        return function

    def _find(self, kernel, identity, adjoint):
        """(function, None), or (None, why not): with its module, and when that cannot be built alone."""
        problem = WHY
        for alone in (None, kernel):
            try:
                copy = self._copy(kernel.module, identity, adjoint, alone)
                if copy.problem is None:
                    return copy.function(kernel, adjoint), None
                problem = copy.problem
            except Exception as error:
                problem = "%s: %s" % (WHY, error)
        return None, problem

    def _copy(self, module, identity, adjoint, alone):
        copies = self.copies.setdefault(module, {})
        key = (identity, adjoint, alone if alone is None else alone.hash)
        if key not in copies:
            copies[key] = Copy(self, module, adjoint, alone)
        return copies[key]

    def _config(self):
        return self.context.warp.config


class Copy:
    """A module as it is now, built for the CPU. `problem` tells why it could not be.

    Keeps no kernel alive: one that the program has dropped must not stay part of its module.
    """

    def __init__(self, builds, module, adjoint, alone):
        self.builds = builds
        self.problem = None
        self.names = weakref.WeakKeyDictionary()
        self.handle = ""
        """Name under which the code is loaded; the code goes when `self.exec` does."""
        self.exec = None
        hashes = _hashes(module)
        errors = []
        try:
            with native_errors(errors):
                self._build(_twin_of(module, adjoint, alone, 1000000 * next(builds.ids)))
        except Exception as error:
            self.problem = "%s: %s" % (WHY, _reason(error, errors))
        finally:
            _restore(hashes)

    def function(self, kernel, adjoint):
        """The kernel's function in one direction."""
        if kernel not in self.names:
            self._name_kernels(kernel, adjoint)
        name = self.names[kernel] + ("_cpu_backward" if adjoint else "_cpu_forward")
        runtime = self.builds.context.runtime
        address = runtime.llvm.wp_lookup(self.handle.encode("utf-8"), name.encode("utf-8"))
        if not address:
            raise RuntimeError("its CPU code has no function " + name)
        return ctypes.CFUNCTYPE(None)(address)

    def _name_kernels(self, kernel, adjoint):
        """Name a kernel that came since and is equal to one that was built."""
        hashes = _hashes(kernel.module)
        try:
            self._remember_names(_twin_of(kernel.module, adjoint, None, 0))
        finally:
            _restore(hashes)

    def _remember_names(self, twin):
        twin.get_module_hash(1)
        for kernel in _kernels(twin):
            if kernel.hash is not None:
                self.names[kernel] = kernel.get_mangled_name()

    def _build(self, twin):
        cpu = self.builds.context.runtime.cpu_device
        self._remember_names(twin)
        directory = os.path.join(self.builds.cache, twin.get_module_identifier())
        os.makedirs(self.builds.cache, exist_ok=True)
        _method(twin, "compile")(cpu, directory)
        self.exec = twin.load(
            cpu,
            1,
            binary_path=os.path.join(directory, _method(twin, "get_compile_output_name")(cpu)),
            meta_path=os.path.join(directory, _method(twin, "get_meta_name")()),
        )
        if self.exec is None:
            raise RuntimeError("it was built and could not be loaded")
        self.handle = self.exec.handle


def _method(twin, name):
    """A method of a module, whose name begins with an underscore since Warp 1.11."""
    kind = type(twin)
    return (vars(kind).get("_" + name) or vars(kind)[name]).__get__(twin)


def _twin_of(module, adjoint, alone, first_id):
    """A module with the same kernels that has options and variants of its own."""
    twin = object.__new__(type(module))
    twin.__dict__.update(vars(module))
    twin.options = dict(module.options, enable_backward=adjoint, block_dim=1, strip_hash=False)
    if "optimization_level" in twin.options:
        twin.options["optimization_level"] = OPTIMIZATION
    for name in OF_ONE_BLOCK_DIM:
        if name in twin.__dict__:
            setattr(twin, name, type(getattr(module, name))())
    twin.cpu_exec_id = first_id  # names of loaded objects are the module's and this number
    if alone is not None:
        twin._live_kernels = weakref.WeakSet([alone])
        twin.kernels = {}
    return twin


def _kernels(module):
    """Kernels with code of their own: those of generic ones are their overloads."""
    for kernel in tuple(module._live_kernels):
        if kernel.is_generic:
            yield from tuple(kernel.overloads.values())
        else:
            yield kernel


def _hashes(module):
    """What each kernel was last hashed to: Warp names a kernel's CUDA code by it."""
    return [(kernel, kernel.hash) for kernel in _kernels(module)]


def _restore(hashes):
    for kernel, value in hashes:
        if kernel.hash != value:
            with contextlib.suppress(Exception):
                kernel.hash = value


def _reason(error, errors):
    """The compiler's first error where there is one, else Warp's."""
    told = next((line.split("error:", 1)[1].strip() for line in errors if "error:" in line), None)
    return told or (str(error).splitlines() or [type(error).__name__])[0]
