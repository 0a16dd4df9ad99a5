"""A shared number and a shared struct change, and the four modules that use them are imported again."""
import importlib

import pull
import push
import shared
import sway
import swing
import warp as wp
from running import floats, run


def push_and_pull():
    body = shared.Body()
    body.mass = 0.5
    for module in (push, pull):
        kernel = getattr(module, module.__name__)
        wp.launch(kernel, dim=8, inputs=[floats, body], device="cpu")


run(swing.swing, sway.sway)
push_and_pull()
shared.gain_more()
shared.describe_more()
for module in (swing, sway, push, pull):
    importlib.reload(module)
run(swing.swing, sway.sway)
push_and_pull()
