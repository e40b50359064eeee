#!/usr/bin/env python3
"""A viscosity by a function of the scene: what it is given, and what its mistakes are answered with."""
import subprocess
import sys
import tempfile
from pathlib import Path

HEAD = """return { method = "liquid", domain = { size = {1, 1}, cells = 12 }, time = { duration = 0.1, fps = 10 },
  heat = { ambient = 300, diffusivity = 1e-3 }, scalars = { water = { initial = 0.25 } },
  fill = { fluid_in { shape = box { min = {0, 0}, max = {1, 0.5} }, temperature = 350 } },
  fluid = { viscosity = function(T, scalars)
"""
TAIL = """
  end }, output = { npy = true, cache = false } }
"""


def run(exe, body, folder):
    scene = Path(folder) / "scene.lua"
    scene.write_text(HEAD + body + TAIL)
    out = Path(folder) / "out"
    return subprocess.run([exe, "run", scene, "-o", out, "--quiet", "--force"], capture_output=True, text=True), out


def values(path):
    """The numbers of a .npy file of float32."""
    import array
    data = path.read_bytes()
    start = 10 + int.from_bytes(data[8:10], "little")
    numbers = array.array("f")
    numbers.frombytes(data[start:])
    return numbers


def main():
    exe = sys.argv[1]
    with tempfile.TemporaryDirectory() as folder:
        done, out = run(exe, "    return T / 1000 + scalars.water", folder)
        assert done.returncode == 0, done.stderr
        viscosity = values(out / "npy" / "000000" / "viscosity.npy")
        inside = viscosity[0]
        assert abs(inside - 0.6) < 1e-6, f"the function of 350 K and a water content of 0.25 gave {inside}, not 0.6"
    mistakes = [("    return nil", "number"), ("    return -1", "zero or more"), ("    return 0/0", "finite"),
                ("    return scalars.sugar + 1", "sugar"), ("    while true do end", "limit")]
    for body, word in mistakes:
        with tempfile.TemporaryDirectory() as folder:
            done, _ = run(exe, body, folder)
            assert done.returncode == 2 and word in done.stderr, f"{body!r}: exit {done.returncode}, {done.stderr!r}"
            assert "scene.lua:" in done.stderr or "fluid.viscosity" in done.stderr, done.stderr
    print("a viscosity by a function: 6 passed, 0 failed")


main()
