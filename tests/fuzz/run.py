#!/usr/bin/env python3
"""Runs the fuzzers of a build, two at a time, so many seconds each: run.py BUILD SECONDS [NAME...]. Fails on any finding.

What they learn is kept in BUILD/corpus, what they find in BUILD/findings; neither touches the files under tests/fuzz/corpus."""
import concurrent.futures, glob, os, subprocess, sys

HERE = os.path.dirname(os.path.abspath(__file__))
NAMES = ["scene", "nodes", "reply", "mesh", "cache", "checkpoint"]
LONGEST = {"scene": 8192, "nodes": 4096, "reply": 8192, "mesh": 8192, "cache": 65536, "checkpoint": 65536}   # bytes of an input


def fuzz(build, seconds, name):
    learnt, findings = os.path.join(build, "corpus", name), os.path.join(build, "findings")
    os.makedirs(learnt, exist_ok=True)
    os.makedirs(findings, exist_ok=True)
    command = [os.path.join(build, "tests", "fuzz", "fuzz_" + name), f"-max_total_time={seconds}", f"-max_len={LONGEST[name]}", "-timeout=60",
               "-rss_limit_mb=4096", "-malloc_limit_mb=1000000",   # blocks that are asked for and not used are no harm
               f"-artifact_prefix={findings}/{name}-", "-print_final_stats=1", learnt, os.path.join(HERE, "corpus", name)]
    words = os.path.join(HERE, "words", name + ".txt")
    if os.path.exists(words):
        command.insert(1, "-dict=" + words)
    with open(os.path.join(findings, name + ".log"), "w") as log:
        status = subprocess.run(command, stdout=log, stderr=log).returncode
    return status


def main():
    build, seconds, names = os.path.abspath(sys.argv[1]), int(sys.argv[2]), sys.argv[3:] or NAMES
    failed = []
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        for name, status in zip(names, pool.map(lambda n: fuzz(build, seconds, n), names)):
            log = os.path.join(build, "findings", name + ".log")
            lines = [line.split(":")[-1].strip() for line in open(log, errors="replace") if line.startswith("stat::number_of_executed_units")]
            print(f"{name}: {lines[0] if lines else '?'} inputs, " + (f"a finding (exit {status}): see {log}" if status else "nothing found"))
            failed += [name] if status else []
    for path in glob.glob(os.path.join(build, "findings", "*-*")) if failed else []:
        print(path)
    sys.exit(1 if failed else 0)


main()
