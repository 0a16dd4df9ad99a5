"""Two steps of MuJoCo Warp on the CPU, or the device named: a box falls onto a plane. Needs mujoco-warp."""
import sys

import mujoco
import mujoco_warp
import warp as wp

XML = """
<mujoco>
  <worldbody>
    <geom type="plane" size="2 2 0.1"/>
    <body pos="0 0 0.2">
      <freejoint/>
      <geom type="box" size="0.1 0.1 0.1"/>
    </body>
  </worldbody>
</mujoco>
"""

wp.set_device(sys.argv[1] if len(sys.argv) > 1 else "cpu")
model = mujoco.MjModel.from_xml_string(XML)
data = mujoco.MjData(model)
mujoco.mj_forward(model, data)
warp_model = mujoco_warp.put_model(model)
warp_data = mujoco_warp.put_data(model, data)
for _ in range(2):
    mujoco_warp.step(warp_model, warp_data)
print("height", float(warp_data.qpos.numpy()[0][2]))
