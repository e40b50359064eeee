#!/usr/bin/env python3
"""Methods come and go by their folder: in a copy of the tree the river is taken out, by its folder and its lines in the table of
methods, and the sample of examples/ink is put in, which changes four files. What is left builds, keeps its layers and runs.
usage: test_methods.py PATH/TO/freshet"""
import csv, os, pathlib, re, shutil, subprocess

from support import check, finish, folder

ROOT = pathlib.Path(__file__).resolve().parents[2]
tree = pathlib.Path(folder()) / "tree"


def run(*command):
    return subprocess.run([str(word) for word in command], capture_output=True, text=True, timeout=600)


def works(result, what):
    return check(result.returncode == 0, what + ("" if result.returncode == 0 else f" ({(result.stdout + result.stderr)[-800:]})"))


def copy_tree():
    for name in ("src", "include", "apps", "cmake", "bench", "examples", "scenes", "scripts", "tests"):
        shutil.copytree(ROOT / name, tree / name)
    shutil.copy(ROOT / "CMakeLists.txt", tree)


def take_out_rivers():
    shutil.rmtree(tree / "src/river")
    (tree / "bench/river_classic.c").unlink()
    table = tree / "src/world/methods.c"
    lines = table.read_text().splitlines(keepends=True)
    left = [line for line in lines if "river" not in line]
    check(len(lines) - len(left) == 2, "a method has two lines in the table: its header and its entry")
    table.write_text("".join(left))


def build():
    """Unoptimised: this is about what fits together, and takes a quarter of the time."""
    where = tree / "build"
    if not works(run("cmake", "-S", tree, "-B", where, "-G", "Ninja", "-DCMAKE_BUILD_TYPE=Debug", "-DCMAKE_C_FLAGS=-O0 -g0",
                     "-DFRESHET_TESTS=OFF", "-DCMAKE_C_FLAGS_DEBUG="), "the tree is set up"):
        return None
    built = run("cmake", "--build", where, "--target", "freshet_cli")
    check("warning:" not in built.stdout, "the tree builds without a warning")
    return where / "freshet" if works(built, "the tree builds without the river and with the sample") else None


def look_at_sample():
    lines = (ROOT / "examples/ink/ink.c").read_text(encoding="utf-8").splitlines()
    check(len(lines) <= 150, f"the sample stays short: {len(lines)} lines, 150 at most")


def look_at_ink(exe):
    out = tree / "out"
    drop = tree / "examples/ink/drop.lua"
    works(run(exe, "run", drop, "-o", out, "--quiet"), "a scene of the sample runs")
    rows = list(csv.DictReader(open(out / "ledger.csv")))
    totals = [float(row["total_ink"]) for row in rows]
    check(len(rows) == 6 and totals[0] > 0.05, "with a row for every frame")
    check(max(abs(t / totals[0] - 1) for t in totals) < 1e-5, "and its ink is kept")
    works(run(exe, "verify", out), "verify finds its run whole")
    half = run(exe, "run", drop, "-o", tree / "half", "--quiet", "--frames", "3")
    works(half, "it runs half way")
    works(run(exe, "run", drop, "-o", tree / "half", "--quiet", "--resume"), "and goes on")
    same = [(out / "cache" / n).read_bytes() == (tree / "half/cache" / n).read_bytes() for n in sorted(os.listdir(out / "cache"))]
    check(all(same) and len(same) >= 6, "with the same bits")
    works(run(exe, "check", drop), "check describes it")
    wrong = run(exe, "run", drop, "-o", tree / "wrong", "--set", "ink.diffusion=-1")
    check(wrong.returncode == 2 and "ink.diffusion" in wrong.stderr, "a mistake in its table is refused")


def look_at_the_others(exe):
    river = run(exe, "run", next((tree / "scenes/river").glob("river.lua")), "-o", tree / "river")
    check(river.returncode == 2 and re.search('"smoke".*"sph".*"ink"', river.stderr), f"a river is refused, and the methods there are named ({river.stderr})")
    works(run(exe, "run", tree / "scenes/smoke/two-vortices.lua", "-o", tree / "smoke", "--res", "16", "--frames", "1", "--quiet"), "smoke runs as before")


look_at_sample()
copy_tree()
take_out_rivers()
works(run("python3", tree / "examples/ink/add.py", tree), "the sample is put in by changes to four files")
works(run("python3", tree / "scripts/check_layers.py"), "the layers hold")
exe = build()
if exe:
    look_at_ink(exe)
    look_at_the_others(exe)
finish()
