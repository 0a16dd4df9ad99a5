"""Trees, grids, sorting and sums on a CUDA device, each result checked. Does not start without one."""

import warp as wp

if not wp.is_cuda_available():
    raise SystemExit("This program needs a CUDA device.")
wp.set_module_options({"enable_backward": False})


@wp.kernel
def ask(mesh: wp.uint64, tree: wp.uint64, grid: wp.uint64, found: wp.array(dtype=int)):
    hit = wp.mesh_query_point(mesh, wp.vec3(0.2, 0.2, 0.1), 10.0)
    if hit.result:
        found[0] = 1
    boxes = wp.bvh_query_aabb(tree, wp.vec3(0.5, 0.5, 0.5), wp.vec3(0.6, 0.6, 0.6))
    box = int(0)  # noqa: UP018 (a variable, in a kernel)
    while wp.bvh_query_next(boxes, box):
        found[1] += 1
    for _ in wp.hash_grid_query(grid, wp.vec3(0.0, 0.0, 0.0), 0.5):
        found[2] += 1


wp.set_device("cuda:0")
points = wp.array([[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]], dtype=wp.vec3)
mesh = wp.Mesh(points, wp.array([0, 1, 2, 0, 2, 3], dtype=int))
mesh.refit()
lowers = wp.array([[0, 0, 0], [2, 2, 2]], dtype=wp.vec3)
uppers = wp.array([[1, 1, 1], [3, 3, 3]], dtype=wp.vec3)
tree = wp.Bvh(lowers, uppers, constructor="lbvh")
tree.refit()
grid = wp.HashGrid(8, 8, 8)
grid.build(points, 1.0)
found = wp.zeros(3, dtype=int)
wp.launch(ask, 1, inputs=[mesh.id, tree.id, grid.id, found])
assert found.numpy().tolist() == [1, 1, 1], found.numpy()

keys = wp.array([3, 1, 2, 0, 0, 0], dtype=int)
values = wp.array([0, 1, 2, 0, 0, 0], dtype=int)
wp.utils.radix_sort_pairs(keys, values, 3)
assert keys.numpy()[:3].tolist() == [1, 2, 3] and values.numpy()[:3].tolist() == [1, 2, 0]
scanned = wp.zeros(4, dtype=int)
wp.utils.array_scan(wp.array([1, 2, 3, 4], dtype=int), scanned)
assert scanned.numpy().tolist() == [1, 3, 6, 10]
runs, lengths = wp.zeros(3, dtype=int), wp.zeros(3, dtype=int)
assert wp.utils.runlength_encode(wp.array([1, 1, 2], dtype=int), runs, lengths) == 2
assert wp.utils.array_sum(wp.array([1.0, 2.0, 3.0], dtype=float)) == 6.0

pool = [wp.zeros(1 << 20, dtype=float), wp.Stream(priority=-1)]
high = wp.get_mempool_used_mem_high("cuda:0")
assert pool[1].priority == -1 and wp.get_stream().priority == 0
assert wp.get_mempool_used_mem_current("cuda:0") >= 4 << 20
pool.clear()
assert wp.get_mempool_used_mem_current("cuda:0") < 4 << 20 <= high
