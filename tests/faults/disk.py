"""A disk whose power may go: which worlds may be found afterwards.

The disk remembers two things of every file and folder: what is durable, and what was done since and waits. A file's
content becomes durable by fsync of the file. The entries of a folder (create, rename, remove, mkdir, links) become
durable by fsync of that folder, and by nothing else; so a file that was synced is still lost when nobody synced the
folder that names it. A rename is one change: afterwards the old name holds or the new one.

What waits may have reached the disk or not, in any order. Four kinds of world are built from it:

  drop     nothing that waits has arrived
  empty    every name has arrived, no content has: files are as they were when last synced, new ones are empty
  zero     names and lengths have arrived, content has not: zeros stand where it should
  random   by a seed, each change of a name and each sector of content for itself: a sector is found as it was at some
           moment since the last sync, whatever its neighbours are, and so is the length of the file
"""
import os, random

SECTOR = 512                         # what a disk writes whole or not at all
WORLDS = ("drop", "empty", "zero", "random")


class File:
    def __init__(self, content=b""):
        self.durable = bytes(content)
        self.live = bytearray(content)
        self.waiting = []            # (place, data) for a write, (size, None) for a change of length

    def write(self, place, data):
        self.waiting.append((place, bytes(data)))
        put(self.live, place, data)

    def truncate(self, size):
        self.waiting.append((size, None))
        resize(self.live, size)

    def sync(self):
        self.durable, self.waiting = bytes(self.live), []


class Link:
    def __init__(self, target):
        self.target = target


class Folder:
    def __init__(self):
        self.durable, self.live = {}, {}


class Change:
    """A name goes away from one place, or comes to another, or both at once (a rename). Durable by sync of `home`."""

    def __init__(self, node, gone=None, come=None):
        self.node, self.gone, self.come = node, gone, come
        self.home = (come or gone)[0]

    def apply(self, entries):
        """`entries` gives the names of a folder. What some lost change should have put there cannot go away."""
        if self.gone and entries(self.gone[0]).get(self.gone[1]) is self.node:
            del entries(self.gone[0])[self.gone[1]]
        if self.come:
            entries(self.come[0])[self.come[1]] = self.node


def put(content, place, data):
    if len(content) < place:
        content.extend(bytes(place - len(content)))
    content[place:place + len(data)] = data


def resize(content, size):
    del content[size:]
    content.extend(bytes(size - len(content)))


class Disk:
    def __init__(self):
        self.root = Folder()
        self.waiting = []            # changes of names, in order
        self.opened = {}             # number of an opening → node

    @classmethod
    def of_tree(cls, path):
        """A disk that holds a folder as it stands, all of it durable."""
        disk = cls()
        disk.root = folder_of(path)
        return disk

    def find(self, path):
        node = self.root
        for part in filter(None, path.split("/")):
            node = node.live.get(part) if isinstance(node, Folder) else None
        return node

    def place(self, path):
        head, _, name = path.strip("/").rpartition("/")
        return self.find(head), name

    def change(self, node, gone=None, come=None):
        change = Change(node, gone, come)
        change.apply(lambda folder: folder.live)
        self.waiting.append(change)

    def name(self, path, node):
        self.change(node, come=self.place(path))

    def remove(self, path):
        self.change(self.find(path), gone=self.place(path))

    def rename(self, old, new):
        self.change(self.find(old), gone=self.place(old), come=self.place(new))

    def sync(self, node):
        if isinstance(node, File):
            node.sync()
            return
        for change in self.waiting:
            if change.home is node:
                change.apply(lambda folder: folder.durable)
        self.waiting = [c for c in self.waiting if c.home is not node]

    def sync_all(self):
        for change in self.waiting:
            change.apply(lambda folder: folder.durable)
        self.waiting = []
        for node in self.nodes(self.root):
            if isinstance(node, File):
                node.sync()

    def nodes(self, folder):
        for node in folder.live.values():
            yield node
            if isinstance(node, Folder):
                yield from self.nodes(node)

    def see(self, path, content):
        """Another program's work shows up: its file is on the disk, and nobody has synced it."""
        node = self.find(path)
        if not isinstance(node, File):
            node = File()
            self.name(path, node)
        if node.live != content:
            node.truncate(0)
            node.write(0, content)

    def world(self, kind, seed=0):
        """What stands on the disk after the cut: path → content of a file, Link, or None for a folder."""
        chance = random.Random(seed)
        keep = {"drop": lambda: False, "empty": lambda: True, "zero": lambda: True, "random": lambda: chance.random() < 0.5}[kind]
        names = {}
        entries = lambda folder: names.setdefault(folder, dict(folder.durable))
        for change in self.waiting:
            if keep():
                change.apply(entries)
        content = {"drop": lambda f: f.durable, "empty": lambda f: f.durable, "zero": zeros,
                   "random": lambda f: lottery(f, chance)}[kind]
        return dict(walk(self.root, entries, content))

    def everything(self):
        """The world that a run leaves when the power stays."""
        return dict(walk(self.root, lambda folder: folder.live, lambda f: bytes(f.live)))


def walk(folder, entries, content, path=""):
    for name, node in sorted(entries(folder).items()):
        where = path + name
        if isinstance(node, Folder):
            yield where, None
            yield from walk(node, entries, content, where + "/")
        else:
            yield where, node if isinstance(node, Link) else content(node)


def zeros(file):
    """The length that the file had, zeros where content was not synced."""
    known = bytearray(file.durable)
    for place, data in file.waiting:
        if data is None:
            resize(known, place)
        else:
            put(known, place, bytes(len(data)))
    return bytes(known)


def versions(file):
    """How each sector and the length of a file were, from the last sync to now, in the order of time."""
    now, lengths, sectors = bytearray(file.durable), [len(file.durable)], {}
    for place, data in file.waiting:
        end = max(place, len(now)) if data is None else place + len(data)
        touched = range(min(place, len(now)) // SECTOR, (end + SECTOR - 1) // SECTOR)   # from the old end on, if there is a gap
        for n in touched:
            sectors.setdefault(n, [bytes(now[n * SECTOR:(n + 1) * SECTOR])])
        if data is None:
            resize(now, place)
        else:
            put(now, place, data)
        for n in touched:
            sectors[n].append(bytes(now[n * SECTOR:(n + 1) * SECTOR]))
        lengths.append(len(now))
    return lengths, sectors


def lottery(file, chance):
    """A content that may be found after the cut. All of it, or none, more often than mere chance has it."""
    lengths, sectors = versions(file)
    pick = chance.choice([lambda found: found[0], lambda found: found[-1], chance.choice, chance.choice])
    content = bytearray(file.durable)
    resize(content, max(lengths))
    for n, found in sectors.items():
        put(content, n * SECTOR, pick(found).ljust(min(SECTOR, len(content) - n * SECTOR), b"\0"))
    resize(content, pick(lengths))
    return bytes(content)


def folder_of(path):
    folder = Folder()
    for entry in os.scandir(path):
        if entry.is_symlink():
            node = Link(os.readlink(entry.path))
        elif entry.is_dir():
            node = folder_of(entry.path)
        else:
            with open(entry.path, "rb") as f:
                node = File(f.read())
        folder.durable[entry.name] = folder.live[entry.name] = node
    return folder


def write_world(world, path):
    """Puts a world into an empty folder."""
    for name, content in world.items():
        where = os.path.join(path, name)
        if content is None:
            os.makedirs(where, exist_ok=True)
        elif isinstance(content, Link):
            os.symlink(content.target, where)
        else:
            with open(where, "wb") as f:
                f.write(content)


def read_journal(path, root):
    """The operations of a run: (what, number of the opening, place, paths or data)."""
    with open(path, "rb") as f:
        raw = f.read()
    at, operations = 0, []
    relative = lambda p: os.path.relpath(p.decode(), root)
    while at < len(raw):
        end = raw.index(b"\n", at)
        what, opening, number, size = raw[at:end].decode().split(" ")
        data = raw[end + 1:end + 1 + int(size)]
        at = end + 2 + int(size)
        if what in ("create", "clear", "open", "remove", "mkdir"):
            data = (relative(data),)
        elif what in ("rename", "link"):
            data = tuple(relative(p) for p in data.split(b"\0")[:2])
        elif what == "symlink":
            data = (data.split(b"\0")[0].decode(), relative(data.split(b"\0")[1]))
        elif what == "seen":
            data = (relative(data.split(b"\0", 1)[0]), data.split(b"\0", 1)[1])
        operations.append((what, int(opening), int(number), data))
    return operations


def play(disk, operation):
    """Does one operation of a journal to the disk."""
    what, opening, number, data = operation
    if what == "create":
        disk.opened[opening] = File()
        disk.name(data[0], disk.opened[opening])
    elif what in ("open", "clear"):
        disk.opened[opening] = disk.find(data[0]) if data[0] != "." else disk.root
        if what == "clear":
            disk.opened[opening].truncate(0)
    elif what == "write":
        disk.opened[opening].write(number, data)
    elif what == "truncate":
        disk.opened[opening].truncate(number)
    elif what == "sync":
        disk.sync(disk.opened[opening])
    elif what == "syncall":
        disk.sync_all()
    elif what == "close":
        del disk.opened[opening]
    elif what == "rename":
        disk.rename(*data)
    elif what == "remove":
        disk.remove(data[0])
    elif what == "mkdir":
        disk.name(data[0], Folder())
    elif what == "link":
        disk.name(data[1], disk.find(data[0]))
    elif what == "symlink":
        disk.name(data[1], Link(data[0]))
    elif what == "seen":
        disk.see(*data)
    else:
        raise ValueError(f"the journal has an operation '{what}'")
