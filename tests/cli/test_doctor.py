#!/usr/bin/env python3
"""The scene doctor: what `check` says of good and of doubtful scenes."""
import os, re
from support import *

CAVITY = """return { method="smoke", domain={size={1,1}, cells=32}, time={duration=1, fps=10}, fluid={viscosity=1e-3},
  walls={all="no_slip", top=lid{velocity={1,0}}} }"""
DOUBTFUL = """return { method="smoke", domain={size={1,1,1}, cells=32}, time={duration=1},
  sources={source{shape=sphere{radius=0.1}, at={0.5,0.2,0.5}, density=1, velocity={0,1,0}},
           source{shape=sphere{radius=0.05}, at={0.5,0.25,0.5}, density=1}},
  obstacles={obstacle{shape=box{size={0.5,0.01,0.5}}, at={0.5,0.6,0.5}}, obstacle{shape=box{size={0.4,0.2,0.4}}, at={0.5,0.3,0.5}},
             obstacle{shape=shell{sphere{radius=0.2}, thickness=0.02}, at={0.5,0.6,0.5}},
             obstacle{shape=box{size={0.2,0.04,0.2}}, at={0.15,0.8,0.15}}} }"""
OPEN_BOX = """v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nv 0 0 1\nv 1 0 1\nv 1 1 1\nv 0 1 1
f 1 3 2\nf 1 4 3\nf 5 6 7\nf 5 7 8\nf 1 2 6\nf 1 6 5\nf 4 7 3\nf 4 8 7\nf 1 5 8\nf 1 8 4\n"""
BIG = """return { method="smoke", domain={size={1,1,1}, cells=72}, time={duration=0.1, fps=20}, smoke={buoyancy={density=-4}},
  sources={source{shape=sphere{radius=0.2}, at={0.5,0.2,0.5}, density=1, temperature=2}}, %s output={cache=false} }"""


def test_good():
    r = go("check", scene(SMOKE_2D))
    succeeds(r, "check of a good scene")
    for words in ("plume", "smoke, 2D", "32 x 48 = 1536", "0.03125 m", "0 to 5", "inviscid", "multigrid", "no warnings"):
        check(words in r.stdout, f"says '{words}'")
    check(re.search(r"memory +\S+ \S+ needed, \S+ \S+ available", r.stdout), "says the memory needed and available")
    check(re.search(r"disk +\S+ \S+ a frame.*in all.*free", r.stdout), "says the disk per frame, in all and free")
    r = go("check", scene(SMOKE_2D), "--res", 96, "--set", "time.duration=1")
    check("64 x 96" in r.stdout and "0 to 10" in r.stdout, "takes --res and --set")
    where = folder()
    succeeds(go("check", scene(SMOKE_2D, where), cwd=where), "check in an empty folder")
    check(os.listdir(where) == ["scene.lua"], "writes nothing")


def test_flow():
    r = go("check", scene(CAVITY))
    check("about 1e+03" in r.stdout and "moving wall" in r.stdout, "a lid at 1 m/s, 1 m, 1e-3 m2/s: Reynolds number 1000")
    check("pressure    multigrid" in r.stdout, "a box without obstacles is solved by multigrid")
    wish = CAVITY.replace("walls=", "solver={pressure='%s'}, walls=")
    check("pressure    cg" in go("check", scene(wish % "cg")).stdout, "says the solver that the scene asks for")
    words = ["scene.lua:2:", 'solver.pressure = "fft" needs a fast transform', 'use "multigrid" (or "auto")']
    for command in ("check", "run"):
        fails(go(command, scene(wish % "fft"), cwd=folder()), 2, words, f"{command}: a solver that no build has")
    r = go("check", scene(CAVITY.replace("top=lid{velocity={1,0}}", "")))
    check(r.returncode == 0 and "nothing drives the flow" in r.stdout, "a scene at rest is warned of")


def test_driven_by_heat():
    text = CAVITY.replace("top=lid{velocity={1,0}}", "bottom=hot{temperature=5}").replace("walls=", "smoke={buoyancy={temperature=0.1}}, walls=")
    r = go("check", scene(text))
    check("nothing drives" not in r.stdout and "from buoyancy" in r.stdout, "a hot wall drives the flow")
    check("walls.bottom: " in r.stdout and "scalars.temperature.diffusion" in r.stdout, "heat that cannot leave its wall is warned of")
    check("no warnings" in go("check", scene(text.replace("walls=", "scalars={temperature={diffusion=1e-3}}, walls="))).stdout, "with diffusion it is not")
    initial = CAVITY.replace("top=lid{velocity={1,0}}", "").replace("walls=", "smoke={buoyancy={density=1}}, initial={density=function(x) return x end}, walls=")
    check("nothing drives" not in go("check", scene(initial)).stdout, "so does smoke that is there at the start")


def test_rounding():
    r = go("check", scene(CAVITY.replace("size={1,1}", "size={1,0.73}")))
    check("size        1 x 0.71875 m" in r.stdout, "says the real size")
    check(re.search(r"0\.71875 m long along y, not 0\.73 m.*domain\.cells", r.stdout), "warns of a side that was rounded, with what to do")
    check("long along" not in go("check", scene(CAVITY)).stdout, "a side that fits is not named")


def test_functions():
    for name, value, word in (("NaN", "function(x,y,z,t) return 0/0, 1 end", "nan"), ("an error", "function() error('gone') end", "gone")):
        fails(go("check", scene(CAVITY.replace("walls=", f"forces={{force{{value={value}}}}},\nwalls="))), 2, ["scene.lua:2:", word], f"a force that gives {name}")
        fails(go("check", scene(CAVITY.replace("velocity={1,0}", f"velocity={value}"))), 2, ["scene.lua:2:", word], f"a lid that gives {name}")
    vortex = "forces={force{value=function(x,y) local r2 = (x-0.5)^2+(y-0.5)^2 return (0.5-y)/r2, (x-0.5)/r2 end}}, walls="
    for cells in (32, 33):
        path = scene(CAVITY.replace("cells=32", f"cells={cells}").replace("walls=", vortex))
        succeeds(go("check", path), f"a force without a value in the middle, {cells} cells")


def test_print():
    text = 'print("the lid", 1)\n' + CAVITY
    check(go("check", scene(text)).stdout.startswith("the lid 1\n"), "what a scene prints is shown by check")
    out = os.path.join(folder(), "out")
    r = go("run", scene(text), "-o", out, "--frames", 1)
    check(r.stdout.startswith("the lid 1\n") and "Z the lid 1\n" in open(f"{out}/log.txt").read(), "and by run, and is in log.txt")
    r = go("run", scene(text), "-o", out, "--frames", 1, "--force", "--quiet")
    check("the lid" not in r.stdout and open(f"{out}/log.txt").read().count("the lid 1") == 2, "with --quiet in log.txt only")


def test_shapes():
    r = go("check", scene(DOUBTFUL))
    check(r.returncode == 0, "warnings do not stop a scene")
    check(re.search(r"obstacles\[1\] is thinner than a cell \(about 0\.00\d+ m|about 0\.01 m", r.stdout), "a plate of 1 cm among cells of 3 cm")
    check("obstacles[3] is thinner" in r.stdout, "a thin shell")
    check("obstacles[2] is thinner" not in r.stdout and "obstacles[4] is thinner" not in r.stdout, "thicker ones are not named")
    check("sources[1] overlaps an obstacle" in r.stdout, "a source half inside an obstacle")
    check("sources[2] lies wholly inside" in r.stdout, "a source inside an obstacle")
    r = go("check", scene(CAVITY.replace("walls=", "obstacles={obstacle{shape=rectangle{size={3,3}}, at={0.5,0.5}}}, walls=")))
    check("no fluid is left" in r.stdout, "an obstacle that fills the domain")


def test_liquid():
    r = go("check", scene(DAM_2D))
    succeeds(r, "check of a liquid")
    for words in ("sph, 2D", "spacing     0.05 m", "support 2 spacings = 0.1 m", "size        2 x 1 m", "dfsph, density error 0.001", "no warnings"):
        check(words in r.stdout, f"says '{words}'")
    particles = int(re.search(r"particles +(\d+)", r.stdout).group(1))
    check(168 <= particles <= 176, f"says how many particles there are: 10 x 16 and a disc of about 12, at the most the box around it ({particles})")
    reynolds = float(re.search(r"Reynolds +about (\S+)", r.stdout).group(1))
    check(abs(reynolds - (2 * 9.81 * 0.8) ** 0.5 * 0.8 / 1e-3) < 0.02 * reynolds, f"the Reynolds number of a fall through 0.8 m ({reynolds})")
    check("spacing     0.02 m" in go("check", scene(DAM_2D), "--res", 100).stdout, "takes --res")
    walls = "obstacles={obstacle{shape=box{min={0.4,0}, max={0.6,0.4}}}, obstacle{shape=box{min={1,0}, max={1.06,0.4}}}}, walls={left='periodic'"
    r = go("check", scene(DAM_2D.replace("walls={", walls + ", ").replace("spacing=0.05", "spacing=0.042")))
    check("fill[1] overlaps an obstacle" in r.stdout and "fill[2]" not in r.stdout, "a fill half inside an obstacle")
    check("obstacles[2] is thinner than two spacings" in r.stdout and "obstacles[1] is thinner" not in r.stdout, "an obstacle of 6 cm among particles 4 cm apart")
    check(re.search(r"periodic side along x is 47\.6\d* spacings long.*sph\.spacing = 0\.041666", r.stdout), "a period that the spacing does not divide")
    r = go("check", scene(DAM_2D.replace("fluid=", "gravity={0,0}, fluid=").replace("velocity={0,-1}", "")))
    check("nothing drives the flow" in r.stdout and "unknown" in r.stdout, "a liquid that floats at rest")


def test_mesh():
    where = folder()
    write(f"{where}/open.obj", OPEN_BOX)
    text = SMOKE_2D.replace("{1,1.5}, cells={32,48}", "{1,1.5,1}, cells=16").replace("circle", "sphere").replace("at={0.5,0.8}", "at={0.5,0.8,0.5}")
    text = text.replace("sphere{radius=0.12}", "mesh{file='open.obj', size=0.3}").replace("at={0.5,0.2}", "at={0.5,0.2,0.5}")
    text = re.sub(r"probes=.*\n", "", text)
    r = go("check", scene(text, where))
    if "assimp" in r.stderr:
        print("skipped: this build reads no meshes")
        return
    check(r.returncode == 0 and "4 open edges" in r.stdout and "10 triangles" in r.stdout, "an open mesh, with counts")


def test_prediction():
    """The memory that check predicts is within 20 % of what a run takes."""
    with open(EXE, "rb") as f:
        if b"__asan_init" in f.read():
            print("skipped: sanitizers take memory of their own")
            return
    for name, extra in (("box", ""), ("with an obstacle", "obstacles={obstacle{shape=sphere{radius=0.1}, at={0.4,0.7,0.5}}},")):
        path, out = scene(BIG % extra), os.path.join(folder(), "out")
        said = re.search(r"memory +([\d.]+) MB needed", go("check", path).stdout)
        succeeds(go("run", path, "-o", out, "--quiet"), f"a run of 72 cubed cells, {name}")
        used = max(float(r["rss_mb"]) for r in rows(f"{out}/ledger.csv"))
        predicted = float(said.group(1)) if said else 0
        check(abs(predicted / used - 1) < 0.2, f"{name}: {predicted} MB predicted, {used:.1f} MB used")


POOL = """return { method="liquid", domain={size={%s}, cells=%d}, time={duration=0.1, fps=10, dt_max=0.004}, fluid={viscosity=%g}, liquid={%s},
  fill={ box{min={0,0%s}, max={1,0.5%s}} } }"""
DROPS = "gravity={0,0,0}, fill={%s} }" % ", ".join(f"sphere{{radius=0.15, at={{{x},{y},{z}}}}}" for x in (0.25, 0.75) for y in (0.25, 0.75) for z in (0.25, 0.75))
SPLASH = """return { method="liquid", domain={size={1,1,1}, cells=32}, time={duration=0.1, fps=10}, liquid={surface="%s"},
  fill={ box{min={0,0,0}, max={1,0.2,1}}, sphere{radius=0.2, at={0.5,0.7,0.5}} }, sources={source{shape=box{size={0.2,0.2,0.2}}, at={0.2,0.6,0.2}, velocity={1,-1,0}}},
  obstacles={obstacle{shape=sphere{radius=0.2}, at={0.7,0.1,0.7}}} }"""


def peak_of(path, out):
    """The most memory that a run has taken at once, MB."""
    pid = os.spawnvp(os.P_NOWAIT, EXE, [EXE, "run", path, "-o", out, "--quiet", "--threads", "1"])
    _, status, used = os.wait4(pid, 0)
    check(status == 0, f"{path} runs")
    return used.ru_maxrss * 1024e-6


def test_prediction_of_liquids():
    """The same for liquids: parcels and particles are most of it. Also what a checkpoint takes."""
    with open(EXE, "rb") as f:
        if b"__asan_init" in f.read():
            print("skipped: sanitizers take memory of their own")
            return
    cases = [(dims, cells, 0, f'surface="{name}"') for dims, cells in ((3, 40), (2, 300)) for name in ("level_set", "particle_level_set", "markers", "flip", "apic")]
    cases += [(3, 40, 0.01, 'surface="flip"'), (2, 300, 0.01, 'surface="level_set"'), (3, 24, 0, 'surface="particle_level_set", refine=2'),
              (2, 200, 0, 'surface="apic", refine=2'), (3, 40, 0, 'surface="apic", narrow_band=3')]
    for dims, cells, viscosity, what in cases:
        deep = ",1" if dims == 3 else ""
        text = POOL % ("1,1" + deep, cells, viscosity, what, deep.replace("1", "0"), deep)
        if "particle_level_set" in what and "refine" in what:  # its particles are let go of where water is calm: here they are most of the memory
            text = text[:text.index("fill=")] + DROPS
        path, out = scene(text), os.path.join(folder(), "out")
        said = go("check", path).stdout
        used = peak_of(path, out)
        predicted = float(re.search(r"memory +([\d.]+) MB needed", said).group(1))
        check(abs(predicted / used - 1) < 0.2, f"{dims}D, viscosity {viscosity}, {what}: {predicted} MB predicted, {used:.1f} MB used")
        first = os.path.join(folder(), "first")  # later ones are smaller where calm water has let go of its particles, and when they are written is a matter of time
        check(go("run", path, "-o", first, "--frames", "0", "--quiet").returncode == 0, f"{path} runs to its first frame")
        size = max(os.path.getsize(f"{first}/checkpoint/{name}") for name in os.listdir(f"{first}/checkpoint")) / 1e6
        predicted = float(re.search(r"3 checkpoints of ([\d.]+) MB", said).group(1))
        check(abs(predicted / size - 1) < 0.05, f"{dims}D, {what}: a checkpoint of {predicted} MB predicted, it has {size:.1f} MB")


def test_parcels():
    """check says how many parcels there will be: from fills, what obstacles leave of them, and sources."""
    for name in ("flip", "markers"):
        path, out = scene(SPLASH % name), os.path.join(folder(), "out")
        said = float(re.search(rf"^surface +{name}, about (\S+) particles in the liquid", go("check", path).stdout, re.M).group(1))
        succeeds(go("run", path, "-o", out, "--quiet"), f"a splash by {name}")
        count = [float(r["particles"]) for r in rows(f"{out}/ledger.csv")]
        check(abs(said / count[-1] - 1) < 0.1, f"{name}: about {said:.0f} particles at the end, there are {count[-1]:.0f}, {count[0]:.0f} at the start")


RIVER = """return { method="river", time={duration=1, fps=10}, fluid={viscosity=2e-3}, river={ cells={40, 8}, grid=channel{centre={{0, 0}, {8, 0}}, width=2},
  sides={s0=inflow{speed=%s, blue=%s}, s1=outflow{}, t0=bank{roughness=0.5}}, inks={blue={}, red={%s}}, particles=90 } }"""


def test_river():
    r = go("check", scene(RIVER % ("function(t) return 2 * t end", "1", "initial=1")))
    succeeds(r, "check of a river")
    for words in ("river, 2D", "40 x 8 = 320", "0.2 to 0.2 m long, 0.25 to 0.25 m wide", "8 x 2 m around it", "about 2e+03", "width 2 m", "at a speed that varies",
                  "roughness 0.5", "flux", "90 at once", "no warnings"):
        check(words in r.stdout, f"says '{words}'")
    r = go("check", scene(RIVER % ("1", "1", "")), "--res", 20)
    check("20 x 4 = 80" in r.stdout and "nothing brings red" in r.stdout, "takes --res, and warns of an ink that comes from nowhere")
    r = go("check", scene(RIVER % ("0", "1", "initial=1")))
    check("nothing drives the flow: no inflow" in r.stdout, "a river at rest is warned of")
    r = go("check", scene(RIVER % ("1", "function(x, y) return y < 2 and nil end", "initial=1")))
    check(r.returncode == 2 and "river.sides.s0.blue" in r.stderr, "calls what an inflow carries")
    r = go("check", scene(RIVER % ("function(t) return {} end", "1", "initial=1")))
    check(r.returncode == 2 and "river.sides.s0.speed" in r.stderr, "calls the speed of an inflow")


LEANING = """return { method="river", time={duration=0.1, fps=10}, river={ cells={20, 8}, grid=function(s, t) return 4 * s + t / math.tan(math.rad(%g)), t end,
  sides={s0=inflow{speed=1}, s1=outflow{}} } }"""


def test_leaning_grids():
    r = go("check", scene(LEANING % 21))
    check(r.returncode == 0 and "no warnings" in r.stdout, "21 degrees between the lines of a grid are good")
    r = go("check", scene(LEANING % 15))
    check(r.returncode == 0 and "there are 15 degrees between its edges" in r.stdout, "15 degrees are warned of")
    for command in (("check",), ("run", "--force")):
        r = go(*command, scene(LEANING % 9))
        check(r.returncode == 2 and ":1: cell (0, 0)" in r.stderr and "9 degrees" in r.stderr and "spread its nodes" in r.stderr, f"{command[0]} refuses 9 degrees")


CROWD = """return { method="liquid", domain={size={1,1,0.5}, cells=24}, time={duration=0.1, fps=10}, fill={box{min={0,0,0}, max={1,0.4,0.5}}},
  obstacles={obstacle{shape=sphere{radius=0.1}, at={0.8,0.1,0.25}}}, walls={top="open"}, coupling="carried",
  joints={hinge{bodies={"lead",2}, at={0.4,0.7,0.25}, limits={-0.5,1}}, slider{bodies={3}, axis="x"}},
  bodies={
    body{name="lead", shape=sphere{radius=0.1}, at={0.3,0.7,0.25}, density=11000, velocity={9,0,0}},
    body{shape=box{size={0.3,0.2,0.2}}, at={0.45,0.7,0.25}, rotation={0,1,0,30}, mass=3},
    body{shape=box{size={0.2,0.02,0.2}}, at={0.7,0.1,0.25}, density=function(x,y,z) return 300 end},
    body{shape=sphere{radius=0.04}, at={0.02,0.2,0.1}, from=0.5, density=500},
    body{shape=box{size={0.3,0.3,0.2}}, at={0.1,0.2,0.1}, fixed=true, spin={0,0,1}},
    body{shape=box{min={0,0,0}, max={0.15,0.15,0.15}}, at={0.7,0.4,0.1}}, body{shape=box{min={0,0,0}, max={0.15,0.15,0.15}}, at={0.7,0.55,0.1}},
    body{shape=sphere{radius=0.15}, at={0.5,0.85,0.25}} } }"""


def test_bodies():
    r = go("check", scene(CROWD))
    succeeds(r, "check of bodies")
    for words in ("body        1 lead: 11000 kg/m³, sinks, 4.8 cells thick", "body        2: 3 kg, ", "3: density by a function", "4: 500 kg/m³, floats, from 0.5 s, ", "5: fixed, ",
                  "8: 1000 kg/m³, as dense as the liquid", "joints      1 hinge, 1 slider", "coupling    carried: bodies feel the fluid and do not push it", "speed about 9 m/s from a body"):
        check(words in r.stdout, f"says '{words}'")
    for words in ("bodies[3] is thinner than a cell (about 0.0", "bodies[4] is smaller than three cells (0.08 m", "bodies[5] is fixed: its velocity, spin", "bodies[4] and walls.left overlap by about 0.0", "bodies[3] and obstacles[1] overlap", "bodies[2] and bodies[8] overlap by about"):
        check(words in r.stdout, f"warns '{words}'")
    for words in ("bodies[1] and bodies[2]", "bodies[6] and bodies[7]", "bodies[4] and bodies[5]", "bodies[5] and walls", "bodies[6] is", "walls.top"):
        check(words not in r.stdout, f"does not warn of {words}")
    pile = "for i = 1, 30 do list[i] = body{shape=circle{radius=0.1}, at={0.5, 0.02 * i}} end"
    r = go("check", scene(f'local list = {{}} {pile} return {{ method="smoke", domain={{size={{1,1}}, cells=32}}, bodies=list }}'))
    check(r.returncode == 0 and "bodies      30 in all" in r.stdout and r.stdout.count("body   ") == 8 and re.search(r"\d+ more pairs of bodies", r.stdout), "a pile is summed up")
    gravel = "for i = 1, 30 do list[i] = body{shape=circle{radius=0.02}, at={0.03 * i, 0.5}} end"
    r = go("check", scene(f'local list = {{}} {gravel} return {{ method="smoke", domain={{size={{1,1}}, cells=32}}, bodies=list }}'))
    check(r.stdout.count("is smaller than three cells") == 8 and "22 more bodies are thinner than a cell or smaller than three" in r.stdout, "so is gravel")
    check("nothing drives" not in r.stdout, "bodies drive the flow")
    for what in ("torque", "force"):
        bad = CROWD.replace("density=11000", f"density=11000, {what}=function(t) return 'x' end")
        fails(go("check", scene(bad)), 2, [f"bodies[1].{what}", "scene.lua:5:"], f"check calls the {what} of a body")
    bad = CROWD.replace('axis="x"', 'axis="x", motor=function(t) return nil end')
    fails(go("check", scene(bad)), 2, ["joints[2].motor", "scene.lua:3:"], "check calls a motor")


test_good()
test_flow()
test_driven_by_heat()
test_rounding()
test_functions()
test_print()
test_shapes()
test_liquid()
test_mesh()
test_prediction()
test_prediction_of_liquids()
test_parcels()
test_river()
test_leaning_grids()
test_bodies()
finish()
