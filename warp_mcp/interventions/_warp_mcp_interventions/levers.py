"""Set options the moment Warp is imported, as lines at the top of the program's entry point would.

For the process: on `warp.config` as soon as that module has run, before any other of Warp's can read it. An
option that only modules have: on each module as it is made. For one module: on that module as it is made, as
`set_module_options` at the top of its file would. Whatever the program sets later wins.

`pass.json` holds {"settings": [{"option", "value", "module"}], "preload": null or what `preload.py` takes}.
Lines of `<pid>.levers`: {"applied": {"option", "module"}, "changed": whether `warp.config` had another value}
when a setting first takes hold in the process,
{"reached": {"option", "module", "modules": [names]}} at exit, {"problem": sentence, "option", "module"};
{"made": [names]} at exit, the program's before Warp's own, where a module that was named was not made.
"""

import atexit
import os
import sys
from weakref import WeakSet

from . import channel, waiting

KIND = "levers"

MOST_NAMES = 200
"""Of modules that were made, told where the one that was named was not."""


def start():
    """Wait for Warp."""
    told = channel.told("levers")
    if told is None:
        channel.write(KIND, {"problem": "What the levers are could not be read, so none was applied."})
        return
    levers = _Levers([_Setting(one) for one in told.get("settings") or ()])
    if levers.settings:
        if "warp" in sys.modules:
            channel.write(KIND, {"problem": "Warp was imported first: modules of its own lack the lever."})
        waiting.when_imported(waiting.CONFIG, levers.configure)
        waiting.when_imported(waiting.CONTEXT, levers.watch_modules, first=True)
        atexit.register(levers.write_reached)
    if told.get("preload"):
        from . import preload

        preload.start(told["preload"], same_options=not levers.settings)


class _Setting:
    """One option with its value, and what became of it in this process."""

    def __init__(self, told):
        self.option = told["option"]
        self.value = told["value"]
        self.module = told.get("module")
        self.on_config = False
        self.changed = False
        """Whether `warp.config` had another value before."""
        self.reached = WeakSet()
        """Modules it was set on."""
        self.noted = None

    def note(self, kind, value=None):
        """Write what became of it, once for each process that a fork makes."""
        if self.noted != (kind, os.getpid()):
            self.noted = (kind, os.getpid())
            about = {"option": self.option, "module": self.module}
            done = {"applied": about, "changed": self.changed}
            channel.write(KIND, done if value is None else dict(about, problem=value))


class _Levers:
    """All settings of this process."""

    def __init__(self, settings):
        self.settings = settings
        self.version = ""
        self.modes = {}
        """Members of `DeterministicMode` by name, where Warp has it."""
        self.package = ""
        self.made = WeakSet()

    def configure(self, config):
        """Set what is for the process.

        In the module's own dictionary: the recorder takes an assignment for the program's. A module that
        merely forwards to the real one has nothing of its own.
        """
        own = vars(config)
        if "version" not in own:
            return
        self.version = own["version"]
        self.modes = vars(own["DeterministicMode"])["_member_map_"] if "DeterministicMode" in own else {}
        for one in self.settings:
            one.on_config = one.module is None and one.option in own
            if one.on_config:
                value = self.converted(one)
                one.changed = not self._same(own[one.option], value)
                own[one.option] = value
                one.note("applied")

    @staticmethod
    def _same(old, new):
        """Whether an option had this value before; a value that cannot be compared had not."""
        try:
            return type(old) is type(new) and bool(old == new)
        except Exception:
            return False

    def watch_modules(self, context):
        """Look at each module as it is made, inside the recorder's own look."""
        module_class = vars(context).get("Module")
        if module_class is None:
            return
        self.package = context.__name__.rpartition(".")[0]
        module_class.__init__ = self._setting_after(module_class.__init__)

    def _setting_after(self, original):
        born = self.born

        def __init__(module, *args, **kwargs):
            try:
                original(module, *args, **kwargs)
            except BaseException as error:
                waiting.drop_frame(error)
                raise
            try:
                born(module, sys._getframe(1))
            except Exception:
                pass

        return waiting.unseen(__init__, original)

    def born(self, module, asking):
        """Set what is for a module that was just made; `asking` is the frame that made it."""
        self.made.add(module)
        for one in self.settings:
            if not one.on_config and (one.module is None or self._is_meant(one.module, module, asking)):
                self._set(one, vars(module)["options"], module)

    def _set(self, one, options, module):
        if one.option not in options:
            kind = "option" if one.module is None else "module option"
            one.note("problem", "Warp %s has no %s `%s`." % (self.version, kind, one.option))
            return
        options[one.option] = self.converted(one)
        one.reached.add(module)
        one.note("applied")

    def _is_meant(self, name, module, asking):
        """Whether the report's name of a module means this one.

        A `module="unique"` module is named by its kernel's key and its own hash, and the hash contains the
        options: it is known by the key, so that a setting reaches all such modules of one kernel.
        """
        if module.name == name:
            return True
        key, _, digest = name.rpartition("_")
        if not key or len(digest) != 8 or any(one not in "0123456789abcdef" for one in digest):
            return False
        return self._unique_key(asking) == key

    def _unique_key(self, frame):
        """Key of the kernel that is being declared in a unique module; None elsewhere."""
        while frame is not None and frame.f_code.co_filename == waiting.UNSEEN:
            frame = frame.f_back
        if frame is None or frame.f_code.co_name != "wrapper":
            return None
        local = frame.f_locals
        asked, key = local.get("module"), local.get("key")
        if not (isinstance(asked, str) and asked == "unique"):
            return None
        if isinstance(key, str):
            return key
        return sys.modules[self.package + ".codegen"].make_full_qualified_name(local["f"])

    def converted(self, one):
        """The value as Warp takes it: a text names a member where Warp has an enumeration."""
        if one.option == "deterministic":
            return self.modes[str(one.value).upper()]
        return one.value

    def write_reached(self):
        """At exit: the modules that each setting was set on, or that were made under it."""
        try:
            for one in self.settings:
                modules = self.made if one.on_config else one.reached
                names = sorted({module.name for module in list(modules)})
                about = {"option": one.option, "module": one.module, "modules": names}
                channel.write(KIND, {"reached": about})
            if any(one.module is not None and not len(one.reached) for one in self.settings):
                names = {module.name for module in list(self.made)}
                own = sorted(name for name in names if name.partition(".")[0] != "warp")
                channel.write(KIND, {"made": (own or sorted(names))[:MOST_NAMES]})
        except Exception:
            pass
