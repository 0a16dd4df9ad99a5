"""Every threshold of the analysis, each with its reason. No computation."""

BAND_PERCENT = 1.0
"""Least half width of the noise band, in percent of the baseline median: with three samples the MAD is
often near zero by chance, and alone it calls 8-23 % of null changes improved (simulated and measured)."""

BAND_MADS = 2.0
"""Half width of the noise band in median absolute deviations, of either side."""

LEAST_PERCENT = 5.0
"""Least difference that carries a verdict, in percent of the baseline median, when the two sides were
measured in separate sessions: between sessions clocks, caches and neighbours drift by some percent."""

SOURCE_PERCENT = 1.0
"""Generated source has to differ by more than this to be a cause: names and line numbers in it differ a
little between runs of the same work."""

LEAST_SAMPLES = 3
"""Completed samples a side needs: the fewest that have a median with a spread."""

MINOR_PERCENT = 25.0
"""Share of the cold wall below which compilation is not what the user waits for: without any of it three
quarters of the wait would be left."""

BUSY_SHARE = 0.25
"""Share of the machine's cores that others may keep busy before times are doubted. One build uses one
core; on 2 cores wall times rose up to 3.1 times under load, CPU times far less."""

REDECLARED = 20
"""Declarations of kernels beyond the distinct ones before they are called a loop: a few are ordinary
factories."""

HOOK_PERCENT = 5.0
"""Share of the cold wall spent inside the recorder's hooks above which it is said: the least difference
that carries a verdict."""

MOST_SIGNATURES = 500
"""Rows of `launches.by_signature`. Models, `Launches`."""

MOST_KERNELS = 200
"""Kernel keys listed for one module. Models, `ModuleEntry`."""

MOST_KERNELS_IN_ALL = 4000
"""Kernel keys listed over all modules: a module that grows with each of many rebuilds would list them
again each time."""

MOST_CONTENTS = 500
"""Launched kernels listed with their content."""

MOST_WORK = 500
"""Distinct units of work that kept sequences refer to: real programs launch tens to hundreds."""

MOST_SEQUENCES = 50
"""Distinct per-thread sequences that are kept."""

MOST_ENTRIES = 4000
"""Entries of patterns kept over all sequences: a frame of a large simulator is some hundred launches,
folded."""

MOST_CHARACTERS = 40_000
"""Characters that the argument types of kept rows may take, for signatures and for work each: with
these limits together a report stays below 200 kB whatever the program launched."""

MOST_CAUSES = 20
"""Causes listed for one rebuild; the rest is counted in one sentence."""

MOST_NAMED = 10
"""Names listed in one sentence or one list of evidence."""

MOST_PAIRS = 8
"""Unlike sequences of a side that are paired by their common beginning to find the first divergence."""
