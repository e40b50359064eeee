#!/usr/bin/env python3
"""Caches as others see them: h5dump, which is HDF5's own reader, finds in them the numbers of the NPY files, bit for bit.
usage: test_hdf5.py PATH/TO/freshet"""
import array, os, re, shutil, subprocess, sys

from support import DAM_2D, SMOKE_2D, SMOKE_3D, check, finish, folder, go, scene, succeeds

# So long that a tree that finds chunks has two levels.
LONG = """return { method="smoke", domain={size={8448,4}, cells={8448,4}}, time={duration=1, fps=1}, prescribed={velocity={0.5,0.25}},
  sources={source{shape=circle{radius=2}, at={4000,2}, density=1}}, output={npy=true} }"""
RIVER = """return { method="river", time={duration=0.2, fps=5}, river={cells={24,8}, grid=channel{centre={{0,0},{4,0.5},{8,0}}, width=2},
  sides={s0=inflow{speed=1}, s1=outflow{}}}, output={npy=true} }"""


def tool(*args):
    return subprocess.run(args, capture_output=True, text=True, errors="replace", timeout=60)


def numbers(path, dataset):
    """The bytes of a dataset, little-endian; None when it is not there."""
    raw = f"{path}.raw"
    r = tool("h5dump", "-d", dataset, "-b", "LE", "-o", raw, path)
    if r.returncode:
        return None
    with open(raw, "rb") as f:
        return f.read()


def attribute(path, name):
    """The values of an attribute as h5dump prints them; of text without the quotes."""
    values = re.findall(r"\(\d+\): (.*)", tool("h5dump", "-a", name, path).stdout)
    return ", ".join(v.rstrip(",") for v in values).strip('"')


def npy(where, name):
    with open(f"{where}/{name}.npy", "rb") as f:
        data = f.read()
    return data[10 + data[8] + 256 * data[9]:]


def means(where, cells):
    """Velocities at the centres of cells from those on faces, [z][y][x][3]."""
    faces = [array.array("f", npy(where, name)) for name in "uvw"[:len(cells)]]
    if sys.byteorder == "big":
        [f.byteswap() for f in faces]
    nx, ny, nz = (*cells, 1)[:3]
    out = array.array("f")
    for k in range(nz):
        for j in range(ny):
            for i in range(nx):
                for a in range(3):
                    if a >= len(cells):
                        out.append(0)
                        continue
                    size = [nx + (a == 0), ny + (a == 1)]
                    at = (k * size[1] + j) * size[0] + i
                    step = (1, size[0], size[0] * size[1])[a]
                    out.append(0.5 * (faces[a][at] + faces[a][at + step]))
    if sys.byteorder == "big":
        out.byteswap()
    return out.tobytes()


def test_image(where, text, cells, what):
    """Every field, VTK's image of it, and the velocity at the centres."""
    out = f"{where}/{what}"
    succeeds(go("run", scene(text, where), "-o", out, "--quiet"), what)
    last = sorted(os.listdir(f"{out}/cache"))[-1]
    path, frame = f"{out}/cache/{last}", f"{out}/npy/{last[:6]}"
    layers = 2 if len(cells) == 2 else 1
    count = int(attribute(path, "/freshet/fields"))
    check(count >= 3, f"{what}: h5dump finds {count} fields")
    for i in range(count):
        name, place = attribute(path, f"/freshet/fields/{i:04d}/name"), attribute(path, f"/freshet/fields/{i:04d}/location")
        expected = npy(frame, name)
        check(numbers(path, f"/freshet/fields/{i:04d}") == expected, f"{what}: {name} has the bits of the NPY file")
        shown = f"/VTKHDF/PointData/{name}" if place == "0" else f"/freshet/faces/{name}"
        check(numbers(path, shown) == expected * (layers if place == "0" else 1), f"{what}: {shown}, too")
    check(numbers(path, "/VTKHDF/PointData/velocity") == means(frame, cells) * layers, f"{what}: velocity is the mean of the faces")
    extent = ", ".join(f"0, {n - 1}" for n in (*cells, 2)[:3])
    check(attribute(path, "/VTKHDF/WholeExtent") == extent and attribute(path, "/VTKHDF/Type") == "ImageData", f"{what}: the image has its size")
    return path


def test_particles(where):
    out = f"{where}/dam"
    succeeds(go("run", scene(DAM_2D.replace("fill=", "output={npy=true}, fill="), where), "-o", out, "--quiet"), "a dam")
    path, frame = f"{out}/cache/000001.h5", f"{out}/npy/000001"
    for dataset, name in ("position", "particles"), ("velocity", "particle_velocity"), ("id", "particle_id"):
        check(numbers(path, f"/freshet/particles/{dataset}") == npy(frame, name), f"particles: {dataset}")
    for i in range(int(attribute(path, "/freshet/particles/attributes"))):
        at = f"/freshet/particles/attributes/{i:04d}"
        name = attribute(path, f"{at}/name")
        check(numbers(path, at) == npy(frame, f"particle_{name}"), f"particles: {name}")
    return path


def test_river(where):
    out = f"{where}/river"
    succeeds(go("run", scene(RIVER, where), "-o", out, "--quiet"), "a river")
    path, frame = f"{out}/cache/000001.h5", f"{out}/npy/000001"
    for axis in "xy":
        check(numbers(path, f"/freshet/nodes/{axis}") == npy(frame, axis), f"a river: the nodes' {axis}")
    check(numbers(path, "/VTKHDF") is None, "a river: no image")
    return path


def test_repack(paths):
    """h5repack reads all there is and writes it anew."""
    for path in paths:
        packed = f"{path}.packed"
        succeeds(tool("h5repack", path, packed), f"h5repack {os.path.basename(os.path.dirname(os.path.dirname(path)))}")
        whole = [re.sub(r"^HDF5.*", "", tool("h5dump", p).stdout) for p in (path, packed)]
        check(len(whole[0]) > 1000 and whole[0] == whole[1], "and finds nothing else in it")


def main():
    if not shutil.which("h5dump"):
        print("skipped: h5dump is not there (on Debian 'apt install hdf5-tools')")
        return
    where = folder()
    test_repack([
        test_image(where, SMOKE_2D, (32, 48), "smoke in 2D"),
        test_image(where, SMOKE_3D, (17, 12, 9), "smoke in 3D"),
        test_image(where, LONG, (8448, 4), "a long channel"),
        test_particles(where),
        test_river(where),
    ])


main()
finish()
