#!/usr/bin/env python3
"""Mistakes with rigid bodies, as a new user makes them: words with file:line, no crash, no hang, whatever the bodies are told to do."""
import os
from support import *

BALL = "shape=circle{radius=0.1}, at={0.5,0.6}"
HEAD = 'return { name="m", method="METHOD", domain={size={1,1}, cells=16}, time={duration=0.1, fps=20},\n  fill={rectangle{min={0,0}, max={1,0.5}}},\n'

# What stands in `bodies`, what else there is, and words of the answer.
REFUSED = [
    ('"ball"', "", ["bodies[1] must be body{…}"]),
    ("obstacle{" + BALL + "}", "", ["bodies[1] must be body{…}", "obstacle{…}"]),
    ("body{at={0.5,0.6}}", "", ["bodies[1] needs a shape"]),
    ("body{" + BALL + ", densty=3}", "", ["did you mean 'density'?"]),
    ("body{" + BALL + ", density=-3}", "", ["bodies[1].density", "positive"]),
    ("body{" + BALL + ", density=function() return 1 end, mass=3}", "", ["density and mass both say"]),
    ("body{" + BALL + ", density=function() return 0/0 end}", "", ["bodies[1].density", "finite"]),
    ("body{" + BALL + ", density=function() return nil + 1 end}", "", ["arithmetic on a nil"]),
    ("body{" + BALL + ", bounce=2}", "", ["bodies[1].bounce", "between 0 and 1"]),
    ("body{" + BALL + ", torque={1,0,0}}", "", ["bodies[1].torque leaves the plane"]),
    ("body{" + BALL + ", velocity={0,0,1}}", "", ["bodies[1].velocity", "2D"]),
    ("body{" + BALL + ", velocity={1e30,0,0}}", "", ["bodies[1].velocity", "at most"]),
    ("body{shape=plane{normal={0,1,0}, offset=0.3}}", "", ["its shape has no bounds"]),
    ("body{shape=sdf(function(x, y, z) return x*x + y*y - 0.01 end), at={0.5,0.6}}", "", ["its shape has no bounds"]),
    ("body{shape=circle{radius=0.1}, at={0.5,-2}}", "", ["lies wholly outside the domain"]),
    ('body{shape=mesh{file="gone.obj"}, at={0.5,0.5}}', "", ["gone.obj", "cannot read"]),
    ("body{" + BALL + "}", 'joints={hinge{bodies={"b"}, at={0.5,0.5}}},', ["there is no body of the name 'b'"]),
    ("body{" + BALL + "}", "joints={hinge{bodies={1,2}, at={0.5,0.5}}},", ["there is no body 2"]),
    ("body{" + BALL + "}", 'joints={slider{bodies={1}, axis="x", motor=function() return 0/0 end}},', ["joints[1].motor"]),
    ("body{" + BALL + "}", 'joints={hinge{bodies={1}, at={0.5,0.5}, motor=function() return "fast" end}},', ["joints[1].motor", "is a string"]),
    ("body{" + BALL + ", force=function(t) return t.x, 0 end}", "", ["attempt to index a number"]),
    ("body{" + BALL + ", force=function() return 0/0, 0 end}", "", ["bodies[1].force", "returned nan"]),
    ("body{" + BALL + ", torque=function() end}", "", ["bodies[1].torque", "must return"]),
]

# What a scene may do: it runs, or says in words why it cannot go on.
RUNS = [
    ("body{shape=circle{radius=0.1}, at={0.5,0.5}}, body{shape=circle{radius=0.1}, at={0.5,0.5}}", "", "two in one place"),
    ("body{shape=circle{radius=0.1}, at={0.5,0.4}}, body{shape=circle{radius=0.1}, at={0.5,0.4}, from=0.05}", "", "one that appears in another"),
    ("body{shape=circle{radius=0.1}, at={0.5,-0.05}}", "", "most of it in the bottom"),
    ("body{shape=rectangle{size={5,5}}, at={0.5,0.5}}", "", "larger than the domain"),
    ("body{shape=rectangle{size={1,1}}, at={0.5,0.5}}", "", "as large as the domain"),
    ("body{shape=circle{radius=0.0001}, at={0.5,0.6}}", "", "much smaller than a cell"),
    ("body{" + BALL + ", density=1e15}", "", "very heavy"),
    ("body{" + BALL + ", density=1e-9}", "", "very light"),
    ("body{" + BALL + ", force={1e12,0,0}}", "", "a huge force"),
    ("body{" + BALL + ", force=function(t) return t > 0.05 and 0/0 or 0, 0, 0 end}", "", "a force that becomes NaN"),
    ("body{" + BALL + ", velocity={1e6,0,0}}", "", "a huge speed"),
    ("body{" + BALL + "}", "gravity={0,0,0},", "no gravity"),
    ("body{" + BALL + "}", "obstacles={obstacle{shape=rectangle{size={0.4,0.4}}, at={0.5,0.6}}},", "in an obstacle"),
    ("body{" + BALL + "}", 'joints={hinge{bodies={1}, at={500,0.5}}},', "a joint far away"),
    ("body{" + BALL + "}", 'joints={slider{bodies={1}, axis="x", motor=50}},', "a motor that drives into a wall"),
    ("body{" + BALL + "}", 'joints={hinge{bodies={1}, at={0.5,0.5}}, hinge{bodies={1}, at={0.6,0.5}}, slider{bodies={1}, axis="x", motor=1}},', "joints that contradict each other"),
    ("body{shape=difference{circle{radius=0.3}, circle{radius=0.27}}, at={0.5,0.4}, density=3000}", "", "a ring with liquid in it"),
    ("body{" + BALL + "}", "time={duration=0.0001, fps=20},", "one step"),
]


def text(bodies, more, method="liquid", coupling="monolithic"):
    head = HEAD.replace("METHOD", method)
    if "time=" in more:
        head = head.replace("time={duration=0.1, fps=20},", "")
    if method == "smoke":
        head = head.replace("  fill={rectangle{min={0,0}, max={1,0.5}}},\n", "")
    return f'{head}  coupling="{coupling}", {more}\n  bodies={{ {bodies} }} }}\n'


def test_refused():
    for bodies, more, words in REFUSED:
        path = scene(text(bodies, more))
        out = os.path.join(folder(), "out")
        r = go("run", path, "-o", out, "--quiet")
        said = r.stderr
        check(not os.path.exists(out), f"{bodies} {more}: has written {out}")
        check(r.returncode == 2 and f"{os.path.basename(path)}:" in said and all(w in said for w in words), f"{bodies} {more}: exit {r.returncode}, {said.strip()[:200]}")


def test_runs():
    for bodies, more, name in RUNS:
        for method, coupling in (("liquid", "monolithic"), ("liquid", "rigid_fluid"), ("liquid", "one_way"), ("liquid", "carried"), ("smoke", "monolithic")):
            r = go("run", scene(text(bodies, more, method, coupling)), "-o", os.path.join(folder(), "out"), "--quiet")
            check(r.returncode == 0 or r.returncode in (1, 2) and r.stderr.strip(), f"{name}, {method}, {coupling}: exit {r.returncode}, {r.stderr.strip()[:200]}")


test_refused()
test_runs()
finish()
