"""Asks a library to change its options after the library's module was loaded: the cause is there, the request here."""
import library
import warp as wp


def main():
    x = wp.ones(8, dtype=float, device="cpu")
    wp.launch(library.smooth, dim=8, inputs=[x], device="cpu")
    library.make_faster({"fast_math": True, "max_unroll": 4})
    wp.launch(library.smooth, dim=8, inputs=[x], device="cpu")
    print("x0", x.numpy()[0])


main()
