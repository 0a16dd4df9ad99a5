"""What a compiled CUDA binary says of its kernels, for answers that a driver would give from it.

A cubin is an ELF file. A kernel's code is the section `.text.<kernel>`, whose `sh_info` is its symbol;
`.nv.shared.<kernel>` is as large as its static shared memory, and `.nv.info` lists attributes, registers by
symbol among them. PTX says nothing of this before a driver has compiled it.
"""

import struct

_HEADER = struct.Struct("<16xHHIQQQIHHHHHH")
_SECTION = struct.Struct("<IIQQQQIIQQ")
_ATTRIBUTE = struct.Struct("<BBH")
_SIZED = 4
"""Format of an attribute whose size follows; of the others it is the value itself."""
_REGISTERS = 0x2F
_MAX_THREADS = 0x05
_RESERVED = 1024
"""Bytes at the start of a block's shared memory that are the system's. Where a binary has a section for them,
`.nv.shared.reserved.0`, each kernel's section begins with them."""
_known = {}


class KernelBinary:
    """Static shared memory in bytes, registers of a thread, and most threads of a block."""

    def __init__(self, shared, registers, threads):
        self.shared = shared
        self.registers = registers
        self.threads = threads


def kernel_binary(path, kernel):
    """What a file tells of a kernel, by its name there; None when it does not tell."""
    if not path:
        return None
    if path not in _known:
        try:
            with open(path, "rb") as file:
                _known[path] = _kernels(file.read())
        except (OSError, struct.error, ValueError):
            _known[path] = {}
    return _known[path].get(kernel)


def _kernels(data):
    if data[:5] != b"\x7fELF\x02":
        return {}
    sections = _sections(data)
    reserved = _RESERVED if b".nv.shared.reserved.0" in sections else 0
    registers = {}
    for value in _attributes(_content(data, sections, b".nv.info"), _REGISTERS):
        symbol, count = struct.unpack("<II", value[:8])
        registers[symbol] = count
    found = {}
    for name, section in sections.items():
        if name.startswith(b".text."):
            kernel = name[len(b".text.") :]
            shared = sections.get(b".nv.shared." + kernel)
            bounds = _attributes(_content(data, sections, b".nv.info." + kernel), _MAX_THREADS)
            found[kernel] = KernelBinary(
                max(0, shared[5] - reserved) if shared is not None else 0,
                registers.get(section[7] & 0xFFFFFF, 0),
                next((struct.unpack("<I", value[:4])[0] for value in bounds), 0),
            )
    return found


def _sections(data):
    header = _HEADER.unpack_from(data)
    start, size, count, names = header[5], header[10], header[11], header[12]
    sections = [_SECTION.unpack_from(data, start + size * index) for index in range(count)]
    table = data[sections[names][4] :]
    return {table[section[0] : table.index(b"\0", section[0])]: section for section in sections}


def _content(data, sections, name):
    section = sections.get(name)
    return data[section[4] : section[4] + section[5]] if section is not None else b""


def _attributes(content, wanted):
    """Values of the attributes of one kind."""
    place = 0
    while place + _ATTRIBUTE.size <= len(content):
        form, kind, size = _ATTRIBUTE.unpack_from(content, place)
        place += _ATTRIBUTE.size
        if form == _SIZED:
            if kind == wanted:
                yield content[place : place + size]
            place += size
