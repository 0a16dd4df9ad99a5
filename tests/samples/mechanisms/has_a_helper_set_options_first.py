"""CS-3 repaired: the helper sets the option of the three modules before any of them runs."""
import sys

import warp as wp

wp.config.enable_backward = False

import ordinary_modules


def prefer_speed(names):
    for name in names:
        wp.set_module_options({"fast_math": True}, module=sys.modules[f"ordinary_modules.{name}"])


prefer_speed(("forces", "motion", "springs"))
ordinary_modules.launch_all()
ordinary_modules.launch_all()
