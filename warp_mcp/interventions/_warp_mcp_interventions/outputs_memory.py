"""The arrays among the arguments of a launch, and reading them without asking Warp.

Arguments are read as Warp has packed them for native code, which is the same for every way to launch. The
memory of an array is looked at as it is, with its strides: Warp's own `numpy()` may copy, launch or warn.
What a kernel reaches by other ways (meshes, volumes, hash grids, textures) is not an array argument and is
not seen.
"""

import ctypes
import sys

SCALARS = {
    "bool": "?",
    "int8": "i1",
    "int16": "i2",
    "int32": "i4",
    "int64": "i8",
    "uint8": "u1",
    "uint16": "u2",
    "uint32": "u4",
    "uint64": "u8",
    "handle": "u8",
    "float16": "f2",
    "bfloat16": "u2",
    "float32": "f4",
    "float64": "f8",
    "int": "i4",
    "float": "f4",
}
"""numpy's name for each of Warp's scalar types; for bfloat16 that of its bits."""


class Element:
    """What one element of an array consists of."""

    def __init__(self, dtype):
        self.text = recorder("typenames").type_text(dtype)
        self.numeric = not _is_struct(dtype) and not _is_native(dtype)
        self.half_bits = "bfloat16" in self.text
        self.parts, self.size = _parts(dtype)


class Found:
    """One array: where it lies, and how."""

    def __init__(self, name, dtype, address, shape, strides, indices=None):
        self.name = name
        self.element = Element(dtype)
        self.address = address
        self.shape = tuple(shape)
        self.strides = tuple(strides)
        self.indices = indices
        """For an indexed array: for each dimension None or (address, count) of its indices."""
        self.owner = None
        """Keeps the memory from being freed, where nobody else need do so."""

    @property
    def picked(self):
        """Shape as the kernel sees it."""
        if self.indices is None:
            return self.shape
        return tuple(n if one is None else one[1] for n, one in zip(self.shape, self.indices))

    @property
    def bytes(self):
        """Bytes to be hashed."""
        count = self.element.size
        for n in self.picked:
            count *= n
        return count


def arguments(kernel, params, adjoint):
    """The arrays of one launch in the order of its arguments; those of gradients after the others."""
    declared = kernel.adj.args
    found = []
    for index, argument in enumerate(declared):
        _collect(found, argument.label, argument.type, params[1 + index])
    if adjoint:
        for index, argument in enumerate(declared):
            if 1 + len(declared) + index < len(params):
                _collect(found, argument.label, argument.type, params[1 + len(declared) + index], ".grad")
    return found


def _collect(found, name, kind, value, suffix=""):
    """Add the array that a packed argument is, or those within a struct."""
    packed = type(value).__name__
    if packed == "array_t":
        if value.data:
            shape, strides = value.shape[: value.ndim], value.strides[: value.ndim]
            found.append(Found(name + suffix, kind.dtype, value.data, shape, strides))
    elif packed == "indexedarray_t":
        if value.data.data:
            found.append(_indexed(name + suffix, kind.dtype, value))
    elif _is_struct(kind):
        for label, variable in kind.vars.items():
            _collect(found, f"{name}.{label}", variable.type, getattr(value, label), suffix)


def _indexed(name, dtype, value):
    base = value.data
    indices = [(value.indices[i], value.shape[i]) if value.indices[i] else None for i in range(base.ndim)]
    return Found(name, dtype, base.data, base.shape[: base.ndim], base.strides[: base.ndim], indices)


def of_object(name, array):
    """A Warp array object as `Found`; None where it holds nothing or is of another kind."""
    peek = recorder("looking").peek
    address, shape, strides = (peek(array, word) for word in ("ptr", "shape", "strides"))
    if not address or shape is None or strides is None:
        return None
    found = Found(name, array.dtype, address, shape, strides)
    found.owner = array
    return found


def host_values(found):
    """The values of an array in this process's memory, one numpy array for each part of an element."""
    numpy = sys.modules["numpy"]
    picks = None
    if found.indices is not None:
        picks = _picks(numpy, found, lambda at, n: _look(numpy, at, (n,), (4,), "i4"))
    values = []
    for offset, dtype, shape, strides in found.element.parts:
        whole = _look(numpy, found.address + offset, found.shape + shape, found.strides + strides, dtype)
        values.append(whole if picks is None else whole[picks])
    return values


def device_values(found, core, context):
    """The same of an array in the memory of a CUDA device, which has to be idle."""
    numpy = sys.modules["numpy"]

    def copy(address, count):
        bytes_ = numpy.empty(count, dtype=numpy.uint8)
        copied = core.wp_memcpy_d2h(context, bytes_.ctypes.data, address, count, None)
        core.wp_cuda_context_synchronize(context)
        if not copied:
            raise ValueError("an array could not be copied from the device")
        return bytes_

    low, extent = _extent(found)
    held = copy(found.address + low, extent)
    picks = None
    if found.indices is not None:
        picks = _picks(numpy, found, lambda at, n: copy(at, 4 * n).view("<i4"))
    values = []
    for offset, dtype, shape, strides in found.element.parts:
        whole = numpy.ndarray(found.shape + shape, "<" + dtype, held, offset - low, found.strides + strides)
        values.append(whole if picks is None else whole[picks])
    return values


def _extent(found):
    """From its address, the first byte of an array and how many it spans: strides may be negative."""
    steps = [(n - 1) * stride for n, stride in zip(found.shape, found.strides)]
    low = sum(step for step in steps if step < 0)
    return low, sum(step for step in steps if step > 0) - low + found.element.size


def _picks(numpy, found, read):
    """What selects the elements of an indexed array out of the array below it."""
    if any(n == 0 for n in found.picked):
        return numpy.ix_(*(numpy.zeros(n, dtype=numpy.int64) for n in found.picked))
    return numpy.ix_(
        *(numpy.arange(n) if one is None else read(*one) for n, one in zip(found.shape, found.indices))
    )


_BYTES = {"?": "|b1", "u1": "|u1", "i1": "|i1"}


class _Memory:
    """Memory that numpy looks at in place."""

    def __init__(self, address, shape, strides, dtype):
        self.__array_interface__ = {
            "data": (address, True),
            "shape": shape,
            "strides": strides,
            "typestr": _BYTES.get(dtype, "<" + dtype),
            "version": 3,
        }


def _look(numpy, address, shape, strides, dtype):
    return numpy.asarray(_Memory(address, tuple(shape), tuple(strides), dtype))


def _parts(dtype, at=0):
    """([(offset, numpy dtype, shape, strides)], size) of one element.

    A struct is read field by field: the bytes between fields hold whatever was there. Arrays and textures
    in an element of an array are addresses, and are left out.
    """
    if _is_struct(dtype):
        parts = []
        for label, variable in dtype.vars.items():
            kind, place = variable.type, at + getattr(dtype.ctype, label).offset
            if _is_struct(kind) or (
                isinstance(kind, type) and (_is_vector(kind) or kind.__name__ in SCALARS)
            ):
                parts += _parts(kind, place)[0]
        return parts, ctypes.sizeof(dtype.ctype)
    if _is_native(dtype):
        size = ctypes.sizeof(dtype)
        return [(at, "u1", (size,), (1,))], size
    if _is_vector(dtype):
        scalar = SCALARS[dtype._wp_scalar_type_.__name__]
        size = ctypes.sizeof(dtype)
        shape = tuple(dtype._shape_)
        strides, step = [], size
        for n in shape:
            step //= n
            strides.append(step)
        return [(at, scalar, shape, tuple(strides))], size
    scalar = SCALARS[dtype.__name__]
    return [(at, scalar, (), ())], 1 if scalar == "?" else int(scalar[1:])


def _is_struct(kind):
    peek = recorder("looking").peek
    return not isinstance(kind, type) and all(
        peek(kind, word) is not None for word in ("vars", "key", "ctype")
    )


def _is_native(kind):
    return isinstance(kind, type) and recorder("looking").peek(kind, "_wp_native_type_") is not None


def _is_vector(kind):
    return isinstance(kind, type) and recorder("looking").peek(kind, "_wp_scalar_type_") is not None


def recorder(name):
    """A module of the recorder, which is in every process that Warp is in."""
    return sys.modules["_warp_mcp_recorder." + name]
