"""Every threshold of the analysis, each with its reason. No computation."""

BAND_PERCENT = 1.0
"""Least half width of the noise band, in percent of the baseline median. DESIGN, "The verdict" (a): with three
samples the MAD is often near zero by chance, so that the MAD alone calls 8-23 % of null changes improved."""

BAND_MADS = 2.0
"""Half width of the noise band in median absolute deviations, of either side. DESIGN, "The verdict" (a)."""

LEAST_PERCENT = 5.0
"""Least difference that carries a verdict, in percent of the baseline median, when the two sides were measured in
separate sessions. DESIGN, "The verdict" (a)."""

SOURCE_PERCENT = 1.0
"""Generated source has to differ by more than this to be a cause. DESIGN, "The verdict" (c)."""

LEAST_SAMPLES = 3
"""Completed samples a side needs: a median with a spread. DESIGN, "Verdicts"."""

MINOR_PERCENT = 25.0
"""Below this share of the cold wall, compilation is not what the user waits for. DESIGN, "Warning codes"."""

BUSY_SHARE = 0.25
"""Share of the machine's cores that others may keep busy before times are doubted. One build uses one core; with a
quarter of the cores taken, 2 cores measured wall times up to 3.1 times as long under load (FACTS, "Where to look")."""

REDECLARED = 20
"""Declarations of kernels beyond the distinct ones before they are called a loop: a few are ordinary factories."""

HOOK_PERCENT = 1.0
"""Share of the cold wall spent inside the recorder's hooks above which it is said. DESIGN, "The recorder"."""

MOST_SIGNATURES = 500
"""Rows of `launches.by_signature`. Models, `Launches`."""

MOST_KERNELS = 200
"""Kernel keys listed for one module. Models, `ModuleEntry`."""

MOST_KERNELS_IN_ALL = 4000
"""Kernel keys listed over all modules: a module that grows with each of many rebuilds would list them again each time."""

MOST_CONTENTS = 500
"""Launched kernels listed with their content."""

MOST_WORK = 500
"""Distinct units of work that kept sequences refer to: real programs launch tens to hundreds."""

MOST_SEQUENCES = 50
"""Distinct per-thread sequences that are kept."""

MOST_ENTRIES = 4000
"""Entries of patterns kept over all sequences: a frame of a large simulator is some hundred launches, folded."""

MOST_CHARACTERS = 40_000
"""Characters that the argument types of kept rows may take, for signatures and for work each: with these limits
together a report stays below 200 kB whatever the program launched."""

MOST_CAUSES = 20
"""Causes listed for one rebuild; the rest is counted in one sentence."""

MOST_NAMED = 10
"""Names listed in one sentence or one list of evidence."""

MOST_PAIRS = 8
"""Unlike sequences of a side that are paired by their common beginning to find the first divergence."""
