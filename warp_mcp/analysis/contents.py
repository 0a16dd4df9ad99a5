"""Digests of what kernels compute: equal for the same kernel, by whatever name and options."""

import hashlib
import json
from collections.abc import Iterable

from warp_mcp.models.recording import KernelRecord


def kernel_content(kernel: KernelRecord) -> str:
    """Digest over a kernel's source, constants, argument types, and the functions and structs it reaches."""
    return text_digest(json.dumps([kernel.content, kernel.arg_types]))


def kernels_content(kernels: Iterable[KernelRecord]) -> str:
    """Digest over a set of kernels, by whatever names."""
    return text_digest("\n".join(sorted({kernel_content(kernel) for kernel in kernels})))


def text_digest(text: str) -> str:
    """128 bits of SHA-256, in hex."""
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:32]
