"""Two tests, run by pytest or unittest, which capture what is printed; each test launches twice."""
import unittest

import warp as wp


@wp.kernel
def add_one(x: wp.array(dtype=float)):
    i = wp.tid()
    x[i] = x[i] + 1.0


def launch_twice():
    x = wp.zeros(8, dtype=float, device="cpu")
    for _ in range(2):
        wp.launch(add_one, dim=8, inputs=[x], device="cpu")
    print("captured", x.numpy()[0])
    return x.numpy()[0]


class TestAddOne(unittest.TestCase):
    def test_first(self):
        self.assertEqual(launch_twice(), 2.0)

    def test_second(self):
        self.assertEqual(launch_twice(), 2.0)
