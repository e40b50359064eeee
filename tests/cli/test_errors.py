#!/usr/bin/env python3
"""Mistakes made on purpose: the right exit status, a message that helps, nothing written that should not be."""
import os, resource, signal, time
from support import *


def test_usage():
    fails(go(), 2, ["freshet help"], "no command")
    fails(go("rnu"), 2, ["rnu", "did you mean 'run'?"], "a misspelt command")
    fails(go("frobnicate"), 2, ["unknown command 'frobnicate'"], "a command that is far from any")
    fails(go("run"), 2, ["SCENE"], "run without a scene")
    fails(go("run", "a.lua", "b.lua"), 2, ["b.lua"], "two scenes")
    fails(go("run", "a.lua", "--forse"), 2, ["--forse", "did you mean '--force'?"], "a misspelt option")
    fails(go("run", "a.lua", "--thread=2"), 2, ["did you mean '--threads'?"], "a misspelt option with a value")
    fails(go("run", "a.lua", "-x"), 2, ["unknown option '-x'"], "an unknown letter")
    fails(go("run", "a.lua", "--frames"), 2, ["--frames needs N"], "an option without its value")
    for value in ("abc", "-1", "1.5", "", "99999999999999999999"):
        fails(go("run", "a.lua", "--frames", value), 2, ["--frames", "whole number"], f"--frames '{value}'")
    fails(go("run", "a.lua", "--quiet=yes"), 2, ["takes no value"], "a value for a flag")
    fails(go("run", "a.lua", "--resume", "--force"), 2, ["--resume", "--force", "choose one"], "--resume with --force")
    fails(go("render", "x", "--frames", "9:3"), 2, ["range"], "a range that ends before it begins")
    for name in ("compare", "serve"):
        fails(go(name), 2, ["not built yet"], name)
    for option in (["--vdb"], ["--pov"]):
        fails(go("export", ".", *option), 2, ["not built yet"], f"export {option[0]}")
    fails(go("export", ".", "--mesh", "stl"), 2, ["ply or obj", "stl"], "a mesh in a format that is not written")
    fails(go("bench", "plum"), 2, ["did you mean 'plume'?"], "a misspelt benchmark")


def test_help():
    for words in (["--help"], ["help"], ["-h"]):
        r = go(*words)
        check(r.returncode == 0 and "usage: freshet" in r.stdout and "verify" in r.stdout, f"freshet {words[0]} lists the commands")
    for name in ("run", "check", "render", "export", "plot", "verify", "bench"):
        r = go(name, "--help")
        check(r.returncode == 0 and f"usage: freshet {name}" in r.stdout and "--help" in r.stdout, f"{name} --help shows usage")
        check(go("help", name).stdout == r.stdout, f"help {name} is the same")
    for option in ("--frames", "--res", "--set", "--threads", "--resume", "--force", "--quiet", "--json", "-o"):
        check(option in go("run", "--help").stdout, f"run --help has {option}")
    check(go("version").stdout == go("--version").stdout and go("--version").stdout.startswith("freshet "), "version and --version")


def test_scene_files():
    where = folder()
    out = os.path.join(where, "out")
    for command in (("run", "-o", out), ("check",)):
        run = lambda path, *more: go(command[0], path, *command[1:], *more)
        name = command[0]
        fails(run(f"{where}/missing.lua"), 2, ["missing.lua"], f"{name}: a scene that is not there")
        fails(run(where), 2, [where], f"{name}: a folder as scene")
        fails(run(write(f"{where}/empty.lua", "")), 2, ["empty.lua"], f"{name}: an empty scene")
        fails(run(write(f"{where}/syntax.lua", "return {\n name = = 3 }")), 2, ["syntax.lua:2:"], f"{name}: a syntax error")
        good = write(f"{where}/good.lua", SMOKE_2D)
        fails(run(good, "--set", "fluid.viscositi=1"), 2, ["viscosity"], f"{name}: --set with an unknown key")
        fails(run(good, "--set", "nonsense"), 2, ["nonsense"], f"{name}: --set without =")
        fails(run(good, "--res", 0), 2, ["--res", "1 or more"], f"{name}: --res 0")
        fails(run(write(f"{where}/retrun.lua", "retrun {}")), 2, ["retrun.lua:1:", "did you mean 'return'?"], f"{name}: retrun")
        fails(run(good, "--set", "output.images={presure}"), 2, ["did you mean 'pressure'?", "speed, u, v", "ink"], f"{name}: an unknown field to show")
        fails(run(good, "--set", "time.fps=-3"), 2, ["fps"], f"{name}: --set with a bad value")
        outside = write(f"{where}/outside.lua", SMOKE_2D.replace("at={0.5,0.2}", "at={50,50}"))
        fails(run(outside), 2, ["outside.lua:", "sources[1]"], f"{name}: a source outside the domain")
    check(not os.path.exists(out), "nothing was written by any of them")


def test_liquid_scenes():
    """What people write who come from the smoke scenes, or from other programs."""
    where = folder()
    out = os.path.join(where, "out")
    changes = (("sph={spacing=0.05, support=2}", "sph={}", [":1:", "sph.spacing is missing", "spacing = 0.04"], "no spacing"),
               ("spacing=0.05", "spacing=40", [":1:", "40 m is more than the domain's 2 m"], "a spacing in other units"),
               ("spacing=0.05", "spaceing=0.05", [":1:", "did you mean 'spacing'?"], "a misspelt spacing"),
               ("support=2", "support=0.1", [":1:", "counted in spacings"], "a support in metres"),
               ("at={1.5,0.7}", "at={15,7}", [":4:", "fill[2] lies wholly outside the domain"], "liquid outside the domain"),
               ("velocity={0,-1}", "velocity={0,-1}, viscosity=3", [":4:", "viscosity", "not built yet"], "a viscosity of its own"),
               ('top="open"', "left=inflow{velocity={1,0}}", [":3:", "walls.left", "source{"], "an inflow"),
               ('walls={top="open"}', "particles={tracers{count=5}}", [":3:", "particles", '"sph"'], "tracers"),
               ('walls={top="open"}', "smoke={vortisity=1}", [":3:", "did you mean 'vorticity'?"], "a misspelt setting of another method"),
               ('walls={top="open"}', "sinks={sink{shape=circle{radius=0.1}, at={19,0}}}", [":3:", "sinks[1] lies wholly outside"], "a sink outside the domain"),
               ('walls={top="open"}', "sources={source{shape=circle{radius=0.1}, at={1,0.9}}}", [":3:", "sources[1] needs a velocity"], "a source at rest"))
    for before, after, words, what in changes:
        assert before in DAM_2D
        path = write(f"{where}/dam.lua", DAM_2D.replace(before, after))
        for command in (("run", path, "-o", out), ("check", path)):
            fails(go(*command), 2, ["dam.lua" + words[0], *words[1:]], f"{command[0]}: {what}")
    path = write(f"{where}/dam.lua", DAM_2D)
    fails(go("check", path, "--set", "method=smoke"), 2, ["belongs to", '"sph"'], "the same scene as smoke")
    fails(go("check", path, "--res", 1), 2, ["--res 1", "2 m is more than the domain's 1 m"], "--res that leaves no room")
    smoke = write(f"{where}/smoke.lua", SMOKE_2D.replace("sources=", "fill={circle{radius=0.1}},\n  sources="))
    fails(go("check", smoke), 2, ["smoke.lua:3:", "fill belongs to", "sources and initial"], "a fill in a smoke scene")
    check(not os.path.exists(out), "nothing was written by any of them")


def test_bodies():
    """Mistakes in bodies and joints, and methods that have none."""
    where = folder()
    out = os.path.join(where, "out")
    text = """return { method="liquid", domain={size={1,1}, cells=16}, time={duration=0.1, fps=10}, fill={box{min={0,0}, max={1,0.4}}},
  coupling="monolithic",
  bodies={ body{shape=circle{radius=0.1}, at={0.5,0.7}, density=500, spin=3},
    body{shape=circle{radius=0.1}, at={0.2,0.7}, name="float"} },
  joints={ hinge{bodies={1,2}, at={0.3,0.7}, limits={-1,1}} } }"""
    changes = (("density=500", "densty=500", [":3:", "did you mean 'density'?"], "a misspelt key"),
               ("density=500", "density=500, mass=3", [":3:", "density and mass both say", "leave one out"], "density and mass"),
               ("density=500", "bounce=2", [":3:", "between 0 and 1, not 2"], "a bounce that gains"),
               ("density=500", "friction=-1", [":3:", "bodies[1].friction"], "a friction below zero"),
               ("at={0.2,0.7}", "at={20,70}", [":4:", "bodies[2] lies wholly outside the domain"], "a body outside the domain"),
               ("max={1,0.4}", "max={1,-0.4}, at={0,-2}", [":1:", "the box must be wider"], "liquid that is inside out"),
               ("box{min={0,0}, max={1,0.4}}", "box{size={1,0.4}, at={5,5}}", [":1:", "fill[1] lies wholly outside the domain"], "liquid outside the domain"),
               ("density=500", "force=function(t) return t.x, 0 end", [":3:", "attempt to index a number"], "a force that fails"),
               ("limits={-1,1}", "motor=function() return 'fast' end", [":5:", "joints[1].motor", "is a string"], "a motor that gives no number"),
               ("spin=3", "spin={1,0,0}", [":3:", "leaves the plane", "turns about z"], "a spin about x in 2D"),
               ("{1,2}", "{1,'flaot'}", [":5:", "'flaot'", "did you mean 'float'?"], "a misspelt body"),
               ("{1,2}", "{1,3}", [":5:", "there is no body 3", "the scene has 2"], "a body that is not there"),
               ("{1,2}", "{2,2}", [":5:", "to itself"], "a joint of one body with itself"),
               ("{-1,1}", "{-90,90}", [":5:", "radians", "math.rad"], "limits in degrees"),
               ("{-1,1}", "{1,-1}", [":5:", "{least, greatest}"], "limits in the wrong order"),
               ('"monolithic"', '"monolitic"', [":2:", "did you mean 'monolithic'?"], "a misspelt coupling"),
               ("fill=", "prescribed={velocity={1,0}}, fill=", [":1:", "bodies cannot push it", '"carried"'], "a prescribed flow"))
    for before, after, words, what in changes:
        assert before in text
        path = write(f"{where}/float.lua", text.replace(before, after))
        for command in (("run", path, "-o", out), ("check", path)):
            fails(go(*command), 2, ["float.lua" + words[0], *words[1:]], f"{command[0]}: {what}")
    particles = text.replace('"liquid"', '"sph"').replace('"monolithic"', '"carried"')
    fails(go("run", write(f"{where}/float.lua", particles), "-o", out), 2, ["float.lua:2:", "not built", '"one_way"'],
          "bodies carried by particles")
    path = write(f"{where}/float.lua", text)
    succeeds(go("check", path, "--set", "coupling=one_way"), "--set coupling=one_way")
    fails(go("check", path, "--set", "bodies[3].mass=1"), 2, ["no such entry in that list"], "--set of a body that is not there")
    check(not os.path.exists(out), "nothing was written by any of them")


def test_sides_of_rivers():
    """What a function of a side gives is seen before anything is written; what it gives later stops the run."""
    text = """return { method="river", time={duration=0.5, fps=4}, river={ cells={40,8}, grid=function(s, t) return 5*s, t end,
  sides={ s0=inflow{speed=1}, s1=outflow{},
    t0=bank{ SIDE } } } }"""
    for side, words, what in (
            ("roughness=function(s) return 3*s end", [":3:", "river.sides.t0.roughness", "between 0", "1.0125", "share 0.3375"], "too rough"),
            ("roughness=function(s) return s > 0.5 and 0/0 or 1 end", [":3:", "river.sides.t0.roughness", "finite"], "no number"),
            ("inflow=function(s) return s > 0.5 and 'much' or 0 end", [":3:", "river.sides.t0.inflow", "string"], "a word"),
            ("speed=function(s, r, t) return s end", [":3:", "river.sides.t0.speed", "not 'r'"], "an argument too many")):
        out = os.path.join(folder(), "out")
        fails(go("check", scene(text.replace("SIDE", side))), 2, words, f"check, a function of a side gives {what}")
        fails(go("run", scene(text.replace("SIDE", side)), "-o", out), 2, words, f"run, a function of a side gives {what}")
        check(not os.path.exists(out), f"a function of a side gives {what}: nothing is written")
    later = text.replace("SIDE", "inflow=function(s, t) return t > 0.3 and 0/0 or 0 end")
    fails(go("run", scene(later), "-o", os.path.join(folder(), "out")), 1, [":3:", "river.sides.t0.inflow", "finite", "last good checkpoint"],
          "a function of a side that fails later")


def test_not_a_run():
    where = folder()
    for name, more in (("verify", []), ("plot", []), ("render", []), ("export", ["--npy"])):
        fails(go(name, f"{where}/nowhere", *more), 2, ["nowhere"], f"{name} of a folder that is not there")
        fails(go(name, where, *more), 2, ["run.json"], f"{name} of a folder without a run")


def test_refused_sizes():
    where = folder()
    huge = scene(SMOKE_3D.replace("cells={17,12,9}", "cells=1200"), where)
    r = go("run", huge, "-o", f"{where}/out")
    check(r.returncode in (1, 2) and "GB" in r.stderr, f"too large for the memory: refused with the numbers (exit {r.returncode}: {r.stderr.strip()[:160]})")
    endless = write(f"{where}/endless.lua", SMOKE_2D.replace("cells={32,48}", "cells=1500").replace("duration=0.5", "duration=900000"))
    fails(go("run", endless, "-o", f"{where}/out"), 1, ["free", "--frames"], "too large for the disk: refused with the numbers")
    both = go("run", huge, "-o", f"{where}/out", "--set", "time.duration=900000")
    check("memory" in both.stderr and "on the disk" not in both.stderr, f"too large for both: the memory is named ({both.stderr.strip()[:120]})")
    r = go("run", endless, "-o", f"{where}/out", "--set", "output.cache=false", "--set", "output.npy=true")
    check("9000001 frames of" in r.stderr and "3 checkpoints of" in r.stderr, "the parts of the disk's message add up")
    check(not os.path.exists(f"{where}/out"), "and nothing is written")
    r = go("check", endless)
    check(r.returncode == 1 and "disk does not suffice" in r.stdout, "check says so too")


def test_unwritable():
    where = folder()
    path = scene(SMOKE_2D, where)
    write(f"{where}/file", "")
    fails(go("run", path, "-o", f"{where}/file/out"), 1, ["file"], "a folder below a file")
    fails(go("run", path, "-o", f"{where}/file"), 1, ["file"], "a file as folder")
    r = go("run", path, "-o", "/proc/nowhere")
    check(r.returncode == 1 and "/proc" in r.stderr and "free" not in r.stderr, f"a place that cannot be written is named as such ({r.stderr.strip()[:120]})")
    fails(go("run", path, "-o", "x" * 5000), 2, ["path"], "a path of 5000 characters")
    with open("/dev/full", "w") as full:
        r = subprocess.run([EXE, "check", path], stdout=full, stderr=subprocess.PIPE, text=True, timeout=60)
    fails(r, 1, ["standard output"], "check into a full device")


def limited(most):
    def limit():
        resource.setrlimit(resource.RLIMIT_FSIZE, (most, most))
    return limit


def test_disk_full():
    """Files may not grow beyond a limit: what a full disk does, without one."""
    where = folder()
    path, out = scene(SMOKE_2D, where), f"{where}/out"
    reference = f"{where}/reference"
    go("run", path, "-o", reference, "--quiet")
    fails(go("run", path, "-o", out, "--quiet", preexec_fn=limited(600)), 1, ["cannot write", "run.json"], "no room for the first file")
    succeeds(go("run", path, "-o", out, "--quiet", "--frames", 2, "--force"), "two frames with room")
    cached = digests(out)
    r = go("run", path, "-o", out, "--quiet", "--resume", preexec_fn=limited(3000))
    check(r.returncode == 1 and "File too large" in r.stderr, f"the disk fills up: exit 1 and the reason (exit {r.returncode}: {r.stderr.strip()[:200]})")
    now = digests(out)
    check(all(now.get(k) == v for k, v in cached.items()), "the earlier frames are intact")
    check(not [n for _, _, names in os.walk(out) for n in names if n.startswith(".freshet")], "no drafts are left")
    succeeds(go("run", path, "-o", out, "--quiet", "--resume"), "with room again, --resume goes on")
    same_run(reference, out, "after a full disk")


def test_failing_function():
    where = folder()
    text = SMOKE_2D.replace("output={npy=true}", "forces={force{value=function(x,y,z,t) if t > 0.25 then error('gone wrong') end return 0,1 end}}")
    out = f"{where}/out"
    r = go("run", scene(text, where), "-o", out, "--quiet")
    fails(r, 1, ["gone wrong", "scene.lua:", "checkpoint", "to go on"], "a scene function that fails in the run")
    check(len(rows(f"{out}/ledger.csv")) >= 3, "the frames before it are kept")
    check('"status": "failed"' in open(f"{out}/run.json").read(), "run.json says that it failed")
    succeeds(go("verify", out), "verify passes on what is kept")


def test_numeric_failure():
    where = folder()
    text = SMOKE_2D.replace("vorticity=0.2}", "vorticity=0.2}, solver={max_iterations=1, pressure_tolerance=1e-12, pressure='cg'}")
    r = go("run", scene(text, where), "-o", f"{where}/out", "--quiet")
    fails(r, 1, ["checkpoint", "kept", "to go on"], "a solver that cannot converge")


def test_two_at_once():
    where = folder()
    path = scene(SMOKE_2D.replace("duration=0.5", "duration=60"), where)
    out = f"{where}/out"
    process = start("run", path, "-o", out, "--quiet")
    while not os.path.exists(f"{out}/cache/000001.h5") and process.poll() is None:
        time.sleep(0.01)
    fails(go("run", path, "-o", out, "--resume"), 1, ["another freshet"], "two runs in one folder")
    process.send_signal(signal.SIGINT)
    process.communicate()
    other = scene(SMOKE_2D.replace("vorticity=0.2", "vorticity=0.3"))
    fails(go("run", other, "-o", out, "--resume"), 2, ["another scene"], "--resume with another scene")
    r = go("run", other, "-o", out)
    check(r.returncode == 2 and "another scene" in r.stderr and "--resume" not in r.stderr, "another scene's run is not offered to be resumed")


for test in (test_usage, test_help, test_scene_files, test_liquid_scenes, test_bodies, test_sides_of_rivers, test_not_a_run, test_refused_sizes, test_unwritable, test_disk_full,
             test_failing_function, test_numeric_failure, test_two_at_once):
    test()
finish()
