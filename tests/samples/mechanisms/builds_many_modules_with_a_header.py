"""CS-12 repaired: the six modules share the precompiled header, as by default."""
import warp as wp

wp.config.enable_backward = False

import ordinary_modules

ordinary_modules.launch_all()
