/* Damaged scenes: whatever is in the file, loading returns, and a failure has a message that begins with the path. */
#define _POSIX_C_SOURCE 200809L
#include "load_text.h"

#include <stdint.h>

enum { MOST = 8192, ROUNDS = 1500 };

static const char *const seeds[] = {
    "return { name='contract-smoke', method='smoke', domain={size={1,1.5}, cells={32,48}}, time={duration=0.5, "
    "fps=10},\n"
    "  smoke={buoyancy={temperature=0.05, density=0.1}, vorticity=0.2}, scalars={ink={diffusion=1e-4}},\n"
    "  sources={source{shape=circle{radius=0.1}, at={0.5,0.2}, density=1, temperature=60, ink=1}},\n"
    "  obstacles={obstacle{shape=circle{radius=0.12}, at={0.5,0.8}}}, walls={top='open'},\n"
    "  probes={probe{at={0.5,1.0}, fields={'u','v','pressure'}, every=0.1}}, output={npy=true} }\n",
    "local r = 0.1\nlocal function puff(i)\n  return source{ shape=sphere{radius=r*i}, at={0.5,0.2,0.1*i}, "
    "density=function(x,y,z,t) return t end }\nend\n"
    "local list = {}\nfor i = 1, 5 do\n  list[#list + 1] = puff(i)\nend\n"
    "return {\n  method = \"smoke\",\n  domain = { size = {1,1,1}, cells = {17,12,9} },\n  time = { duration = 0.2, "
    "fps = 10 },\n  sources = list,\n"
    "  walls = { left='periodic', top=lid{velocity={1,0,0}}, back=inflow{velocity=function(x,y) return 0,0,y end, "
    "temperature=3} },\n"
    "  camera = { eye={3,2,1} }, look = { background='#102030', views={ view{field='volume'}, view{field='speed', "
    "slice={axis='y', at=0.25}} } },\n"
    "  output = { images={'volume'}, video=true },\n}\n",
    "local gear = difference{ gear{radius=0.2, teeth=9, depth=0.02}, translate(circle{radius=0.05}, {0.1, 0}) }\n"
    "local star = polygon{ {0,0}, {1,0}, {0.5,1} }\n"
    "return { method='smoke', domain={size={2,1}, cells=32}, forces={force{shape=rotate(gear, 30), value={0,1}}},\n"
    "  obstacles={ obstacle{shape=smooth_union{scale{star, factor=0.1}, shell(box{size={0.1,0.2}}, 0.01), k=0.02}, "
    "at={1,0.5}, rotation=45, slip='no_slip'},\n"
    "  obstacle{shape=sdf(function(x,y,z) return math.sqrt(x*x+y*y)-0.1 end)} }, initial={velocity=function(x,y,z) "
    "return -y,x end} }\n",
    "return { method='sph', domain={size={2,1}}, time={duration=1, fps=24}, sph={spacing=0.02, solver='wcsph', "
    "kernel='wendland', support=2,\n"
    "  boundary='collide', restitution={0.1,0.2}}, fluid={surface_tension=0.07}, walls={top='open', left='periodic'},\n"
    "  fill={ box{min={0,0}, max={0.5,0.8}}, fluid_in{shape=circle{radius=0.1}, at={1.5,0.7}, velocity=function(x,y) "
    "return y,x end} },\n"
    "  sources={ jet{at={1.8,0.9}, direction={-1,0}, radius=0.05, speed=2} }, sinks={ sink{shape=circle{radius=0.1}, "
    "at={1.9,0}, from=1} },\n"
    "  probes={ probe{at={1,0.5}, fields={'density','speed'}} } }\n",
    "return { method='river', fluid={viscosity=1e-3}, scalars={heat={transport='conservative'}}, "
    "forces={force{value={0,1}}}, river={ cells={40,8},\n"
    "  grid=channel{centre={{0,0},{4,1},{8,-1}}, width=function(s) return 1 + s end}, obstacles={cells{from={10,2}, "
    "to={12,4}}}, particles=9,\n"
    "  sides={s0=inflow{speed=function(t) return t end, blue=1}, s1=outflow{}, t0=bank{roughness=0.5, speed=1}}, "
    "bed=function(x,y) return x end,\n"
    "  inks={blue={source={cells{from={0,0}, to={0,3}}}, initial=2, rate=1}} }, probes={probe{at={1,0.5}, "
    "fields={'blue','speed'}}} }\n",
    "return { method='river', river={ cells={24,6,3}, grid=annulus{radii={1,2}, from=0, to=90, depth=function(s,t) "
    "return 1 end}, scheme='classic',\n"
    "  sides={s='periodic', t1=bank{speed=1}}, particles={particles{cells=cells{from={0,0,0}, to={3,3,1}}, rate=4}}, "
    "sweeps=9 }, camera={eye={1,2,3}, target={0,0,0}} }\n",
    "return { method='river', river={ cells={60,6}, grid=venturi{length=9, width=1, throat=0.4, neck=1, at={1,1}}, "
    "sides={s0='periodic', s1='periodic'} } }\n",
};

static const char *const pieces[] = {"{",
                                     "}",
                                     "(",
                                     ")",
                                     ",",
                                     "=",
                                     "nil",
                                     "true",
                                     "-1",
                                     "0",
                                     "1e308",
                                     "1e999",
                                     "-1e999",
                                     "0/0",
                                     "nan",
                                     "''",
                                     "'smoke'",
                                     "{}",
                                     "{{}}",
                                     "function() end",
                                     "function() return {} end",
                                     "sphere{}",
                                     "sphere{radius=1}",
                                     "source{}",
                                     "union{}",
                                     "..",
                                     "2147483648",
                                     "1e18",
                                     "[",
                                     "]",
                                     "--",
                                     "[[",
                                     "return ",
                                     "end ",
                                     "local ",
                                     "while true do end ",
                                     "\n",
                                     "\"",
                                     "\\",
                                     "_G",
                                     "math.huge",
                                     "setmetatable",
                                     "pcall(error)",
                                     "('x'):rep(1e9)",
                                     "box{min={0,0},max={1,1}}",
                                     "lid{velocity={1,0}}"};

static uint64_t random_state = 12345;

static size_t pick(size_t below)
{
    random_state = random_state * 6364136223846793005u + 1442695040888963407u;
    return (size_t)(random_state >> 33) % (below ? below : 1);
}

/* Puts `with` in place of `gone` bytes at `at`. */
static size_t splice(char *text, size_t length, size_t at, size_t gone, const char *with)
{
    size_t added = strlen(with);
    if (at + gone > length || length - gone + added >= MOST)
        return length;
    memmove(text + at + added, text + at + gone, length - at - gone);
    memcpy(text + at, with, added);
    return length - gone + added;
}

static size_t word_end(const char *text, size_t length, size_t at)
{
    while (at < length && strchr("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_0123456789.", text[at]) &&
           text[at])
        at++;
    return at;
}

static size_t line_end(const char *text, size_t length, size_t at)
{
    while (at < length && text[at] != '\n')
        at++;
    return at;
}

static size_t damage(char *text, size_t length)
{
    size_t at = pick(length), other = pick(length);
    const char *piece = pieces[pick(sizeof pieces / sizeof *pieces)];
    switch (pick(6)) {
    case 0:
        text[at] = (char)pick(256);
        return length;
    case 1:
        return splice(text, length, at, 0, piece);
    case 2:
        return splice(text, length, at, word_end(text, length, at) - at, piece);
    case 3:
        return splice(text, length, at, line_end(text, length, at) - at, "");
    case 4: {
        char word[64];
        size_t end = word_end(text, length, other);
        snprintf(word, sizeof word, "%.*s", (int)(end - other < 60 ? end - other : 60), text + other);
        return splice(text, length, at, word_end(text, length, at) - at, word);
    }
    default:
        return splice(text, length, at, pick(8) < length - at ? pick(8) % (length - at) : 0, "");
    }
}

static void check_load(const char *text, size_t length)
{
    fr_scene *scene;
    write_scene(text, length);
    fr_result result = fr_scene_load(scene_path(), NULL, &scene);
    if (result == FR_OK) {
        assert_int_equal(fr_scene_check(fr_scene_definition(scene)), FR_OK);
        fr_scene_destroy(scene);
        return;
    }
    assert_null(scene);
    const char *message = fr_error_message();
    size_t path = strlen(scene_path());
    if (strncmp(message, scene_path(), path) || message[path] != ':' || strlen(message) < path + 4)
        fail_msg("message '%s' for:\n%.*s", message, (int)length, text);
}

static void survives_damage(void **state)
{
    (void)state;
    char text[MOST + 1];
    for (int round = 0; round < ROUNDS; round++) {
        const char *seed = seeds[pick(sizeof seeds / sizeof *seeds)];
        size_t length = strlen(seed);
        memcpy(text, seed, length);
        for (size_t k = 0, count = 1 + pick(4); k < count && length > 0; k++)
            length = damage(text, length);
        check_load(text, length);
    }
    remove(scene_path());
}

static void loads_the_seeds(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof seeds / sizeof *seeds; i++)
        fr_scene_destroy(load(seeds[i]));
}

static void survives_noise(void **state)
{
    (void)state;
    char text[512];
    for (int round = 0; round < 200; round++) {
        size_t length = pick(sizeof text);
        for (size_t i = 0; i < length; i++)
            text[i] = (char)pick(256);
        check_load(text, length);
    }
    remove(scene_path());
}

int main(void)
{
    fr_set_log_sink(NULL, NULL);
    const struct CMUnitTest tests[] = {cmocka_unit_test(loads_the_seeds), cmocka_unit_test(survives_damage),
                                       cmocka_unit_test(survives_noise)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
