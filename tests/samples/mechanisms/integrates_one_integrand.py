"""CS-4 repaired: what is summed up in the end is integrated as one integrand."""
import warp as wp

wp.config.enable_backward = False

import ordinary_modules
import warp.fem as fem

wp.set_device("cpu")


@fem.integrand
def moments(s: fem.Sample, domain: fem.Domain):
    x = domain(s)[0]
    y = domain(s)[1]
    return 1.0 + x + y + x * x + x * y + y * y + x * x * x + y * y * y


ordinary_modules.launch_all()
domain = fem.Cells(geometry=fem.Grid2D(res=wp.vec2i(2)))
quadrature = fem.RegularQuadrature(domain=domain, order=3)
print("sum", round(float(fem.integrate(moments, quadrature=quadrature)), 3))
