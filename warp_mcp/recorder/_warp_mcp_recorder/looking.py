"""Looking at objects of the program without waking anything up.

Warp answers for retired names through `__getattr__`: with a warning the user would see, and in one
release by asking itself without end. So what may be missing is looked up here, never by `getattr`.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any  # 7 ms that every process of a run would pay


def peek(thing: Any, name: str, default: Any = None) -> Any:
    """The attribute `name` of an object, class or module if it has one; `__getattr__` is never asked."""
    own = getattr(thing, "__dict__", {})
    if name in own and not isinstance(thing, type):
        return own[name]
    mro = thing.__mro__ if isinstance(thing, type) else type(thing).__mro__
    try:
        return getattr(thing, name) if any(name in vars(cls) for cls in mro) else default
    except AttributeError:  # a slot that was never filled
        return default
