#!/usr/bin/env python3
"""Checks that no line of C is longer than the ColumnLimit of .clang-format."""
import pathlib, re, sys

FOLDERS = ("src", "include", "apps", "bench", "tests", "examples")


def main():
    root = pathlib.Path(__file__).resolve().parent.parent
    limit = int(re.search(r"ColumnLimit: (\d+)", (root / ".clang-format").read_text())[1])
    files = [p for folder in FOLDERS for p in sorted((root / folder).rglob("*.[ch]"))]
    long = [f"{p}:{n}: {len(line)} columns; {limit} is the most" for p in files
            for n, line in enumerate(p.read_text(encoding="utf-8").splitlines(), 1) if len(line) > limit]
    for line in long:
        print(line)
    print(f"columns: {len(files)} files of C, {len(long)} lines of more than {limit} columns")
    sys.exit(1 if long else 0)


main()
