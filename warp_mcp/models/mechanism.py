"""The thirteen mechanisms by label, slug and name. What is known of each stands in the reference."""

from typing import NamedTuple


class Mechanism(NamedTuple):
    """One mechanism. The label is for navigation only; people are told the name."""

    label: str
    slug: str
    name: str


CATALOGUE = (
    Mechanism("CS-1", "kernels-after-load", "kernels defined after their module loaded"),
    Mechanism("CS-2", "cache-never-reused", "cache never reused"),
    Mechanism("CS-3", "options-after-load", "options set after first load"),
    Mechanism("CS-4", "boundaries-too-fine", "boundaries too fine"),
    Mechanism("CS-5", "several-block-dims", "one module over several block dimensions"),
    Mechanism("CS-6", "late-overloads", "generic instances after first load"),
    Mechanism("CS-7", "mathdx-lto", "MathDx LTO without a benefit"),
    Mechanism("CS-8", "concurrent-first-load", "concurrent first load on the CPU"),
    Mechanism("CS-9", "unique-modules", "unique modules for stable kernels"),
    Mechanism("CS-10", "unused-backward", "backward code nobody uses"),
    Mechanism("CS-11", "unroll-budget", "unroll budget"),
    Mechanism("CS-12", "precompiled-header", "precompiled header"),
    Mechanism("CS-13", "serial-builds", "independent modules built one at a time"),
)

MECHANISMS = tuple(one.label for one in CATALOGUE)
"""Labels of the thirteen mechanisms, for navigation only."""
