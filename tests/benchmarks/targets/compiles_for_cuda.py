"""Compiles the module of a program for sm_90, without running the program: `compiles_for_cuda.py PROGRAM`."""

import importlib.util
import sys
from pathlib import Path

import warp as wp

path = Path(sys.argv[1])
wanted = importlib.util.spec_from_file_location(path.stem, path)
assert wanted is not None and wanted.loader is not None
program = importlib.util.module_from_spec(wanted)
sys.modules[path.stem] = program
wanted.loader.exec_module(program)
wp.compile_aot_module(path.stem, arch=90, module_dir=sys.argv[2])
