"""Texts for Warp's types that are the same in every release: `array1d[float32]`, `vec3[float32]`."""

import re

_ADDRESS = re.compile(r" at 0x[0-9a-fA-F]+")
_PLAIN = {"int": "int32", "float": "float32", "bool": "bool"}
_cache = {}


def type_text(kind):
    """Text of an argument type. Never raises: what is not understood is told by its class's name."""
    try:
        found = _cache.get(kind)
    except TypeError:
        return _safe_text(kind)
    if found is None:
        found = _safe_text(kind)
        # Array annotations are new objects for every kernel; only classes are worth remembering.
        if isinstance(kind, type) and len(_cache) < 4096:
            _cache[kind] = found
    return found


def _safe_text(kind):
    try:
        return _text(kind)
    except Exception:
        return getattr(kind, "__name__", type(kind).__name__)


def _text(kind):
    if hasattr(kind, "vars") and hasattr(kind, "key"):
        return "struct " + str(kind.key).rsplit(".", 1)[-1]
    if hasattr(kind, "dtype") and hasattr(kind, "ndim"):
        return f"{_array_kind(kind)}{kind.ndim}d[{type_text(kind.dtype)}]"
    if hasattr(kind, "_wp_scalar_type_"):
        shape = "x".join(map(str, kind._shape_))
        base = str(getattr(kind, "_wp_generic_type_str_", "vec_t"))
        base = base[:-2] if base.endswith("_t") else base
        return f"{base}{shape}[{type_text(kind._wp_scalar_type_)}]"
    if isinstance(kind, type):
        return _PLAIN.get(kind.__name__, kind.__name__)
    within = getattr(kind, "__args__", None)
    if isinstance(within, tuple) and within:
        # What a function returns may be a tuple; structs in it are told by no `repr`.
        origin = getattr(kind, "__origin__", kind)
        return f"{getattr(origin, '__name__', origin)}[{', '.join(map(type_text, within))}]"
    return without_addresses(str(kind))[:100]


def without_addresses(text):
    """A text that is the same in every run: where an object lies in memory is not."""
    return _ADDRESS.sub("", text) if " at 0x" in text else text


def _array_kind(kind):
    cls = getattr(kind, "_concrete_cls", None) or type(kind)
    return cls.__name__
