"""Imports and initialises Warp, builds nothing, launches nothing."""
import warp as wp

wp.init()
print("initialised")
