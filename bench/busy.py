#!/usr/bin/env python3
"""Two threads against one on a machine that others use: bench/busy.py build/release/freshet [--loops 6] [--frames 2] [NAME...]

Starts busy loops beside the program and runs every scene of scenes/ at --res 32, and a block of honey whose viscosity takes
thousands of short loops, with 1 and with 2 threads in turn. Prints a table; status 1 where 2 threads take more than 1.5 times
as long as 1."""
import argparse, os, pathlib, platform, signal, subprocess, sys, tempfile, time

HONEY = """return { name="honey-block", method="sph", domain={size={0.6,0.6}}, time={duration=0.1, fps=24},
  sph={spacing=0.01}, fluid={viscosity=5, density=1400}, walls={top="open"}, fill={ box{min={0.2,0}, max={0.4,0.4}} } }
"""
MOST = 1.5      # times as long as with one thread
LIMIT = 120     # seconds for one run
ENOUGH = 1.5    # seconds: shorter runs time the start of the program
MOST_FRAMES = 162


def run(exe, scene, threads, frames, res, out):
    """Seconds of wall-clock time, infinite for a run that takes too long."""
    words = [exe, "run", str(scene), "-o", out, "--force", "--frames", str(frames), "--threads", str(threads), "--set", "output.video=false"]
    start = time.monotonic()
    try:
        done = subprocess.run(words + (["--res", str(res)] if res else []), capture_output=True, text=True, timeout=LIMIT)
    except subprocess.TimeoutExpired:
        return float("inf")
    if done.returncode:
        sys.exit(f"{scene}: {done.stderr}")
    return time.monotonic() - start


def start_loops(count):
    return [subprocess.Popen([sys.executable, "-c", "while True: pass"]) for _ in range(count)]


def measure(options, scene, res, out):
    """Frames for a run of some seconds; the least of some runs in turn with 1 and 2 threads: load comes and goes."""
    frames = options.frames
    while frames < MOST_FRAMES and run(options.exe, scene, 1, frames, res, out) < ENOUGH:
        frames *= 3
    best = {1: float("inf"), 2: float("inf")}
    for _ in range(options.repeats):
        for threads in best:
            best[threads] = min(best[threads], run(options.exe, scene, threads, frames, res, out))
    return frames, best[1], best[2]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("exe")
    parser.add_argument("names", nargs="*")
    parser.add_argument("--loops", type=int, default=6)
    parser.add_argument("--frames", type=int, default=2)
    parser.add_argument("--repeats", type=int, default=2)
    options = parser.parse_intermixed_args()
    scenes = sorted((pathlib.Path(__file__).parent.parent / "scenes").rglob("*.lua"))
    slow = 0
    with tempfile.TemporaryDirectory() as folder:
        honey = pathlib.Path(folder, "honey-block.lua")
        honey.write_text(HONEY)
        work = [(honey, None)] + [(scene, 32) for scene in scenes]
        signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))   # the loops must end with it
        loops = start_loops(options.loops)
        try:
            print(f"{options.loops} busy loops on {len(os.sched_getaffinity(0))} cores ({platform.machine()})\n")
            print("| scene | frames | 1 thread, s | 2 threads, s | ratio |\n|---|---|---|---|---|")
            for scene, res in work:
                if not options.names or scene.stem in options.names:
                    frames, one, two = measure(options, scene, res, os.path.join(folder, "run"))
                    slow += not two <= MOST * one
                    print(f"| {scene.stem} | {frames} | {one:.2f} | {two:.2f} | {two / one:.2f} |", flush=True)
        finally:
            for loop in loops:
                loop.kill()
                loop.wait()
    print(f"\n{slow} slower than {MOST} times")
    return 1 if slow else 0


if __name__ == "__main__":
    sys.exit(main())
