"""The scenes that are run until they fail, and the files beside them that are nobody's business.

Each scene takes a few hundredths of a second. Together they write every kind of file that a run makes. `other` is a
scene of the same name and shape, with other numbers and more frames: its checkpoints could be taken for those of the
first, and its last frames are leftovers when it is replaced.
"""
import os, re

SMOKE_2D = """return { name="puff", method="smoke", domain={size={1,1}, cells={8,8}}, time={duration=0.3, fps=10, dt=0.05},
  smoke={buoyancy={temperature=0.05, density=0.1}}, scalars={ink={}}, walls={top="open"},
  sources={source{shape=circle{radius=0.2}, at={0.5,0.3}, density=1, temperature=60, ink=1}},
  obstacles={obstacle{shape=circle{radius=0.15}, at={0.5,0.7}}},
  probes={probe{at={0.5,0.6}, fields={"u","v"}, every=0.05}},
  look={width=64}, output={npy=true, images={view{field="density"}}, video=true} }
"""
SMOKE_3D = """return { name="cloud", method="smoke", domain={size={1,1,1}, cells={8,8,8}}, time={duration=0.3, fps=10, dt=0.1},
  smoke={buoyancy={density=-4}}, sources={source{shape=sphere{radius=0.3}, at={0.5,0.4,0.5}, density=1}},
  probes={probe{at={0.5,0.5,0.5}, fields={"w","speed"}, every=0.1}}, output={npy=true} }
"""
SPH_2D = """return { name="dam", method="sph", domain={size={1,1}}, time={duration=0.03, fps=100, dt_max=0.005},
  sph={spacing=0.1, support=2}, fluid={viscosity=1e-3}, walls={top="open"},
  fill={ box{min={0,0}, max={0.5,0.6}} }, obstacles={obstacle{shape=box{min={0.7,0}, max={0.9,0.3}}}},
  probes={probe{at={0.3,0.3}, fields={"speed"}, every=0.01}}, output={vtk=true} }
"""
SPH_3D = """return { name="drop", method="sph", domain={size={1,1,1}}, time={duration=0.03, fps=100, dt_max=0.01},
  sph={spacing=0.2, support=2}, fluid={viscosity=1e-3}, walls={top="open"},
  fill={ box{min={0,0,0}, max={0.6,0.6,0.6}} }, output={mesh="ply"} }
"""
# Drawn by rays, with threads of their own: which request for memory comes as the n-th may differ from run to run.
GLASS_3D = """return { name="glass", method="sph", domain={size={1,1,1}}, time={duration=0.02, fps=100, dt_max=0.01},
  sph={spacing=0.2, support=2}, fluid={viscosity=1e-3}, fill={ box{min={0,0,0}, max={0.6,0.6,0.6}} },
  look={width=32}, output={images=true} }
"""
RIVER_2D = """return { name="brook", method="river", time={duration=0.3, fps=10, dt=0.1}, fluid={viscosity=1e-2},
  river={ cells={12,6}, grid=channel{ centre={{0,0},{2,0.5},{4,0}}, width=function(s) return 1 end },
    sides={ s0=inflow{speed=1, blue=1}, s1=outflow{}, t0=bank{roughness=1}, t1=bank{roughness=1} },
    inks={blue={}}, particles=20 },
  probes={probe{at={2,0.5}, fields={"speed"}, every=0.1}}, look={width=64}, output={npy=true, vtk=true, images={view{field="speed"}}, cache=false} }
"""
RIVER_3D = """return { name="pipe", method="river", time={duration=0.3, fps=10, dt=0.1}, fluid={viscosity=1e-2},
  river={ cells={8,4,4}, grid=function(s,t,r) return 2*s, t, r end,
    sides={ s0=inflow{speed=1, red=1}, s1=outflow{} }, inks={red={}}, particles=10 },
  output={npy=true} }
"""
SCENES = {"smoke2d": SMOKE_2D, "smoke3d": SMOKE_3D, "sph2d": SPH_2D, "sph3d": SPH_3D, "glass3d": GLASS_3D,
          "river2d": RIVER_2D, "river3d": RIVER_3D}


def other(text):
    """The scene that was run before this one: with two more frames, and something in it that changes every frame."""
    longer = re.sub(r"duration=([0-9.]+), fps=(\d+)", lambda m: f"duration={float(m[1]) + 2 / int(m[2]):g}, fps={m[2]}", text)
    return longer.replace("speed=1,", "speed=1.25,").replace("density=1,", "density=1.5,").replace("density=1}", "density=1.5}") \
                 .replace("viscosity=1e-3", "viscosity=2e-3")


# In an empty folder the names that a run uses itself are taken as a sign that the folder is somebody else's.
PLAIN_STRANGERS = ["notes.txt", "party.mp4", "{name}-holiday.mp4", "frames/000001.h5"]
DEEP_STRANGERS = ["cache/mine.h5", "npy/000001/mydata.npy", "npy/readme.txt", "images/photo_000123.png",
                  "vtk/mine_000001.vtp", "mesh/chair.ply", "checkpoint/backup.h5", "checkpoint/old.h5.tmp", "plots/mine.svg"]


def put_strangers(folder, name, deep):
    """Files of the user's; `deep` ones lie inside folders of the run. Gives them back as path and content."""
    names = [n.format(name=name) for n in PLAIN_STRANGERS] + (DEEP_STRANGERS if deep else [])
    content = {n: f"this is {n} and belongs to the user\n".encode() for n in names}
    for path, data in content.items():
        whole = os.path.join(folder, path)
        os.makedirs(os.path.dirname(whole), exist_ok=True)
        with open(whole, "wb") as f:
            f.write(data)
    return content


def name_of(text):
    return re.search(r'name="(\w+)"', text)[1]
