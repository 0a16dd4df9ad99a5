"""The wire format: names and limits that the reader shares by number, not by import.

Lines of the record, by "e":

process      wire, pid, ppid, argv, python, executable, cwd, forked, t, started
mark         name (warp_import_begin, warp_import_end, first_launch), t
warp         version, path
import       name, ms
module       id, name, t, options, made, where, via
kernel       id, object, module, key, name, defined_at, generic, signature, arg_types, digest, constants,
             uses, uses_at, constants_at, options
build_begin  t, thread, module, name, device, block_dim, hash
load         module, name, hash, device, block_dim, status, t0, t1, cpu_ns, nested_ns, within, thread, phases,
             kernels, options, source_bytes, adjoint_bytes, statements, unrolled, lto, lto_parts, headers,
             where, via, error, forced, hook_ns
options      module, t, option, old, new, where, via
config       t, name, old, new, where, via
cache        kind, t, path, where, via
hashing      module, count, ns, declared
headers      path
spawn        pid, argv, t, where, via, keeps, caches
launched     id, module, hash, kernel, digest, device, block_dim, types, adjoint
signature    slot, launched, dim
thread       thread, area
fold         thread, gen, closed [[pattern or null, length], …], open (pattern or null), end
backward     count
problem      code, detail
exit         t, hook_ns

Times `t` are nanoseconds of CLOCK_MONOTONIC, which all processes of a machine share.
"""

WIRE_VERSION = 1

MAX_LINES = 65536
"""Lines kept in one record, launch signatures apart. A loop must not fill the disk."""

MAX_SIGNATURES = 65536
"""Distinct launch signatures kept in one process."""

MAX_PATTERN_ENTRIES = 65536
"""Entries of folded launch sequence kept for one thread."""
