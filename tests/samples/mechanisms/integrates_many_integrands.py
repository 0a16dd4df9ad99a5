"""CS-4: eight integrands over one domain: warp.fem makes a kernel, and a module, for each."""
import warp as wp

wp.config.enable_backward = False

import ordinary_modules
import warp.fem as fem

wp.set_device("cpu")


@fem.integrand
def area(s: fem.Sample, domain: fem.Domain):
    return 1.0


@fem.integrand
def first_x(s: fem.Sample, domain: fem.Domain):
    return domain(s)[0]


@fem.integrand
def first_y(s: fem.Sample, domain: fem.Domain):
    return domain(s)[1]


@fem.integrand
def second_xx(s: fem.Sample, domain: fem.Domain):
    return domain(s)[0] * domain(s)[0]


@fem.integrand
def second_xy(s: fem.Sample, domain: fem.Domain):
    return domain(s)[0] * domain(s)[1]


@fem.integrand
def second_yy(s: fem.Sample, domain: fem.Domain):
    return domain(s)[1] * domain(s)[1]


@fem.integrand
def third_x(s: fem.Sample, domain: fem.Domain):
    return domain(s)[0] * domain(s)[0] * domain(s)[0]


@fem.integrand
def third_y(s: fem.Sample, domain: fem.Domain):
    return domain(s)[1] * domain(s)[1] * domain(s)[1]


ordinary_modules.launch_all()
domain = fem.Cells(geometry=fem.Grid2D(res=wp.vec2i(2)))
quadrature = fem.RegularQuadrature(domain=domain, order=3)
moments = (area, first_x, first_y, second_xx, second_xy, second_yy, third_x, third_y)
print("sum", round(sum(float(fem.integrate(moment, quadrature=quadrature)) for moment in moments), 3))  # here: integrate
