#!/usr/bin/env python3
"""A run's folder holds what the contract says, and nothing of the user's is lost."""
import json, os, re, shutil
from support import *

FILES = ["scene.lua", "run.json", "log.txt", "ledger.csv", "probes.csv", "obstacles.csv", "checksums.txt", "cache", "checkpoint", "npy"]


def test_files():
    path = scene(SMOKE_2D)
    out = os.path.join(folder(), "out")
    r = go("run", path, "-o", out, "--res", 24, "--set", "time.duration=0.3", "--threads", 1)
    if not succeeds(r, "a run with overrides"):
        return None, None
    for name in FILES:
        check(os.path.exists(os.path.join(out, name)), f"{name} is there")
    check(sorted(os.listdir(f"{out}/cache")) == [f"{i:06d}.h5" for i in range(4)], "cache/000000.h5 to 000003.h5, nothing else")
    check(set(os.listdir(f"{out}/checkpoint")) <= {"a.chk", "b.chk"}, "checkpoint/a.chk and b.chk only")
    text = open(f"{out}/scene.lua").read()
    check(text.startswith(SMOKE_2D), "scene.lua begins with the scene as it was written")
    check("--   --res 24" in text and "--   --set time.duration=0.3" in text, "scene.lua ends with the overrides as comments")
    check(len(r.stdout.strip().splitlines()) >= 5 and "frame 3/3" in r.stdout, "one line per frame when nobody watches")
    log = open(f"{out}/log.txt").read()
    check("frame 3/3" in log and re.search(r"^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ ", log), "log.txt holds what was said, with times")
    leftovers = [n for _, _, names in os.walk(out) for n in names if n.endswith(".tmp")]
    check(not leftovers, f"no drafts are left {leftovers}")
    return path, out


def test_record(out):
    record = json.load(open(f"{out}/run.json"))
    wanted = ("version", "method", "cells", "scene", "base_dir", "set", "res", "threads", "machine", "started", "ended", "fps",
              "frames_done", "status", "finished")
    check(all(k in record for k in wanted), f"run.json has {', '.join(wanted)}")
    check(record["finished"] is True and record["frames_done"] == 3 and record["cells"] == [16, 24], "run.json: finished, frames, cells")
    check(record["set"] == ["time.duration=0.3"] and record["res"] == 24 and record["threads"] == 1, "run.json: the overrides")
    check({"processor", "cores", "memory_bytes"} <= set(record["machine"]), "run.json: the machine")


def test_tables(out):
    ledger = rows(f"{out}/ledger.csv")
    check([r["frame"] for r in ledger] == ["0", "1", "2", "3"], "ledger.csv: one row per frame from 0")
    check(all(abs(float(r["time"]) - i / 10) < 1e-9 for i, r in enumerate(ledger)), "frame n is at time n/fps")
    loads = rows(f"{out}/obstacles.csv")
    check(list(loads[0]) == ["frame", "time", "obstacle", "fx", "fy", "fz", "tx", "ty", "tz"], "obstacles.csv: force and torque")
    check([r["frame"] for r in loads] == ["0", "1", "2", "3"], "obstacles.csv: one row per frame of the one obstacle")
    check(not loads[0]["fx"] and all(r["fx"] and r["fy"] and r["tz"] and not r["fz"] for r in loads[1:]),
          "loads are known after the first step, in 2D without z")
    probes = rows(f"{out}/probes.csv")
    check(list(probes[0]) == ["time", "probe", "x", "y", "z", "u", "v", "pressure", "ink"], "probes.csv: one column per field named anywhere")
    first = [r for r in probes if r["probe"] == "1"]
    check(len(first) == 4 and float(first[0]["time"]) == 0, "a probe every 0.1 s has 4 rows in 0.3 s, the first at 0")
    check(all(r["u"] and r["v"] and not r["ink"] for r in first), "fields that a probe did not name stay empty")
    times = sorted({float(r["time"]) for r in probes if r["probe"] == "2"})
    check(all(b > a for a, b in zip(times, times[1:])) and len(times) >= 4, "the second probe is sampled in order of time")
    line = [r for r in probes if r["probe"] == "2" and float(r["time"]) == 0]
    check([float(r["x"]) for r in line] == [0.2, 0.5, 0.8], "a line of 3 points from 0.2 to 0.8")


def test_refusals(path, out):
    again = ("run", path, "-o", out, "--res", 24, "--set", "time.duration=0.3")
    before = digests(out)
    fails(go(*again), 2, ["finished", "--force", "--resume"], "a finished run is refused")
    check(digests(out) == before, "the refusal changed nothing")
    r = go(*again, "--resume")
    check(r.returncode == 0 and "finished" in r.stdout, "--resume on a finished run says so, exit 0")
    fails(go("run", path, "-o", out, "--resume"), 2, ["another scene", "--force"], "--resume with other overrides is refused")
    mine = write(f"{out}/notes.txt", "mine"), write(f"{out}/cache/mine.h5", "mine"), write(f"{out}/npy/000001/notes.txt", "mine")
    succeeds(go(*again, "--force", "--quiet", "--frames", 2), "--force replaces it")
    check(all(os.path.exists(p) for p in mine), "--force leaves files alone that the program did not make")
    check(not os.path.exists(f"{out}/cache/000003.h5") and not os.path.exists(f"{out}/npy/000003"), "--force removes the old frames")
    for p in mine:
        os.remove(p)
    succeeds(go("verify", out), "verify after --force")
    fails(go(*again), 2, ["finished"], "a run that ended by --frames counts as finished")
    succeeds(go(*again, "--resume", "--quiet"), "--resume goes on after --frames")
    check(len(rows(f"{out}/ledger.csv")) == 4 and os.path.exists(f"{out}/cache/000003.h5"), "and reaches the scene's end")
    check(digests(out) == before, "with the bits of the whole run")


def test_sums(out):
    """verify knows every file but log.txt; those that change are judged when the run has ended."""
    known = {line.split("  ", 2)[2] for line in open(f"{out}/checksums.txt").read().splitlines()}
    there = {os.path.relpath(os.path.join(where, n), out) for where, _, names in os.walk(out) for n in names}
    check(there - known == {"log.txt", "checksums.txt"}, f"every file has its checksum, log.txt aside {sorted(there - known)}")
    succeeds(go("verify", out), "verify of a finished run")
    for name in ("ledger.csv", "probes.csv", "scene.lua"):
        whole = open(f"{out}/{name}").read()
        write(f"{out}/{name}", whole[:-1] + "x")
        r = go("verify", out)
        check(r.returncode == 1 and f"{name}: is damaged" in r.stdout, f"verify names {name}")
        write(f"{out}/{name}", whole)


def test_unfinished(path, out):
    record = json.load(open(f"{out}/run.json"))
    record.update(status="running", finished=False)
    write(f"{out}/run.json", json.dumps(record))
    whole = open(f"{out}/ledger.csv").read()
    write(f"{out}/ledger.csv", whole + "more\n")
    r = go("verify", out)
    check(r.returncode == 0 and "unfinished" in r.stdout, "verify passes over what an unfinished run still changes")
    write(f"{out}/ledger.csv", whole)
    fails(go("run", path, "-o", out, "--res", 24, "--set", "time.duration=0.3"), 2, ["unfinished", "--resume", "--force"], "an unfinished run is refused")


def test_foreign():
    where = folder()
    path = scene(SMOKE_2D, where)
    for extra in ((), ("--force",)):
        fails(go("run", path, "-o", where, *extra), 2, ["scene.lua", "another folder"], f"a folder with the user's scene.lua is refused {extra}")
    check(open(path).read() == SMOKE_2D and os.listdir(where) == ["scene.lua"], "and the scene is untouched")


def test_default_folder():
    where = folder()
    scene(SMOKE_3D, where)
    succeeds(go("run", "scene.lua", "--quiet", "--frames", 1, cwd=where), "a run without -o")
    check(os.path.exists(os.path.join(where, "runs", "puff", "run.json")), "goes into runs/<name>")
    succeeds(go("run", "scene.lua", "--quiet", "--frames", 1, "--set", "output.dir=else/where", cwd=where), "output.dir in the scene")
    check(os.path.exists(os.path.join(where, "else", "where", "run.json")), "is where it goes, parents made")


def test_modes():
    path = scene(SMOKE_3D)
    r = go("run", path, "-o", os.path.join(folder(), "out"), "--quiet")
    check(r.returncode == 0 and not r.stdout and not r.stderr, "--quiet says nothing")
    r = go("run", path, "-o", os.path.join(folder(), "out"), "--json")
    try:
        lines = [json.loads(line) for line in r.stdout.splitlines()]
    except ValueError:
        lines = []
    check([line.get("frame") for line in lines] == [0, 1, 2, 3, 4, None], "--json: one object per frame and one at the end")
    check(lines and lines[-1].get("status") == "finished" and lines[-1].get("frames_done") == 4, "the last says how it ended")
    check(lines and "max_divergence" in lines[1], "each frame has the ledger's columns")


def test_every():
    out = os.path.join(folder(), "out")
    succeeds(go("run", scene(SMOKE_2D), "-o", out, "--quiet", "--set", "output.every=2"), "output.every=2")
    check(sorted(os.listdir(f"{out}/npy")) == ["000000", "000002", "000004"] and len(rows(f"{out}/ledger.csv")) == 6,
          "writes every second frame, the ledger every one")
    out = os.path.join(folder(), "out")
    succeeds(go("run", scene(SMOKE_2D), "-o", out, "--quiet", "--set", "output.cache=false", "--frames", 1), "output.cache=false")
    check(not os.path.exists(f"{out}/cache") and os.path.exists(f"{out}/npy/000001/u.npy"), "writes no cache")


def test_export_and_damage(out):
    before = digests(out)
    shutil.rmtree(f"{out}/npy")
    fails(go("export", out), 2, ["--npy"], "export without a format")
    succeeds(go("export", out, "--npy"), "export --npy")
    check(digests(out) == before, "gives the bits that the run wrote")
    with open(f"{out}/cache/000001.h5", "r+b") as f:
        f.seek(os.path.getsize(f.name) // 2)
        byte = f.read(1)
        f.seek(-1, 1)
        f.write(bytes([byte[0] ^ 255]))
    r = go("verify", out)
    check(r.returncode == 1 and "cache/000001.h5" in r.stdout and "damaged frames: 1\n" in r.stdout, "verify names the damaged frame")
    shutil.rmtree(f"{out}/npy")
    fails(go("export", out, "--npy"), 1, ["000001.h5"], "export passes over the damaged frame, named")
    check(sorted(os.listdir(f"{out}/npy")) == ["000000", "000002", "000003"], "and exports the others")
    os.remove(f"{out}/cache/000002.h5")
    r = go("verify", out)
    check(r.returncode == 1 and "cache/000002.h5" in r.stdout, "verify names a missing file")


path, out = test_files()
if out:
    test_record(out)
    test_tables(out)
    test_refusals(path, out)
    test_sums(out)
    test_unfinished(path, out)
    test_export_and_damage(out)
test_foreign()
test_default_folder()
test_modes()
test_every()
finish()
