#!/usr/bin/env python3
"""Checks that includes point one way through the layers, and that only base/ starts threads for work.

    base -> linalg, geom -> grid, particles, rigid -> surface -> model -> stage -> method -> world

scene, io and render see base and the public headers; apps, examples and benchmarks see the public headers only."""
import pathlib
import re
import sys

RANK = {name: rank for rank, names in enumerate(
    [["base"], ["linalg", "geom"], ["grid", "particles", "rigid"], ["surface"], ["model"], ["stage"], ["method"], ["world"]])
    for name in names}
ASIDE = {"scene", "io", "render"}
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


def check_outside(path, troubles):
    """Programs outside src/ may include their own files beside them and <freshet/...>."""
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        found = INCLUDE.match(line)
        if found and not (path.parent / found.group(1)).exists():
            troubles.append(f"{path}:{number}: only <freshet/...> and files beside it may be included here, not {found.group(1)}")


def main():
    root = pathlib.Path(__file__).resolve().parent.parent
    troubles = []
    sources = sorted(p for p in (root / "src").rglob("*") if p.suffix in (".c", ".h", ".cpp"))
    for path in sources:
        check_source(root, path, troubles)
    outside = [p for folder in ("apps", "examples") for p in sorted((root / folder).rglob("*.[ch]"))]
    for path in outside:
        check_outside(path, troubles)
    for trouble in troubles:
        print(trouble)
    print(f"layers: {len(sources)} files of src/ and {len(outside)} of apps/ and examples/, {len(troubles)} wrong includes")
    sys.exit(1 if troubles else 0)


main()
