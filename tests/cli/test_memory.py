#!/usr/bin/env python3
"""No step reads memory that nobody wrote: a small liquid under Valgrind, where there is one.
usage: test_memory.py PATH/TO/freshet"""
import os, shutil, subprocess, sys, tempfile

SCENE = """return { method = "sph", domain = { size = {0.4, 0.4} }, time = { duration = 0.01, fps = 100 },
  sph = { spacing = 0.01 }, fill = { rectangle { min = {0, 0}, max = {0.1, 0.1} } }, output = { cache = false } }
"""


def main():
    valgrind = shutil.which("valgrind")
    if not valgrind:
        print("skipped: no valgrind here")
        return 0
    with tempfile.TemporaryDirectory() as folder:
        with open(os.path.join(folder, "drop.lua"), "w", encoding="utf-8") as file:
            file.write(SCENE)
        done = subprocess.run([valgrind, "--quiet", "--error-exitcode=99", sys.argv[1], "run", "drop.lua", "-o", "out", "--quiet", "--threads", "1"],
                              cwd=folder, capture_output=True, text=True, check=False)
    if "unhandled instruction" in done.stderr:
        print("skipped: this valgrind does not know all instructions of this processor")
        return 0
    print(done.stderr[:4000], end="")
    return done.returncode


if __name__ == "__main__":
    sys.exit(main())
