#!/usr/bin/env python3
"""A thousand damaged scenes: the program ends by itself with 0, 1 or 2, and says why when it does not do the work."""
import concurrent.futures, os, random, re, shutil, subprocess, tempfile
from support import *

COUNT, SECONDS = 1000, 10
NUMBERS = ["0", "-1", "1e9", "1e308", "0/0", "1/0", "-1e-12", "0.5", "3", "7.25", "1e-12", "nil", "true", "'text'", "{}", "{1,2,3,4}",
           "function() end", "function(x,y,z,t) return x,y,z end", "function() return 'a' end", "math.huge"]
WORDS = ["source", "circle", "sphere", "box", "density", "temperature", "ink", "velocity", "shape", "walls", "open", "periodic",
         "no_slip", "inflow", "lid", "union", "difference", "radius", "size", "min", "max", "at", "rotation", "domain", "smoke"]
EXTRA = """return { name="extra", method="smoke", domain={size={2,1}, cells={20,10}}, time={duration=1, fps=20}, fluid={viscosity=1e-3},
  walls={left=inflow{velocity={1,0}, ink=1}, right="open", top=lid{velocity={0.5,0}}}, scalars={ink={diffusion=1e-4, dissipation=0.1}},
  obstacles={obstacle{shape=difference{ circle{radius=0.2}, box{min={-0.1,-0.1}, max={0.1,0.1}} }, at={0.7,0.5}, rotation={30}, slip="no_slip"},
             obstacle{shape=polygon{points={{1.2,0.2},{1.5,0.2},{1.4,0.6}}}}},
  forces={force{shape=rectangle{size={0.3,0.3}}, at={1.7,0.5}, value={0,2}}},
  initial={velocity=function(x,y,z) return math.sin(3*y), 0 end, temperature=0.5},
  sources={source{shape=smooth_union{circle{radius=0.05}, circle{radius=0.08}, k=0.02}, at={0.2,0.3}, velocity={1,1}, ink=2, rate=3, from=0.01, to=0.5}} }
"""


def mutate(text, generator):
    for _ in range(generator.choice((1, 1, 2, 3))):
        kind = generator.choice((0, 0, 1, 2, 3, 4, 5, 6, 7, 7, 7, 7, 7))
        numbers = [m.span() for m in re.finditer(r"(?<![\w.])-?\d[\d.e-]*", text)]
        words = [m.span() for m in re.finditer(r"[A-Za-z_]{2,}", text)]
        at = generator.randrange(len(text)) if text else 0
        if kind == 0 and numbers:
            a, b = generator.choice(numbers)
            text = text[:a] + generator.choice(NUMBERS) + text[b:]
        elif kind == 1 and words:
            a, b = generator.choice(words)
            text = text[:a] + generator.choice(WORDS) + text[b:]
        elif kind == 2:
            text = text[:at] + chr(generator.randrange(1, 256)) + text[at + 1:]
        elif kind == 3:
            text = text[:at] + text[at + generator.randrange(1, 20):]
        elif kind == 4:
            text = text[:at] + text[at:at + generator.randrange(1, 40)] + text[at:]
        elif kind == 5:
            pieces = re.split(r"(,)", text)
            i, j = generator.randrange(len(pieces)), generator.randrange(len(pieces))
            pieces[i], pieces[j] = pieces[j], pieces[i]
            text = "".join(pieces)
        elif kind == 7 and numbers:
            a, b = generator.choice(numbers)
            text = f"{text[:a]}({text[a:b]})*{generator.choice((0.1, 0.5, 1.5, 2, 7, -1))}{text[b:]}"
        else:
            text = text[:at] + generator.choice("{}()=,\"'[]\n.-") + text[at:]
    return text


def attempt(job):
    number, text, where = job
    home = os.path.join(where, str(number))
    os.mkdir(home)
    path = os.path.join(home, "scene.lua")
    with open(path, "w", encoding="latin1") as f:
        f.write(text)
    more = ["--res", "10"] if number % 4 else ["--threads", "1"]
    try:
        r = subprocess.run([EXE, "run", "scene.lua", "-o", "out", "--quiet", "--frames", "1", *more], cwd=home,
                           capture_output=True, timeout=SECONDS)
        status, said = r.returncode, r.stderr.decode("latin1").strip()
    except subprocess.TimeoutExpired:
        status, said = "timeout", ""
    written = os.path.exists(os.path.join(home, "out"))
    shutil.rmtree(home)
    good = status in (0, 1, 2) and (status == 0 or said) and not (status == 2 and written)
    return good, status, said, text


generator = random.Random(7)
bases = [SMOKE_2D, SMOKE_3D, EXTRA]
where = folder()
jobs = [(i, mutate(bases[i % 3], generator), where) for i in range(COUNT)]
statuses = {}
failures = []
with concurrent.futures.ThreadPoolExecutor(2) as pool:
    for good, status, said, text in pool.map(attempt, jobs):
        statuses[status] = statuses.get(status, 0) + 1
        if not good:
            failures.append((status, said, text))
for status, said, text in failures[:5]:
    print(f"--- exit {status}: {said[:300]}\n{text}\n---")
check(not failures, f"{COUNT} damaged scenes: exits {dict(sorted(statuses.items(), key=str))}, {len(failures)} against the rules")
check(statuses.get(0, 0) > COUNT // 20 and statuses.get(2, 0) > COUNT // 4, "the mutations leave some scenes good and make many bad")
finish()
