"""Values that pass between the layers. No files, clocks or processes."""
