#!/usr/bin/env python3
"""Lets `freshet run` fail at every point where it can, and says what came of it.

    faults.py FRESHET SHIM              every point; hours
    faults.py FRESHET SHIM --quick      a spread of them; under a minute
    faults.py FRESHET SHIM --point smoke2d/force-other/kill/137 --keep

What is claimed, and tried here: whatever fails, a run does not crash; says it has succeeded only if all of it is there;
never touches files that it did not make; and `--resume` afterwards gives the same bits as if nothing had happened, or
says that it cannot.

How faults are made. A library put before the program's own (shim*.c) sees each request for memory and each operation on
files below one folder. It counts them and lets the n-th fail: once or from then on, with the error of one's choice, or
half of a write is done, or the program is killed just before. A clock of its own makes checkpoints fall due at the same
operation each time. For power cuts it writes down every operation with its data, once; disk.py then works out what a
disk may hold when the power goes after operation n, and the folder is made so. The journal is played back to its end
first and compared with the real folder, which shows that the shim has missed nothing.

Kinds of fault:
    none                     nothing fails: the situation by itself
    alloc-once, alloc-ever   the n-th request for memory is refused; that and all later ones are
    io-once, io-ever         the n-th operation on a file gives EIO; that and all later ones do (a dying disk)
    full-disk                from the n-th operation that needs room on there is none (ENOSPC); the first takes half
    short                    the n-th write takes half of what it is given: no error, the program must go on
    kill                     SIGKILL just before the n-th operation that changes something
    cut-drop, cut-empty, cut-zero, cut-random    the power goes after the n-th operation, see disk.py

Situations: a fresh run; --force over a finished run of the same scene, and over one of another scene that is longer and
has other numbers; --resume of a run that was killed. Files of the user's lie in the folder, and inside its folders.

How a point is judged. The run is struck. Status 0 must mean that every frame, table and picture has the bits of the run
that nobody disturbed and that `freshet verify` finds no damage. Any other status than 0, 1, 2, 130 or our own kill is a
crash, and so is a run that hangs; one that ends with 1 or 2 must have said why. Then `--resume` runs undisturbed, and
the same holds for it. A run that has ended with status 0 must be whole after a cut, too. Where --resume says that it
cannot, the point is counted ("said"), and --force must then work if it was advised.

Columns of the table: points tried; crashes; false successes; points at which a file of the user's was lost; failures
without a word; folders in which --force was advised and does not work. These are findings. The rest is for information:
points where --resume said that it cannot go on, and where files of unknown origin were set aside under other names.
"""
import argparse, collections, multiprocessing, os, random, re, shutil, sys, tempfile, time

from disk import write_world
from runs import Program, contents, copy_tree, differences, files_below, is_aside, read_report, touched, tree_digest
from scenes import SCENES
from situations import CLOCK, FAULTS, KINDS, SITUATIONS, Situation

BAD = ("crash", "false", "lost", "mute", "stuck")
KILLED = -9
SKIPPED = 77


class Trial:
    """One point: strikes, judges, and keeps what was found as (kind, words)."""

    def __init__(self, situation, kind, point, work):
        self.situation, self.kind, self.point = situation, kind, point
        self.program = situation.program
        self.box = os.path.join(work, "box")
        self.out = os.path.join(self.box, "out")
        self.report = os.path.join(work, "report")
        self.found, self.message = [], ""
        self.struck, self.said, self.aside = True, False, False

    def find(self, what, words):
        self.found.append((what, " ".join(words.replace(self.box + "/", "").split())[:500]))

    def go(self):
        if self.kind in FAULTS:
            whole = self.strike()
        else:
            whole = self.cut()
        if not whole:
            self.resume()
        lost = touched(os.path.join(self.box, self.situation.inside), self.situation.strangers)
        if lost:
            self.find("lost", f"files of the user's are gone or changed: {', '.join(lost)}")
        self.aside = any(map(is_aside, files_below(self.out)))
        return self

    def strike(self):
        """The run with its fault; true when it claims to be whole."""
        copy_tree(self.situation.box, self.box)
        if os.path.exists(self.report):
            os.remove(self.report)
        faults = {**CLOCK, **FAULTS[self.kind], "FAULTS_AT": self.point, "FAULTS_ROOT": self.box, "FAULTS_REPORT": self.report}
        result = self.program.run(self.situation.scene_file, self.out, *self.situation.words, faults=faults)
        self.struck = read_report(self.report)[1]
        if result[0] == KILLED and self.kind == "kill" and self.struck:
            return False
        return self.judge(result, "the run that was struck")

    def cut(self):
        """The folder as the disk has it after the power went. A run that had ended must be whole."""
        count, _, seed = self.point.partition(".")
        world = self.situation.disk_after(int(count)).world(self.kind[len("cut-"):], seed=f"{self.point}")
        shutil.rmtree(self.box, ignore_errors=True)
        os.makedirs(self.box)
        write_world(world, self.box)
        if int(count) == len(self.situation.operations):
            self.judge_whole("the run that had ended with status 0 before the cut")
        return False

    def judge(self, result, who):
        """Looks at how a run ended and at what it left; true for status 0."""
        status, _, errors = result
        if status not in (0, 1, 2, 130):
            self.find("crash", f"{who} " + ("hangs" if status is None else f"ended by status {status}") + f": {errors[-300:]}")
        elif status != 0 and not errors.strip():
            self.find("mute", f"{who} ended with status {status} and no message")
        elif status == 0:
            self.judge_whole(who)
        return status == 0

    def judge_whole(self, who):
        wrong = differences(contents(self.out, self.situation.strangers if self.situation.inside else ()), self.situation.wanted)
        wrong = wrong or self.program.verify(self.out)
        if wrong:
            self.find("false", f"{who} claims success, but: {wrong}")

    def resume(self):
        as_before = tree_digest(self.box) == self.situation.before
        result = self.program.run(self.situation.scene_file, self.out, "--resume")
        if self.judge(result, "--resume") or result[0] is None:
            return
        self.said = not as_before
        self.message = result[2].strip()
        self.force()

    def force(self):
        """After a --resume that cannot: what it advises must work, and a run that claims to be whole must be."""
        result = self.program.run(self.situation.scene_file, self.out, "--force")
        if not self.judge(result, "--force after --resume") and "--force" in self.message:
            self.find("stuck", f"--resume says '{self.message}' but --force says '{result[2].strip()}'")


# What the workers share with the process that forked them.
situations = {}
options = None


def work_folder():
    path = os.path.join(options.top, f"worker-{os.getpid()}")
    os.makedirs(path, exist_ok=True)
    return path


def try_point(spec):
    scene, name, kind, point = spec
    begin = time.time()
    trial = Trial(situations[scene, name], kind, point, work_folder()).go()
    flags = {"said": trial.said, "aside": trial.aside, "unreached": not trial.struck}
    return spec, trial.found, flags, trial.message.replace(trial.box + "/", ""), time.time() - begin


def spread(points, count, chance):
    """So many points, one from each stretch of equal length: ends and middle are all tried."""
    if not count or len(points) <= count:
        return points
    edges = [i * len(points) // count for i in range(count + 1)]
    return [points[chance.randrange(a, b)] for a, b in zip(edges, edges[1:])]


def all_specs():
    chance = random.Random(options.seed)
    for (scene, name), situation in situations.items():
        for kind in options.kinds:
            points = situation.points(kind, options.worlds)
            points = spread(points[:-1], options.points, chance) + points[-1:]
            if kind in ("cut-drop", "cut-empty", "cut-zero"):
                points = situation.distinct(kind, points)
            for point in points:
                yield scene, name, kind, point


class Tally:
    """The table's numbers, and findings of one sort together."""

    def __init__(self):
        self.rows = collections.defaultdict(collections.Counter)
        self.findings = collections.defaultdict(list)
        self.messages = collections.Counter()

    def add(self, spec, found, flags, message, seconds):
        row = self.rows[spec[:3]]
        row["points"] += 1
        row.update(flags)
        row["seconds"] += seconds
        for what in {f[0] for f in found}:
            row[what] += 1
        for what, words in found:
            self.findings[spec[:3] + (what,)].append((spec[3], words))
        if flags["said"]:
            self.messages[alike(message)] += 1

    def bad(self):
        return sum(row[what] for row in self.rows.values() for what in BAD)


def alike(message):
    """A message without numbers, so that like ones count together."""
    return re.sub(r"\d+", "#", " ".join(message.split()))[:300]


HEADER = ("scene", "situation", "fault", "points", "crash", "false", "lost", "mute", "stuck", "said", "aside", "s")


def place_of(key):
    return list(SCENES).index(key[0]), SITUATIONS.index(key[1]), KINDS.index(key[2])


def table_rows(tally, by):
    """Rows of the table, added up over what is not in `by` (places in scene, situation, kind)."""
    sums = collections.defaultdict(collections.Counter)
    for key, row in sorted(tally.rows.items(), key=lambda item: place_of(item[0])):
        sums[tuple(key[i] if i in by else "all" for i in range(3))].update(row)
    for key, row in sums.items():
        yield (*key, *(row[c] for c in ("points", *BAD, "said", "aside")), f"{row['seconds']:.0f}")


def print_table(rows, markdown):
    rows = [tuple(map(str, r)) for r in rows]
    if markdown:
        print("| " + " | ".join(HEADER) + " |\n|" + "---|" * len(HEADER))
        for r in rows:
            print("| " + " | ".join(r) + " |")
        return
    widths = [max(len(r[i]) for r in [HEADER, *rows]) for i in range(len(HEADER))]
    for r in (HEADER, *rows):
        print("  ".join(c.ljust(w) if i < 3 else c.rjust(w) for i, (c, w) in enumerate(zip(r, widths))))


def print_findings(tally):
    """A few of each sort, with the command that does one of them again."""
    again = f"{sys.argv[0]} {options.freshet} {options.shim} --keep --point"
    for (scene, name, kind, what), found in sorted(tally.findings.items()):
        print(f"\n{what.upper()} at {len(found)} points of {scene}/{name}/{kind}: {' '.join(p for p, _ in found[:12])}{' …' if len(found) > 12 else ''}")
        for point, words in found[:options.show]:
            print(f"  {words}\n    {again} {scene}/{name}/{kind}/{point}")
    unreached = sum(row["unreached"] for key, row in tally.rows.items() if key[2] in FAULTS and key[2] != "none")
    if unreached:
        print(f"\n{unreached} faults were not reached: these runs did less than the one that was counted, and were judged as they ended")
    if tally.messages:
        print("\nwhat --resume said where it could not go on:")
    for message, count in tally.messages.most_common(12):
        print(f"  {count:6d} × {message}")


def stand_in_for_ffmpeg():
    """A film maker that keeps the pictures' bytes as they are. ffmpeg takes most of a run's time; the spread of a few
    points goes through it, and every point through this one."""
    folder = os.path.join(options.top, "bin")
    os.makedirs(folder)
    path = os.path.join(folder, "ffmpeg")
    with open(path, "w") as f:
        f.write('#!/bin/sh\nfor target; do :; done\nexec cat > "${target#file:}"\n')
    os.chmod(path, 0o755)
    os.environ["PATH"] = folder + ":" + os.environ["PATH"]


def prepare():
    if not options.quick:
        stand_in_for_ffmpeg()
    program = Program(os.path.abspath(options.freshet), os.path.abspath(options.shim))
    for scene in options.scenes:
        for name in options.situations:
            situations[scene, name] = Situation(program, options.top, scene, name).prepare()


def run_all(specs):
    tally, begin, last = Tally(), time.time(), time.time()
    print(f"{len(specs)} points in {len(situations)} situations", flush=True)
    with multiprocessing.get_context("fork").Pool(options.jobs) as pool:
        for done, result in enumerate(pool.imap_unordered(try_point, specs, chunksize=4), 1):
            tally.add(*result)
            for what, words in result[1]:
                print(f"{what.upper()} at {'/'.join(result[0])}: {words}", flush=True)
            if time.time() - last > 10 or done == len(specs):
                last = time.time()
                left = (last - begin) / done * (len(specs) - done)
                print(f"{done}/{len(specs)} points, {tally.bad()} findings, {last - begin:.0f} s, about {left:.0f} s left", flush=True)
    return tally


def parse():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("freshet")
    parser.add_argument("shim", help="the library made of shim*.c")
    parser.add_argument("--quick", action="store_true", help="two points of every sort")
    parser.add_argument("--points", type=int, default=0, metavar="N", help="so many points of every sort, spread, and the last one (all)")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--worlds", type=int, default=2, help="random worlds of each power cut")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--scenes", nargs="+", default=list(SCENES), choices=list(SCENES))
    parser.add_argument("--situations", nargs="+", default=list(SITUATIONS), choices=SITUATIONS)
    parser.add_argument("--kinds", nargs="+", default=list(KINDS), choices=KINDS)
    parser.add_argument("--point", help="scene/situation/kind/n: this one alone, with all that is known of it")
    parser.add_argument("--keep", action="store_true", help="keep the folders")
    parser.add_argument("--show", type=int, default=2, help="findings of each sort that are shown in full")
    parser.add_argument("--markdown", action="store_true", help="the table for a page")
    found = parser.parse_args()
    found.points = found.points or (1 if found.quick else 0)
    if found.point:
        scene, name, kind, point = found.point.split("/")
        found.scenes, found.situations, found.kinds, found.jobs = [scene], [name], [kind], 1
    return found


def sanitized(path):
    """A program with a sanitizer brings its own malloc: the shim cannot stand before it."""
    with open(path, "rb") as f:
        program = f.read()
    return any(mark in program for mark in (b"__asan_init", b"__tsan_init", b"__msan_init"))


def main():
    global options
    options = parse()
    if sanitized(options.freshet):
        print("skipped: the program is built with a sanitizer, whose malloc cannot be put before another")
        return SKIPPED
    options.top = os.path.realpath(tempfile.mkdtemp(prefix="freshet-faults-", dir="/dev/shm" if os.path.isdir("/dev/shm") else None))
    try:
        prepare()
        point = options.point and tuple(options.point.split("/"))
        tally = run_all([point] if point else list(all_specs()))
    finally:
        if options.keep:
            print(f"the folders are kept: {options.top}")
        else:
            shutil.rmtree(options.top, ignore_errors=True)
    print_findings(tally)
    print()
    print_table(table_rows(tally, (0, 1, 2) if not options.markdown else (1, 2)), options.markdown)
    print_table(table_rows(tally, ()), options.markdown)
    return 1 if tally.bad() else 0


if __name__ == "__main__":
    sys.exit(main())
