"""Running the program under the shim, and saying whether what a folder holds is the run that was asked for."""
import hashlib, os, re, shutil, subprocess

TIMING = {"wall_s", "rss_mb"}           # columns of the ledger that depend on the machine's mood
TABLES = ("ledger.csv", "probes.csv", "obstacles.csv", "bodies.csv")
FRAMES = ("cache", "npy", "vtk", "mesh", "images")
HANGS_AFTER = 60                        # seconds; a run takes a tenth of one


class Program:
    """`freshet`, with or without the shim."""

    def __init__(self, exe, shim):
        self.exe, self.shim = exe, shim

    def go(self, *words, faults=None):
        """Runs to its end. `faults`: the shim's variables. The status is None for a program that hangs."""
        env = dict(os.environ)
        if faults is not None:
            env.update({"LD_PRELOAD": self.shim, **{k: str(v) for k, v in faults.items()}})
        process = subprocess.Popen([self.exe, *words], env=env, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        try:
            out, err = process.communicate(timeout=HANGS_AFTER)
            status = process.returncode
        except subprocess.TimeoutExpired:
            process.kill()
            (out, err), status = process.communicate(), None
        return status, out.decode(errors="replace"), err.decode(errors="replace")

    def run(self, scene, out, *more, faults=None):
        return self.go("run", scene, "-o", out, "--threads", "1", *more, faults=faults)

    def verify(self, out):
        """None when every file is as it was written, else what was said."""
        status, said, errors = self.go("verify", out)
        return None if status == 0 and re.search(r"\b0 damaged, 0 missing", said) else said + errors


def read_report(path):
    """Counts by kind, and whether the fault was reached."""
    counts, struck = {}, False
    if not os.path.exists(path):
        return counts, struck
    with open(path) as f:
        for what, name, number in map(str.split, f):
            counts[name] = int(number) if what == "count" else counts.get(name, 0)
            struck = struck or what == "struck"
    return counts, struck


def digest(path):
    with open(path, "rb") as f:
        return hashlib.sha256(f.read()).hexdigest()


def timeless(path):
    """A table without the columns that time the machine."""
    with open(path, errors="replace") as f:
        rows = [line.split(",") for line in f.read().split("\n")]
    keep = [i for i, name in enumerate(rows[0]) if name not in TIMING]
    return hashlib.sha256(repr([[row[i] for i in keep if i < len(row)] for row in rows]).encode()).hexdigest()


def is_rest(path):
    """Drafts, the links that a film is made from, and what was set aside under another name: none of it can be taken for
    a file of the run."""
    return path.endswith((".tmp", ".part")) or path.startswith("images/film/") or is_aside(path)


def is_aside(path):
    return re.search(r"\.kept-\d+$", path)


def files_below(folder):
    for where, _, names in os.walk(folder):
        for name in names:
            yield os.path.relpath(os.path.join(where, name), folder)


def contents(folder, strangers=()):
    """What a run made that depends on its scene alone: path → digest. A film need only be there: its maker may differ
    in its bits, and verify knows whether it is whole."""
    found = {}
    for path in files_below(folder):
        whole = os.path.join(folder, path)
        if path in strangers or is_rest(path):
            continue
        if path in TABLES:
            found[path] = timeless(whole)
        elif path.split("/")[0] in FRAMES or path == "scene.lua":
            found[path] = digest(whole)
        elif path.endswith(".mp4"):
            found[path] = "a film" if os.path.getsize(whole) else "an empty film"
    return found


def differences(found, wanted):
    """In words, empty when there are none."""
    missing = sorted(set(wanted) - set(found))
    extra = sorted(set(found) - set(wanted))
    changed = sorted(p for p in set(found) & set(wanted) if found[p] != wanted[p])
    parts = [f"{len(paths)} {word} ({', '.join(paths[:3])}{' …' if len(paths) > 3 else ''})"
             for word, paths in (("missing", missing), ("left over", extra), ("different", changed)) if paths]
    return "; ".join(parts)


def tree_digest(folder):
    """Everything but the log, to see whether a folder is as it was."""
    return {p: digest(os.path.join(folder, p)) for p in files_below(folder)
            if p != "log.txt" and not os.path.islink(os.path.join(folder, p))}


def touched(folder, strangers):
    """Files of the user's that are gone or changed."""
    return sorted(p for p, data in strangers.items() if not holds(os.path.join(folder, p), data))


def holds(path, data):
    try:
        with open(path, "rb") as f:
            return f.read() == data
    except OSError:
        return False


def copy_tree(source, target):
    shutil.rmtree(target, ignore_errors=True)
    shutil.copytree(source, target, symlinks=True)
