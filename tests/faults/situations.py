"""The situations in which a run is struck: a box with the folder as it stands before, and what is to come out."""
import os
from errno import EIO, ENOMEM, ENOSPC

from disk import Disk, play, read_journal, WORLDS
from runs import contents, copy_tree, read_report, tree_digest
from scenes import SCENES, name_of, other, put_strangers

SITUATIONS = ("fresh", "force-same", "force-other", "resume")
CLOCK = {"FAULTS_CLOCK": "ledger.csv"}
CHANGES = "create,write,rename,remove,truncate,mkdir,link"

# How each kind of fault is asked of the shim.
FAULTS = {
    "none": {"FAULTS_MODE": "count", "FAULTS_KIND": "none"},
    "alloc-once": {"FAULTS_MODE": "once", "FAULTS_KIND": "alloc", "FAULTS_ERRNO": ENOMEM},
    "alloc-ever": {"FAULTS_MODE": "forever", "FAULTS_KIND": "alloc", "FAULTS_ERRNO": ENOMEM},
    "io-once": {"FAULTS_MODE": "once", "FAULTS_KIND": "file", "FAULTS_ERRNO": EIO},
    "io-ever": {"FAULTS_MODE": "forever", "FAULTS_KIND": "file", "FAULTS_ERRNO": EIO},
    "full-disk": {"FAULTS_MODE": "forever", "FAULTS_KIND": "space", "FAULTS_ERRNO": ENOSPC},
    "short": {"FAULTS_MODE": "short", "FAULTS_KIND": "write"},
    "kill": {"FAULTS_MODE": "kill", "FAULTS_KIND": CHANGES},
}
CUTS = tuple("cut-" + kind for kind in WORLDS)
KINDS = tuple(FAULTS) + CUTS
GROUPS = {"file": "open,create,read,write,sync,rename,remove,truncate,mkdir,link,close", "space": "create,write,mkdir,link"}


class Situation:
    """One scene in one situation. Prepared once; every point begins with a copy of its box."""

    def __init__(self, program, top, scene, name):
        self.program, self.scene, self.name = program, scene, name
        self.text = SCENES[scene]
        self.work = os.path.join(top, f"{scene}.{name}")
        self.box = os.path.join(self.work, "box")
        self.scene_file = os.path.join(self.work, "scene.lua")
        self.words = {"force-same": ("--force",), "force-other": ("--force",), "resume": ("--resume",)}.get(name, ())
        # a run into a folder that is not there yet, in some of the scenes
        self.inside = "" if name == "fresh" and scene.endswith("3d") else "out"

    def prepare(self):
        os.makedirs(self.box)
        with open(self.scene_file, "w") as f:
            f.write(self.text)
        self.wanted = self.undisturbed()
        self.make_before()
        self.strangers = put_strangers(os.path.join(self.box, self.inside), name_of(self.text), self.name != "fresh")
        self.before = tree_digest(self.box)
        self.journal()
        return self

    def must(self, result, what):
        if result[0] != 0:
            raise SystemExit(f"{self.scene}, {self.name}: {what} ended with status {result[0]}: {result[2][-500:]}")

    def undisturbed(self):
        """The run as it should be; one for all situations of a scene."""
        out = os.path.join(self.work, "..", f"{self.scene}.wanted")
        if not os.path.exists(out):
            self.must(self.program.run(self.scene_file, out, faults=CLOCK), "the undisturbed run")
        wanted = contents(out)
        if "ledger.csv" not in wanted or not any("000002" in path for path in wanted):
            raise SystemExit(f"{self.scene}: the undisturbed run left no frames to compare with")
        return wanted

    def make_before(self):
        """The run that was there before, if any."""
        out = os.path.join(self.box, "out")
        if self.name == "force-same":
            self.must(self.program.run(self.scene_file, out, faults=CLOCK), "the run before")
        elif self.name == "force-other":
            path = os.path.join(self.work, "other.lua")
            with open(path, "w") as f:
                f.write(other(self.text))
            self.must(self.program.run(path, out, faults=CLOCK), "the run before")
        elif self.name == "resume":
            self.kill_half_way(out)

    def kill_half_way(self, out):
        trial = os.path.join(self.work, "trial")
        counts = self.count(self.scene_file, trial)
        at = sum(counts[k] for k in CHANGES.split(",")) * 6 // 10
        self.program.run(self.scene_file, out, faults={**CLOCK, **FAULTS["kill"], "FAULTS_ROOT": out, "FAULTS_AT": at})

    def count(self, scene, out, *words):
        report = os.path.join(self.work, "report")
        if os.path.exists(report):
            os.remove(report)
        faults = {**CLOCK, "FAULTS_MODE": "count", "FAULTS_ROOT": out, "FAULTS_REPORT": report}
        self.must(self.program.run(scene, out, *words, faults=faults), "a counted run")
        return read_report(report)[0]

    def journal(self):
        """One run with everything it does to the disk, and the counts that go with it."""
        live, path, report = (os.path.join(self.work, n) for n in ("live", "journal", "report"))
        copy_tree(self.box, live)
        for old in (path, report):
            if os.path.exists(old):
                os.remove(old)
        faults = {**CLOCK, "FAULTS_MODE": "journal", "FAULTS_ROOT": live, "FAULTS_JOURNAL": path, "FAULTS_REPORT": report}
        self.must(self.program.run(self.scene_file, os.path.join(live, "out"), *self.words, faults=faults), "the run with a journal")
        self.counts = read_report(report)[0]
        self.operations = read_journal(path, live)
        self.check_journal(live)

    def check_journal(self, live):
        """Played back, the journal must give the folder that the run left: else the shim has missed something."""
        disk = self.disk_after(len(self.operations))
        played, real = disk.everything(), Disk.of_tree(live).everything()
        wrong = [p for p in set(played) | set(real) if isinstance(played.get(p), bytes) and played.get(p) != real.get(p)
                 or (p in played) != (p in real)]
        if wrong:
            raise SystemExit(f"{self.scene}, {self.name}: the journal misses what was done to {sorted(wrong)[:5]}")

    def disk_after(self, count):
        disk = Disk.of_tree(self.box)
        for operation in self.operations[:count]:
            play(disk, operation)
        return disk

    def points(self, kind, seeds=1):
        """Every place where a fault of this kind can strike."""
        if kind == "none":
            return ["1"]
        if kind in FAULTS:
            chosen = FAULTS[kind]["FAULTS_KIND"]
            return [str(n) for n in range(1, sum(self.counts[k] for k in GROUPS.get(chosen, chosen).split(",")) + 1)]
        if kind == "cut-random":
            return [f"{n}.{seed}" for n in self.cuts() for seed in range(seeds)]
        return [str(n) for n in self.cuts()]

    def cuts(self):
        """Operations after which the disk is another, and the end."""
        end = len(self.operations)
        return [n for n in range(1, end) if self.operations[n - 1][0] not in ("open", "close", "seen")] + [end]

    def distinct(self, kind, points):
        """Of these cuts those that leave a world which no earlier one left, and the last: most syncs and writes change nothing."""
        disk, seen, kept, done = Disk.of_tree(self.box), set(), [], 0
        for point in points:
            for operation in self.operations[done:int(point)]:
                play(disk, operation)
            done = int(point)
            mark = hash(tuple((p, c if isinstance(c, bytes) else None) for p, c in disk.world(kind[len("cut-"):]).items()))
            if mark not in seen or done == len(self.operations):
                seen.add(mark)
                kept.append(point)
        return kept
