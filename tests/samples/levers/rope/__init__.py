"""A rope of points in four files, each a module of its own, that nothing ever differentiates."""
