#!/usr/bin/env python3
"""Particles as VTK's PolyData: the file is parsed as VTK would, and its numbers are those of the NPY files and of the physics.
usage: test_vtk.py PATH/TO/freshet"""
import array, os, shutil, struct, sys
import xml.etree.ElementTree as xml

from support import check, fails, finish, folder, go, scene, succeeds

FLOW = """return { method="smoke", domain={size={1,1}, cells=16}, time={duration=0.5, fps=8}, prescribed={velocity={0.5,0}},
  particles={tracers{shape=circle{radius=0.1}, at={0.3,0.5}, count=40}, tracers{shape=circle{radius=0.1}, at={0.3,0.2}, rate=100, from=0.2}},
  output={npy=true, vtk=true} }"""
CODES = {"Float32": "f", "Int32": "i", "Int64": "q"}


def numbers(code, data):
    values = array.array(code, data)
    if sys.byteorder == "big":
        values.byteswap()
    return values


def read_vtp(path):
    """The piece, the time, and the arrays by name; every byte of the appended part must belong to one of them."""
    whole = open(path, "rb").read()
    begin, end = whole.index(b'<AppendedData encoding="raw">'), whole.rindex(b"</AppendedData>")
    raw = whole[whole.index(b"_", begin) + 1:end - 1]
    root = xml.fromstring(whole[:begin] + whole[end + len(b"</AppendedData>"):])
    check(dict(root.attrib) == {"type": "PolyData", "version": "1.0", "byte_order": "LittleEndian", "header_type": "UInt64"}, "a VTKFile of PolyData")
    piece, arrays, used = root.find("PolyData/Piece"), {}, 0
    for item in piece.iter("DataArray"):
        offset = int(item.get("offset"))
        length, = struct.unpack_from("<Q", raw, offset)
        used += 8 + length
        values = numbers(CODES[item.get("type")], raw[offset + 8:offset + 8 + length])
        check(len(values) == int(item.get("NumberOfComponents")) * int(piece.get("NumberOfPoints")), f"{item.get('Name')} has a value per particle")
        arrays[item.get("Name")] = values
    check(used == len(raw), "the arrays fill the appended part")
    return piece, float(root.find("PolyData/FieldData/DataArray").text), arrays


def read_npy(path, code="f"):
    data = open(path, "rb").read()
    return numbers(code, data[10 + data[8] + 256 * data[9]:])


def test_frames(out):
    known = {}
    for frame in range(5):
        piece, time, a = read_vtp(f"{out}/vtk/particles_{frame:06d}.vtp")
        count = int(piece.get("NumberOfPoints"))
        check(time == frame / 8, f"frame {frame}: its time")
        check(a["position"] == read_npy(f"{out}/npy/{frame:06d}/particles.npy") and a["velocity"] == read_npy(f"{out}/npy/{frame:06d}/particle_velocity.npy"),
              f"frame {frame}: places and velocities are those of the NPY files")
        check(a["age"] == read_npy(f"{out}/npy/{frame:06d}/particle_age.npy") and a["id"] == read_npy(f"{out}/npy/{frame:06d}/particle_id.npy", "q"),
              f"frame {frame}: ages and ids, too")
        check(list(a["connectivity"]) == list(range(count)) and list(a["offsets"]) == list(range(1, count + 1)), f"frame {frame}: each is a vertex")
        check(len(set(a["id"])) == count and all(n >> 48 == kind - 1 for n, kind in zip(a["id"], a["kind"])), f"frame {frame}: ids differ, and tell the kind")
        check(sum(kind == 1 for kind in a["kind"]) == 40, f"frame {frame}: all of the first kind are there")
        late = [age for age, kind in zip(a["age"], a["kind"]) if kind == 2]
        check(all(abs(age - (time - 0.2 - i / 100)) < 1e-5 for i, age in enumerate(late)), f"frame {frame}: those that come one by one are as old as they should be")
        for n, number in enumerate(a["id"]):      # in a flow of 0.5 m/s everyone's x − age/2 stays
            start = a["position"][3 * n] - 0.5 * a["age"][n]
            if abs(known.setdefault(number, start) - start) > 1e-5:
                check(False, f"frame {frame}: particle {number} is not who it was")
    check(len(known) == 40 + 30, "70 particles in all")


def test_export(where, out):
    kept = {name: open(f"{out}/vtk/{name}", "rb").read() for name in os.listdir(f"{out}/vtk")}
    succeeds(go("verify", out), "verify knows them")
    shutil.rmtree(f"{out}/vtk")
    missed = go("verify", out)
    check(missed.returncode == 1 and "vtk/particles_000002.vtp: is missing" in missed.stdout, "verify misses them")
    succeeds(go("export", out, "--vtk"), "export --vtk")
    check(kept == {name: open(f"{out}/vtk/{name}", "rb").read() for name in os.listdir(f"{out}/vtk")}, "from the cache they have the same bits")
    bare = f"{where}/bare"
    plain = scene(FLOW[:FLOW.index("particles")] + "}", where)
    succeeds(go("run", plain, "-o", bare, "--quiet"), "a run without particles")
    fails(go("export", bare, "--vtk"), 1, ["no particles", "cache"], "has nothing to export to VTK")
    fails(go("run", plain, "-o", bare, "--set", "output.vtk=true"), 2, ["output.vtk", "particles"], "and nothing to write")


def main():
    where = folder()
    out = f"{where}/out"
    succeeds(go("run", scene(FLOW, where), "-o", out, "--quiet"), "a run with particles")
    test_frames(out)
    test_export(where, out)
    succeeds(go("run", scene(FLOW, where), "-o", out, "--quiet", "--force", "--set", "output.vtk=false"), "--force without vtk")
    check(not os.path.exists(f"{out}/vtk"), "--force removes the old files")


main()
finish()
