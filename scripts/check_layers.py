#!/usr/bin/env python3
"""Checks that includes point one way through the layers, and that only base/ starts threads for work.

    base -> linalg, geom -> grid, particles, rigid -> surface, hybrid -> method -> mac -> smoke, liquid, river, sph -> world

Methods do not include each other. scene, io and render see base and the public headers; apps and examples see the public
headers only. A folder has at most 40 files of code."""
import pathlib
import re
import sys

RANK = {name: rank for rank, names in enumerate(
    [["base"], ["linalg", "geom"], ["grid", "particles", "rigid"], ["surface", "hybrid"], ["method"], ["mac"],
     ["smoke", "liquid", "river", "sph"], ["world"]])
    for name in names}
ASIDE = {"scene", "io", "render"}
PROGRAMS = ("apps/cli", "examples")     # each includes its own files from its top folder
MOST_FILES = 40
INCLUDE = re.compile(r'^\s*#\s*include\s*"([^"]+)"')


def allowed(layer, other):
    if other == layer:
        return True
    if layer in ASIDE:
        return other == "base"
    return RANK.get(other, 99) < RANK[layer]


def check_source(root, path, troubles):
    layer = path.relative_to(root / "src").parts[0]
    if layer not in RANK and layer not in ASIDE:
        troubles.append(f"{path}: '{layer}' is not a layer")
        return
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        found = INCLUDE.match(line)
        if found:
            other = found.group(1).split("/")[0] if "/" in found.group(1) else layer
            if not allowed(layer, other):
                troubles.append(f"{path}:{number}: {layer} must not include {found.group(1)}")
        if layer != "base" and re.search(r"#\s*pragma\s+omp|<omp\.h>|\bpthread_create\b", line):
            troubles.append(f"{path}:{number}: threads belong in base/pool.c")


def check_outside(root, path, troubles):
    """Programs outside src/ include <freshet/...> and files of their own: beside them, or from the program's top folder."""
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        found = INCLUDE.match(line)
        if found and not any((folder / found.group(1)).exists() for folder in (path.parent, root)):
            troubles.append(f"{path}:{number}: only <freshet/...> and the program's own files may be included here, not {found.group(1)}")


def check_inside(root, path, troubles):
    """Benchmarks measure parts, and sample methods are parts to be: they see the private headers, which must exist."""
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        found = INCLUDE.match(line)
        if found and not any((folder / found.group(1)).exists() for folder in (path.parent, path.parent.parent, root / "src")):
            troubles.append(f"{path}:{number}: there is no {found.group(1)} beside it or in src/")


def check_rooms(folders, troubles):
    """A folder that has grown long wants sub-folders: a newcomer finds a file by its folder's name."""
    for folder in folders:
        count = sum(1 for p in folder.iterdir() if p.is_file())
        if count > MOST_FILES:
            troubles.append(f"{folder}: {count} files; {MOST_FILES} is the most, make sub-folders")


def main():
    root = pathlib.Path(__file__).resolve().parent.parent
    troubles = []
    sources = sorted(p for p in (root / "src").rglob("*") if p.suffix in (".c", ".h", ".cpp"))
    for path in sources:
        check_source(root, path, troubles)
    samples = [p for folder in (root / "examples").iterdir() if folder.is_dir() for p in sorted(folder.rglob("*.[ch]"))]
    outside = [(top, p) for top in PROGRAMS for p in sorted((root / top).rglob("*.[ch]")) if p not in samples]
    for top, path in outside:
        check_outside(root / top, path, troubles)
    for path in [*sorted((root / "bench").rglob("*.[ch]")), *samples]:
        check_inside(root, path, troubles)
    tops = [root / name for name in ("src", "include", "apps", "bench", "examples", "scenes", "tests/unit", "tests/verify", "tests/property", "tests/cli")]
    check_rooms([folder for top in tops for folder in [top, *(p for p in top.rglob("*") if p.is_dir())]], troubles)
    for trouble in troubles:
        print(trouble)
    print(f"layers: {len(sources)} files of src/ and {len(outside)} of apps/ and examples/, {len(troubles)} wrong")
    sys.exit(1 if troubles else 0)


main()
