"""A sitecustomize of the user's own: it must run exactly once, and first."""
import builtins
import sys

builtins.own_sitecustomize_ran = getattr(builtins, "own_sitecustomize_ran", 0) + 1
builtins.warp_was_there = "warp" in sys.modules
