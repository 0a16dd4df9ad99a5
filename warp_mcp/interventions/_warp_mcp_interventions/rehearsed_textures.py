"""Textures of a rehearsal: those of the host, which kernels built for the CPU sample.

On a device a texture is an array of the driver, and a texture object that tells how it is sampled; on the
host one object is both. So an array here is memory of our own and the host's textures made of it, and a
copy to it goes to all of them. Signatures as in Warp 1.15 to 1.19; before that, textures are said to need a
device.
"""

import ctypes

from .rehearsed_driver import number

ARRAY = 3
"""Kind of memory in a copy, by Warp's numbers; the others are addresses."""
BYTES = {0: 1, 1: 2, 2: 4, 3: 1, 4: 2, 5: 2, 6: 4, 7: 4}
"""Of a channel, by Warp's numbers of types (`WP_TEXTURE_DTYPE_*` in `texture.h`)."""


class Array:
    """An array of the driver: memory for each level, and that of the textures made of it."""

    def __init__(self, shape, channels, kind, levels):
        self.shapes = [tuple(max(1, size >> level) for size in shape) for level in range(levels)]
        self.channels = channels
        self.kind = kind
        self.memory = [ctypes.create_string_buffer(self._bytes(one)) for one in self.shapes]
        self.textures = {}
        """Texture of the host to the addresses of its levels."""

    def _bytes(self, shape):
        return shape[0] * shape[1] * shape[2] * self.channels * BYTES[self.kind]

    def address(self, level):
        return ctypes.addressof(self.memory[level])

    def add(self, texture, addresses):
        """Take up a texture of the host, which gets what the array holds."""
        self.textures[texture] = addresses
        self.spread()

    def spread(self):
        """Give the textures what the array holds."""
        for addresses in self.textures.values():
            for own, address in zip(self.memory, addresses):
                ctypes.memmove(address, own, len(own))


class Textures:
    """One method for each native function, by its name."""

    def __init__(self, real, driver, graphs):
        self.real = real
        self.driver = driver
        self.graphs = graphs
        self.arrays = {}
        """Handle of an array, or of one of its levels, to (array, level)."""

    def wp_texture_create_device(self, context, ndim, shape, channels, kind, surface, levels):
        if kind not in BYTES:
            return self.driver.fail("Warp CUDA error 1: invalid argument", 0)
        sizes = [max(1, int(shape[axis])) if axis < ndim else 1 for axis in range(3)]
        return self._new(Array(sizes, channels, kind, levels), 0)

    def wp_texture_get_mip_level_array_device(self, context, handle, level):
        array, _ = self.arrays[number(handle)]
        return self._new(array, level)

    def wp_texture_destroy_device(self, context, handle, mipmapped):
        found = self.arrays.get(number(handle))
        if found is None or self.graphs.any():
            return  # a graph may use it: it stays
        self.arrays = {one: its for one, its in self.arrays.items() if its[0] is not found[0]}

    def wp_texture_object_create_device(
        self, context, handle, ndim, closest, between, modes, normalized, levels
    ):
        found = self.arrays.get(number(handle))
        if found is None:
            return self.driver.fail("Null texture array handle", 0)
        array = found[0]
        sizes = [(ctypes.c_int * levels)(*(shape[axis] for shape in array.shapes)) for axis in range(3)]
        addresses = (ctypes.c_void_p * levels)()
        texture = self.real.wp_texture_create_host(
            ndim, levels, *sizes, array.channels, array.kind, closest, between, modes, normalized, addresses
        )
        if texture:
            array.add(texture, [addresses[level] for level in range(levels)])
        return texture

    def wp_texture_object_destroy_device(self, context, texture):
        if self.graphs.any():
            return
        for array, _ in self.arrays.values():
            array.textures.pop(number(texture), None)
        self.real.wp_texture_destroy_host(texture)

    def wp_texture_copy_device(
        self,
        context,
        width,
        height,
        depth,
        target_kind,
        target,
        target_pitch,
        target_height,
        source_kind,
        source,
        source_pitch,
        source_height,
        stream,
    ):
        to, to_pitch, to_height = self._place(target_kind, target, target_pitch, target_height, width, height)
        at, at_pitch, at_height = self._place(source_kind, source, source_pitch, source_height, width, height)
        if to is None or at is None:
            return self.driver.fail("Warp CUDA error 1: invalid argument", False)

        def copy():
            for layer in range(max(1, depth)):
                for row in range(max(1, height)):
                    into = to + (layer * max(1, to_height) + row) * to_pitch
                    ctypes.memmove(into, at + (layer * max(1, at_height) + row) * at_pitch, width)
            if target_kind == ARRAY:
                self.arrays[number(target)][0].spread()
            return True

        return self.graphs.now_or_later(stream, copy)

    def _place(self, kind, handle, pitch, rows, width, height):
        """(address, bytes of a row, rows of a layer) of one side of a copy; the first None when unknown."""
        if kind != ARRAY:
            return number(handle), pitch or width, rows or height
        array, level = self.arrays.get(number(handle), (None, 0))
        return (array.address(level) if array is not None else None), width, height

    def _new(self, array, level):
        handle = self.driver.new_handle()
        self.arrays[handle] = (array, level)
        return handle
