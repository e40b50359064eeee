#!/usr/bin/env python3
"""A liquid of particles as a newcomer runs it: the fewest keys, --res, and a run that was killed."""
import os, random, time
from support import *

NEWCOMER = """return { method="sph", domain={size={2,1}}, sph={spacing=0.05}, fill={box{min={0,0}, max={0.5,0.8}}}, time={duration=0.3} }
"""
LONG = """return { method="sph", domain={size={3,2}}, sph={spacing=0.03}, fill={box{min={0,0}, max={1,1}}}, time={duration=1, fps=20}, output={npy=true} }
"""


def test_newcomer():
    path, out = scene(NEWCOMER), os.path.join(folder(), "out")
    r = go("run", path, "-o", out)
    succeeds(r, "only fill, method and spacing")
    ledger = rows(f"{out}/ledger.csv")
    particles = {float(row["particles"]) for row in ledger}
    check(particles == {160.0}, f"10 x 16 particles, none lost ({particles})")
    energy = [float(row["kinetic_energy"]) + float(row["potential_energy"]) for row in ledger]
    check(max(energy) <= 1.005 * energy[0], "its energy does not grow")
    check(float(ledger[-1]["kinetic_energy"]) > 0.1 * energy[0], "and it falls")
    succeeds(go("verify", out), "verify passes")


def test_resolution():
    """--res N puts N spacings along the longest side."""
    path = scene(NEWCOMER)
    for res, expected in ((20, 5 * 8), (80, 20 * 32)):
        out = os.path.join(folder(), "out")
        succeeds(go("run", path, "-o", out, "--quiet", "--frames", 1, "--res", res), f"--res {res}")
        count = float(rows(f"{out}/ledger.csv")[0]["particles"])
        check(count == expected, f"--res {res} makes {count:.0f} particles")


def test_kill():
    path, generator = scene(LONG), random.Random(5)
    reference, out = os.path.join(folder(), "whole"), os.path.join(folder(), "killed")
    succeeds(go("run", path, "-o", reference, "--quiet", "--threads", 1), "a run that is left alone")
    for i, frame in enumerate((3, 9)):
        process = start("run", path, "-o", out, "--quiet", *(["--resume"] if i else []))
        while not os.path.exists(f"{out}/cache/{frame:06d}.h5") and process.poll() is None:
            time.sleep(0.001)
        time.sleep(generator.uniform(0, 0.02))
        process.kill()
        process.communicate()
        check(process.returncode == -9, f"killed after frame {frame}")
    succeeds(go("run", path, "-o", out, "--quiet", "--resume", "--threads", 2), "resumed")
    same_run(reference, out, "killed twice")


test_newcomer()
test_resolution()
test_kill()
finish()
