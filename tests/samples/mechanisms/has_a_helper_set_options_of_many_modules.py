"""CS-3: a helper sets an option of three modules that have run: one line, three rebuilds."""
import sys

import warp as wp

wp.config.enable_backward = False

import ordinary_modules


def prefer_speed(names):
    for name in names:
        wp.set_module_options({"fast_math": True}, module=sys.modules[f"ordinary_modules.{name}"])  # here: option


ordinary_modules.launch_all()
prefer_speed(("forces", "motion", "springs"))
ordinary_modules.launch_all()
