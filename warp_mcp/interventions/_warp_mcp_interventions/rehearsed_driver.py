"""A CUDA driver that is not there: what Warp's native library is asked about devices, contexts and binaries.

Answers as a machine with one GPU of the architecture named would, so that Warp goes the ways it goes there:
its own rules resolve block dimensions, hash modules and compile them with NVRTC. What is asked of memory,
streams, launches and graphs is in files of their own. Signatures follow Warp's native functions of the
same names.
"""

import ctypes
import os
import threading

from .rehearsed_binaries import kernel_binary
from .rehearsed_muting import without_warning
from .rehearsed_occupancy import shared_memory, suggested

CONTEXT = 0xC0DA
"""Stands for the primary context of the only device; any number that is not zero does."""
CURRENT_STREAM = 0xFFFFFFFFFFFFFFFF
"""What Warp passes for "the context's current stream"."""

PROCESSORS = 132
"""Of the device, whatever its architecture: as many as an H100 has."""


class Driver:
    """State of the driver, and one method for each native function, by its name."""

    def __init__(self, arch, real, ptx, say):
        self.arch = arch
        self.ptx = ptx
        self.say = say
        self.real = real
        self.lock = threading.Lock()
        self.last_handle = 0x1000
        self.local = threading.local()
        self.stream = None
        """The context's current stream."""
        self.threshold = 0
        """Bytes that the memory pool keeps, as the program set them."""
        self.files = {}
        """Loaded modules: handle to the file of the binary."""
        self.functions = {}
        """Kernels: handle to what their binary says of them, None when it says nothing."""

    def new_handle(self):
        """A number that stands for an object of the driver."""
        with self.lock:
            self.last_handle += 16
            return self.last_handle

    def fail(self, message, answer):
        """Set what Warp reads when a call of this thread has failed; returns the answer."""
        self.local.error = message.encode("utf-8")
        return answer

    def wp_get_error_string(self):
        error, self.local.error = getattr(self.local, "error", None), None
        return error if error is not None else self.real.wp_get_error_string()

    # devices

    def wp_is_cuda_enabled(self):
        return 1

    def wp_cuda_driver_is_initialized(self):
        return True

    def wp_cuda_driver_version(self):
        """For a driver as new as its toolkit Warp compiles to PTX, and leaves the rest to the driver.

        For an older one, as most are, it compiles down to the architecture's own code.
        """
        toolkit = self.real.wp_cuda_toolkit_version()
        return toolkit if self.ptx or toolkit % 1000 < 10 else toolkit - 10

    def wp_init(self, *args):
        with without_warning():
            return self.real.wp_init(*args)

    def wp_cuda_device_get_count(self):
        return 1

    def wp_cuda_device_get_name(self, ordinal):
        return ("rehearsed sm_%d" % self.arch).encode()

    def wp_cuda_device_get_arch(self, ordinal):
        return self.arch

    def wp_cuda_device_get_sm_count(self, ordinal):
        return PROCESSORS

    def wp_cuda_device_get_max_shared_memory(self, ordinal):
        return shared_memory(self.arch)

    def wp_cuda_get_max_shared_memory(self, context):
        return shared_memory(self.arch)

    def wp_cuda_device_is_uva(self, ordinal):
        return 1

    def wp_cuda_device_is_mempool_supported(self, ordinal):
        return 1

    def wp_cuda_device_get_managed_memory_supported(self, ordinal):
        return 1

    def wp_cuda_device_get_concurrent_managed_access_supported(self, ordinal):
        return 1

    def wp_is_cuda_compatibility_enabled(self):
        return 1

    def wp_cuda_device_get_pageable_memory_access(self, ordinal):
        return 0

    def wp_cuda_device_get_direct_managed_mem_access_from_host(self, ordinal):
        return 0

    def wp_cuda_device_get_host_native_atomic_supported(self, ordinal):
        return 0

    def wp_cuda_device_is_ipc_supported(self, ordinal):
        return 0

    def wp_cuda_device_get_pci_domain_id(self, ordinal):
        return 0

    def wp_cuda_device_get_pci_bus_id(self, ordinal):
        return 0

    def wp_cuda_device_get_pci_device_id(self, ordinal):
        return 0

    def wp_cuda_device_get_uuid(self, ordinal, buffer):
        buffer[:] = bytes(16)

    def wp_cuda_device_get_memory_info(self, ordinal, free, total):
        for pointer, size in zip((free, total), host_memory()):
            if pointer:
                ctypes.cast(pointer, ctypes.POINTER(ctypes.c_size_t))[0] = size

    def wp_cuda_is_peer_access_supported(self, target, peer):
        return 1

    def wp_cuda_is_peer_access_enabled(self, target, peer):
        return 1

    def wp_cuda_set_peer_access_enabled(self, target, peer, enable):
        return 1

    def wp_cuda_is_mempool_access_enabled(self, target, peer):
        return 1

    def wp_cuda_set_mempool_access_enabled(self, target, peer, enable):
        return 1

    def wp_cuda_device_get_mempool_release_threshold(self, ordinal):
        return self.threshold

    def wp_cuda_device_set_mempool_release_threshold(self, ordinal, threshold):
        self.threshold = number(threshold)
        return 1

    # contexts

    def wp_cuda_device_get_primary_context(self, ordinal):
        return CONTEXT

    def wp_cuda_context_get_device_ordinal(self, context):
        return 0

    def wp_cuda_context_is_primary(self, context):
        return 1

    def wp_cuda_context_get_current(self):
        stack = self._contexts()
        return stack[-1] if stack else None

    def wp_cuda_context_set_current(self, context):
        stack = self._contexts()
        value = getattr(context, "value", context)
        if stack:
            stack[-1] = value
        else:
            stack.append(value)

    def wp_cuda_context_push_current(self, context):
        self._contexts().append(getattr(context, "value", context))

    def wp_cuda_context_pop_current(self):
        stack = self._contexts()
        if stack:
            stack.pop()

    def wp_cuda_context_synchronize(self, context):
        return True

    def wp_cuda_context_check(self, context):
        return 0

    def _contexts(self):
        if not hasattr(self.local, "contexts"):
            self.local.contexts = []
        return self.local.contexts

    # modules: the binary was really compiled; only the driver would read it

    def wp_cuda_load_module(self, context, path):
        handle = self.new_handle()
        self.files[handle] = path
        return handle

    def wp_cuda_unload_module(self, context, handle):
        self.files.pop(number(handle), None)

    def wp_cuda_get_kernel(self, context, module, name):
        handle = self.new_handle()
        self.functions[handle] = kernel_binary(self.files.get(number(module)), name)
        return handle

    def wp_cuda_configure_kernel_shared_memory(self, function, size):
        return self.has_shared_memory(function, size)

    def wp_cuda_get_kernel_static_shared_memory(self, context, function):
        kernel = self.functions.get(number(function))
        return kernel.shared if kernel is not None else -1

    def has_shared_memory(self, function, size):
        """Whether a block may have that much dynamic shared memory besides what the kernel has of its own."""
        kernel = self.functions.get(number(function))
        return size + (kernel.shared if kernel is not None else 0) <= shared_memory(self.arch)

    def wp_cuda_get_suggested_block_size(self, context, function, dynamic, size, grid):
        kernel = self.functions.get(number(function))
        if kernel is None:
            return self.fail("Warp CUDA error 999: unknown error", False)
        threads, blocks = suggested(self.arch, kernel, dynamic)
        if not threads:
            return self.fail("Warp CUDA error 1: invalid argument", False)
        size._obj.value, grid._obj.value = threads, blocks * PROCESSORS
        return True

    def wp_cuda_get_kernel_properties(self, context, function, properties, count):
        """Registers, and local memory, which the binary tells only in part."""
        kernel = self.functions.get(number(function))
        if kernel is None or count != 2:
            return False
        self.say("wp.get_kernel_properties", "only a driver tells the local memory of a thread")
        properties[0], properties[1] = kernel.registers, 0
        return True

    def wp_cuda_get_max_cluster_dim(self, context, function, block_dim, dynamic):
        self.say("wp.get_cuda_max_cluster_dim", "only a device tells; assumed are 8, which all have")
        return 8 if self.arch >= 90 else 1

    def wp_cuda_set_kernel_cluster_attrs(self, function, x, y, z):
        return True


def number(handle):
    """A handle as a number: Warp passes plain numbers and ctypes objects."""
    return getattr(handle, "value", handle)


def host_memory():
    """Bytes that are free, and all: of the host, as that is where device memory is."""
    try:
        page = os.sysconf("SC_PAGE_SIZE")
        return page * os.sysconf("SC_AVPHYS_PAGES"), page * os.sysconf("SC_PHYS_PAGES")
    except (ValueError, OSError):
        return 8 * 2**30, 8 * 2**30
