#!/usr/bin/env python3
"""People's files are safe: what a run may delete, what it may call whole, and what it does when things go wrong."""
import json, os, re, subprocess, time
from support import *

MESH = """v 0 0 0
v {s} 0 0
v 0 {s} 0
v 0 0 {s}
f 1 3 2
f 1 2 4
f 2 3 4
f 3 1 4
"""
WITH_MESH = SMOKE_3D.replace("output=", 'obstacles={obstacle{shape=mesh{file="thing.obj"}, at={0.3,0.6,0.4}}}, output=')
POOL = SMOKE_2D.replace('name="plume"', 'name="pool"').replace("npy=true", "images=true, video=true")


def bytes_of(path):
    with open(path, "rb") as f:
        return f.read()


def tree(top):
    """Every file below a folder with its bytes."""
    return {os.path.relpath(os.path.join(w, n), top): bytes_of(os.path.join(w, n)) for w, _, names in os.walk(top) for n in names}


def untouched(before, top, what):
    """All files of the user's are as they were; others may have come."""
    after = tree(top)
    lost = sorted(k for k in before if after.get(k) != before[k])
    check(not lost, f"{what}: nothing of the user's is lost or changed {lost[:4] or ''}")


def user_files(where, *names):
    for name in names:
        os.makedirs(os.path.dirname(os.path.join(where, name)), exist_ok=True)
        write(os.path.join(where, name), f"mine: {name}")
    return tree(where)


def finished_run(text=SMOKE_2D, *more):
    path, out = scene(text), os.path.join(folder(), "out")
    succeeds(go("run", path, "-o", out, "--quiet", *more), "a run to begin with")
    return path, out


def flip(path):
    data = bytearray(bytes_of(path))
    data[len(data) // 2] ^= 1
    with open(path, "wb") as f:
        f.write(data)


def checkpoints(out):
    return [f"{out}/checkpoint/{n}" for n in sorted(os.listdir(f"{out}/checkpoint"))]


def test_films_stay():
    """A run without a film leaves all films alone; one that would make a film of a name that is taken is refused."""
    where = folder()
    mine = user_files(where, "pool.mp4", "pool-party.mp4", "pool-fork.mp4")
    quiet = scene(POOL.replace("images=true, video=true", "npy=true"))
    succeeds(go("run", quiet, "-o", where, "--quiet"), "a run beside the user's films")
    untouched(mine, where, "films")
    where = folder()
    mine = user_files(where, "pool.mp4", "pool-party.mp4")
    fails(go("run", scene(POOL), "-o", where), 2, ["pool.mp4", "-o"], "a film's name that is taken is refused before the run")
    check(tree(where) == mine, "the refusal changed nothing and left nothing")
    os.remove(f"{where}/pool.mp4")
    succeeds(go("run", scene(POOL), "-o", where, "--quiet", "--frames", 1), "with the name free it runs")
    check(open(f"{where}/pool-party.mp4").read() == "mine: pool-party.mp4" and os.path.getsize(f"{where}/pool.mp4") > 100,
          "makes its film and leaves the other")


def test_names_in_the_way():
    for name in ("ledger.csv", "log.txt", "scene.lua", "run.json", "checksums.txt", "probes.csv", "cache/000003.h5", "npy/000002/u.npy", "npy"):
        where = folder()
        mine = user_files(where, name)
        fails(go("run", scene(SMOKE_2D), "-o", where), 2, [name, "-o"], f"{name} of the user's is in the way")
        check(tree(where) == mine, f"and nothing was written beside {name}")
    for name in ("particle_velocity", "particle_id", "particle_density"):
        where = folder()
        mine = user_files(where, f"npy/000001/{name}.npy")
        fails(go("run", scene(DAM_2D.replace("fluid={", "output={npy=true}, fluid={", 1)), "-o", where), 2, [name, "-o"], f"{name} is in the way")
        check(tree(where) == mine, f"and nothing was written beside {name}")
    where = folder()
    mine = user_files(where, "npy/000001", ".freshet-draft-novel")
    fails(go("run", scene(SMOKE_2D), "-o", where), 2, ["npy/000001", "-o"], "a file where the folder of a frame is to be")
    check(tree(where) == mine, "and nothing was written or removed beside it")
    where = os.path.join(folder(), "new", "deep")
    fails(go("run", scene(SMOKE_2D.replace("cells={32,48}", "cells={0,48}")), "-o", where), 2, ["cells"], "a scene that is refused")
    check(not os.path.exists(os.path.dirname(where)), "leaves no folder behind")


def test_force_knows_its_own():
    """--force removes what the list of the run says, as it says; the rest is left and named."""
    path, out = finished_run()
    mine = {"pool-final-cut.mp4", "plume-final-cut.mp4", "images/photo_000123.png", "npy/000001/mydata.npy", "cache/000077.h5", "notes.txt",
            "cache/000002.h5.tmp", "mesh/000001.ply", "plots/ledger.svg"}
    before = {k: v for k, v in user_files(out, *mine).items() if k in mine}
    whole = open(f"{out}/ledger.csv").read()
    write(f"{out}/ledger.csv", whole + "my own remark\n")
    write(f"{out}/npy/000001/u.npy", "edited by me")
    r = go("run", path, "-o", out, "--force", "--frames", 3)
    succeeds(r, "--force over a run with the user's files in it")
    untouched(before, out, "--force")
    check("photo_000123.png" in r.stdout + r.stderr or "left as they are" in r.stdout, "and says what it left")
    check(not os.path.exists(f"{out}/cache/000005.h5") and os.path.exists(f"{out}/cache/000003.h5"), "the old run's own frames are gone")
    kept = [n for n in os.listdir(out) if n.startswith("ledger.csv.kept")]
    check(kept and open(f"{out}/{kept[0]}").read().endswith("my own remark\n"), "a table that was edited is moved aside")
    check(open(f"{out}/npy/000001/u.npy.kept-1").read() == "edited by me", "so is a frame that was edited")


def test_no_run_no_deletion():
    """In a folder where no run was, nothing goes, with --force or without."""
    where = folder()
    mine = user_files(where, "cache/000009.h5", "checkpoint/c.chk", "images/density_000100.png", "npy/000001/v2.npy", "plume-x.mp4")
    succeeds(go("run", scene(SMOKE_2D), "-o", where, "--quiet", "--force"), "--force into a folder without a run")
    untouched(mine, where, "a folder without a run")


def test_drafts_of_others():
    where = folder()
    names = ["run.json.tmp", "ledger.csv.tmp", "cache/000001.h5.tmp", "pool.mp4.part", "images/density_000000.png.part", "images/film/density_000000.png"]
    mine = user_files(where, *names)
    succeeds(go("run", scene(POOL), "-o", where, "--quiet", "--frames", 1), "a run beside files that end in .tmp and .part")
    untouched(mine, where, "what looks like a draft")


def test_resume_never_wipes():
    path, out = finished_run()
    for point in checkpoints(out):
        flip(point)
    ledger = open(f"{out}/ledger.csv").read().replace(",", ";")
    write(f"{out}/ledger.csv", ledger)
    before = {k: v for k, v in tree(out).items() if k.split("/")[0] in ("cache", "npy", "ledger.csv", "scene.lua", "checkpoint")}
    fails(go("run", path, "-o", out, "--resume", "--frames", 8), 1, ["--force"], "--resume without a checkpoint that can be read")
    untouched(before, out, "--resume of a damaged run")


def test_second_run_is_refused():
    """The folder is judged and held from the beginning: nobody can finish in it meanwhile."""
    where = folder()
    out = os.path.join(where, "r")
    slow = scene(SMOKE_2D.replace("cells={32,48}", "cells={256,384}").replace("duration=0.5", "duration=20"))
    process = start("run", slow, "-o", out, "--quiet")
    deadline = time.monotonic() + 60
    while not os.path.exists(f"{out}/.freshet-lock") and process.poll() is None and time.monotonic() < deadline:
        time.sleep(0.002)
    time.sleep(0.05)
    r = go("run", scene(SMOKE_3D), "-o", out)
    fails(r, 1, [str(process.pid), "another folder"], "a second run into the folder is refused with the other's process id")
    fails(go("run", scene(SMOKE_3D), "-o", out, "--force"), 1, [str(process.pid)], "--force does not change that")
    process.kill()
    process.communicate()
    r = go("run", scene(SMOKE_3D), "-o", out)
    check(r.returncode == 2 or (r.returncode == 0 and not os.path.exists(f"{out}/cache/000009.h5")), "when it is gone the folder is judged as it is")


def test_finished_run_is_not_cleared():
    """A run that finished in the folder after another one was started is not cleared by it."""
    path, out = finished_run(SMOKE_3D)
    before = tree(out)
    fails(go("run", scene(SMOKE_2D), "-o", out), 2, ["finished", "--force"], "a finished run of another scene is refused")
    check(tree(out) == before, "and nothing changed")


def drop_lines(path, pattern):
    lines = open(path).read().splitlines(keepends=True)
    write(path, "".join(line for line in lines if not re.search(pattern, line)))


def stopped_twice(text=SMOKE_2D):
    """A run whose two checkpoints are of frames 2 and 4."""
    path, out = finished_run(text, "--frames", 2)
    succeeds(go("run", path, "-o", out, "--quiet", "--resume", "--frames", 4), "and on to frame 4")
    return path, out


def test_holes_are_found():
    """Frames, their checksums and their ledger rows dropped together, as a power cut may: resume and verify see it."""
    path, out = stopped_twice()
    kept = bytes_of(f"{out}/cache/000001.h5")
    os.remove(f"{out}/cache/000001.h5")
    fails(go("run", path, "-o", out, "--resume"), 1, ["000001.h5"], "--resume with a frame missing names it")
    with open(f"{out}/cache/000001.h5", "wb") as f:
        f.write(kept)
    drop_lines(f"{out}/ledger.csv", r"^1,")
    fails(go("run", path, "-o", out, "--resume"), 1, ["ledger.csv"], "--resume with a row missing names the table")
    os.remove(f"{out}/cache/000001.h5")
    drop_lines(f"{out}/checksums.txt", r"000001")
    fails(go("run", path, "-o", out, "--resume"), 1, ["checksums.txt"], "--resume with the lines gone, too, is refused")
    r = go("verify", out)
    check(r.returncode == 1 and "checksums.txt" in r.stdout, "verify does not call it whole")


def test_holes_are_filled():
    """Where an earlier checkpoint is whole, what came after it is made again."""
    path, out = finished_run()
    for n in (2, 3):
        os.remove(f"{out}/cache/{n:06d}.h5")
    drop_lines(f"{out}/checksums.txt", r"00000[23]")
    drop_lines(f"{out}/ledger.csv", r"^[23],")
    succeeds(go("run", path, "-o", out, "--resume", "--frames", 8, "--quiet"), "--resume with frames 2 and 3 gone")
    check(os.path.exists(f"{out}/cache/000002.h5") and len(rows(f"{out}/ledger.csv")) == 9, "makes them again")
    succeeds(go("verify", out), "and the run is whole")


def test_finished_with_a_hole():
    """A finished run that has lost a frame is no longer finished: it is made again, or named."""
    path, out = finished_run()
    os.remove(f"{out}/cache/000002.h5")
    r = go("run", path, "-o", out, "--resume")
    check(r.returncode == 0 and "no longer whole" in r.stderr and os.path.exists(f"{out}/cache/000002.h5"), "a lost frame is made again where it can be")
    path, out = stopped_twice()
    os.remove(f"{out}/cache/000001.h5")
    fails(go("run", path, "-o", out, "--resume", "--frames", 4), 1, ["000001.h5"], "and named where it cannot")


def test_remade_from_the_older_checkpoint():
    """What is missing after the older checkpoint is made again from there."""
    path = scene(SMOKE_2D)
    reference = os.path.join(folder(), "out")
    succeeds(go("run", path, "-o", reference, "--quiet"), "an undisturbed run")
    path, out = stopped_twice()
    os.remove(f"{out}/cache/000004.h5")
    flip(f"{out}/npy/000003/u.npy")
    r = go("run", path, "-o", out, "--resume")
    succeeds(r, "resumed with frames 3 and 4 damaged")
    check("going on from frame 2" in r.stdout and "warning" in r.stderr, "from the older checkpoint, with a word")
    check(os.path.exists(f"{out}/npy/000003/u.npy.kept-1"), "the damaged file is kept aside")
    os.remove(f"{out}/npy/000003/u.npy.kept-1")
    same_run(reference, out, "made again")
    succeeds(go("verify", out), "verify of the run that was made again")


def test_inputs_are_kept():
    where = folder()
    path = scene(WITH_MESH, where)
    write(f"{where}/thing.obj", MESH.format(s=0.3))
    out = os.path.join(where, "out")
    mine = user_files(out, "inputs/0001-thing.obj")
    fails(go("run", path, "-o", out), 2, ["inputs/0001-thing.obj", "-o"], "a file of the user's where the copy of the mesh is to be")
    check(tree(out) == mine, "and nothing was written beside it")
    os.remove(f"{out}/inputs/0001-thing.obj")
    succeeds(go("run", path, "-o", out, "--quiet", "--frames", 2), "a run with a mesh")
    check(open(f"{out}/inputs/0001-thing.obj").read() == MESH.format(s=0.3), "keeps a copy of it")
    write(f"{where}/thing.obj", MESH.format(s=0.35))
    before = tree(out)
    fails(go("run", path, "-o", out, "--resume"), 2, ["thing.obj", "inputs/0001-thing.obj"], "--resume with another mesh is refused")
    fails(go("run", path, "-o", out, "--resume", "--frames", 2), 2, ["thing.obj"], "also where nothing is left to be done")
    check(tree(out) == before, "and changes nothing")
    os.remove(f"{where}/thing.obj")
    succeeds(go("export", out, "--npy"), "export does not need the original")
    succeeds(go("run", f"{out}/scene.lua", "-o", out, "--resume", "--quiet"), "the run's own scene.lua goes on with the copy")
    write(f"{where}/thing.obj", MESH.format(s=0.3))
    succeeds(go("run", path, "-o", f"{where}/whole", "--quiet"), "the same in one go")
    same_run(f"{where}/whole", out, "with the kept mesh")


def test_changed_physics():
    path, out = finished_run(SMOKE_2D, "--frames", 2)
    text = open(f"{out}/scene.lua").read()
    write(f"{out}/scene.lua", text.replace("vorticity=0.2", "vorticity=0.4"))
    r = go("run", f"{out}/scene.lua", "-o", out, "--resume")
    fails(r, 1, ["scene.lua"], "--resume with the run's own scene.lua changed is refused")
    check(not os.path.exists(f"{out}/cache/000003.h5"), "and no frame is added")
    fails(go("run", path, "-o", out, "--resume"), 1, ["scene.lua"], "so it is with the scene that it was")
    write(f"{out}/scene.lua", text)
    succeeds(go("run", path, "-o", out, "--resume", "--quiet", "--frames", 4, "--threads", 1, "--set", "output.images=false"),
             "more frames, other threads and other pictures are no other physics")
    succeeds(go("run", f"{out}/scene.lua", "-o", out, "--resume", "--quiet"), "the run's own scene.lua goes on as well")


def test_physics_behind_a_comment():
    """A scene may have the very comment under which a run writes its overrides: what follows counts."""
    text = "-- overrides of this run:\n" + SMOKE_2D
    path, out = finished_run("-- mine\n" + text, "--frames", 2)
    write(path, "-- mine\n" + text.replace("vorticity=0.2", "vorticity=0.4"))
    fails(go("run", path, "-o", out, "--resume"), 2, ["another scene"], "--resume with other physics behind that comment is refused")
    path, out = finished_run(SMOKE_2D, "--frames", 2, "--set", "smoke.vorticity=0.3")
    succeeds(go("run", f"{out}/scene.lua", "-o", out, "--resume", "--quiet", "--frames", 3, "--set", "smoke.vorticity=0.3"), "the overrides of a run are known")


def test_pictures_asked_for_later():
    """A finished run that is asked for pictures has not made them yet."""
    path, out = finished_run(SMOKE_2D, "--frames", 1)
    succeeds(go("run", path, "-o", out, "--resume", "--frames", 1, "--quiet", "--set", "output.images=true"), "--resume with pictures")
    check(os.path.isdir(f"{out}/images") and len(os.listdir(f"{out}/images")) == 2, "makes them")


def test_render_beside_a_run():
    """Pictures that render made while the run went on are the run's: it replaces them."""
    out = os.path.join(folder(), "out")
    path = scene(SMOKE_2D.replace("cells={32,48}", "cells={96,144}").replace("duration=0.5", "duration=3").replace("npy=true", "images=true"))
    process = start("run", path, "-o", out, "--quiet")
    deadline = time.monotonic() + 60
    while not os.path.exists(f"{out}/cache/000001.h5") and process.poll() is None and time.monotonic() < deadline:
        time.sleep(0.002)
    succeeds(go("render", out, "--no-video", "--frames", "0:1"), "render beside a run")
    process.communicate()
    check(process.returncode == 0, "the run ends well")
    kept = [name for name in os.listdir(f"{out}/images") if "kept" in name]
    check(not kept, f"and takes no picture for somebody else's {kept[:3] or ''}")
    succeeds(go("verify", out), "the list has both")


def test_cut_short_force():
    """--force that was killed while it cleared leaves nothing that --resume would take for a run."""
    path, out = finished_run()
    record = json.load(open(f"{out}/run.json"))
    record.update(status="clearing", finished=False, list_bytes=0)
    write(f"{out}/run.json", json.dumps(record))
    os.remove(f"{out}/cache/000001.h5")
    fails(go("run", path, "-o", out, "--resume"), 1, ["--force"], "--resume after a --force that was cut short")
    fails(go("verify", out), 1, ["--force"], "verify does not call it whole")
    succeeds(go("run", path, "-o", out, "--force", "--quiet"), "--force does it again")
    succeeds(go("verify", out), "and the run is whole")


def test_damaged_record():
    for damage in ("", "{", "[1,2,3]", "\0\0\0\0"):
        path, out = finished_run(SMOKE_2D, "--frames", 3)
        write(f"{out}/run.json", damage)
        r = go("verify", out)
        check(r.returncode == 1 and "run.json: is damaged" in r.stdout, f"verify with run.json = {damage!r} names it")
        r = go("run", path, "-o", out)
        fails(r, 2, ["--force"], "a run without --resume is refused")
        succeeds(go("run", path, "-o", out, "--resume", "--quiet"), "--resume goes on")
        succeeds(go("verify", out), "and is whole in the end")
    path, out = finished_run()
    write(f"{out}/run.json", "")
    succeeds(go("run", path, "-o", out, "--force", "--quiet"), "--force works with an empty run.json")
    os.remove(f"{out}/run.json")
    succeeds(go("export", out, "--npy"), "export works without run.json")


def test_pipes():
    """Nothing hangs on a pipe or a device."""
    for name in ("log.txt", "run.json", "checksums.txt", "ledger.csv", "scene.lua", "checkpoint/a.chk", ".freshet-lock"):
        where = folder()
        os.makedirs(os.path.join(where, os.path.dirname(name)), exist_ok=True)
        os.mkfifo(os.path.join(where, name))
        r = go("run", scene(SMOKE_2D), "-o", where, timeout=20)
        check(r.returncode in (1, 2) and r.stderr.strip(), f"{name} as a pipe is refused (exit {r.returncode})")
    path, out = finished_run(SMOKE_2D, "--frames", 2)
    os.remove(f"{out}/log.txt")
    os.mkfifo(f"{out}/log.txt")
    r = go("run", path, "-o", out, "--resume", "--quiet", timeout=20)
    succeeds(r, "--resume with log.txt turned into a pipe moves it aside")


def test_links_out():
    """A link in a run's folder is not written through."""
    path, out = finished_run(SMOKE_2D, "--frames", 2)
    other = write(os.path.join(folder(), "important.csv"), "mine\n")
    os.remove(f"{out}/ledger.csv")
    os.symlink(other, f"{out}/ledger.csv")
    r = go("run", path, "-o", out, "--resume")
    check(r.returncode == 1 and "ledger.csv" in r.stderr, "a ledger that became a link is refused")
    succeeds(go("run", path, "-o", out, "--force", "--quiet"), "--force")
    check(open(other).read() == "mine\n", "and what it leads to is untouched")


def test_list_cannot_lead_out():
    """Paths on the list that leave the folder are not followed."""
    path, out = finished_run()
    victim = write(os.path.join(os.path.dirname(out), "victim.txt"), "mine")
    with open(f"{out}/checksums.txt", "a") as f:
        f.write("3e2f5a5b5a0d0b0a  4  ../victim.txt\n")
        f.write(f"3e2f5a5b5a0d0b0a  4  {victim}\n")
    go("run", path, "-o", out, "--force", "--quiet")
    check(open(victim).read() == "mine", "a list that names files outside does not reach them")


def announce(out, *paths):
    """Lines as a stranger may write them: files noted empty, whatever is in them."""
    with open(f"{out}/checksums.txt", "a") as f:
        f.writelines(f"ef46db3751d8e999  0  {path}\n" for path in paths)


def test_folder_from_a_stranger():
    """A run's folder that came from elsewhere reaches nothing outside, whatever its list and its links say."""
    for name in ("plots", "cache", "images", "npy/000001"):
        path, out = finished_run(SMOKE_2D, "--frames", 2)
        home = folder()
        mine = user_files(home, "key", "u.npy", "ledger.svg", "000001.h5", ".freshet-draft-novel")
        if os.path.exists(f"{out}/{name}"):
            os.rename(f"{out}/{name}", f"{out}/{name}.away")
        os.symlink(home, f"{out}/{name}")
        announce(out, *(f"{name}/{file}" for file in mine))
        tries = [("verify", out), ("run", path, "-o", out, "--force"), ("run", path, "-o", out, "--resume", "--frames", 4), ("export", out, "--npy")]
        tries += [("render", out), ("plot", out)] if name != "npy/000001" else []   # which do not go there
        results = [go(*words) for words in tries]
        check(tree(home) == mine, f"{name} as a link: all is as it was behind it")
        check(all(r.returncode in (1, 2) for r in results), f"and no command calls that a success {[r.returncode for r in results]}")
        check(all(name in results[i].stderr for i in (1, 3)), f"--force and export name {name}")


def test_announced_files():
    """Only tables and the log may be on the list as empty and hold something."""
    path, out = finished_run(SMOKE_2D, "--frames", 2)
    mine = {k: v for k, v in user_files(out, "notes.txt", "cache/novel.txt").items() if k in ("notes.txt", "cache/novel.txt")}
    announce(out, *mine)
    check(go("verify", out).returncode == 1, "files that were noted empty and are not: verify names them")
    succeeds(go("run", path, "-o", out, "--force", "--frames", 1, "--quiet"), "--force over such a list")
    check([bytes_of(f"{out}/{name}.kept-1") for name in mine] == list(mine.values()), "moves them aside")


def test_odd_lines():
    """Paths that no run writes lock nobody out, and reach neither the folder itself nor the lock."""
    path, out = finished_run(SMOKE_2D, "--frames", 1)
    announce(out, ".", "cache/", "./ledger.csv", "cache//000000.h5", "checkpoint/./a.chk", ".freshet-lock", "x" * 5000, "a/" * 1000 + "b")
    check(go("verify", out).returncode == 1, "verify does not call such a list whole")
    succeeds(go("run", path, "-o", out, "--force", "--frames", 1, "--quiet"), "--force over such a list")
    check(not [name for name in os.listdir(out) if "kept" in name], "moved nothing aside")
    succeeds(go("verify", out), "and the new run is whole")


def test_verify_is_safe_to_read():
    path, out = finished_run(SMOKE_2D, "--frames", 1)
    announce(out, "\x1b]0;title\x07name")
    write(f"{out}/cache/one\n9 files: 0 damaged, 0 missing", "x")
    said = go("verify", out).stdout
    check("name: is missing" in said and not re.search(r"[\x00-\x09\x0b-\x1f]", said), "names on the list cannot steer the terminal")
    check("\n9 files" not in said, "nor feign a line")


def test_output_dir():
    where, other = folder(), folder()
    text = SMOKE_3D.replace("output={", f'output={{ dir="{other}/x", ')
    fails(go("run", scene(text), cwd=where), 2, ["scene.lua:", "output.dir", "--allow-dir", "-o"], "output.dir that leaves the working folder")
    check(not os.listdir(other), "wrote nothing there")
    for inside in ("../sneaky", "a/../../sneaky"):
        fails(go("run", scene(SMOKE_3D.replace("output={", f'output={{ dir="{inside}", ')), cwd=where), 2, ["output.dir"], f"output.dir = {inside}")
    os.symlink(other, f"{where}/link")
    fails(go("run", scene(SMOKE_3D.replace("output={", 'output={ dir="link/run", ')), cwd=where), 2, ["output.dir"], "output.dir through a link")
    succeeds(go("run", scene(text), "--allow-dir", "--quiet", "--frames", 1, cwd=where), "--allow-dir lets it")
    check(os.path.exists(f"{other}/x/run.json"), "have its way")
    succeeds(go("run", scene(text), "-o", "mine", "--quiet", "--frames", 1, cwd=where), "-o goes first")
    check(os.path.exists(f"{where}/mine/run.json"), "and is where it goes")


def test_no_ffmpeg():
    """A film that was asked for and is not there is no success."""
    out = os.path.join(folder(), "out")
    empty = folder()
    r = go("run", scene(POOL), "-o", out, "--quiet", "--frames", 1, env={**os.environ, "PATH": empty})
    fails(r, 1, ["ffmpeg"], "no ffmpeg with --quiet and video=true")
    check(os.path.exists(f"{out}/images/density_000001.png") or os.listdir(f"{out}/images"), "the pictures are kept")
    succeeds(go("verify", out), "and the run is whole")


FILM_MAKERS = """#!/bin/sh
for target; do :; done
target=${{target#file:}}
if mkdir {where}/begun 2> {where}/said; then
    cat > {where}/pictures; sleep 1
    cat {where}/pictures {where}/pictures > "$target"; mkdir {where}/ended
else
    exec 5> "$target"
    until [ -d {where}/ended ]; do sleep 0.05; done
    cat >&5
fi
"""


def wait_for(path):
    end = time.time() + 60
    while not os.path.exists(path) and time.time() < end:
        time.sleep(0.02)
    check(os.path.exists(path), f"{os.path.basename(path)} came")


def test_killed_in_its_film():
    """A film maker that outlives its killed run does not write into the film of the resumed one."""
    where, out = folder(), os.path.join(folder(), "out")
    write(f"{where}/ffmpeg", FILM_MAKERS.format(where=where))
    os.chmod(f"{where}/ffmpeg", 0o755)
    env, path = {**os.environ, "PATH": where + ":" + os.environ["PATH"]}, scene(POOL)
    run = subprocess.Popen([EXE, "run", path, "-o", out, "--quiet", "--frames", "2"], env=env)
    wait_for(f"{where}/begun")
    run.kill()
    run.wait()
    succeeds(go("run", path, "-o", out, "--quiet", "--frames", 2, "--resume", env=env), "resumed while the first film maker works")
    pictures = sorted(f"{out}/images/{n}" for n in os.listdir(f"{out}/images") if n.endswith(".png"))
    check(bytes_of(f"{out}/pool.mp4") == b"".join(map(bytes_of, pictures)), "the film is made by the second alone")
    succeeds(go("verify", out), "and the run is whole")


def test_version_is_recorded():
    path, out = finished_run(SMOKE_2D, "--frames", 2)
    record = json.load(open(f"{out}/run.json"))
    check(record["build"].startswith(record["version"]), f"run.json says how the program was built: {record.get('build')}")


TESTS = [test_films_stay, test_names_in_the_way, test_force_knows_its_own, test_no_run_no_deletion,
         test_drafts_of_others, test_resume_never_wipes, test_second_run_is_refused, test_finished_run_is_not_cleared,
         test_holes_are_found, test_holes_are_filled, test_finished_with_a_hole, test_remade_from_the_older_checkpoint, test_inputs_are_kept,
         test_changed_physics, test_cut_short_force, test_damaged_record, test_pipes, test_links_out,
         test_list_cannot_lead_out, test_folder_from_a_stranger, test_announced_files,
         test_odd_lines, test_verify_is_safe_to_read, test_physics_behind_a_comment, test_pictures_asked_for_later,
         test_render_beside_a_run, test_output_dir, test_no_ffmpeg, test_killed_in_its_film,
         test_version_is_recorded]
for test in TESTS:
    try:
        test()
    except (OSError, KeyError, subprocess.TimeoutExpired) as trouble:
        check(False, f"{test.__name__}: {trouble}")
finish()
