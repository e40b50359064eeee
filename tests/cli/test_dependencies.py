#!/usr/bin/env python3
"""docs/dependencies.md names what the library is linked with, no more and no less, and every package that scripts/deps.sh installs.
usage: test_dependencies.py PATH/TO/freshet"""
import os, pathlib, re, subprocess

from support import EXE, check, finish

ROOT = pathlib.Path(__file__).resolve().parents[2]
SANITIZERS = re.compile(r"lib(asan|ubsan|tsan|lsan)\.so")


def needed():
    """The libraries that libfreshet.so asks the loader for."""
    r = subprocess.run(["readelf", "-d", os.path.join(os.path.dirname(EXE), "libfreshet.so")], capture_output=True, text=True)
    names = set(re.findall(r"\(NEEDED\).*\[(.*)\]", r.stdout))
    check(names, f"readelf reads the library {r.stderr.strip()}")
    return {name for name in names if not SANITIZERS.match(name)}


def rows(page, heading):
    """The cells of a section's table, without its head."""
    section = page.split(f"## {heading}\n")[1].split("\n## ")[0]
    lines = [line for line in section.splitlines() if line.startswith("|")]
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in lines[2:]]


def installed(package):
    try:
        r = subprocess.run(["dpkg-query", "-W", "-f=${db:Status-Status}", package], capture_output=True, text=True)
    except FileNotFoundError:
        return False
    return r.stdout == "installed"


def linked(page):
    libraries = needed()
    named = set()
    for row in rows(page, "Linked into the library"):
        name, sonames = row[0], set(re.findall(r"`([^`]*\.so[^`]*)`", row[1]))
        named |= sonames
        # What may be left out is linked wherever its package is there.
        if row[-1] == "required" or installed(re.findall(r"`([^`]*)`", row[2])[0]):
            check(sonames & libraries, f"{name} is linked, as the page says")
    for name in sorted(libraries):
        check(name in named, f"the page names {name}")


def packages(page):
    script = (ROOT / "scripts" / "deps.sh").read_text()
    for package in re.search(r'packages="([^"]*)"', script).group(1).split():
        check(f"`{package}`" in page, f"the page names the package {package}")


def linked_from():
    for page in ("README.md", "docs/library.md"):
        check("dependencies.md" in (ROOT / page).read_text(), f"{page} links the page")


page = (ROOT / "docs" / "dependencies.md").read_text()
linked(page)
packages(page)
linked_from()
finish()
