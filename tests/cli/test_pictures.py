#!/usr/bin/env python3
"""Pictures, films and plots as a user makes them."""
import os, shutil, struct
import xml.etree.ElementTree as ElementTree
from support import *

LOOK = "look={width=160, height=200}"
VIEWS = SMOKE_2D.replace("output={npy=true}", "output={images={view{field='density'}, view{field='vorticity', arrows=true}}, video=true}, " + LOOK)
ONE = SMOKE_2D.replace("output={npy=true}", "output={images=true, video=true}, " + LOOK)
FILM = shutil.which("ffmpeg") is not None


def png_size(path):
    with open(path, "rb") as f:
        head = f.read(24)
    return struct.unpack(">II", head[16:24]) if head[:8] == b"\x89PNG\r\n\x1a\n" else None


def is_film(path):
    if not os.path.exists(path):
        return False
    with open(path, "rb") as f:
        return f.read(12)[4:8] == b"ftyp" and os.path.getsize(path) > 500


def images(out):
    return sorted(os.listdir(f"{out}/images")) if os.path.isdir(f"{out}/images") else []


def test_views():
    where = folder()
    path, out = scene(VIEWS, where), f"{where}/100% out"
    if not succeeds(go("run", path, "-o", out, "--quiet"), "a run with two views and a film"):
        return None
    wanted = [f"{view}_{i:06d}.png" for view in ("density", "vorticity") for i in range(6)]
    check(images(out) == wanted, "images/<view>_<frame>.png for every frame, nothing else")
    sizes = {png_size(f"{out}/images/{name}") for name in images(out)}
    check(len(sizes) == 1 and None not in sizes, f"all are PNG of one size {sizes}")
    if FILM:
        check(is_film(f"{out}/plume-density.mp4") and is_film(f"{out}/plume-vorticity.mp4"), "one film per view")
    return out


def test_render(out):
    shutil.rmtree(f"{out}/images")
    succeeds(go("render", out, "--view", "speed", "--frames", "1:3", "--no-video"), "render --view speed --frames 1:3 --no-video")
    check(images(out) == [f"speed_{i:06d}.png" for i in (1, 2, 3)], "draws three pictures")
    first = open(f"{out}/images/speed_000002.png", "rb").read()
    succeeds(go("render", out, "--view", "speed", "--frames", "1:3", "--no-video", "--threads", "1"), "render again with one thread")
    check(open(f"{out}/images/speed_000002.png", "rb").read() == first, "the same picture")
    succeeds(go("render", out, "--view", "density", "--view", "density", "--frames", "4", "--no-video"), "the same view twice")
    check("density_000004.png" in images(out) and "density-2_000004.png" not in images(out), "counts once")
    fails(go("render", out, "--view", "presure", "--no-video"), 2, ["presure"], "a view of no field")
    fails(go("render", out, "--frames", "70:80"), 1, ["no frame"], "a range without frames")


def test_damaged(out):
    with open(f"{out}/cache/000002.h5", "r+b") as f:
        f.truncate(os.path.getsize(f.name) // 3)
    shutil.rmtree(f"{out}/images")
    fails(go("render", out, "--view", "density"), 1, ["000002.h5"], "render names a damaged frame")
    check(images(out) == [f"density_{i:06d}.png" for i in (0, 1, 3, 4, 5)], "and draws the others")
    if FILM:
        check(is_film(f"{out}/plume.mp4"), "and makes the film of them")


def test_missing(out):
    os.remove(f"{out}/cache/000004.h5")
    for command in (("render", out, "--no-video"), ("export", out, "--npy")):
        fails(go(*command), 1, ["000004.h5 is missing"], f"{command[0]} names a missing frame")
    r = go("render", out, "--no-video", "--frames", ":1")
    check(r.returncode == 0 and "missing" not in r.stderr, "a missing frame that was not asked for is no matter")


def test_parts():
    """A film of some frames does not replace that of all, and both carry the name that the run had."""
    where = folder()
    path, out = write(f"{where}/chimney.lua", ONE.replace('name="plume", ', "")), f"{where}/out"
    r = go("run", path, "-o", out)
    check("then pictures" in r.stdout and "pictures of 6 frames follow" in r.stdout and "pictures: frame 6/6" in r.stdout,
          "says that pictures follow, and how far they are")
    if not FILM:
        return
    before = open(f"{out}/chimney.mp4", "rb").read()
    succeeds(go("render", out, "--frames", "1:3"), "render --frames 1:3")
    check(is_film(f"{out}/chimney-1-3.mp4") and open(f"{out}/chimney.mp4", "rb").read() == before, "makes <name>-1-3.mp4 and leaves the film of all")
    os.remove(f"{out}/chimney.mp4")
    succeeds(go("render", out), "render of all frames")
    check(open(f"{out}/chimney.mp4", "rb").read() == before and not os.path.exists(f"{out}/scene.mp4"), "makes the film that the run made")
    succeeds(go("verify", out), "verify knows all of them")
    picture = f"images/{images(out)[3]}"
    with open(f"{out}/{picture}", "ab") as f:
        f.write(b"x")
    r = go("verify", out)
    check(r.returncode == 1 and f"{picture}: is damaged" in r.stdout, "verify names a damaged picture")


def test_one_view():
    where = folder()
    out = f"{where}/out"
    succeeds(go("run", scene(ONE, where), "-o", out, "--set", "output.every=2", "--quiet"), "a run with the method's own view, every second frame")
    check(len(images(out)) == 3, "has three pictures")
    if FILM:
        check(is_film(f"{out}/plume.mp4"), "and <name>.mp4")
    empty = folder()
    r = go("run", f"{where}/scene.lua", "-o", f"{where}/other", "--frames", 2, env={**os.environ, "PATH": empty})
    check(r.returncode == 1 and "ffmpeg" in r.stderr and len(images(f"{where}/other")) == 3, "without ffmpeg: a message, the pictures, exit 1")
    live = f"{where}/live"
    succeeds(go("run", f"{where}/scene.lua", "-o", live, "--quiet", "--frames", 2, "--set", "output.cache=false"), "without a cache")
    check(len(images(live)) == 3 and (not FILM or is_film(f"{live}/plume.mp4")), "the pictures and the film come as well")
    return out


def test_3d():
    where = folder()
    out = f"{where}/out"
    succeeds(go("run", scene(SMOKE_3D.replace("output={npy=true}", "output={images=true}, " + LOOK), where), "-o", out, "--frames", 2), "a 3D run with pictures")
    check(len(images(out)) == 3 and png_size(f"{out}/images/{images(out)[0]}"), "draws the volume")
    succeeds(go("render", out, "--view", "speed", "--no-video"), "and a slice")


def test_sheet(out):
    sheet = f"{folder()}/sheet.png"
    succeeds(go("sheet", sheet, out, out, "--view", "speed", "--view", "velocity", "--frame", 0), "a sheet of two runs and two views")
    one, size = f"{folder()}/one.png", png_size(sheet)
    succeeds(go("sheet", one, out, "--view", "speed"), "a sheet of one run and one view")
    check(size and png_size(one) and size[0] == 2 * png_size(one)[0] and size[1] == 2 * png_size(one)[1], "has two columns and two rows of such pictures")
    fails(go("sheet", sheet, out, "--frame", 999), 1, "no frame to draw", "a frame that is not there")
    fails(go("sheet", sheet), 2, "FILE.png DIR", "a sheet of no run")


def test_plot(out):
    succeeds(go("plot", out), "plot")
    check(png_size(f"{out}/plots/ledger.png"), "plots/ledger.png is a PNG")
    try:
        tree = ElementTree.parse(f"{out}/plots/ledger.svg").getroot()
        text = " ".join("".join(e.itertext()) for e in tree.iter())
    except (OSError, ElementTree.ParseError) as trouble:
        tree, text = None, str(trouble)
    check(tree is not None and tree.tag.endswith("svg"), "plots/ledger.svg is well-formed")
    check("energy" in text and "divergence" in text and "wall time" in text, "with its panels named")


out = test_views()
if out:
    test_render(out)
    test_damaged(out)
    test_missing(out)
test_parts()
out = test_one_view()
test_plot(out)
test_sheet(out)
test_3d()
finish()
