#!/usr/bin/env python3
"""bodies.csv and the bodies of the cache: every body in every frame, the same after --resume, and nobody else's file lost."""
import os, shutil, struct, subprocess
from support import *

BODIES = "frame,time,body,x,y,z,qw,qx,qy,qz,vx,vy,vz,wx,wy,wz".split(",")
POOL = """return { name="pool", method="liquid", domain={size={1,1,0.5}, cells=12}, time={duration=0.3, fps=10}, fill={box{min={0,0,0}, max={1,0.4,0.5}}},
  bodies={ body{name="ball", shape=sphere{radius=0.1}, at={0.3,0.7,0.25}, density=500, spin={0,0,3}},
    body{shape=box{size={0.2,0.2,0.2}}, at={0.7,0.7,0.25}, rotation={0,1,0,60}, density=3000, velocity={0,-1,0}, from=0.15} } }
"""
ROOM = """return { name="room", method="smoke", domain={size={1,1}, cells=16}, time={duration=0.3, fps=10}, coupling="one_way",
  smoke={buoyancy={temperature=1}}, sources={source{shape=circle{radius=0.1}, at={0.5,0.2}, temperature=10}},
  bodies={ body{shape=rectangle{size={0.3,0.2}}, at={0.3,0.7}, rotation=20, mass=5, spin=3} }, output={npy=true, every=2} }
"""


def test_table(name, text, count):
    out = os.path.join(folder(), "out")
    path = scene(text)
    if not succeeds(go("run", path, "-o", out, "--quiet"), f"{name}: runs"):
        return None, None
    table = rows(f"{out}/bodies.csv")
    check(list(table[0]) == BODIES, f"{name}: the columns of bodies.csv")
    check([(r["frame"], r["body"]) for r in table] == [(str(f), str(b)) for f in range(4) for b in range(count)],
          f"{name}: every body in every frame, from 0, whatever output.every says")
    check(all(r["time"] == f"{int(r['frame']) / 10:.9g}" for r in table), f"{name}: frame n is at time n/fps")
    check(all(r[k] for r in table for k in BODIES), f"{name}: no cell is empty")
    check(all(abs(sum(float(r[k]) ** 2 for k in ("qw", "qx", "qy", "qz")) - 1) < 1e-8 for r in table), f"{name}: unit quaternions")
    succeeds(go("verify", out), f"{name}: verify")
    check("bodies.csv" in open(f"{out}/checksums.txt").read(), f"{name}: bodies.csv is on the run's list")
    return path, out


def test_start(out):
    first = rows(f"{out}/bodies.csv")[:2]
    near = lambda row, keys, values: all(abs(float(row[k]) - v) < 1e-4 for k, v in zip(keys, values))
    check(near(first[0], ("x", "y", "z", "qw", "wx", "wy", "wz"), (0.3, 0.7, 0.25, 1, 0, 0, 3)), "a ball starts where the scene puts it")
    check(near(first[1], ("x", "y", "z", "qw", "qy", "vy"), (0.7, 0.7, 0.25, 3 ** 0.5 / 2, 0.5, -1)), "a box starts turned, and is where it will appear")


def numbers(path, dataset, letter):
    """The numbers of a dataset, as HDF5's own reader finds them."""
    raw = f"{path}.raw"
    r = subprocess.run(["h5dump", "-d", dataset, "-b", "LE", "-o", raw, path], capture_output=True, timeout=60)
    if r.returncode:
        return None
    with open(raw, "rb") as f:
        data = f.read()
    os.remove(raw)
    return struct.unpack(f"<{len(data) // 8}{letter}", data)


def test_cache(out):
    if not shutil.which("h5dump"):
        print("skipped: h5dump is not there (on Debian 'apt install hdf5-tools')")
        return
    table = rows(f"{out}/bodies.csv")
    for frame in range(4):
        path, own = f"{out}/cache/{frame:06d}.h5", [r for r in table if int(r["frame"]) == frame]
        for dataset, keys in (("position", "x y z"), ("rotation", "qw qx qy qz"), ("velocity", "vx vy vz"), ("spin", "wx wy wz")):
            found, wanted = numbers(path, f"/freshet/bodies/{dataset}", "d"), [float(r[k]) for r in own for k in keys.split()]
            check(found and len(found) == len(wanted) and all(abs(a - b) <= 1e-8 * (1 + abs(b)) for a, b in zip(found, wanted)), f"frame {frame}: {dataset} in the cache is that of bodies.csv")
        check(frame > 0 or numbers(path, "/freshet/bodies/present", "q") == (1, 0), "the second body is not there at the start")
        check(all(t != t for t in numbers(path, "/freshet/bodies/temperature", "d")), f"frame {frame}: bodies without heat have no temperature")


def test_resume(path, reference):
    out = os.path.join(folder(), "out")
    succeeds(go("run", path, "-o", out, "--quiet", "--frames", 1), "two frames")
    with open(f"{out}/bodies.csv", "a") as f:
        f.write("9,9,9,9,9,9,9,9,9,9,9,9,9,9,9,9\n9,9")
    r = go("run", path, "-o", out, "--quiet", "--resume")
    check(r.returncode == 0, f"--resume of a run whose table a crash left longer (exit {r.returncode}: {r.stderr.strip()[-120:]})")
    same_run(reference, out, "resumed")
    one = os.path.join(folder(), "out")
    succeeds(go("run", path, "-o", one, "--quiet", "--threads", 1), "with one thread")
    same_run(reference, one, "one thread")


def test_in_the_way(path):
    out = folder()
    mine = write(f"{out}/bodies.csv", "mine")
    fails(go("run", path, "-o", out, "--quiet"), 2, ["bodies.csv"], "somebody's bodies.csv is in the way")
    check(open(mine).read() == "mine", "and stays as it is")


def test_pictures(out):
    r = go("render", out)
    check(r.returncode == 0 or "Embree" in r.stderr or "libpng" in r.stderr, f"render reads frames with bodies (exit {r.returncode}: {r.stderr.strip()[-120:]})")
    succeeds(go("export", out, "--npy"), "so does export")


path, out = test_table("a pool", POOL, 2)
if out:
    test_start(out)
    test_cache(out)
    test_resume(path, out)
    test_in_the_way(path)
_, out = test_table("a room", ROOM, 1)
if out:
    test_pictures(out)
finish()
