"""Forward kinematics of a tree of joints, by joint type, and a joint drive: two kernels with branches."""

import warp as wp


@wp.func
def joint_transform(kind: int, axis: wp.vec3, q: float, offset: wp.vec3):
    if kind == 0:
        return wp.transform(axis * q, wp.quat_identity())
    if kind == 1:
        return wp.transform(wp.vec3(), wp.quat_from_axis_angle(axis, q))
    if kind == 2:
        turned = wp.quat_rpy(q * axis[0], q * axis[1], q * axis[2])
        return wp.transform(offset, turned)
    return wp.transform(offset, wp.normalize(wp.quat(axis, q)))


@wp.kernel
def forward_kinematics(
    start: wp.array(dtype=int),
    parent: wp.array(dtype=int),
    kind: wp.array(dtype=int),
    axis: wp.array(dtype=wp.vec3),
    q: wp.array(dtype=float),
    frame: wp.array(dtype=wp.transform),
    pose: wp.array(dtype=wp.transform),
    twist: wp.array(dtype=wp.spatial_vector),
):
    tree = wp.tid()
    for joint in range(start[tree], start[tree + 1]):
        above = parent[joint]
        root = wp.transform_identity()
        carried = wp.spatial_vector()
        if above >= 0:
            root = pose[above]
            carried = twist[above]
        local = joint_transform(kind[joint], axis[joint], q[joint], wp.vec3(0.0, q[joint], 0.1))
        here = root * frame[joint] * local
        turned = wp.transform_vector(root, axis[joint])
        arm = wp.transform_get_translation(here)
        pose[joint] = here
        twist[joint] = carried + wp.spatial_vector(turned, wp.cross(arm, turned)) * q[joint]


@wp.kernel
def drive(
    q: wp.array(dtype=float),
    qd: wp.array(dtype=float),
    target: wp.array(dtype=float),
    force: wp.array(dtype=float),
):
    i = wp.tid()
    force[i] = wp.clamp(100.0 * (target[i] - q[i]) - 3.0 * qd[i], -20.0, 20.0)
