"""What kernels of several modules share: a function, a number, a function that reads the number, a struct."""
import warp as wp

GAIN = wp.constant(1.0)


@wp.struct
class Body:
    mass: float


@wp.func
def weight(x: float):
    return x * 0.5


@wp.func
def amplify(x: float):
    return x * GAIN


def weigh_anew():
    global weight

    @wp.func
    def weight(x: float):  # here: weight
        return x * 0.25


def gain_more():
    global GAIN
    GAIN = wp.constant(3.0)  # here: gain


def describe_more():
    global Body

    @wp.struct
    class Body:
        mass: float
        charge: float
