#!/usr/bin/env python3
"""The shim under a program of which every step is known: faults strike where they are asked for, and the journal is whole."""
import errno, os, shutil, subprocess, sys, tempfile, unittest

from disk import Disk, play, read_journal
from runs import read_report

SAMPLE, SHIM = map(os.path.abspath, sys.argv[1:3])


class Shim(unittest.TestCase):
    def setUp(self):
        self.top = os.path.realpath(tempfile.mkdtemp(prefix="freshet-shim-"))
        self.addCleanup(shutil.rmtree, self.top)
        self.root, self.report, self.journal = (os.path.join(self.top, n) for n in ("root", "report", "journal"))
        os.mkdir(self.root)

    def run_sample(self, **faults):
        """Runs in an empty folder. The steps that did not go well, as "step error"."""
        shutil.rmtree(os.path.join(self.root, "d"), ignore_errors=True)
        env = {**os.environ, "LD_PRELOAD": SHIM, "FAULTS_ROOT": self.root, "FAULTS_REPORT": self.report, "FAULTS_JOURNAL": self.journal,
               **{f"FAULTS_{k.upper()}": str(v) for k, v in faults.items()}}
        self.result = subprocess.run([SAMPLE, self.root], env=env, capture_output=True, text=True)
        self.counts, self.struck = read_report(self.report)
        return [line for line in self.result.stdout.splitlines() if not line.endswith(" ok") and not line.startswith("clock")]

    def content(self, name):
        with open(os.path.join(self.root, "d", name), "rb") as f:
            return f.read()

    def test_counts(self):
        self.assertEqual(self.run_sample(mode="count", kind="file"), [])
        wanted = {"create": 2, "mkdir": 1, "truncate": 1, "sync": 3, "rename": 2, "link": 1, "remove": 1, "write": 3, "close": 4, "open": 2}
        self.assertEqual({k: self.counts[k] for k in wanted}, wanted)
        self.assertEqual(self.content("stream"), b"0" * 999 + b"7tail")
        self.assertFalse(self.struck)

    def test_each_kind_fails_once(self):
        for kind, step in (("mkdir", "mkdir"), ("truncate", "truncate"), ("rename", "rename"), ("link", "symlink"), ("remove", "unlink")):
            with self.subTest(kind):
                self.assertEqual(self.run_sample(mode="once", kind=kind, at=1, errno=errno.ENOSPC)[0], f"{step} {errno.ENOSPC}")
                self.assertTrue(self.struck)

    def test_sync_and_close_fail_and_have_closed(self):
        self.assertEqual(self.run_sample(mode="once", kind="sync", at=3, errno=errno.EIO), [f"fsync stream {errno.EIO}"])
        self.assertEqual(self.run_sample(mode="once", kind="close", at=3, errno=errno.EIO)[-1:], [f"fclose {errno.EIO}"])

    def test_streams_fail_where_they_write(self):
        self.assertEqual(self.run_sample(mode="once", kind="write", at=2, errno=errno.ENOSPC), [f"fflush {errno.ENOSPC}"])

    def test_for_good(self):
        failed = self.run_sample(mode="forever", kind="write", at=2, errno=errno.EIO)
        self.assertEqual(failed, [f"fflush {errno.EIO}", f"fclose {errno.EIO}"], "the C library forgets what it could not flush: the second close fails")

    def test_a_full_disk_takes_half(self):
        self.assertIn("pwrite ", self.run_sample(mode="forever", kind="write", at=1, errno=errno.ENOSPC)[0])
        self.assertEqual(self.content("stream"), b"")

    def test_short_write(self):
        self.assertEqual([f.split()[0] for f in self.run_sample(mode="short", kind="write", at=1)], ["pwrite"])
        self.assertEqual(self.run_sample(mode="short", kind="write", at=2), [], "a stream goes on by itself")
        self.assertEqual(self.content("stream"), b"0" * 999 + b"7tail")

    def test_kill_comes_before_the_operation(self):
        self.run_sample(mode="kill", kind="rename", at=1)
        self.assertEqual(self.result.returncode, -9)
        self.assertEqual(sorted(os.listdir(os.path.join(self.root, "d"))), ["draft"])

    def test_memory(self):
        self.run_sample(mode="count", kind="alloc")
        last = self.counts["alloc"]
        os.remove(self.report)
        self.assertEqual(self.run_sample(mode="once", kind="alloc", at=last - 1, errno=errno.ENOMEM), [f"malloc {errno.ENOMEM}"])
        self.assertEqual(self.run_sample(mode="forever", kind="alloc", at=last - 1, errno=errno.ENOMEM), [f"malloc {errno.ENOMEM}"] * 2)

    def test_other_folders_do_not_count(self):
        self.root, root = os.path.join(self.top, "else"), self.root
        os.mkdir(self.root)
        env = {**os.environ, "LD_PRELOAD": SHIM, "FAULTS_ROOT": root, "FAULTS_MODE": "forever", "FAULTS_KIND": "file", "FAULTS_AT": "1"}
        self.assertNotIn(f" {errno.EIO}\n", subprocess.run([SAMPLE, self.root], env=env, capture_output=True, text=True).stdout)

    def test_the_journal_gives_the_folder_back(self):
        self.assertEqual(self.run_sample(mode="journal"), [])
        disk = Disk()
        for operation in read_journal(self.journal, self.root):
            play(disk, operation)
        real, played = Disk.of_tree(self.root).everything(), disk.everything()
        for world in (real, played):
            world["d/link"] = world["d/link"].target
        self.assertEqual(played, real)
        self.assertEqual(played["d/child"], b"by another")
        self.assertEqual(disk.world("drop"), {}, "the folder itself was never synced")
        self.assertEqual(disk.world("empty")["d/stream"], b"0" * 999 + b"7")

    def test_the_clock_stands_but_for_jumps(self):
        self.run_sample(mode="count", clock="stream")
        self.assertEqual(self.result.stdout.splitlines()[-1], "clock 2000")


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
