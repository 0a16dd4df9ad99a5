"""Air that slows every point."""
import warp as wp


@wp.kernel
def drag(v: wp.array(dtype=wp.vec3), force: wp.array(dtype=wp.vec3), wind: wp.vec3):
    i = wp.tid()
    relative = v[i] - wind
    speed = wp.length(relative)
    turned = wp.quat_rotate(wp.quat_from_axis_angle(wp.vec3(0.0, 1.0, 0.0), 0.1 * speed), relative)
    force[i] = force[i] - 0.05 * speed * turned
