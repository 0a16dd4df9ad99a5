"""Writes bytes that are no text to standard output and standard error."""
import sys

import warp as wp


@wp.kernel
def add_one(x: wp.array(dtype=float)):
    i = wp.tid()
    x[i] = x[i] + 1.0


x = wp.zeros(8, dtype=float, device="cpu")
sys.stdout.buffer.write(b"P6 2 1 255\n\xff\xd8\x80\x00\xfe\x01\x1b[2J\n" * 100)
sys.stderr.buffer.write(b"\xc3\x28\xa0\xa1\n")
wp.launch(add_one, dim=8, inputs=[x], device="cpu")
sys.stdout.buffer.write(b"\x00\x01\x02\xff")
