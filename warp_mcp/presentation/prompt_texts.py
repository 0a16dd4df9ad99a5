"""What the prompts say to an agent: the whole loop for one command, and how to write up what came out."""

from warp_mcp.models.uris import REFERENCES, SCHEME
from warp_mcp.presentation.markdown import code

ASK_FOR_THE_COMMAND = """\
First ask the user: which exact command do you wait for, in which directory, with which interpreter? Do not
measure another one in its place. If nobody can be asked, take the command that the project's README, tasks
or CI run, and say in the report that you chose it, and why."""

DIAGNOSE = f"""\
Find out why a program that uses NVIDIA Warp starts slowly, and shorten its cold start without changing what
it does. Conclude from measurement, never from reading the source alone.

{{command}}
{{goal}}

Work in this order.

1. **Measure.** `measure` with the command as a list (interpreter first, no shell), an absolute cwd, 3
   samples and the label `before`. It runs the program for real, several times. If it answers `running`, call
   `measure` with that run_id until it is done. In `options`: a stop condition for a program that does not end
   by itself; `outputs` where you will edit, and `steady_state` where numerical options, headers or kernels
   may change: a comparison needs them on both sides, and they add five warm runs.
2. **Read.** How long is the wait, and how much of it is compilation? If compilation is a small part, say so
   and where the time goes: there is little to gain here. Otherwise take the lines behind the rebuilds first,
   the dearest first, then the other findings. Heed the warnings before you believe a number.
3. **Explain.** `explain_mechanism` with the report for each mechanism that fired: its evidence here, the
   least invasive fix, when the fix does not apply, how it goes wrong.
4. **Price before you edit.** What is an option, and not a line, can be tried without an edit: `measure` with
   `levers` in `options` (`enable_backward=false`, `module:max_unroll=4`, `preload=4`, or `auto`: what the
   findings point to). Each takes as long as the program. Read its verdict, whether modules moved, and
   takes_away. Rebuilds and boundaries need the edit; `floor` bounds what splitting or merging modules saves.
5. **Ask before any trade-off.** Ask what the finding lists, and of these what applies:
   - Does anything, also outside this repository, need gradients of this code? (before backward code goes)
   - May results change, and within which tolerance? (fast_math, precision, MathDx, an implementation)
   - May it run slower after its start? (max_unroll, MathDx)
   - Who else imports this file, and who edits these kernels? (options, merged modules)
   - Does anything refer to these kernels or modules by name?
   - Why is the cache cleared or moved, and who else would share it?

   When nobody can be asked: leave numerics and implementations alone; test whether a capability is in use
   before you remove it, and say what you removed and how to put it back; set globals at entry points only;
   prefer fixes that keep everything. See {REFERENCES}/mechanisms/trade-offs.
6. **Edit one thing**, rebuilds first, then boundaries, then the content of modules. Keep the scope of the
   change no wider than the scope of the evidence: one command was measured, so change this application, not
   a library that others import. For a library, set the option from the entry point, or send its maintainers
   the measurement. Never merge launches, skip work, or change a launch's block_dim to gain time.
7. **Measure again**, same arguments and options without levers, label `after`, `against` the report before,
   which makes as many samples as the verdict needs, and `compare` both. `improved`: keep it. `inconclusive`:
   no effect was shown; do not repeat until it looks better. `invalid` or `regressed`: undo it. `unverified`:
   read why, check that, and call it unverified until then. A module whose hash did not move never got the
   option. Outputs that are `different` name the launch and array; slower kernels stand beside the verdict.
8. **Check what no probe sees**: everything under next_checks. Do what you can, and tell the user what you
   did not check: nobody else did.
9. **Record** with `ledger_append` every option that was declined, deferred, or applied without full
   verification: a lever that was priced by `report`, `lever` and `why` alone, others with the ids of the
   reports that measured them.
10. Go on from 2 with the new report while something worth the change is left.

**Before you say that there is nothing to fix**, check these three and say what each showed:
- cache reuse (CS-2): does the warm run still compile? Then every start is a cold one;
- backward code (CS-10): are adjoints built that no backward pass of any user needs?
- overlap (CS-13): are several CUDA modules, each built once, built one after another?

For one that was not reached, say what would reach it. "No module was built twice" is a finding; never call a
program optimal, nor a build necessary. At the end write it up with the prompt `report`."""

REPORT = f"""\
Write up what was done about the cold start, for people who were not there.

Baseline: {{baseline}}. Candidate: {{candidate}}.

Call `compare` with these two, then read `{SCHEME}://comparisons/` followed by the comparison_id it answers:
that is the report as Markdown. (In a terminal, with the user's words: `warp-mcp report BASELINE CANDIDATE
--complaint "8 s before the first frame" --note "what was edited"`.) Where you can do neither, use the answer
of `compare`, and `explain_mechanism` with `reporting`. First record each lever that was priced and not taken:
`ledger_append` with `report`, `lever` and `why`. Keep the figures as they are, and add what no record holds.
In this order:

1. The command, the machine, the versions of Warp and Python, the number of samples.
2. The wait before and after, medians ± MAD with counts; the reduction *and* what is left, sized against the
   complaint, quoted as the user said it. A tenth of a second of five is little: say so.
3. The verdict, the metric it rests on, and the recorded cause. Only `improved` and `regressed` are effects of
   the change. `inconclusive`, `invalid` and `unverified` are said in these words, with the reason.
4. Mechanisms: fixed; ruled out, by which signal; measured and declined, with the reason; not reached, with
   what would reach them. In plain words, labels only beside them.
5. Trade-offs: what got slower, larger or harder to edit, which capability is gone, who pays for builds that
   moved elsewhere.
6. What was not verified: each of next_checks that nobody checked, and paths, devices and sizes that this
   command does not take. For what you did check, say how.
7. The ledger's entries for this project, and what relaxing a constraint that blocked a fix would buy, by
   levers and entries: measured, or called an estimate.
8. How to revert: the edit itself, file by file.

Promise nothing: no time on another machine, no verdict on another command. Estimates stay called estimates.
Do not write "optimal", "irreducible" or "as fast as it can be". If nothing was found, say which signals were
looked for and in which command, with cache reuse (CS-2), backward code (CS-10) and overlap (CS-13) among
them."""


def diagnose_text(command: str, goal: str) -> str:
    """The loop for a command; without one, how to ask for it."""
    wait = f"The command the user waits for: {code(command)}" if command.strip() else ASK_FOR_THE_COMMAND
    aim = f"What the user wants: {code(goal)}" if goal.strip() else ""
    return DIAGNOSE.format(command=wait, goal=aim).replace("\n\n\n", "\n\n")


def report_text(baseline: str, candidate: str) -> str:
    """How to write up a change that was measured before and after."""
    return REPORT.format(baseline=code(baseline), candidate=code(candidate))
