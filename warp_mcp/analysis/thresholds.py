"""Every threshold of the analysis, each with its reason. No computation."""

BAND_PERCENT = 1.0
"""Least half width of the noise band, in percent of the baseline median: with three samples the MAD is
often near zero by chance, and alone it calls 8-23 % of null changes improved (simulated and measured)."""

BAND_MADS = 2.0
"""Half width of the noise band in median absolute deviations, of either side."""

LEAST_PERCENT = 5.0
"""Least difference that carries a verdict, in percent of the baseline median, when the two sides were
measured in separate sessions: between sessions clocks, caches and neighbours drift by some percent."""

LEAST_PERCENT_INTERLEAVED = 1.0
"""The same where both sides were measured in turn, sample by sample, as levers are: what drifts hits both
alike, so no more is asked than the least noise band."""

SOURCE_PERCENT = 1.0
"""Generated source has to differ by more than this to be a cause: names and line numbers in it differ a
little between runs of the same work."""

LEAST_SAMPLES = 3
"""Completed samples a side needs: the fewest that have a median with a spread."""

MOST_SAMPLES = 9
"""Completed samples after which a measurement that is judged while it runs stops: from three to nine the
spread of a median falls by a factor of 1.7, and three times as many again would buy as much once more."""

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

STAKE_PERCENT = 5.0
"""Share of the compile wait that has to be at stake before CS-4, 7 and 9 to 13 fire."""

STAKE_MS = 100.0
"""Least time that has to be at stake for the same: less is not noticed by a person who waits."""

STAKE_MOVED = 1.5
"""How many times as much has to be at stake on one side as on the other before a mechanism that goes by its
cost is called new or fixed: the builds that estimates rest on scatter by a fifth and more from run to run."""

FLOOR_OF_HEADER = 0.065
"""What an empty CPU module takes, as a share of making the precompiled header: loading the header is most of
it. Measured with Warp 1.19.0 on two machines: 75 of 1120 ms, and 0.13 s less the kernel of 1.7-2.1 s. One
without any kernel takes 0.046 (`tests/benchmarks/mechanism_savings.py`), but nobody has one of those."""

PARSING_OF_HEADER = 0.57
"""What a CPU module takes to read the same headers without a precompiled one, as a share of making it: 630 of
1115 ms, and 0.98 of 1.75 s, on two machines with Warp 1.19.0."""

HEADER_OF_PARSING = 1.9
"""Making the precompiled header, as a multiple of a small module's compile without one: the same figures
from the other side, rounded up, so that a header is only advised where it pays."""

LOADING_OF_PARSING = 0.12
"""A small module's compile with the header, as a share of its compile without one, by the same figures."""

ADJOINT_WEIGHT = 2.5
"""What a byte of adjoint source costs the compiler, in bytes of forward source: 1.6 to 5 in seven CPU modules
of Warp 1.19.0 that were built with and without it. Adjoint code repeats the forward pass and more."""

FLOOR_OF_CUDA = 0.55
"""What an empty CUDA module takes, as a share of the smallest one built: of five small modules, four times
each, 0.36 to 0.94, the median 0.59 (Warp 1.19.0 ahead of time for sm_90; `tests/benchmarks/calibration.py`).
A published study has 167 of 467 ms (Warp 1.17 development build, one slice of a Blackwell GPU)."""

LEAST_TIMED = 5
"""Timed launches over all passes that a kernel needs to be told: fewer have no spread worth the name."""

LEAST_PASSES = 3
"""Passes of each side that a difference of launch times needs: with three and three, ranges that do not touch
come about by chance in 10 % of kernels (2 of 20 orders), with two and two in a third."""

BAND_RANGES = 2.0
"""How often the range of the pass medians, the larger one of the two sides, has to fit into a difference of
launch times. Simulated with passes that scatter by 1 to 10 % and sides that drift by up to 3 %: of kernels
that are the same 5 to 11 % are called different without this, 1 to 4 % with it; of those slower by a fifth
97 % are seen where passes scatter by 2 %."""

LEAST_TIMED_US = 0.5
"""Least difference of launch times, in µs: calling the native function takes about that on the CPU, and by
how much exactly depends on where the interpreter happens to lie in memory."""

BUSY_CORES = 0.5
"""Cores that other programs may keep busy before launch times and floors are doubted: a quarter of two."""

MATTERS_SHARE = 0.01
"""Share of all launch time by which the kernels outside the noise must differ together before the status is
slower or faster, so that a kernel that takes less than that never decides it: with a hundred kernels compared
one or two stand out by chance, and under 1 % nobody notices."""

MOST_HIDDEN_PERCENT = 10.0
"""Widest noise band, in percent of the launch time before, with which launches are said to take as long as
before: twice the least difference that is told. Beyond, that none stands out says too little."""

MOST_TIMED = 200
"""Kernels with their signatures whose launch times a report keeps."""

MOST_TIMES_COMPARED = 50
"""Kernels with their signatures whose launch times a comparison tells."""

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

MOST_CHANGES = 3
"""Shared constants, functions and structs told of one kernel that was defined again: a change that unites
rebuilds shows in the first few, and twenty kernels may be told for each of hundreds of rebuilds."""

MOST_NAMED = 10
"""Names listed in one sentence or one list of evidence."""

MOST_PAIRS = 8
"""Unlike sequences of a side that are paired by their common beginning to find the first divergence."""
