"""A shared function, a factory and a setting of Warp: eight builds too many, by three lines.
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

run(drift.drift, decay.decay)

kept = []
for power in (2, 3):
    for module in ("left", "right"):
        kept.append(factory.stage(module, power))
        run(kept[-1])

wp.config.verify_fp = True  # here: setting
hash_again(spring, rope)
run(spring.spring, rope.rope)
