"""How many threads of a kernel a processor holds: what a driver computes to suggest a block size.

After the occupancy calculator of the CUDA Toolkit (`cuda_occupancy.h`) and the table of technical
specifications per compute capability of the CUDA C++ Programming Guide.
"""

WARP = 32
BLOCK = 1024
"""Most threads of a block."""
REGISTERS = 65536
"""Of a processor, and of a block."""
REGISTER_UNIT = 256
"""Registers are given to a warp in pieces of this size."""
SHARED_UNIT = 128
RESERVED = 1024
"""Bytes of shared memory of each block that are the system's, from compute capability 8.0 on."""
OF_BLOCK = {70: 98304, 72: 98304, 75: 65536, 80: 166912, 86: 101376, 87: 166912, 88: 101376, 89: 101376}
"""Most shared memory of a block, in bytes, by architecture."""
OF_BLOCK_SINCE = ((120, 101376), (90, 232448))
"""The same from an architecture on."""
THREADS = {75: 1024, 86: 1536, 87: 1536, 88: 1536, 89: 1536, 110: 1536, 120: 1536, 121: 1536}
"""Most threads of a processor; 2048 on those that are not here."""
BLOCKS = {75: 16, 86: 16, 87: 16, 88: 16, 89: 24, 110: 24, 120: 24, 121: 24}
"""Most blocks of a processor; 32 on those that are not here."""


def shared_memory(arch):
    """Bytes of shared memory that a block may have."""
    known = OF_BLOCK.get(arch)
    if known is not None:
        return known
    return next((size for since, size in OF_BLOCK_SINCE if arch >= since), 49152)


def suggested(arch, kernel, dynamic):
    """(threads of a block, blocks of a processor) that keep a processor fullest; the largest such block.

    (0, 0) when no block fits. `dynamic` is the shared memory, in bytes, besides the kernel's own.
    """
    best = (0, 0)
    limit = min(BLOCK, kernel.threads or BLOCK)
    for threads in range(-(-limit // WARP) * WARP, 0, -WARP):
        size = min(limit, threads)
        blocks = _blocks(arch, kernel, dynamic, size)
        if size * blocks > best[0] * best[1]:
            best = (size, blocks)
    return best


def _blocks(arch, kernel, dynamic, size):
    warps = -(-size // WARP)
    found = [BLOCKS.get(arch, 32), THREADS.get(arch, 2048) // (warps * WARP)]
    if kernel.registers:
        of_warp = -(-kernel.registers * WARP // REGISTER_UNIT) * REGISTER_UNIT
        # The four parts of a processor share warps and registers evenly.
        found.append(REGISTERS // 4 // of_warp * 4 // warps)
    reserved = RESERVED if arch >= 80 else 0
    shared = -(-(kernel.shared + dynamic + reserved) // SHARED_UNIT) * SHARED_UNIT
    if kernel.shared + dynamic > shared_memory(arch):
        return 0
    if shared:
        found.append((shared_memory(arch) + reserved) // shared)
    return min(found)
