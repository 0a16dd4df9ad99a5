"""A shared function, a shared number, options set in a loop, a factory and late overloads: by five lines."""
import decay
import drift
import factory
import rope
import shared
import spring
import squeeze
import stretch
import sway
import swing
import warp as wp
from running import doubles, hash_again, run

generic = [stretch.stretch, squeeze.squeeze]
run(drift.drift, decay.decay, swing.swing, sway.sway, spring.spring, rope.rope, *generic)
run(factory.stage("left", 1), factory.stage("right", 1))

shared.weigh_anew()
hash_again(drift, decay)
run(drift.drift, decay.decay)

shared.gain_more()
hash_again(swing, sway)
run(swing.swing, sway.sway)

for module in (spring, rope):
    wp.set_module_options({"fast_math": True, "max_unroll": 4}, module=module)  # here: options
run(spring.spring, rope.rope)

kept = [factory.stage(module, 2) for module in ("left", "right")]
run(*kept)

run(*generic, on=doubles)
