"""Integrates a constant over a grid with warp.fem."""
import warp as wp
import warp.fem as fem

wp.set_device("cpu")


@fem.integrand
def constant(s: fem.Sample):
    return 2.0


domain = fem.Cells(geometry=fem.Grid2D(res=wp.vec2i(2)))
quadrature = fem.RegularQuadrature(domain=domain, order=1)
print("integral", float(fem.integrate(constant, quadrature=quadrature)))
