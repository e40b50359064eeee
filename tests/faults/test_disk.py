#!/usr/bin/env python3
"""The model of a disk, checked by hand-made cases: a model that forgives would prove nothing."""
import os, sys, tempfile, unittest

from disk import Disk, File, Folder, Link, WORLDS, play, read_journal, write_world


def draft(disk, data=b"new", sync_file=True, sync_folder=True):
    """How a careful program replaces a file: draft, sync, rename, sync of the folder."""
    node = File()
    disk.name("a.tmp", node)
    node.write(0, data)
    if sync_file:
        disk.sync(node)
    disk.rename("a.tmp", "a")
    if sync_folder:
        disk.sync(disk.root)


def disk_with(name, content):
    disk = Disk()
    node = File(content)
    disk.root.live[name] = disk.root.durable[name] = node
    return disk


class Contents(unittest.TestCase):
    def test_unsynced_content_is_lost(self):
        disk = disk_with("a", b"old")
        disk.find("a").write(3, b"+more")
        self.assertEqual(disk.world("drop"), {"a": b"old"})
        self.assertEqual(disk.world("empty"), {"a": b"old"})
        self.assertEqual(disk.world("zero"), {"a": b"old\0\0\0\0\0"})
        self.assertEqual(disk.everything(), {"a": b"old+more"})

    def test_synced_content_stays(self):
        disk = disk_with("a", b"old")
        disk.find("a").write(0, b"NEW")
        disk.sync(disk.find("a"))
        for kind in WORLDS:
            self.assertEqual(disk.world(kind, 7), {"a": b"NEW"})

    def test_truncate_waits_too(self):
        disk = disk_with("a", b"old")
        disk.find("a").truncate(1)
        self.assertEqual(disk.world("drop"), {"a": b"old"})
        self.assertEqual(disk.world("zero"), {"a": b"o"})

    def test_zero_keeps_what_was_synced_around_a_write(self):
        disk = disk_with("a", b"abcdef")
        disk.find("a").write(2, b"XY")
        self.assertEqual(disk.world("zero"), {"a": b"ab\0\0ef"})

    def test_hole_reads_as_zeros(self):
        disk = disk_with("a", b"")
        disk.find("a").write(2, b"x")
        self.assertEqual(disk.everything(), {"a": b"\0\0x"})


class Names(unittest.TestCase):
    def test_a_synced_file_is_lost_without_its_folder(self):
        disk = Disk()
        draft(disk, sync_folder=False)
        self.assertEqual(disk.world("drop"), {})
        self.assertEqual(disk.world("empty"), {"a": b"new"})

    def test_a_careful_replacement_always_stands(self):
        disk = disk_with("a", b"old")
        draft(disk)
        for seed in range(50):
            self.assertEqual(disk.world("random", seed), {"a": b"new"})

    def test_rename_without_sync_of_the_file_may_leave_it_empty(self):
        disk = disk_with("a", b"old")
        draft(disk, sync_file=False)
        self.assertEqual(disk.world("drop"), {"a": b""})

    def test_rename_is_old_or_new(self):
        disk = disk_with("a", b"old")
        draft(disk, sync_folder=False)
        found = {disk.world("random", seed).get("a") for seed in range(50)}
        self.assertEqual(found, {b"old", b"new"})

    def test_removed_files_come_back(self):
        disk = disk_with("a", b"old")
        disk.remove("a")
        self.assertEqual(disk.world("drop"), {"a": b"old"})
        self.assertEqual(disk.world("empty"), {})
        disk.sync(disk.root)
        self.assertEqual(disk.world("drop"), {})

    def test_a_folder_that_is_lost_takes_all_with_it(self):
        disk = Disk()
        disk.name("d", Folder())
        disk.name("d/a", File(b"x"))
        disk.sync(disk.find("d"))
        self.assertEqual(disk.world("drop"), {})
        disk.sync(disk.root)
        self.assertEqual(disk.world("drop"), {"d": None, "d/a": b"x"})

    def test_sync_of_one_folder_is_not_that_of_another(self):
        disk = Disk()
        disk.name("d", Folder())
        disk.sync(disk.root)
        disk.name("d/a", File(b"x"))
        disk.sync(disk.root)
        self.assertEqual(disk.world("drop"), {"d": None})

    def test_rename_between_folders_is_one_change(self):
        disk = disk_with("a", b"x")
        disk.name("d", Folder())
        disk.sync(disk.root)
        disk.rename("a", "d/a")
        self.assertEqual(disk.world("drop"), {"a": b"x", "d": None})
        disk.sync(disk.find("d"))
        self.assertEqual(disk.world("drop"), {"d": None, "d/a": b"x"})

    def test_sync_all(self):
        disk = Disk()
        draft(disk, sync_file=False, sync_folder=False)
        disk.sync_all()
        self.assertEqual(disk.world("drop"), {"a": b"new"})

    def test_links(self):
        disk = disk_with("a", b"x")
        disk.name("l", Link("a"))
        self.assertEqual(disk.world("empty")["l"].target, "a")
        self.assertNotIn("l", disk.world("drop"))


class Lotteries(unittest.TestCase):
    def contents(self, file, seeds=400):
        disk = Disk()
        disk.root.live["a"] = disk.root.durable["a"] = file
        return {disk.world("random", seed)["a"] for seed in range(seeds)}

    def test_sectors_of_one_write_are_lost_apart(self):
        file = File()
        file.write(0, b"x" * 1024)
        self.assertEqual(self.contents(file), {b"x" * 1024, b"x" * 512 + bytes(512), bytes(512) + b"x" * 512, bytes(1024), b""})

    def test_a_sector_is_of_one_moment(self):
        """A later line of a sector is not there without the earlier one."""
        file = File(b"0\n")
        file.write(2, b"1\n")
        file.write(4, b"2\n")
        found = self.contents(file)
        self.assertLessEqual({b"0\n", b"0\n1\n", b"0\n1\n2\n", b"0\n1\n\0\0", b"0\n\0\0\0\0"}, found)
        self.assertFalse([c for c in found if b"2" in c and b"1" not in c])

    def test_truncated_and_written_again(self):
        file = File(b"old old")
        file.truncate(0)
        file.write(0, b"new")
        self.assertLessEqual({b"old old", b"", b"new", bytes(3), b"old"}, self.contents(file))

    def test_synced_sectors_stay(self):
        file = File(b"k" * 512)
        file.write(512, b"x" * 512)
        self.assertTrue(all(c.startswith(b"k" * 512) for c in self.contents(file)))

    def test_the_same_seed_gives_the_same_world(self):
        disk = Disk()
        for i in range(20):
            disk.name(f"f{i}", File())
            disk.find(f"f{i}").write(0, b"data")
        self.assertEqual(disk.world("random", 5), disk.world("random", 5))
        self.assertNotEqual(disk.world("random", 5), disk.world("random", 6))

    def test_subsets_are_in_no_order(self):
        disk = Disk()
        for i in range(2):
            disk.name(f"f{i}", File())
        found = {tuple(disk.world("random", seed)) for seed in range(50)}
        self.assertEqual(found, {(), ("f0",), ("f1",), ("f0", "f1")})


class Other(unittest.TestCase):
    def test_what_others_wrote_is_not_synced(self):
        disk = Disk()
        disk.see("film.part", b"frames")
        disk.rename("film.part", "film")
        disk.sync(disk.root)
        self.assertEqual(disk.everything(), {"film": b"frames"})
        self.assertEqual(disk.world("drop"), {"film": b""})

    def test_a_tree_there_and_back(self):
        with tempfile.TemporaryDirectory() as top:
            world = {"d": None, "d/a": b"x", "b": b"", "l": Link("b")}
            write_world(world, top)
            again = Disk.of_tree(top).world("drop")
            self.assertEqual(again.pop("l").target, "b")
            world.pop("l")
            self.assertEqual(again, world)

    def test_a_journal_is_played(self):
        with tempfile.TemporaryDirectory() as top:
            path = os.path.join(top, "journal")
            with open(path, "wb") as f:
                f.write(b"mkdir 0 0 4\n/r/d\ncreate 1 0 6\n/r/d/t\nwrite 1 0 3\na\nb\nsync 1 0 0\n\nclose 1 0 0\n\n"
                        b"rename 0 0 14\n/r/d/t\0/r/d/u\0\nopen 2 0 4\n/r/d\nsync 2 0 0\n\nopen 3 0 2\n/r\nsync 3 0 0\n\n")
            disk = Disk()
            for operation in read_journal(path, "/r"):
                play(disk, operation)
            self.assertEqual(disk.world("drop"), {"d": None, "d/u": b"a\nb"})


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
