#!/usr/bin/env python3
"""Every scene that comes along: the doctor has no warnings, and two frames run on a coarse grid.
usage: test_scenes.py PATH/TO/freshet"""
import os, pathlib

from support import check, finish, folder, go, rows, succeeds

SCENES = sorted((pathlib.Path(__file__).resolve().parents[2] / "scenes").rglob("*.lua"))

check(len(SCENES) >= 7, "the scenes are there")
for path in SCENES:
    doctor = go("check", path)
    check(doctor.returncode == 0 and "no warnings" in doctor.stdout, f"{path.stem}: check has no warnings")
    out = os.path.join(folder(), "out")
    coarse = ["--res", 40, "--frames", 2, "--set", "output.video=false", "--set", "output.images=false"]
    if succeeds(go("run", path, "-o", out, "--quiet", *coarse), f"{path.stem}: runs"):
        check(len(rows(f"{out}/ledger.csv")) == 3, f"{path.stem}: three rows in the ledger")
finish()
