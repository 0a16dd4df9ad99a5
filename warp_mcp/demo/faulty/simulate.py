"""A fountain: drops are thrown up, pulled down, slowed by the air, blown about, and bounce off the basin."""

import sys

import warp as wp

DROPS = 4096
FRAMES = 30
DT = 1.0 / 60.0
DEVICE = sys.argv[1] if len(sys.argv) > 1 else "cpu"


@wp.kernel
def throw(position: wp.array(dtype=wp.vec3), velocity: wp.array(dtype=wp.vec3), seed: int):
    i = wp.tid()
    state = wp.rand_init(seed, i)
    angle = wp.randf(state, 0.0, 6.2831853)
    outward = wp.randf(state, 0.2, 1.4)
    position[i] = wp.vec3(0.0, 0.1, 0.0)
    velocity[i] = wp.vec3(outward * wp.cos(angle), wp.randf(state, 5.0, 8.0), outward * wp.sin(angle))


def make_fall():
    @wp.kernel
    def fall(position: wp.array(dtype=wp.vec3), velocity: wp.array(dtype=wp.vec3), time: float, dt: float):
        i = wp.tid()
        v = velocity[i] + wp.vec3(0.0, -9.81, 0.0) * dt
        drag = wp.min(0.05 * wp.length(v) * dt, 1.0)
        velocity[i] = v - v * drag

    return fall


def make_wind():
    @wp.kernel
    def wind(position: wp.array(dtype=wp.vec3), velocity: wp.array(dtype=wp.vec3), time: float, dt: float):
        i = wp.tid()
        state = wp.rand_init(7)
        p = position[i]
        swirl = wp.curlnoise(state, wp.vec4(p[0], p[1], p[2], time))
        velocity[i] = velocity[i] + swirl * dt

    return wind


def make_bounce():
    @wp.kernel
    def bounce(position: wp.array(dtype=wp.vec3), velocity: wp.array(dtype=wp.vec3), time: float, dt: float):
        i = wp.tid()
        p = position[i] + velocity[i] * dt
        v = velocity[i]
        if p[1] < 0.0:
            p = wp.vec3(p[0], -p[1], p[2])
            v = wp.vec3(0.8 * v[0], -0.5 * v[1], 0.8 * v[2])
        position[i] = p
        velocity[i] = v

    return bounce


FORCES = (make_fall, make_wind, make_bounce)


class Fountain:
    def __init__(self):
        self.position = wp.zeros(DROPS, dtype=wp.vec3, device=DEVICE)
        self.velocity = wp.zeros(DROPS, dtype=wp.vec3, device=DEVICE)
        self.kernels = {}
        wp.launch(throw, dim=DROPS, inputs=[self.position, self.velocity, 42], device=DEVICE)

    def step(self, time):
        for make in FORCES:
            if make not in self.kernels:
                self.kernels[make] = make()
            inputs = [self.position, self.velocity, time, DT]
            wp.launch(self.kernels[make], dim=DROPS, inputs=inputs, device=DEVICE)


def main():
    fountain = Fountain()
    fountain.step(0.0)
    wp.set_module_options({"fast_math": True})
    for frame in range(1, FRAMES):
        fountain.step(frame * DT)
    height = fountain.position.numpy()[:, 1]
    print(f"{DROPS} drops after {FRAMES} frames: mean height {height.mean():.2f} m")


if __name__ == "__main__":
    main()
