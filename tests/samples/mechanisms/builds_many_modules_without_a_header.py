"""CS-12: six modules are built, each without the precompiled header."""
import warp as wp

wp.config.enable_backward = False
wp.config.use_precompiled_headers = False  # here: header

import ordinary_modules

ordinary_modules.launch_all()
