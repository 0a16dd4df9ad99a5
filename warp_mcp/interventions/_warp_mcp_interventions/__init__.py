"""What a pass may change in the target: one module each, with a `start()`. Standard library only."""
