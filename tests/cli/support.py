"""What the command line's tests share: run the program as a user does, count checks, compare runs."""
import atexit, csv, hashlib, os, shutil, subprocess, sys, tempfile

EXE = os.path.abspath(sys.argv[1])
TIMING = {"wall_s", "rss_mb"}   # ledger columns that depend on the machine's mood
counts = {True: 0, False: 0}

SMOKE_2D = """return { name="plume", method="smoke", domain={size={1,1.5}, cells={32,48}}, time={duration=0.5, fps=10},
  smoke={buoyancy={temperature=0.05, density=0.1}, vorticity=0.2}, scalars={ink={diffusion=1e-4}},
  sources={source{shape=circle{radius=0.1}, at={0.5,0.2}, density=1, temperature=60, ink=1}},
  obstacles={obstacle{shape=circle{radius=0.12}, at={0.5,0.8}}}, walls={top="open"},
  probes={probe{at={0.5,1.0}, fields={"u","v"}, every=0.1}, probe{from={0.2,0.5}, to={0.8,0.5}, n=3, fields={"pressure","ink"}, every=0.03}},
  output={npy=true} }
"""
SMOKE_3D = """return { name="puff", method="smoke", domain={size={1,1,1}, cells={17,12,9}}, time={duration=0.4, fps=10},
  smoke={buoyancy={density=-4}}, sources={source{shape=sphere{radius=0.2}, at={0.5,0.2,0.5}, density=1}},
  probes={probe{at={0.5,0.5,0.5}, fields={"w","speed"}, every=0.05}}, output={npy=true} }
"""
DAM_2D = """return { name="dam", method="sph", domain={size={2,1}}, time={duration=0.1, fps=20}, sph={spacing=0.05, support=2},
  fluid={viscosity=1e-3},
  walls={top="open"},
  fill={ box{min={0,0}, max={0.5,0.8}}, fluid_in{shape=circle{radius=0.1}, at={1.5,0.7}, velocity={0,-1}} } }
"""


def check(ok, what):
    counts[bool(ok)] += 1
    print(("ok   " if ok else "FAIL ") + what, flush=True)
    return bool(ok)


def finish():
    print(f"{counts[True]} passed, {counts[False]} failed")
    sys.exit(1 if counts[False] else 0)


def folder():
    """A folder that goes away when the test ends."""
    path = tempfile.mkdtemp(prefix="freshet-test-")
    atexit.register(shutil.rmtree, path, ignore_errors=True)
    return path


def write(path, text):
    with open(path, "w") as f:
        f.write(text)
    return path


def scene(text, where=None):
    return write(os.path.join(where or folder(), "scene.lua"), text)


def go(*args, timeout=120, **more):
    return subprocess.run([EXE, *map(str, args)], capture_output=True, text=True, errors="replace", timeout=timeout, **more)


def start(*args, **more):
    return subprocess.Popen([EXE, *map(str, args)], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, **more)


def succeeds(r, what):
    return check(r.returncode == 0, f"{what} (exit {r.returncode}{': ' + r.stderr.strip()[-160:] if r.returncode else ''})")


def fails(r, status, words, what):
    """The exit status, and a message on standard error that has every one of `words`."""
    said = r.stderr
    ok = r.returncode == status and said.strip() and all(w in said for w in words)
    return check(ok, f"{what}: exit {status}, message with {words}" + ("" if ok else f" (exit {r.returncode}: {said.strip()[:300]})"))


def rows(path):
    with open(path, newline="") as f:
        return list(csv.DictReader(f))


def timeless(path):
    """A ledger's rows without the columns that time the machine."""
    return [{k: v for k, v in row.items() if k not in TIMING} for row in rows(path)]


def digests(run):
    """The bits of every file of a run that depends on the scene alone."""
    found = {}
    for top in ("cache", "npy"):
        for where, _, names in os.walk(os.path.join(run, top)):
            for name in names:
                path = os.path.join(where, name)
                with open(path, "rb") as f:
                    found[os.path.relpath(path, run)] = hashlib.sha256(f.read()).hexdigest()
    return found


def same_run(a, b, what):
    """Every cache and npy file has the same bits, and ledger, probes, loads on obstacles and bodies the same rows."""
    one, two = digests(a), digests(b)
    different = sorted(k for k in set(one) | set(two) if one.get(k) != two.get(k))
    check(one and not different, f"{what}: {len(one)} files of cache and npy have the same bits {different[:4] or ''}")
    check(timeless(os.path.join(a, "ledger.csv")) == timeless(os.path.join(b, "ledger.csv")), f"{what}: the same ledger")
    for name in ("probes.csv", "obstacles.csv", "bodies.csv"):
        two = [os.path.join(d, name) for d in (a, b)]
        if any(map(os.path.exists, two)):
            check(all(map(os.path.exists, two)) and open(two[0]).read() == open(two[1]).read(), f"{what}: the same {name}")
