#!/usr/bin/env python3
"""Installs the build into a folder and builds the example program against it, by pkg-config and by CMake.
usage: test_install.py PATH/TO/freshet"""
import os, pathlib, shutil, subprocess

from support import EXE, check, finish, folder

EXAMPLE = pathlib.Path(__file__).resolve().parents[2] / "examples" / "plume.c"
PROJECT = """cmake_minimum_required(VERSION 3.22)
project(plume C)
find_package(freshet 0.2 REQUIRED)
add_executable(plume plume.c)
target_link_libraries(plume PRIVATE freshet::freshet)
"""


def run(*command, **options):
    return subprocess.run([str(word) for word in command], capture_output=True, text=True, timeout=120, **options)


def works(r, what):
    return check(r.returncode == 0, what + ("" if r.returncode == 0 else f" ({(r.stdout + r.stderr)[-300:]})"))


def by_pkg_config(work, prefix):
    environment = dict(os.environ, PKG_CONFIG_PATH=str(next(prefix.rglob("pkgconfig"))))
    flags = run("pkg-config", "--cflags", "--libs", "freshet", env=environment).stdout.split()
    libraries = next(prefix.rglob("libfreshet.so")).parent
    if works(run("cc", EXAMPLE, *flags, "-o", work / "plume"), "the example builds by pkg-config"):
        ran = run(work / "plume", env=dict(os.environ, LD_LIBRARY_PATH=str(libraries)))
        check(ran.returncode == 0 and "smoke_mass = 0.0" in ran.stdout, "and runs")


def by_cmake(work, prefix):
    project = work / "project"
    project.mkdir()
    shutil.copy(EXAMPLE, project / "plume.c")
    (project / "CMakeLists.txt").write_text(PROJECT)
    if works(run("cmake", "-S", project, "-B", project / "build", f"-DCMAKE_PREFIX_PATH={prefix}"), "the CMake package is found"):
        works(run("cmake", "--build", project / "build"), "the example builds by CMake")


work = pathlib.Path(folder())
prefix = work / "prefix"
if works(run("cmake", "--install", pathlib.Path(EXE).parent, "--prefix", prefix), "cmake --install"):
    works(run(prefix / "bin" / "freshet", "--version"), "the installed program runs")
    by_pkg_config(work, prefix)
    by_cmake(work, prefix)
finish()
