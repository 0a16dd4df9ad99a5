"""Ends with an error before Warp is imported."""
raise SystemExit("cannot open scene.usd")
