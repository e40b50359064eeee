#!/usr/bin/env python3
"""freshet validate as a user runs it: names, groups, tables, records, plots, exit statuses."""
import json, math, os, subprocess, sys
import xml.etree.ElementTree as ElementTree
from support import *


def judged_alike(row):
    """The verdict follows from the numbers of the row."""
    if not row["judged"]:
        return row["passed"] and row["limit"] is None
    measured, published, limit, mark = row["measured"], row["published"], row["limit"], row["mark"]
    if measured is None:
        return not row["passed"]
    if mark.startswith("at least"):
        return row["passed"] == (measured >= limit)
    if mark.startswith("at most"):
        return row["passed"] == (measured <= limit)
    away = abs(measured - published)
    return mark.startswith("within") and row["passed"] == (away <= limit * (abs(published) if row["deviation_is_relative"] else 1))


def test_names():
    listed = go("validate", "--list")
    succeeds(listed, "validate --list")
    check(all(name in listed.stdout for name in ("cavity-100", "taylor-green-2d", "heated-cavity-1e4", "kelvin", "river-couette", "quick", "full")), "lists cases and groups")
    fails(go("validate", "cavity-10"), 2, ["there is no case 'cavity-10'", "did you mean 'cavity-100'?"], "a misspelt case")
    fails(go("validate", "--fulll"), 2, ["did you mean"], "a misspelt option")


def test_case():
    where = folder()
    out = f"{where}/a folder/records"
    r = go("validate", "heated-cavity-1e3", "-o", out, "--threads", "1")
    succeeds(r, "one case")
    check(all(word in r.stdout for word in ("measured", "published", "deviation", "pass", "Nusselt", "1 passed, 0 failed")), "prints its table")
    check(sorted(os.listdir(out)) == [f"heated-cavity-1e3.{end}" for end in ("json", "png", "svg")], "writes record and plots, nothing else")
    record = json.load(open(f"{out}/heated-cavity-1e3.json"))
    check(record["case"] == "heated-cavity-1e3" and record["passed"] and record["seconds"] > 0, "the record names the case")
    check(record["rows"] and all(map(judged_alike, record["rows"])), "every verdict follows from its numbers")
    nusselt = record["rows"][0]
    check(math.isclose(nusselt["deviation"], nusselt["measured"] / nusselt["published"] - 1, abs_tol=1e-12), "the deviation is that of the numbers")
    check(ElementTree.parse(f"{out}/heated-cavity-1e3.svg").getroot().tag.endswith("svg"), "the plot is SVG")
    return record


def test_melting():
    """What melts and flows, against exact profiles, with every tracker."""
    out = folder()
    r = go("validate", "melting-couette", "melting-film", "-o", out, "--threads", "1")
    succeeds(r, "two layers and a film")
    check("2 passed, 0 failed" in r.stdout, "both pass")
    names = [row["quantity"] for row in json.load(open(f"{out}/melting-couette.json"))["rows"]]
    check(all(any(tracker in name for name in names) for tracker in ("level set", "markers", "flip", "apic")), "by every tracker")


def test_json(record):
    where = folder()
    r = go("validate", "heated-cavity-1e3", "--json", "-o", where, "--threads", "2")
    succeeds(r, "validate --json")
    whole = json.loads(r.stdout)
    check((whole["passed"], whole["failed"], len(whole["cases"])) == (1, 0, 1), "one object with the count")
    check(whole["cases"][0]["rows"] == record["rows"], "the same numbers with two threads")


def test_no_place():
    where = folder()
    fails(go("validate", "heated-cavity-1e3", "-o", write(f"{where}/file", "")), 1, [where], "a folder that is a file")


def test_page(record):
    """The page is what the script makes of the kept records, and those have the rows and marks of the program as it is."""
    root = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
    kept = f"{root}/docs/pictures/validation"
    made = subprocess.run([sys.executable, f"{root}/scripts/validation_page.py", kept, EXE], capture_output=True, text=True)
    check(made.returncode == 0 and made.stdout == open(f"{root}/docs/validation.md").read(), "docs/validation.md is made from its records")
    marks = lambda rows: [(row["quantity"], row["mark"]) for row in rows]
    check(marks(json.load(open(f"{kept}/{record['case']}.json"))["rows"]) == marks(record["rows"]), "the record has today's rows and marks")


test_names()
first = test_case()
test_melting()
test_json(first)
test_page(first)
test_no_place()
finish()
