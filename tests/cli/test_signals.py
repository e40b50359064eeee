#!/usr/bin/env python3
"""Ctrl-C once stops after the running step with a checkpoint; twice ends at once."""
import os, signal, time
from support import *

LONG = SMOKE_2D.replace("cells={32,48}", "cells={96,144}").replace("duration=0.5", "duration=30")


def started(path, out, *more):
    """A run that has written a few frames."""
    process = start("run", path, "-o", out, *more)
    deadline = time.monotonic() + 60
    while not os.path.exists(f"{out}/cache/000002.h5") and process.poll() is None and time.monotonic() < deadline:
        time.sleep(0.01)
    return process


def test_once(signal_number, name):
    path, out = scene(LONG), os.path.join(folder(), "out")
    process = started(path, out)
    process.send_signal(signal_number)
    stdout, stderr = process.communicate(timeout=60)
    check(process.returncode == 130, f"{name}: exit 130 (exit {process.returncode})")
    check("--resume" in stderr and "stopped" in stderr, f"{name}: says how to go on")
    check(os.listdir(f"{out}/checkpoint"), f"{name}: a checkpoint is there")
    check('"status": "stopped"' in open(f"{out}/run.json").read(), f"{name}: run.json says it was stopped")
    frames = len(rows(f"{out}/ledger.csv")) - 1
    last = frames + 3
    succeeds(go("run", path, "-o", out, "--resume", "--quiet", "--frames", last), f"{name}: --resume goes on to frame {last}")
    reference = os.path.join(folder(), "out")
    succeeds(go("run", path, "-o", reference, "--quiet", "--frames", last), f"{name}: the same in one go")
    same_run(reference, out, name)


def test_twice():
    path, out = scene(LONG), os.path.join(folder(), "out")
    process = started(path, out)
    process.send_signal(signal.SIGINT)
    process.send_signal(signal.SIGINT)
    time.sleep(0.05)
    if process.poll() is None:
        process.send_signal(signal.SIGINT)
    process.communicate(timeout=60)
    check(process.returncode == 130, f"Ctrl-C twice: exit 130 (exit {process.returncode})")
    succeeds(go("run", path, "-o", out, "--resume", "--quiet", "--frames", 5), "and --resume still goes on")


def test_command_works():
    """The command that the message gives is one that works."""
    where = folder()
    path = scene(LONG, where)
    process = started(path, f"{where}/my run", "--set", "smoke.vorticity=0.3")
    process.send_signal(signal.SIGINT)
    _, stderr = process.communicate(timeout=60)
    command = stderr.strip().splitlines()[-1].strip()
    check(command.startswith("freshet run ") and "'" in command, f"the message ends with a command, quoted: {command}")
    import shlex
    words = shlex.split(command)[1:]
    succeeds(go(*words, "--frames", 5, "--quiet"), "and the command goes on")


test_once(signal.SIGINT, "Ctrl-C")
test_once(signal.SIGTERM, "SIGTERM")
test_twice()
test_command_works()
finish()
