"""Device memory of a rehearsal: memory of the host.

What belongs here: allocations, copies and fills. Functions on memory that Warp has for host and device alike
are in `rehearsed_twins.py`.
"""

import ctypes

PADDING = 512
"""Bytes more than asked for. A driver gives memory in pieces of this size, so that a kernel that reads a
little beyond the end of its array goes unnoticed there; it must not end the process here."""
HOST, PINNED, DEVICE, MEMPOOL, MANAGED = 1, 2, 3, 4, 5
"""Kinds of memory, by Warp's numbers."""


class Memory:
    """One method for each native function, by its name. Copies in a capture are for its replays."""

    def __init__(self, real, graphs, say):
        self.real = real
        self.graphs = graphs
        self.say = say
        self.pooled = self.most_pooled = 0
        """Bytes of the memory pool that are in use now, and that were at most."""

    def wp_alloc_host(self, size, *tag):
        return self._new(size, HOST, tag)

    def wp_alloc_pinned(self, size, *tag):
        return self._new(size, PINNED, tag)

    def wp_alloc_device(self, context, size, *rest):
        return self._new(size, DEVICE, rest[-1:])

    def wp_alloc_device_default(self, context, size, *rest):
        return self._new(size, DEVICE, rest[-1:])

    def wp_alloc_device_managed(self, context, size, *rest):
        return self._new(size, MANAGED, rest[-1:])

    def wp_alloc_device_async(self, context, size, *rest):
        return self._new(size, MEMPOOL, rest[-1:])

    def wp_free_host(self, pointer):
        self._free(pointer)

    def wp_free_pinned(self, pointer):
        self._free(pointer)

    def wp_free_device(self, context, pointer):
        self._free(pointer)

    def wp_free_device_default(self, context, pointer):
        self._free(pointer)

    def wp_free_device_managed(self, context, pointer):
        self._free(pointer)

    def wp_free_device_async(self, context, pointer, *stream):
        self._free(pointer)

    def wp_cuda_pointer_get_memory_kind(self, context, pointer):
        place = getattr(pointer, "value", pointer)
        for address, (size, kind) in self.graphs.live.copy().items():
            if address <= place < address + size:
                return kind
        return 0

    def wp_cuda_device_get_mempool_used_mem_current(self, ordinal):
        return self.pooled

    def wp_cuda_device_get_mempool_used_mem_high(self, ordinal):
        return self.most_pooled

    def wp_cuda_device_get_graph_mem_current(self, ordinal):
        return 0

    def wp_cuda_device_graph_mem_trim(self, ordinal):
        return None

    def wp_memcpy_h2d(self, context, target, source, size, *stream):
        return self._copy(target, source, size, stream)

    def wp_memcpy_d2h(self, context, target, source, size, *stream):
        return self._copy(target, source, size, stream)

    def wp_memcpy_d2d(self, context, target, source, size, *stream):
        return self._copy(target, source, size, stream)

    def wp_memcpy_p2p(self, target_context, target, source_context, source, size, *stream):
        return self._copy(target, source, size, stream)

    def wp_memset_device(self, context, pointer, value, size, *stream):
        step = lambda: self.real.wp_memset_host(pointer, value, size)  # noqa: E731
        return self.graphs.now_or_later(stream[0] if stream else None, step)

    def _new(self, size, kind, tag):
        """New memory of the host; None when there is none."""
        asked = getattr(size, "value", size)
        wants_tag = len(self.real.wp_alloc_host.argtypes or ()) > 1
        tag = (
            tag
            if wants_tag and tag and not isinstance(tag[0], (int, ctypes.c_void_p))
            else (None,) * wants_tag
        )
        pointer = self.real.wp_alloc_host(asked + PADDING, *tag)
        if pointer:
            self.graphs.live[pointer] = (asked, kind)
            self._count(kind, asked)
        return pointer

    def _count(self, kind, size):
        """What the memory pool holds; threads that do this at once may be a little off."""
        if kind == MEMPOOL:
            self.pooled += size
            self.most_pooled = max(self.most_pooled, self.pooled)

    def _free(self, pointer):
        if self.graphs.may_free(pointer):
            size, kind = self.graphs.live.pop(getattr(pointer, "value", pointer), (0, HOST))
            self._count(kind, -size)
            self.real.wp_free_host(pointer)

    def _copy(self, target, source, size, stream):
        stream = stream[0] if stream else None
        if self.graphs.capture_of(stream) is None:
            return self.real.wp_memcpy_h2h(target, source, size)
        if not self._ours(target, size):
            self.say(
                "a copy within a graph to memory that is not Warp's",
                "it may be gone when the graph is replayed",
            )
            return True
        if not self._ours(source, size):
            self.say(
                "a copy within a graph from memory that is not Warp's",
                "each replay copies what was there then",
            )
            source = ctypes.create_string_buffer(ctypes.string_at(source, size), size)
        return self.graphs.now_or_later(stream, lambda: self.real.wp_memcpy_h2h(target, source, size))

    def _ours(self, pointer, size):
        """Whether memory is of Warp's own, which lives as long as the graph."""
        place = getattr(pointer, "value", pointer) or 0
        size = getattr(size, "value", size)
        return any(
            address <= place and place + size <= address + length
            for address, (length, _) in self.graphs.live.copy().items()
        )
