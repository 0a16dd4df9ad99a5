from tests.analysis.factories import kernel, load, module, process, recording, signature
from warp_mcp.analysis.identities import build_modules


def test_an_identity_built_by_two_processes_is_one_entry_with_two_builds():
    [entry] = build_modules(
        recording(process(pid=10, loads=[load(ms=100)]), process(pid=11, loads=[load(ms=150, begin=1010)]))
    )
    assert (entry.builds, entry.status, entry.ms) == (2, "compiled", 250.0)


def test_a_load_from_the_cache_adds_neither_a_build_nor_build_time():
    loads = [load(ms=100), load(begin=2000, ms=5, status="cached")]
    [entry] = build_modules(recording(process(loads=loads)))
    assert (entry.builds, entry.status, entry.ms) == (1, "compiled", 100.0)


def test_an_error_in_one_process_outranks_a_build_and_a_build_outranks_the_cache():
    failed = load(begin=3000, status="error", error="boom")
    cached = load(begin=2000, status="cached")
    [entry] = build_modules(
        recording(process(loads=[load()]), process(loads=[cached]), process(loads=[failed]))
    )
    assert (entry.status, entry.error, entry.builds) == ("error", "boom", 1)
    [entry] = build_modules(recording(process(loads=[cached]), process(loads=[load()])))
    assert entry.status == "compiled"


def test_two_devices_two_block_dims_and_an_ahead_of_time_build_are_entries_of_their_own():
    loads = [load(), load(block_dim=64), load(device="cuda:0", block_dim=256), load(device="aot:sm_90")]
    assert len(build_modules(recording(process(loads=loads)))) == 4


def test_forward_and_adjoint_launches_are_counted_apart_and_over_processes():
    record = process(
        loads=[load()],
        signatures=[signature(0, count=3), signature(1, count=2, adjoint=True), signature(2, count=4)],
    )
    [entry] = build_modules(recording(record, record))
    assert (entry.launches, entry.adjoint_launches) == (14, 4)


def test_launches_belong_to_the_identity_they_ran_on():
    record = process(
        loads=[load("aa"), load("bb", 2000)],
        signatures=[signature(0, count=3), signature(1, hash="bb", count=5)],
    )
    launches = {entry.hash: entry.launches for entry in build_modules(recording(record))}
    assert launches == {"aa": 3, "bb": 5}


def test_a_module_is_defined_where_its_first_kernel_is_else_where_it_was_created():
    with_kernel = process(loads=[load()], kernels=[kernel(0, defined_at="app.py:12")])
    without = process(loads=[load(kernels=[])], kernels=[], modules=[module(where="app.py:9")])
    assert build_modules(recording(with_kernel))[0].defined_at == "app.py:12"
    assert build_modules(recording(without))[0].defined_at == "app.py:9"


def test_the_first_line_of_several_kernels_is_that_of_the_module_whatever_their_order():
    kernels = [kernel(0, "b", defined_at="app.py:100"), kernel(1, "a", defined_at="app.py:9")]
    [entry] = build_modules(recording(process(loads=[load(kernels=[0, 1])], kernels=kernels)))
    assert entry.defined_at == "app.py:9"


def test_the_content_is_equal_for_the_same_kernels_under_other_names_and_options():
    one = process(loads=[load()], kernels=[kernel(0, "add", digest="d")])
    other = process(
        loads=[load("bb", name="lib", options={})],
        kernels=[kernel(0, "plus", digest="d", options={"a": "b"})],
    )
    third = process(loads=[load()], kernels=[kernel(0, "add", digest="d", constants={"N": "2"})])
    digests = [build_modules(recording(record))[0].content for record in (one, other, third)]
    assert digests[0] == digests[1] != digests[2]


def test_the_keys_of_many_kernels_are_cut_and_counted():
    kernels = [kernel(i, f"k{i}") for i in range(450)]
    [entry] = build_modules(recording(process(loads=[load(kernels=list(range(450)))], kernels=kernels)))
    assert (len(entry.kernels), entry.kernel_count) == (200, 450)


def test_the_most_expensive_identity_comes_first():
    loads = [load("aa", ms=10), load("bb", 2000, ms=90), load("cc", 3000, ms=50)]
    assert [entry.hash for entry in build_modules(recording(process(loads=loads)))] == ["bb", "cc", "aa"]
