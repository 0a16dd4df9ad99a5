"""A shared number changes after four modules have loaded; two of them read it, one through a function."""
import decay
import drift
import shared
import sway
import swing
from running import hash_again, run

kernels = [drift.drift, decay.decay, swing.swing, sway.sway]
run(*kernels)
shared.gain_more()
hash_again(drift, decay, swing, sway)
run(*kernels)
