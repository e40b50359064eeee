#!/usr/bin/env python3
"""Runs the stranger's contract check where it lies beside the source tree."""
import os, subprocess, sys

here = os.path.dirname(os.path.abspath(__file__))
script = os.path.normpath(os.path.join(here, "..", "..", "..", "shared", "check", "contract.py"))
if not os.path.exists(script):
    print("skipped: the contract check is not beside the source tree\n0 passed, 0 failed")
    sys.exit(0)
sys.exit(subprocess.run([sys.executable, script, os.path.abspath(sys.argv[1]), "smoke", "sph", "river", "liquid",
                         "melting"]).returncode)
