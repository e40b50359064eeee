#!/usr/bin/env python3
"""Adds the method of this folder to a copy of the tree: add.py TREE. Four files of the tree change, a line or two each."""
import pathlib, shutil, sys

HERE = pathlib.Path(__file__).resolve().parent
CHANGES = {
    "include/freshet/defs.h": [   # its enumerator and its parameters
        ("FR_METHOD_LIQUID }", "FR_METHOD_LIQUID, FR_METHOD_INK }"),
        ("    fr_river_def river;\n", "    fr_river_def river;\n    struct { double diffusion; } ink;   /* m²/s */\n")],
    "src/world/methods.c": [      # its line in the table of methods
        ('#include "smoke/smoke.h"\n', '#include "ink/ink.h"\n#include "smoke/smoke.h"\n'),
        ("    [FR_METHOD_SMOKE] = &method_smoke,\n", "    [FR_METHOD_SMOKE] = &method_smoke,\n    [FR_METHOD_INK] = &method_ink,\n")],
    "cmake/layers.cmake": [("mac smoke ", "mac ink smoke ")],             # its folder in the list of layers
    "scripts/check_layers.py": [('["smoke", ', '["ink", "smoke", ')],
}


def main():
    tree = pathlib.Path(sys.argv[1])
    (tree / "src/ink").mkdir()
    for name in ("ink.c", "ink.h"):
        shutil.copy(HERE / name, tree / "src/ink" / name)
    for path, changes in CHANGES.items():
        text = (tree / path).read_text(encoding="utf-8")
        for old, new in changes:
            if text.count(old) != 1:
                sys.exit(f"add.py: {path} has no single place that reads '{old.strip()}'")
            text = text.replace(old, new)
        (tree / path).write_text(text, encoding="utf-8")


main()
