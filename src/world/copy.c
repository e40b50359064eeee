#include "world/copy.h"

#include <string.h>

/* A shape and its copy. */
typedef struct copy_pair {
    const fr_shape_def *from;
    fr_shape_def *to;
} copy_pair;

/* A hash table from shapes to copies (by address, open addressing, at most half full), and a queue of shapes whose
   parts are not copied yet. */
typedef struct copier {
    arena *arena;
    copy_pair *table;
    fr_shape_def **todo;
    size_t size, count, done;        /* of the table; shapes found; shapes with copied parts */
    bool failed;                     /* out of memory: the copies are NULL */
} copier;

static void *copy_room(copier *c, size_t bytes)
{
    void *room = c->failed ? NULL : arena_alloc(c->arena, bytes);
    c->failed = c->failed || !room;
    return room;
}

static const void *copy_bytes(copier *c, const void *from, size_t bytes)
{
    if (!from || bytes == 0)
        return NULL;
    void *to = copy_room(c, bytes);
    return to ? memcpy(to, from, bytes) : NULL;
}

static const char *copy_text(copier *c, const char *text)
{
    return text ? copy_bytes(c, text, strlen(text) + 1) : NULL;
}

/* A writable copy of a list; NULL if it is empty. */
#define COPY_LIST(c, list, count) ((void *)copy_bytes(c, list, sizeof *(list) * (size_t)((count) > 0 ? (count) : 0)))

static size_t copy_slot(const copier *c, const fr_shape_def *from)
{
    size_t slot = (size_t)((uintptr_t)from / sizeof(void *) * 0x9e3779b97f4a7c15u) & (c->size - 1);
    while (c->table[slot].from && c->table[slot].from != from)
        slot = (slot + 1) & (c->size - 1);
    return slot;
}

static void copy_grow(copier *c)
{
    copier old = *c;
    c->size = old.size ? 2 * old.size : 64;
    c->table = copy_room(c, c->size * sizeof *c->table);
    c->todo = copy_room(c, c->size * sizeof *c->todo);
    if (c->failed)
        return;
    for (size_t i = 0; i < old.size; i++)
        if (old.table[i].from)
            c->table[copy_slot(c, old.table[i].from)] = old.table[i];
    if (old.count > 0)
        memcpy(c->todo, old.todo, old.count * sizeof *c->todo);
}

/* The copy of a shape; its parts are copied later. */
static fr_shape_def *copy_shape(copier *c, const fr_shape_def *from)
{
    if (!c->failed && 2 * (c->count + 1) > c->size)
        copy_grow(c);
    if (!from || c->failed)
        return NULL;
    copy_pair *pair = &c->table[copy_slot(c, from)];
    if (!pair->from) {
        *pair = (copy_pair){from, (fr_shape_def *)copy_bytes(c, from, sizeof *from)};
        c->todo[c->count++] = pair->to;
    }
    return pair->to;
}

/* Copies only the members that the kind uses; the others may hold anything. Counts without a list are kept: compiling
   the shape reports them. */
static void copy_parts(copier *c, fr_shape_def *shape)
{
    bool outline = shape->kind >= FR_SHAPE_POLYGON && shape->kind <= FR_SHAPE_REVOLVE;
    bool combines = shape->kind >= FR_SHAPE_UNION && shape->kind <= FR_SHAPE_SHELL;
    shape->points = outline ? COPY_LIST(c, shape->points, shape->point_count) : NULL;
    shape->file = shape->kind == FR_SHAPE_MESH ? copy_text(c, shape->file) : NULL;
    const fr_shape_def **children = combines ? COPY_LIST(c, shape->children, shape->child_count) : NULL;
    for (int i = 0; children && i < shape->child_count; i++)
        children[i] = copy_shape(c, children[i]);
    shape->children = children;
}

static fr_placed_shape copy_placed(copier *c, const fr_placed_shape *from)
{
    fr_placed_shape placed = *from;
    placed.shape = copy_shape(c, from->shape);
    return placed;
}

static const fr_scalar_value *copy_values(copier *c, const fr_scalar_value *from, int count)
{
    fr_scalar_value *values = COPY_LIST(c, from, count);
    for (int i = 0; values && i < count; i++)
        values[i].name = copy_text(c, values[i].name);
    return values;
}

/* Copies a list of things with a placed shape. */
#define COPY_PLACED(c, type, list, number)                           \
    do {                                                             \
        type *placed_ = COPY_LIST(c, list, number);                  \
        for (int i_ = 0; placed_ && i_ < (number); i_++)             \
            placed_[i_].shape = copy_placed(c, &placed_[i_].shape);  \
        (list) = placed_;                                            \
    } while (0)

static void copy_sources(copier *c, fr_scene_def *def)
{
    fr_source_def *sources = COPY_LIST(c, def->sources, def->source_count);
    for (int i = 0; sources && i < def->source_count; i++) {
        sources[i].shape = copy_placed(c, &sources[i].shape);
        sources[i].scalars = copy_values(c, sources[i].scalars, sources[i].scalar_count);
    }
    def->sources = sources;
}

static void copy_fills(copier *c, fr_scene_def *def)
{
    fr_fill_def *fills = COPY_LIST(c, def->fill, def->fill_count);
    for (int i = 0; fills && i < def->fill_count; i++) {
        fills[i].shape = copy_placed(c, &fills[i].shape);
        fills[i].scalars = copy_values(c, fills[i].scalars, fills[i].scalar_count);
    }
    def->fill = fills;
}

static void copy_bodies(copier *c, fr_scene_def *def)
{
    fr_body_def *bodies = COPY_LIST(c, def->bodies, def->body_count);
    for (int i = 0; bodies && i < def->body_count; i++) {
        bodies[i].name = copy_text(c, bodies[i].name);
        bodies[i].shape = copy_placed(c, &bodies[i].shape);
    }
    def->bodies = bodies;
    def->joints = COPY_LIST(c, def->joints, def->joint_count);
}

static void copy_scalars(copier *c, fr_scene_def *def)
{
    fr_scalar_def *scalars = COPY_LIST(c, def->scalars, def->scalar_count);
    for (int i = 0; scalars && i < def->scalar_count; i++)
        scalars[i].name = copy_text(c, scalars[i].name);
    def->scalars = scalars;
    def->initial = copy_values(c, def->initial, def->initial_count);
}

static void copy_sides(copier *c, fr_scene_def *def)
{
    for (int side = 0; side < FR_SIDES; side++) {
        fr_wall_def *wall = &def->walls[side];
        fr_river_side *bank = &def->river.sides[side];
        wall->scalars = copy_values(c, wall->scalars, wall->scalar_count);
        bank->scalars = copy_values(c, bank->scalars, bank->scalar_count);
    }
}

static void copy_probes(copier *c, fr_scene_def *def)
{
    fr_probe_def *probes = COPY_LIST(c, def->probes, def->probe_count);
    for (int i = 0; probes && i < def->probe_count; i++) {
        const char **fields = COPY_LIST(c, probes[i].fields, probes[i].field_count);
        for (int f = 0; fields && f < probes[i].field_count; f++)
            fields[f] = copy_text(c, fields[f]);
        probes[i].fields = fields;
    }
    def->probes = probes;
}

static void copy_pictures(copier *c, fr_scene_def *def)
{
    fr_view_def *views = COPY_LIST(c, def->output.views, def->output.view_count);
    for (int i = 0; views && i < def->output.view_count; i++) {
        views[i].field = copy_text(c, views[i].field);
        views[i].colormap = copy_text(c, views[i].colormap);
    }
    def->output.views = views;
    fr_ink_look *inks = COPY_LIST(c, def->look.inks, def->look.ink_count);
    for (int i = 0; inks && i < def->look.ink_count; i++)
        inks[i].scalar = copy_text(c, inks[i].scalar);
    def->look.inks = inks;
}

fr_result scene_copy(const fr_scene_def *def, arena *arena, fr_scene_def *out)
{
    copier c = {.arena = arena};
    *out = *def;
    out->name = copy_text(&c, def->name);
    out->river.nodes = copy_text(&c, def->river.nodes);
    out->river.blocks = COPY_LIST(&c, def->river.blocks, def->river.block_count);
    out->output.dir = copy_text(&c, def->output.dir);
    out->output.mesh = copy_text(&c, def->output.mesh);
    copy_sides(&c, out);
    copy_scalars(&c, out);
    copy_sources(&c, out);
    copy_fills(&c, out);
    COPY_PLACED(&c, fr_sink_def, out->sinks, out->sink_count);
    COPY_PLACED(&c, fr_force_def, out->forces, out->force_count);
    COPY_PLACED(&c, fr_obstacle_def, out->obstacles, out->obstacle_count);
    COPY_PLACED(&c, fr_tracers_def, out->tracers, out->tracer_count);
    copy_bodies(&c, out);
    copy_probes(&c, out);
    copy_pictures(&c, out);
    while (!c.failed && c.done < c.count)
        copy_parts(&c, c.todo[c.done++]);
    return c.failed ? FR_ERROR_MEMORY : FR_OK;
}
