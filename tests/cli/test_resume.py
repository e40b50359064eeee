#!/usr/bin/env python3
"""Killed at random moments and resumed, a run has the bits of one that was left alone; so it has for any number of threads."""
import os, random, shutil, time
from support import *

LONG_2D = SMOKE_2D.replace("cells={32,48}", "cells={128,192}").replace("duration=0.5", "duration=1.5")
LONG_3D = SMOKE_3D.replace("cells={17,12,9}", "cells={40,40,40}").replace("duration=0.4", "duration=1.2")


def whole_run(path, *more):
    out = os.path.join(folder(), "out")
    succeeds(go("run", path, "-o", out, "--quiet", *more), f"an uninterrupted run {' '.join(map(str, more))}".rstrip())
    return out


def killed_run(path, moments):
    """Kills the run at each moment (a frame that was written, and a while after it), each time after another --resume;
    then lets it end."""
    out = os.path.join(folder(), "out")
    killed = 0
    for i, (frame, wait) in enumerate(moments):
        process = start("run", path, "-o", out, "--quiet", *(["--resume"] if i else []))
        while not os.path.exists(f"{out}/cache/{frame:06d}.h5") and process.poll() is None:
            time.sleep(0.001)
        time.sleep(wait)
        process.kill()
        process.communicate()
        killed += process.returncode == -9
        if process.returncode == -9 and os.path.exists(f"{out}/cache/{frame:06d}.h5"):
            succeeds(go("verify", out), "verify finds no damage in a killed run")
    succeeds(go("run", path, "-o", out, "--resume"), f"resumed after {killed} kills")
    return out, killed


def test_kills(name, text, generator):
    path = scene(text)
    reference = whole_run(path)
    if not os.path.exists(f"{reference}/run.json"):
        return None
    frames = sorted(generator.sample(range(10), 3))
    moments = [(frame, generator.uniform(0, 0.03)) for frame in frames]
    out, killed = killed_run(path, moments)
    check(killed >= 2, f"{name}: killed {killed} times, after frames {frames}")
    same_run(reference, out, name)
    succeeds(go("verify", out), f"{name}: verify passes")
    return path, reference


def test_threads(name, path, reference):
    for threads in (1, 2, 4):
        out = whole_run(path, "--threads", threads)
        same_run(reference, out, f"{name}, {threads} threads")


def test_without_checkpoint():
    path, out = scene(SMOKE_2D), os.path.join(folder(), "out")
    go("run", path, "-o", out, "--quiet", "--frames", 2)
    for name in os.listdir(f"{out}/checkpoint"):
        os.remove(f"{out}/checkpoint/{name}")
    r = go("run", path, "-o", out, "--resume")
    check(r.returncode == 1 and "--force" in r.stderr, "--resume of a run that has lost its checkpoints is refused")
    check(os.path.exists(f"{out}/cache/000002.h5") and len(rows(f"{out}/ledger.csv")) == 3, "and its frames are kept")
    for name in ("cache", "npy"):
        shutil.rmtree(f"{out}/{name}")
    for name in ("ledger.csv", "probes.csv", "obstacles.csv"):
        os.remove(f"{out}/{name}")
    r = go("run", path, "-o", out, "--resume")
    check(r.returncode == 0 and "from the beginning" in r.stdout, "--resume where no frame lies starts again, with a word")
    check(len(rows(f"{out}/ledger.csv")) == 6, "and the ledger has each frame once")
    reference = whole_run(path)
    same_run(reference, out, "started again")


def test_finished_and_taken_up():
    """The checksums of the end of a run are no reproach to the one that goes on from there."""
    path, out = scene(LONG_2D), os.path.join(folder(), "out")
    go("run", path, "-o", out, "--quiet", "--frames", 2)
    succeeds(go("verify", out), "verify after --frames 2")
    process = start("run", path, "-o", out, "--quiet", "--resume")
    while not os.path.exists(f"{out}/cache/000005.h5") and process.poll() is None:
        time.sleep(0.001)
    r = go("verify", out)
    check(r.returncode == 0, f"verify beside a run that went on {r.stdout.strip()[-200:] if r.returncode else ''}")
    process.kill()
    process.communicate()
    succeeds(go("verify", out), "verify after it was killed")
    succeeds(go("run", path, "-o", out, "--quiet", "--resume"), "resumed to its end")
    r = go("verify", out)
    check(r.returncode == 0 and "unfinished" not in r.stdout, "verify of all files at the end")


def test_damaged_checkpoint():
    path, out = scene(SMOKE_2D), os.path.join(folder(), "out")
    go("run", path, "-o", out, "--quiet", "--frames", 3)
    newest = max((f"{out}/checkpoint/{n}" for n in os.listdir(f"{out}/checkpoint")), key=os.path.getmtime)
    with open(newest, "r+b") as f:
        f.truncate(os.path.getsize(newest) // 2)
    r = go("run", path, "-o", out, "--resume")
    check(r.returncode == 0 and "warning" in r.stderr, "a damaged checkpoint is passed over with a warning")
    reference = whole_run(path)
    same_run(reference, out, "resumed from the older checkpoint")


STREAM = """return { method="river", time={duration=0.5, fps=10}, fluid={viscosity=1e-3},
  river={ cells={60,12}, grid=function(s, t) return 4*s, t + 0.2*math.sin(5*s) end, scheme="SCHEME",
    sides={ s0=inflow{speed=function(w, t) return w*(1 - w) + t end, blue=1}, s1=outflow{},
      t0=bank{inflow=function(s, t) return s > 0.3 and s < 0.3 + t and 0.5 or 0 end, red=function(x, y, z, t) return t end},
      t1=bank{roughness=function(s) return s end, speed=function(s, t) return s*t end} },
    inks={blue={}, red={}}, particles=100 } }"""


def test_sides_of_a_river(scheme):
    """What functions of its sides gave is asked again."""
    path, out = scene(STREAM.replace("SCHEME", scheme)), os.path.join(folder(), "out")
    go("run", path, "-o", out, "--quiet", "--frames", 2)
    succeeds(go("run", path, "-o", out, "--quiet", "--resume"), f"a {scheme} river whose sides are functions goes on")
    same_run(whole_run(path), out, f"{scheme} river, sides that are functions")


generator = random.Random(20)
for name, text in (("2D", LONG_2D), ("3D", LONG_3D)):
    found = test_kills(name, text, generator)
    if found:
        test_threads(name, *found)
for scheme in ("flux", "classic"):
    test_sides_of_a_river(scheme)
test_without_checkpoint()
test_finished_and_taken_up()
test_damaged_checkpoint()
finish()
