#!/usr/bin/env python3
"""Files that scenes name: pipes, devices, bombs and files that change under the program. It ends by itself, soon and with little memory."""
import contextlib, json, resource, socket, struct, threading, time, zipfile
from support import *

SECONDS = 20
RIVER = 'return { method="river", time={duration=0.1, fps=10}, river={cells={2,1}, nodes="%s"} }\n'
MESH = """return { method="smoke", domain={size={1,1,1}, cells={8,8,8}}, time={duration=0.1, fps=10},
  obstacles={obstacle{shape=mesh{file="%s", size=0.5}, at={0.5,0.5,0.5}}} }
"""
LIQUID = """return { method="sph", domain={size={1,1}}, time={duration=0.1, fps=10}, sph={spacing=0.05},
  %s }
"""
NODES = "0,0\n1,0\n2,0\n0,1\n1,1\n2,1\n"
TETRAHEDRON = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 2 3 4\nf 1 4 3\n"
SANITIZED = b"__asan_init" in open(EXE, "rb").read()   # such programs reserve all memory at once, out of the limits' sight


class Hung:
    returncode, stdout, stderr = "none, it hung", "", "it hung"


def attempt(*args):
    """A program that hangs is a result as well."""
    try:
        return go(*args, timeout=SECONDS)
    except subprocess.TimeoutExpired:
        return Hung


def refuses(text, words, what, where):
    path = scene(text, where)
    fails(attempt("check", path), 2, [path + ":", *words], what)


def strange_files(where):
    """Things with the name of a file that are none."""
    os.mkfifo(os.path.join(where, "pipe"))
    os.mkdir(os.path.join(where, "folder"))
    with contextlib.closing(socket.socket(socket.AF_UNIX)) as s:
        s.bind(os.path.join(where, "socket"))
    return [("pipe", "pipe"), ("folder", "folder"), ("socket", ""), ("/dev/zero", "device"), ("/dev/tty", ""), ("missing", "cannot")]


def npy(tail=b""):
    head = "{'descr': '<f8', 'fortran_order': False, 'shape': (2, 3, 2), }"
    head += " " * (117 - len(head)) + "\n"
    values = [float(v) for line in NODES.split() for v in line.split(",")]
    return b"\x93NUMPY\x01\x00" + struct.pack("<H", len(head)) + head.encode() + struct.pack("<12d", *values) + tail


def store(where, name, data):
    with open(os.path.join(where, name), "wb") as f:
        f.write(data)


def test_nodes():
    where = folder()
    for name, word in strange_files(where):
        refuses(RIVER % name, [name, word], f"nodes from {name}", where)
    store(where, "zeros", b"\0" * 100000)
    refuses(RIVER % "zeros", ["zeros:1: the line has a zero byte"], "nodes from zero bytes", where)
    with open(os.path.join(where, "sparse"), "wb") as f:
        f.write(NODES.encode())
        f.truncate(40 << 30)
    began = time.monotonic()
    refuses(RIVER % "sparse", ["sparse has 42949.7 MB", "needs 3 x 2 = 6 nodes"], "nodes from 40 GB", where)
    check(time.monotonic() - began < 5, "which are not read")
    store(where, "remarks.csv", b"# remark\n" * 200000 + NODES.encode())
    refuses(RIVER % "remarks.csv", ["remarks.csv has 1.8 MB"], "nodes among too many remarks", where)
    store(where, "few.csv", b"# remark\n" * 20000 + NODES.encode())
    succeeds(attempt("check", scene(RIVER % "few.csv", where)), "nodes among some remarks")
    store(where, "tail.npy", npy(b"more"))
    refuses(RIVER % "tail.npy", ["tail.npy has 228 bytes", "ends after 224"], "an array with a tail", where)
    store(where, "good.npy", npy())
    succeeds(attempt("check", scene(RIVER % "good.npy", where)), "an array")


@contextlib.contextmanager
def swapping(path, data):
    """A file that is regular now and a pipe a moment later, for ever and ever."""
    pipe, text, stop = path + ".pipe", path + ".text", threading.Event()

    def swap():
        while not stop.is_set():
            for kind in (pipe, text):
                os.link(kind, path + ".next")
                os.rename(path + ".next", path)
    os.mkfifo(pipe)
    store(*os.path.split(text), data)
    store(*os.path.split(path), data)
    thread = threading.Thread(target=swap)
    thread.start()
    try:
        yield
    finally:
        stop.set()
        thread.join()


def test_files_that_change():
    """Between looking at a file and opening it there must be no time."""
    where = folder()
    lua, obj = os.path.join(where, "scene.lua"), os.path.join(where, "mesh.obj")
    jobs = [("a scene", lua, (LIQUID % "fill={circle{radius=0.2}}").encode(), lua),
            ("a mesh", obj, TETRAHEDRON.encode(), write(os.path.join(where, "mesh.lua"), MESH % "mesh.obj")),
            ("nodes", os.path.join(where, "n.csv"), NODES.encode(), write(os.path.join(where, "river.lua"), RIVER % "n.csv"))]
    for what, path, data, start_from in jobs:
        statuses = {}
        with swapping(path, data):
            for _ in range(25):
                r = attempt("check", start_from)
                statuses[r.returncode] = statuses.get(r.returncode, 0) + 1
                if r is Hung:
                    break
        check(set(statuses) <= {0, 2}, f"{what} that is a pipe half of the time: exits {statuses}")


def write_3mf(path, triangles):
    """A solid and then the same triangle over and over, which zip makes a thousand times smaller."""
    head = '<?xml version="1.0"?><%s xmlns="http://schemas.%s">'
    types = head % ("Types", "openxmlformats.org/package/2006/content-types") + "</Types>"
    links = head % ("Relationships", "openxmlformats.org/package/2006/relationships") + (
        '<Relationship Target="/3D/a.model" Id="r" Type="http://schemas.microsoft.com/3dmanufacturing/2013/01/3dmodel"/></Relationships>')
    begin = head % ("model", "microsoft.com/3dmanufacturing/core/2015/02") + '<resources><object id="1" type="model"><mesh><vertices>'
    corners = "".join('<vertex x="%d" y="%d" z="%d"/>' % c for c in ((0, 0, 0), (1, 0, 0), (0, 1, 0), (0, 0, 1)))
    face = '<triangle v1="%d" v2="%d" v3="%d"/>'
    solid = "".join(face % f for f in ((0, 2, 1), (0, 1, 3), (1, 2, 3), (0, 3, 2)))
    end = '</triangles></mesh></object></resources><build><item objectid="1"/></build></model>'
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as z:
        z.writestr("[Content_Types].xml", types)
        z.writestr("_rels/.rels", links)
        with z.open("3D/a.model", "w", force_zip64=True) as f:
            f.write((begin + corners + "</vertices><triangles>" + solid).encode())
            for _ in range(triangles // 10000):
                f.write((face % (0, 2, 1) * 10000).encode())
            f.write(end.encode())


def test_mesh_bomb():
    where = folder()
    write_3mf(os.path.join(where, "good.3mf"), 0)
    succeeds(attempt("check", scene(MESH % "good.3mf", where)), "a zipped mesh")
    if SANITIZED:
        return print("skipped: the bomb, whose memory a sanitizer takes")
    write_3mf(os.path.join(where, "bomb.3mf"), 10000000)
    refuses(MESH % "bomb.3mf", ["bomb.3mf takes more than 1.0 GB of memory"], "a zipped mesh of 0.8 MB that unfolds to gigabytes", where)
    peak = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1e6
    check(peak < 1.2, f"it was stopped at {peak:.2f} GB")


def test_mesh_of_one_triangle():
    """Looking for the nearest of many that are equal means to look at all."""
    where = folder()
    store(where, "same.obj", (TETRAHEDRON + "f 1 3 2\n" * 100000).encode())
    refuses(MESH % "same.obj", ["same.obj has the same triangle 100001 times"], "a mesh of one triangle over and over", where)


def test_what_meshes_refer_to():
    """Materials, buffers and pictures beside a mesh are files that it names."""
    where = folder()
    strange_files(where)
    gltf = {"asset": {"version": "2.0"}, "scene": 0, "scenes": [{"nodes": [0]}], "nodes": [{"mesh": 0}],
            "meshes": [{"primitives": [{"attributes": {"POSITION": 0}}]}],
            "accessors": [{"bufferView": 0, "componentType": 5126, "count": 3, "type": "VEC3", "min": [0, 0, 0], "max": [1, 1, 0]}],
            "bufferViews": [{"buffer": 0, "byteLength": 36}]}
    store(where, "points.bin", struct.pack("<9f", 0, 0, 0, 1, 0, 0, 0, 1, 0))
    for name in ("pipe", "/dev/zero", "socket", "folder"):
        store(where, "m.obj", f"mtllib {name}\nusemtl a\n{TETRAHEDRON}".encode())
        succeeds(attempt("check", scene(MESH % "m.obj", where)), f"a mesh whose materials are in {name}")
        gltf["buffers"] = [{"uri": name, "byteLength": 36}]
        store(where, "m.gltf", json.dumps(gltf).encode())
        refuses(MESH % "m.gltf", ["m.gltf"], f"a mesh whose points are in {name}", where)
    gltf["buffers"] = [{"uri": "points.bin", "byteLength": 36}]
    store(where, "m.gltf", json.dumps(gltf).encode())
    succeeds(attempt("check", scene(MESH % "m.gltf", where)), "a mesh whose points are in a file beside it")


def test_liquids_of_nothing():
    where = folder()
    tiny, sunk = "fill={box{min={0.001,0.001}, max={0.02,0.011}}}", "fill={circle{radius=0.1}}, obstacles={obstacle{shape=circle{radius=0.3}}}"
    for text, words in ((tiny, ["fill[1] is 0.019 x 0.01 m", "sph.spacing = 0.05 m"]), (sunk, ["clear of obstacles"])):
        refuses(LIQUID % text, ["2: the fill has room for no particle", *words], f"a liquid without particles ({text[:12]}…)", where)
        out = os.path.join(where, "out")
        fails(attempt("run", os.path.join(where, "scene.lua"), "-o", out), 2, words, "which does not run")
        check(not os.path.exists(out), "and leaves no folder")
    source = ", sources={source{shape=circle{radius=0.1}, at={0.5,0.5}, velocity={1,0}, from=0.05}}"
    succeeds(attempt("run", scene(LIQUID % (tiny + source), where), "-o", out, "--quiet"), "one that a source will fill runs")


def test_scenes_that_are_no_files():
    where = folder()
    for name, word in strange_files(where):
        path = name if name[0] == "/" else os.path.join(where, name)
        fails(attempt("check", path), 2, [path, word], f"a scene from {name}")


test_nodes()
test_scenes_that_are_no_files()
test_mesh_bomb()
test_mesh_of_one_triangle()
test_what_meshes_refer_to()
test_liquids_of_nothing()
test_files_that_change()
finish()
