#!/usr/bin/env python3
"""Adds to the files under tests/fuzz/corpus: corpus.py PROGRAM FUZZ_BUILD. Scenes, tables, meshes and the files of small runs,
of which the fuzzers keep those that reach something new."""
import glob, os, struct, subprocess, sys, tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))

TIME = "time={duration=0.1, fps=10}"
RUNS = [
    f'return {{ method="smoke", domain={{size={{1,1}}, cells={{2,2}}}}, {TIME}, sources={{source{{shape=circle{{radius=0.4}}, at={{0.5,0.5}}, density=1}}}} }}',
    f'return {{ method="smoke", domain={{size={{1,1,1}}, cells={{2,2,2}}}}, {TIME}, smoke={{buoyancy={{density=-1}}}} }}',
    f'return {{ method="sph", domain={{size={{1,1}}}}, {TIME}, sph={{spacing=0.25}}, fill={{box{{min={{0,0}}, max={{0.5,0.5}}}}}} }}',
    f'return {{ method="river", {TIME}, river={{cells={{2,2}}, grid=function(s,t) return s,t+s*s end}} }}',
    f'return {{ method="liquid", domain={{size={{1,1}}, cells={{4,4}}}}, {TIME}, liquid={{surface="flip"}}, fill={{box{{min={{0,0}}, max={{0.5,0.5}}}}}} }}',
    f'return {{ method="liquid", domain={{size={{1,1,1}}, cells={{4,4,4}}}}, {TIME}, liquid={{surface="particle_level_set"}}, fill={{box{{min={{0,0,0}}, max={{1,0.5,1}}}}}} }}',
    f'return {{ method="liquid", domain={{size={{1,1}}, cells={{4,4}}}}, {TIME}, heat={{diffusivity=function(T) return 1 end, ambient=1, loss=1, latent=2, conduction="lod", melt={{from=1, to=2, solid=9, liquid=1}}}}, fill={{fluid_in{{shape=circle{{radius=0.4}}, at={{0.5,0.5}}, temperature=2}}}} }}',
    f'return {{ method="liquid", domain={{size={{1,1}}, cells={{4,4}}}}, {TIME}, scalars={{ink={{}}}}, fluid={{viscosity=function(T, s) return T + s.ink end, yield=0.1, power=0.5}}, fill={{box{{min={{0,0}}, max={{0.5,0.5}}}}}} }}',
    f'return {{ method="liquid", domain={{size={{1,1}}, cells={{4,4}}}}, {TIME}, fill={{fluid_in{{shape=circle{{radius=0.4}}, at={{0.5,0.5}}, viscosity=2}}}} }}',
    f'return {{ method="liquid", domain={{size={{1,1,1}}, cells={{4,4,4}}}}, {TIME}, coupling="carried", fill={{box{{min={{0,0,0}}, max={{1,0.4,1}}}}}}, bodies={{body{{name="a", shape=sphere{{radius=0.2}}, at={{0.3,0.7,0.5}}, density=function(x,y,z) return 1 + y end, spin={{0,0,3}}, force=function(t) return t,0,0 end}}, body{{shape=box{{size={{0.2,0.2,0.2}}}}, at={{0.7,0.7,0.5}}, mass=3, from=0.05, bounce=1}}}}, joints={{hinge{{bodies={{"a",2}}, at={{0.5,0.7,0.5}}, axis="y", limits={{-1,1}}, motor=function(t) return t end, torque=2}}, ball{{bodies={{2}}, at={{0.7,0.9,0.5}}}}}} }}',
    f'return {{ method="smoke", domain={{size={{1,1}}, cells={{4,4}}}}, {TIME}, coupling="one_way", bodies={{body{{shape=circle{{radius=0.2}}, at={{0.5,0.6}}, spin=2, torque=function(t) return t end, friction=0, fixed=true, slip="free_slip"}}}}, joints={{slider{{bodies={{1}}, axis={{1,1}}, limits={{0,0.1}}}}}} }}',
]
SCENES = RUNS + [
    f'return {{ method="river", {TIME}, river={{cells={{2,1}}, nodes="nodes.csv"}} }}',
    f'return {{ method="smoke", domain={{size={{1,1}}, cells={{4,4}}}}, {TIME}, obstacles={{obstacle{{shape=mesh{{file="m.obj"}}}}}} }}',
    'for i = 1, 3 do local t = {} t[i] = i end return setmetatable({}, nil)',
    'error("no")', 'return 1', '#!/usr/bin/env freshet\nreturn {', '',
]
TETRAHEDRON = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 2 3 4\nf 1 4 3\n"


def node_seeds():
    flat, solid = bytes([1, 0, 0]), bytes([0, 0, 1])     # 2 x 1 cells, 1 x 1 x 1
    rows = [(i, j) for j in range(2) for i in range(3)]
    plain = "".join(f"{i},{j}\n" for i, j in rows)
    yield flat + plain.encode()
    yield flat + b"\xef\xbb\xbf# remark\nx, y\n" + plain.replace("\n", "\r\n").encode()
    yield flat + ("j,x,i,y\n" + "".join(f"{j},{i}.5,{i},{j}e-1\n" for i, j in reversed(rows))).encode()
    yield flat + ("0,0\n1,0\n2,0\n\n0,1\n1,1\n2,1\n\n").encode()
    yield solid + ("x,y,z\n" + "".join(f"{n % 2},{n // 2 % 2},{n // 4}\n" for n in range(8))).encode()
    for kind, size in (("<f4", "f"), ("<f8", "d")):
        for begin, shape, count in ((flat, "(2, 3, 2)", 12), (solid, "(2, 2, 2, 3)", 24)):
            head = f"{{'descr': '{kind}', 'fortran_order': False, 'shape': {shape}, }}".ljust(117) + "\n"
            yield begin + b"\x93NUMPY\x01\x00" + struct.pack("<H", len(head)) + head.encode() + struct.pack(f"<{count}{size}", *range(count))
            yield begin + b"\x93NUMPY\x02\x00" + struct.pack("<I", len(head)) + head.encode() + struct.pack(f"<{count}{size}", *range(count))


CORNERS, FACES = ((0, 0, 0), (1, 0, 0), (0, 1, 0), (0, 0, 1)), ((0, 2, 1), (0, 1, 3), (1, 2, 3), (0, 3, 2))


def reply_seeds():
    yield struct.pack("<3i1024x", 0, 4, 4) + b"".join(struct.pack("<3d", *c) for c in CORNERS) + b"".join(struct.pack("<3i", *f) for f in FACES)
    yield struct.pack("<3i1024x", 0, 3, 1) + struct.pack("<9d3i", 0, 0, 0, 1, 0, 0, 2, 0, 0, 0, 1, 2)
    yield struct.pack("<3i", 2, 0, 0) + b"no luck".ljust(1024, b"\0")


def mesh_seeds():
    numbers = "".join("%d %d %d\n" % c for c in CORNERS) + "".join("3 %d %d %d\n" % f for f in FACES)
    places = "".join(f"property float {axis}\n" for axis in "xyz")
    yield b"\0" + TETRAHEDRON.encode()
    yield b"\1" + b"solid t\nfacet normal 0 0 1\nouter loop\nvertex 0 0 0\nvertex 1 0 0\nvertex 0 1 0\nendloop\nendfacet\nendsolid t\n"
    yield b"\1" + struct.pack("<80xI12fH", 1, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0)
    yield b"\2" + f"ply\nformat ascii 1.0\nelement vertex 4\n{places}element face 4\nproperty list uchar int vertex_indices\nend_header\n{numbers}".encode()
    yield b"\5" + f"OFF\n4 4 0\n{numbers}".encode()


def run_seeds(program, pattern):
    for text in RUNS:
        with tempfile.TemporaryDirectory() as where:
            scene = os.path.join(where, "scene.lua")
            with open(scene, "w") as f:
                f.write(text)
            subprocess.run([program, "run", scene, "-o", os.path.join(where, "out"), "--quiet"], check=True, stdout=subprocess.DEVNULL)
            for path in sorted(glob.glob(os.path.join(where, "out", pattern)))[:1]:
                yield open(path, "rb").read()


def scene_seeds():
    for text in SCENES:
        yield text.encode()
    for path in sorted(glob.glob(os.path.join(ROOT, "scenes", "*", "*.lua"))):
        lines = [line.split("--")[0].rstrip() for line in open(path, encoding="utf-8") if not line.lstrip().startswith("--")]
        yield "\n".join(line for line in lines if line).encode()


def main():
    program, build = map(os.path.abspath, sys.argv[1:3])
    seeds = {"scene": scene_seeds(), "nodes": node_seeds(), "reply": reply_seeds(), "mesh": mesh_seeds(), "cache": run_seeds(program, "cache/*"),
             "checkpoint": run_seeds(program, "checkpoint/*.chk")}
    for name, contents in seeds.items():
        kept = os.path.join(HERE, "corpus", name)
        with tempfile.TemporaryDirectory() as raw:
            for number, content in enumerate(contents):
                with open(os.path.join(raw, f"{number:03d}"), "wb") as f:
                    f.write(content)
            os.makedirs(kept, exist_ok=True)
            subprocess.run([os.path.join(build, "tests", "fuzz", "fuzz_" + name), "-merge=1", "-timeout=60", kept, raw], check=True, stderr=subprocess.DEVNULL)
        sizes = [os.path.getsize(p) for p in glob.glob(os.path.join(kept, "*"))]
        print(f"{name}: {len(sizes)} files, {sum(sizes) / 1e3:.0f} kB")


main()
