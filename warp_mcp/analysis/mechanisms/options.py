"""How an option reaches a module: that depends on how the module came to be."""

from warp_mcp.models.report import ModuleEntry


def set_option(module: ModuleEntry, option: str, value: str) -> str:
    """The call that sets an option of this module, and where.

    `set_module_options` without a module reaches the module of the caller's file; a unique module has its
    options before it has a name; modules of `wp.map` and `warp.fem` copy the global ones.
    """
    if module.made == "unique":
        return (
            f"@wp.kernel(module=\"unique\", module_options={{'{option}': {value}}}) where the kernel is made"
        )
    if module.made in ("map", "fem"):
        return f"warp.config.{option} = {value} at the entry point, before anything else is declared"
    if module.made == "named":
        return (
            f"wp.set_module_options({{'{option}': {value}}}, module=\"{module.name}\") (Warp 1.17 or later)"
        )
    file = (module.defined_at or "").rpartition(":")[0]
    place = f"at the top of {file}" if file else "at the top of the module's file"
    return f"wp.set_module_options({{'{option}': {value}}}) {place}"
