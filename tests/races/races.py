#!/usr/bin/env python3
"""Looks for races: races.py PROGRAM [FRAMES], PROGRAM being built with the thread sanitizer, which makes it tens of times slower.
Runs every scene of the repository and of the golden hashes on a coarse grid, liquids with every tracker and particles with every
pressure solver, on three threads that share even the smallest loops. Ends with 1 if two threads have met in one place, or a run has failed."""
import os, pathlib, subprocess, sys, tempfile, time

ROOT = pathlib.Path(__file__).resolve().parents[2]
FRAMES = sys.argv[2] if len(sys.argv) > 2 else "1"
RUN = ["--frames", FRAMES, "--threads", "3", "--quiet"]
CELLS, FINER = 16, {"fountain.lua": 40, "tap-and-drain.lua": 40}  # whose jets and drains would fall between coarse cells
RACE = 66
CHOICES = {"liquid": ("liquid.surface", ("level_set", "particle_level_set", "markers", "flip", "apic")),
           "sph": ("sph.solver", ("dfsph", "pcisph", "wcsph"))}
SLOW = {"dam-million.lua"}  # its particles do not become fewer with --res


def cases():
    for path in sorted(ROOT.joinpath("scenes").rglob("*.lua")) + sorted(ROOT.joinpath("tests/golden/scenes").glob("*.lua")):
        if path.name in SLOW:
            continue
        text = path.read_text(encoding="utf-8")
        key, values = next((choice for method, choice in CHOICES.items() if f'method = "{method}"' in text), ("", (None,)))
        for value in values:
            yield path, ["--set", f"{key}={value}"] if value else []


def run(path, chosen):
    known = pathlib.Path(__file__).with_name("suppressions.txt")
    environment = dict(os.environ, FRESHET_SHARE="all",
                       TSAN_OPTIONS=f"halt_on_error=1 exitcode={RACE} ignore_noninstrumented_modules=1 suppressions={known}")
    with tempfile.TemporaryDirectory() as folder:
        command = [sys.argv[1], "run", str(path), "-o", folder + "/out", "--res", str(FINER.get(path.name, CELLS)), *RUN, *chosen]
        return subprocess.run(command, env=environment, capture_output=True, text=True)


def main():
    races = failures = runs = 0
    for path, chosen in cases():
        begin = time.monotonic()
        ended = run(path, chosen)
        runs += 1
        races += ended.returncode == RACE
        failures += ended.returncode not in (0, RACE)
        word = {0: "clean", RACE: "RACE"}.get(ended.returncode, f"ended with {ended.returncode}")
        print(f"{path.relative_to(ROOT)} {' '.join(chosen[1:])}: {word}, {time.monotonic() - begin:.0f} s", flush=True)
        if ended.returncode:
            print(ended.stderr[:2000], flush=True)
    print(f"{runs} runs: {races} with races, {failures} that ended otherwise")
    return races + failures > 0


sys.exit(main())
