#!/usr/bin/env python3
"""Scenes that attack: none outlives its limit by more than two seconds, fills a log, steers the terminal, or reads differently from run to run."""
import concurrent.futures, datetime, json, os, time
from support import *

LATEST = 2.0   # seconds beyond a limit
SCENE = 'return { name="small", method="smoke", domain={size={1,1}, cells=16}, time={duration=0.2, fps=10}, %s }'
SORT = "local a, s, list = ('x'):rep(15e6), {}, {} for i = 1, 3 do s[i] = a .. i end for i = 1, 1e4 do list[i] = s[i % 3 + 1] end "
COLLIDE = "local t, m = {}, (1 << 21) - 1 for i = 1, (1 << 20) + 1 do t[i * m] = 1 end "
LONG = "local a = ('x'):rep(15e6) local b, c = a .. 'b', a .. 'c' "
WEAK = """local t, k = setmetatable({}, {__mode = 'k'}), {} for i = 1, 2e5 do k[i] = {} end
for i = 2e5, 2, -1 do local j = math.random(i) k[i], k[j] = k[j], k[i] end
for i = 1, 199999 do t[k[i]] = k[i + 1] end local first = k[1] k = nil while true do local x = {} end """


def force(body, before=""):
    """Called once at t = 0, before anything is written, and then by each step."""
    return before + SCENE % ("forces={force{value=function(x,y,z,t) if t > 0 then print('begins') %s end return 0,1 end}}" % body)


# Each takes all of its time: they run at once.
WHILE_LOADING = {"sorting long strings": SORT + "table.sort(list) return {}", "keys that collide": COLLIDE + "return {}",
                 "weak keys": WEAK, "a chain of elseif": "local a if a then" + " elseif a then" * 580000 + " end return {}"}
IN_A_CALL = {"sorting in a call": force("table.sort(list)", SORT), "comparing long strings": force("for i = 1, 3e5 do local x = b < c end", LONG),
             "patterns with long sets": force("a:find('%f[' .. b .. ']')", LONG),
             "a format of 15 MB": force("for i = 1, 1e4 do string.packsize(f) end", "local f = ('b'):rep(15e6) "),
             "unpacking 15 MB": force("for i = 1, 1e4 do pcall(string.unpack, f, a) end", LONG + "local f = ('b'):rep(9e5) ")}
# These run into the other limits, soon.
QUICK = ["while true do end", "::again:: goto again", "for i = 1, math.huge do end", "pcall(function() while true do end end) while true do end",
         "local t = {} for i = 1, 1e8 do t[i] = {} end", "local s = 'x' while true do s = s .. s end", "('x'):rep(1e9)", "table.move({}, 1, 1 << 62, 2)",
         "string.find(('a'):rep(1e5), ('.-'):rep(30) .. 'b')", "string.find(('a'):rep(1e6), '[' .. ('b'):rep(1e6) .. ']')",
         "local t = {} for i = 1, 1e5 do t[i] = i end while true do table.insert(t, 1, 0) end",
         "local t = {} for i = 1, 1e5 do t[i] = i end while true do table.concat(t) end",
         "local t = {} for i = 1, 1e5 do t[i] = i end while true do next(t, 5) end", "local function f() return pcall(f) end while true do f() end",
         "local t <close> = setmetatable({}, {__close = function() while true do end end}) while true do end",
         "local m = {__index = function(t, k) return t[k + 1] end} while true do pcall(function() return setmetatable({}, m)[1] end) end",
         "local s = circle{radius=0.1} for i = 1, 60 do s = union{s, s} end " + SCENE % "sources={source{shape=s, density=1}}",
         "local s = circle{radius=0.1} for i = 1, 1000 do s = union{s} end " + SCENE % "sources={source{shape=s, density=1}}",
         "local s = {} for i = 1, 3e5 do s[i] = circle{radius=0.1} end " + SCENE % "sources={source{shape=union(s), density=1}}",
         "local f = {} for i = 1, 1e5 do f[i] = 'u' end local p = {} for i = 1, 1e5 do p[i] = probe{at={0.5,0.5}, fields=f} end " + SCENE % "probes=p",
         "local q = {} for i = 1, 1e5 do q[i] = {math.cos(i), math.sin(i)} end local s, u = polygon{points=q}, {} for i = 1, 9e4 do u[i] = s end "
         + SCENE % "sources={source{shape=union(u), density=1}}",
         "local t = {} for i = 1, 5e6 do t[i] = 1 end " + SCENE % "sources=t", SCENE % "output={dir=('x'):rep(1e7)}"]


def timed(text, *command):
    path = scene(text)
    start = time.monotonic()
    r = go(command[0], path, *command[1:])
    return r, time.monotonic() - start


def in_the_call(run):
    """Seconds from the first word of the function to the error, by the stamps of the log: whole ones."""
    stamps = [datetime.datetime.fromisoformat(line[:19]) for line in open(f"{run}/log.txt") if line.endswith("begins\n") or " error: " in line]
    return (stamps[1] - stamps[0]).total_seconds()


def test_limits():
    """All at once: those that take their whole time leave the processors little to do, but for each other."""
    where = folder()
    with concurrent.futures.ThreadPoolExecutor(9) as pool:
        loading = {k: pool.submit(timed, v, "check") for k, v in WHILE_LOADING.items()}
        calls = {k: pool.submit(timed, v, "run", "--quiet", "-o", f"{where}/{k}") for k, v in IN_A_CALL.items()}
        first = pool.submit(timed, force("", LONG).replace("if t > 0", "for i = 1, 3e5 do local x = b < c end if t > 0"), "run", "-o", f"{where}/first")
        quick = {text: pool.submit(timed, text, "check") for text in QUICK}
    for name, job in quick.items():
        r, took = job.result()
        fails(r, 2, ["limit"], f"{took:.1f} s: {name[:70]}")
        check(took < 30 + LATEST, "in time")
    r, took = first.result()
    fails(r, 2, ["limit of"], f"{took:.1f} s: a function that never ends when it is called for the first time")
    check(took < 10 + 3 * LATEST and not os.path.exists(f"{where}/first"), "in time, and nothing was written")
    late = {name: job.result()[1] - 30 for name, job in loading.items()}
    late.update({name: in_the_call(f"{where}/{name}") - 10 for name in calls})
    for name, job in [*loading.items(), *calls.items()]:
        r = job.result()[0]
        check(r.returncode in (1, 2) and "limit of" in r.stderr, f"{name}: says that there is a limit (exit {r.returncode}: {r.stderr.strip()[:120]})")
    for name, seconds in late.items():
        check(seconds <= LATEST, f"{name}: {seconds:.2f} s beyond the limit")


def test_prints():
    where = folder()
    path = scene(force("print('\\27[2J' .. ('y'):rep(500))", "for i = 1, 5000 do print(('x'):rep(3000)) end ").replace("cells=16", "cells=48"), where)
    succeeds(go("run", path, "-o", f"{where}/out", "--quiet"), "a scene that prints without end")
    log = open(f"{where}/out/log.txt", "rb").read()
    check(len(log) < 2.5e6, f"its log has {len(log)} bytes")
    check(log.count("further output of the scene is left out".encode()) == 2, "and says where it ends, for loading and for the run")
    check(b"\33" not in log, "no escape codes in it")


def plain(raw):
    """Nothing that steers a terminal, and UTF-8."""
    text = raw.decode("utf-8", "surrogateescape")
    return not [c for c in text if 0xdc80 <= ord(c) <= 0xdcff] and not [c for c in text if (ord(c) < 32 and c not in "\n\t") or 0x7f <= ord(c) <= 0x9f]


def lines_of_json(raw):
    try:
        return [json.loads(line) for line in raw.decode("utf-8").splitlines()]
    except ValueError:
        return []


def raw(*args):
    return subprocess.run([EXE, *args], capture_output=True, timeout=60)


def test_escape_codes():
    where = folder()
    steering = "\\27[31m \\xff \\xc2\\x85 \\127 grün"
    texts = {"an error": f"error('{steering}')", "a key": SCENE % f'["{steering}"]=1', "a print": f"print('{steering}') " + SCENE % "",
             "a word": SCENE % f"walls={{top='{steering}'}}", "a name": (SCENE % "").replace('"small"', f"'{steering}'"),
             "a file": SCENE % f"sources={{source{{shape=mesh{{file='{steering}'}}, density=1}}}}", "a scalar": SCENE % f"scalars={{['{steering}']={{}}}}"}
    for name, text in texts.items():
        r = raw("check", scene(text))
        check(plain(r.stdout) and plain(r.stderr), f"{name} with escape codes: {(r.stdout[:0] + r.stderr).strip()[:100]}")
        check("grün".encode() in r.stdout + r.stderr or name == "a name", f"{name}: other letters stay as they are")
    odd = os.path.join(where.encode(), b"a\33[31m\xff\xc2\x85.lua")
    for args in ((b"check", odd), (b"run", odd, b"-o", where.encode() + b"/\33[31mout"), (b"\33[31m",), (b"run", b"--\33[31m")):
        r = raw(*args)
        check(r.returncode == 2 and plain(r.stderr) and plain(r.stdout), f"{args[0]} and a file that is not there: {r.stderr.strip()[:80]}")
    write(odd, SCENE % "")
    r = raw(b"check", odd)
    check(r.returncode == 0 and plain(r.stdout), "a file whose name steers the terminal")
    r = raw(b"check", odd, b"--set", b"time.fps=\33[31m\xff")
    check(r.returncode == 2 and plain(r.stderr), f"--set with escape codes: {r.stderr.strip()[:80]}")
    out = where.encode() + b"/out\33[31m\xff\xc2\x85"
    r = raw(b"run", odd, b"--json", b"-o", out)
    check(r.returncode == 0 and plain(r.stdout) and lines_of_json(r.stdout), "run --json stays JSON")
    check(plain(open(out + b"/log.txt", "rb").read()), "its log is plain")
    record = open(out + b"/run.json", "rb").read()
    check(plain(record) and json.loads(record)["status"] == "finished", "run.json is JSON")
    check(raw(b"verify", out).returncode == 0, "and can be read back")
    bad = write(f"{where}/bad.lua", force("error('\\27[31m \\xff \"')"))
    r = raw("run", bad, "--json", "-o", f"{where}/bad")
    check(r.returncode == 1 and plain(r.stdout) and plain(r.stderr) and lines_of_json(r.stdout), "an error in JSON")


def test_same_every_time():
    text = """local t, u, s = {}, {}, '' for i = 1, 50 do t['key' .. i * 7919 % 1000] = i end for k in pairs(t) do s = s .. k .. ' ' end
    for i = 1, 40 do u[i % 2 == 0 and {i} or function() return i end] = i end for k, v in pairs(u) do s = s .. v .. ' ' end
    for k, v in next, u do s = s .. v .. ' ' end
    print(s, {}, print, tostring({}), tostring(math.sin), string.format('%p %s %10p', {}, {}, 'x'), setmetatable({}, {__name = 'Thing'}))
    """ + SCENE % ""
    path = scene(text)
    seen = {go("check", path).stdout.split("\nname")[0] for _ in range(20)}
    check(len(seen) == 1, f"pairs, next, tostring and string.format say the same in 20 runs ({len(seen)} different)")
    check("table: 0x00000001" in seen.pop(), "tables and functions are numbered")


def test_words():
    fails(go("check", scene("local s = {} for i = 1, 3e5 do s[i] = circle{radius=0.1} end " + SCENE % "sources={source{shape=union(s), density=1}}")), 2,
          ["300000 shapes", "limit is 100000"], "too many shapes")
    fails(go("check", scene(SCENE % ("scalars={%s={}}" % ("n" * 64)))), 2, ["64 letters", "limit is 63"], "a long name of a scalar")
    path = scene(SCENE % "particles={tracers{shape=circle{radius=0.2}, at={0.5,0.5}, rate=1e12}}")
    r = go("run", path, "-o", f"{folder()}/out")
    fails(r, 2, ["particles", "rate", "GB"], "a huge rate")
    check("fewer cells" not in r.stderr and "smaller count, per_cell or rate" in go("check", path).stdout, "which the cells have no part in")
    for key in ("dt", "dt_max"):
        fails(go("check", scene((SCENE % "").replace("fps=10", f"fps=10, {key}=1e-9"))), 2,
              ["scene.lua:1:", f"time.{key} = 1e-09 s makes 1e+08 steps", "1e-07 s or more"], f"a tiny {key}")


for test in (test_limits, test_prints, test_escape_codes, test_same_every_time, test_words):
    test()
finish()
