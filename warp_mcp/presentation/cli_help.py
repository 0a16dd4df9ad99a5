"""What `--help` says. Paragraphs behind a backspace character keep their line breaks."""

HELP = """Find out why a program that uses NVIDIA Warp starts slowly, and prove that a fix worked.

\b
  warp-mcp demo                        the whole loop on a small program, in a minute
  warp-mcp measure --label before -- python app.py
  (edit the program)
  warp-mcp measure --label after -- python app.py
  warp-mcp compare before after
  warp-mcp report before after         the page for your team

Your program runs unmodified, in its own interpreter, with empty caches in the temp directory.
"""

MEASURE_HELP = """Run COMMAND with empty caches, then again with warm ones, and say what its start-up builds.

\b
COMMAND runs for real, once cold and once warm for each sample, in your environment.
Everything after the two dashes belongs to it:
\b
  warp-mcp measure -- python app.py --frames 2
  warp-mcp measure --label before -- .venv/bin/python -m my_package
  warp-mcp measure --samples 1 -- pytest tests/test_sim.py
  warp-mcp measure --cwd ~/robot -- uv run main.py

\b
A program that does not end by itself (a viewer, a service) needs to be told when to stop:
\b
  warp-mcp measure --stop-after-launches 500 -- python viewer.py   the same point each time: best
  warp-mcp measure --stop-when-quiet 10 -- python viewer.py        nothing built for 10 s
  warp-mcp measure --until-output "listening" -- python serve.py   at a line of its output

\b
What an option would buy, without an edit: the same command with it, in turn with unchanged runs:
\b
  warp-mcp measure --lever enable_backward=false -- python app.py
  warp-mcp measure --lever max_unroll=4,fast_math=true -- python app.py   both at once
  warp-mcp measure --lever pkg.solver:max_unroll=4 -- python app.py       one module
  warp-mcp measure --lever preload=4 -- python app.py        modules built by four threads
  warp-mcp measure --lever auto -- python app.py             what the findings point to

\b
A CUDA program without a GPU: what a GPU would need is built here, for real, and timed:
\b
  warp-mcp measure --rehearse-cuda sm_90 -- python app.py
  warp-mcp measure --rehearse-cuda sm_80,sm_90 --rehearsals 3 -- python app.py   enough to compare

\b
Whether a fix changed results or speed: the same options on both sides, then compare:
\b
  warp-mcp measure --label before --outputs --steady-state -- python app.py
  warp-mcp measure --label after --outputs --steady-state --against before -- python app.py
  warp-mcp compare before after

\b
Exit codes: 0 measured or rehearsed · 5 no sample completed · 6 nothing of Warp ran · 2 usage
            74 could not write · 130 interrupted · 70 internal error
"""

COMPARE_HELP = """Compare two reports and say whether CANDIDATE starts faster than BASELINE.

Each is a report id, the beginning of one, a label, `latest`, or a report file.

\b
  warp-mcp compare before after
  warp-mcp compare r-20261201-1015 latest
  warp-mcp compare baseline.json candidate.json --json verdict.json

\b
Exit codes: 0 improved or inconclusive · 1 regressed · 3 invalid (not the same work)
            4 unverified · 2 usage or unreadable report · 74 could not write
"""

REPORT_HELP = """Write what a person sends to their team about a change, as Markdown.

Compares two reports, named as in `compare`, and says what was measured and the verdict, the times before
and after, what is gone and what is left, the mechanisms by name, trade-offs, what nobody verified, what was
changed, the ledger, what an option not taken would buy, every module, and the environment.

\b
  warp-mcp report before after > report.md
  warp-mcp report before after --complaint "8 s before the first frame" \\
    --note "options are set before the first import of sim" --output report.md

\b
Exit codes: 0 improved or inconclusive · 1 regressed · 3 invalid (not the same work)
            4 unverified · 2 usage or unreadable report · 74 could not write
"""

EXPLAIN_HELP = """Explain MECHANISM: what it is, what shows it, what to change, and how that can go wrong.

MECHANISM is a number (CS-5, or just 5), the name it is listed by, or words. Without it, all are listed.
With --report, what that report says comes first: the evidence, what a fix could save, what to try next.
REPORT is a report id, the beginning of one, a label, `latest`, or a report file.

\b
  warp-mcp explain
  warp-mcp explain CS-5 --report latest
  warp-mcp explain rebuilt after option change
  warp-mcp explain --report before

\b
Exit codes: 0 explained · 2 no such mechanism, usage or unreadable report · 74 could not write
"""

PRUNE_HELP = """Remove old reports, with the comparisons of their time, and say which.

\b
  warp-mcp prune --keep 10
  warp-mcp prune --older-than 30 --dry-run
"""

SERVE_HELP = """Serve coding agents over MCP on standard input and output.

`measure` runs any command that the agent gives it, as you would in a terminal. Limit that where agents are
not trusted: with --allow-root working directories, report files and ledgers have to lie below DIR, symbolic
links resolved; with --allow-command the resolved executable has to match GLOB, and variables that could
change what is run are refused. Both can be given several times.

\b
  claude mcp add warp-mcp -- warp-mcp serve
  warp-mcp serve --allow-root ~/robot --allow-command '/home/me/robot/.venv/bin/python*'
  warp-mcp serve --no-measure

\b
Exit codes: 0 the client closed standard input · 2 usage · 128 + N ended by signal N
"""

DOCTOR_HELP = """Check this installation and say how clients are told to start it.

Looks at the interpreters with Warp, the GPU, temp space, the state directory, a lock, variables that
clients leave out, and the references; nothing is changed. Then prints the configuration for Claude Code,
Claude Desktop, Codex, VS Code, Cursor and Python, with the paths of this installation.

\b
  warp-mcp doctor
  warp-mcp doctor --python .venv/bin/python
  warp-mcp doctor --client codex
  warp-mcp doctor --json

\b
Exit codes: 0 nothing is a problem (there may be warnings) · 1 something is · 2 usage
"""

MEASURE_GROUPS = {
    "Measure": ("samples", "against", "timeout", "cwd", "label", "json_path"),
    "End a program that does not end by itself": (
        "stop_after_launches",
        "stop_when_quiet",
        "until_output",
    ),
    "Try options without an edit": ("levers", "lever_budget"),
    "Look at results, speed and the price of a module": (
        "outputs",
        "outputs_budget",
        "steady_state",
        "floor",
    ),
    "See what a GPU would build, without one": (
        "rehearse_cuda",
        "rehearsals",
        "rehearse_workers",
        "no_compile_trace",
        "force",
    ),
}
"""The options of `measure` under headings, by the names of its parameters; what is in none comes last."""

SHORT = {
    "measure": "Run a command cold and warm, and report what it builds.",
    "compare": "Say whether one report starts faster than another.",
    "report": "Write the Markdown that a person sends to a team.",
    "explain": "Say what a mechanism is, with the numbers of a report.",
    "doctor": "Check the installation; print the configuration for clients.",
    "prune": "Remove old reports and say which.",
    "demo": "See the whole loop on a small program, in a minute.",
    "serve": "Serve coding agents over MCP.",
}
"""One line for each command, in the list of them."""
