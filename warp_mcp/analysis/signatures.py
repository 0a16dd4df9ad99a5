"""Counting launches by kernel and signature, and listing the launched kernels. Not their order."""

from warp_mcp.analysis.contents import kernel_content
from warp_mcp.analysis.thresholds import MOST_CHARACTERS, MOST_CONTENTS, MOST_SIGNATURES
from warp_mcp.models.launching import Signature
from warp_mcp.models.recording import ProcessRecord, Recording
from warp_mcp.models.report import KernelContent, SignatureCount


def count_signatures(recording: Recording) -> tuple[list[SignatureCount], int]:
    """The rows that a report has room for, most frequent first, and how many distinct ones there are."""
    counts: dict[tuple[str, str], int] = {}
    examples: dict[tuple[str, str], tuple[Signature, str]] = {}
    for process in recording.processes:
        names = {module.id: module.name for module in process.modules}
        for signature in process.signatures:
            if signature.count:
                key = signature.kernel, signature.equivalence
                counts[key] = counts.get(key, 0) + signature.count
                examples.setdefault(key, (signature, names.get(signature.module, "")))
    # Equal counts in a fixed order, so that two reports of equal work list the same rows.
    ordered = sorted(counts, key=lambda key: (-counts[key], key))
    rows: list[SignatureCount] = []
    characters = 0
    for key in ordered[:MOST_SIGNATURES]:
        signature, module = examples[key]
        characters += len(key[1]) + 4 * len(signature.types)
        if characters > MOST_CHARACTERS:
            break
        rows.append(_row(signature, module, counts[key]))
    return rows, len(counts)


def _row(signature: Signature, module: str, count: int) -> SignatureCount:
    return SignatureCount(
        kernel=signature.kernel,
        module=module,
        dim=signature.dim,
        device=signature.device,
        block_dim=signature.block_dim,
        types=signature.types,
        adjoint=signature.adjoint,
        count=count,
    )


def launched_kernels(recording: Recording) -> list[KernelContent]:
    """The kernels that were launched, by name and content, as many as a report has room for."""
    found: dict[tuple[str, str], KernelContent] = {}
    for process in recording.processes:
        places = _places(process)
        for signature in process.signatures:
            key = signature.kernel, signature.kernel_digest
            if signature.count and signature.kernel_digest and key not in found:
                place = places.get(key) or places.get((signature.kernel, ""))
                found[key] = KernelContent(name=key[0], digest=key[1], defined_at=place)
    return [found[key] for key in sorted(found)[:MOST_CONTENTS]]


def _places(process: ProcessRecord) -> dict[tuple[str, str], str | None]:
    """Where kernels are defined: by name and content, and by name alone."""
    places: dict[tuple[str, str], str | None] = {}
    for kernel in process.kernels:
        places.setdefault((kernel.name, ""), kernel.defined_at)
        places.setdefault((kernel.name, kernel_content(kernel)), kernel.defined_at)
    return places
