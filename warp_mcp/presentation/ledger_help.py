"""What `warp-mcp ledger --help` says. Paragraphs behind a backspace character keep their line breaks."""

LEDGER_SHORT = "Record what was declined or is not fully verified."

LEDGER_HELP = """Record options that were declined, deferred, or applied without being fully verified.

A start-up investigation ends with things not done: a fix nobody wanted, one whose gradients were not
checked. The ledger keeps each with its measured effect, why, how to take it and how to undo it, so that the
next person need not find it again. Entries are only ever added.

\b
  warp-mcp ledger append --help     what an entry holds
  warp-mcp ledger list              this project's entries
  warp-mcp ledger verify            is the file as it was written?

\b
Each project (the top of its git work tree, or the directory) has a ledger of its own in the state
directory. A team's is a file: --path warp-ledger.jsonl
"""

APPEND_HELP = """Record one option. It is on the disk when this returns.

\b
  warp-mcp ledger append --status declined \\
    --what "Build the module sim without backward code" \\
    --where "sim/setup.py, before the first kernel" --scope "the module sim" \\
    --baseline before --candidate no-backward \\
    --why "A notebook outside this repository may call Tape.backward" \\
    --how-to-take "wp.set_module_options({'enable_backward': False})" \\
    --how-to-undo "remove that line" \\
    --verify "gradients of examples/fit.py against the baseline"

\b
STATUS is one of
  declined             measured or considered, and not wanted
  deferred             wanted, but not now
  applied_unverified   in place, but not verified at --layer: outputs, gradients, steady-state
                       speed, another device, paths the command did not run

\b
The effect is worked out from two reports (ids, labels or files, as in compare):
--baseline without the option, --candidate with it. A number without reports goes into
--estimate and stays marked as one.

\b
A lever that was priced and not taken needs only the reason. The rest is worked out from its
report, and what is given instead replaces it; the status is `declined` unless given:
  warp-mcp ledger append --from-lever before enable_backward=false --why "notebooks use it"
  warp-mcp ledger append --from-levers before --status deferred --why "after the release"

\b
Recording the same again adds nothing: an entry is known by --key, or without one by what it
says. A key that says something else already is refused. To correct an entry, append another.

\b
Exit codes: 0 recorded, or there already · 2 usage, unreadable report, or no intact ledger
            74 could not write
"""

LIST_HELP = """List the entries of a ledger, oldest first.

\b
  warp-mcp ledger list
  warp-mcp ledger list --path warp-ledger.jsonl --markdown > LEDGER.md

\b
Exit codes: 0 listed (also nothing) · 2 usage or not a ledger
"""

VERIFY_HELP = """Check the chain of a ledger, and say what that shows and what it cannot show.

Each line carries the hash of its text and of the line before. A line that was edited, removed, put in or
moved breaks the chain. That the last lines were cut off together, or the whole file written anew, it cannot
show: note the last hash that this prints, in a commit message, say.

\b
Exit codes: 0 intact · 1 not intact, or its last line is cut · 2 usage, no ledger, or not a ledger
"""
