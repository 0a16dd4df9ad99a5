"""A shared function, a factory and a setting of Warp: eight builds too many, by three lines.

Two rebuilds have two causes: `decay` has a new kernel beside the changed function, `rope` an option of its own
beside the setting.
"""
import decay
import drift
import factory
import rope
import shared
import spring
import warp as wp
from running import hash_again, run

kernels = [drift.drift, decay.decay, spring.spring, rope.rope]
run(*kernels, factory.stage("left", 1), factory.stage("right", 1))

shared.weigh_anew()
hash_again(drift, decay)


@wp.kernel(module=wp.get_module("decay"))
def beside(x: wp.array(dtype=float)):
    i = wp.tid()
    x[i] = x[i] - 1.0


run(drift.drift, decay.decay, beside)

kept = []
for power in (2, 3):
    for module in ("left", "right"):
        kept.append(factory.stage(module, power))
        run(kept[-1])

wp.config.verify_fp = True  # here: setting
wp.set_module_options({"max_unroll": 4}, module=rope)
hash_again(spring)
run(spring.spring, rope.rope)
