#!/bin/sh
# A wrapper as projects have them: sets up a variable, finds its own directory, stays the parent of Python.
export SETUP=done
here=$(dirname "$0")
"${PYTHON:-python}" "$here/launches_once.py" "$@"
status=$?
echo "wrapper ends with $status"
exit $status
