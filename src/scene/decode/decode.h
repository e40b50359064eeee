/* Decodes the table that a scene returns into a definition, by tables of keys. The value to decode is always on the top
   of the Lua stack; a decoder leaves the stack as it found it. Lua may raise an out-of-memory error anywhere, so all
   memory comes from the scene's arena and nothing needs to be freed. */
#ifndef FR_SCENE_DECODE_DECODE_H
#define FR_SCENE_DECODE_DECODE_H

#include <freshet/method.h>

#include "base/arena.h"
#include "scene/inputs.h"
#include "scene/lines.h"
#include "scene/lua/sandbox.h"

enum { DECODE_KEY = 256 };

typedef struct decoder {
    sandbox *box;
    lua_State *lua;
    arena *arena;
    line_map *lines;
    input_list *inputs;   /* the files that the scene names */
    fr_scene_def *def;    /* the definition being filled */
    int res;              /* --res for river.cells; 0: none. overrides.c has applied it to other keys */
    int written[3];       /* cells of a river as the scene writes them, before --res */
    int shapes, depth;    /* shapes so far; nesting depth of the current one */
    int elements;         /* of all lists so far; a list that is used twice counts twice */
    char key[DECODE_KEY]; /* of the current value: "sources[2].shape" */
} decoder;

struct key;

/* Decodes the value on the top of the stack into `target`. */
typedef fr_result (*decode_value)(decoder *d, const struct key *key, void *target);

typedef struct key {
    const char *name; /* NULL ends a list */
    decode_value decode;
    size_t offset;      /* of the target in the struct that the list fills */
    const void *detail; /* depends on the decode function */
    const char *unit;   /* of a number, for messages; may be NULL */
} key;

/* The keys a table may have. */
typedef struct key_set {
    const char *what; /* "fluid", "source" */
    const key *keys;
    bool scalars; /* names of scalars are also keys (decode_scalar_values) */
    bool items;   /* the table also has positional entries, which other code reads */
} key_set;

/* Decodes the whole scene into d->def. */
fr_result decode_scene(decoder *d);

/* Fails about the current key. The message should begin with what is wrong and name d->key. */
fr_result decode_fail(decoder *d, const char *format, ...) FR_PRINTF(2, 3);
/* Fails with "time.duration must be a number (s), found the string "long"". */
fr_result decode_fail_type(decoder *d, const char *wanted);
/* Fails: a part of the language that is not implemented. */
fr_result decode_fail_unbuilt(decoder *d, const char *what);

/* Appends an entry's name or a list index to d->key. Pass the returned length to decode_leave. */
size_t decode_enter(decoder *d, const char *name);
size_t decode_enter_index(decoder *d, int index);
void decode_leave(decoder *d, size_t length);

/* Decodes all keys of the table into `target`. For an unknown key the message suggests the nearest name. */
fr_result decode_keys(decoder *d, const key_set *set, void *target);
/* Whether the table has that entry. */
bool decode_has(decoder *d, const char *name);
/* lua_next on the table below the key, charged to the scene's budget. */
bool decode_next(decoder *d);
/* Fails unless the value comes from that constructor. */
fr_result decode_expect(decoder *d, const char *constructor);

/* How to read one element of a list. */
typedef struct list_spec {
    const char *example; /* "source{…}" for messages */
    size_t size;         /* of an element */
    decode_value decode;
} list_spec;
/* Decodes a list into new memory. */
fr_result decode_list(decoder *d, const list_spec *spec, void *array_target,
                      int *count); /* array_target: a pointer to the array of elements */

/* The index-th scalar: those that every scene of the method has, then those that this one declares; NULL after the
   last. */
const char *decode_scalar_name(const decoder *d, int index);
/* Decodes the entries of the table that are named like scalars. */
fr_result decode_scalar_values(decoder *d, const fr_scalar_value **values, int *count);

/* Adds the values of the entry colour, if the table has one: they are scalars of a liquid. */
fr_result decode_colour_values(decoder *d, const fr_scalar_value **values, int *count);
/* The keys of look.liquid. */
extern const key_set decode_liquid_look;

/* A table of scalars by name. Each is decoded into a struct of `size` bytes that begins with an fr_scalar_def, in new
   memory and in alphabetical order. */
typedef struct scalar_table {
    const char *nameless; /* message for an entry without a name */
    const key_set *set;
    size_t size;
    fr_result (*finish)(decoder *d, void *scalar); /* called when its keys have been decoded; may be NULL */
} scalar_table;
fr_result decode_scalar_table(decoder *d, const scalar_table *table, void *array_target, int *count);

/* Keys that every scalar has. */
/* clang-format off */
#define DECODE_SCALAR_KEYS {"diffusion", value_not_negative, offsetof(fr_scalar_def, diffusion), NULL, "m²/s"}, \
                           {"dissipation", value_not_negative, offsetof(fr_scalar_def, dissipation), NULL, "1/s"}, \
                           {"initial", value_varying, offsetof(fr_scalar_def, initial), NULL, NULL}, \
                           {"transport", value_transport, offsetof(fr_scalar_def, transport), NULL, NULL}
/* Keys that everything with a placed shape has. */
#define DECODE_PLACED_KEYS(type) {"shape", value_shape, offsetof(type, shape.shape), NULL, NULL}, \
                                 {"at", value_point, offsetof(type, shape.at), NULL, "m"}, \
                                 {"rotation", value_rotation, offsetof(type, shape), NULL, NULL}
/* clang-format on */

/* One of `names` (ends with NULL; some are 3D only), or a scalar if the method has any. On failure the message suggests
   the nearest and lists all. */
fr_result value_field(decoder *d, const key *key, const char *const *names, const char **field);

/* Decoders of values; the comment names the target's type. */
fr_result value_number(decoder *d, const key *key, void *target);         /* double */
fr_result value_positive(decoder *d, const key *key, void *target);       /* double > 0 */
fr_result value_end(decoder *d, const key *key, void *target);            /* double > 0, s: when something ends */
fr_result value_not_negative(decoder *d, const key *key, void *target);   /* double >= 0 */
fr_result value_integer(decoder *d, const key *key, void *target);        /* int */
fr_result value_bool(decoder *d, const key *key, void *target);           /* bool */
fr_result value_string(decoder *d, const key *key, void *target);         /* const char *, in the arena */
fr_result value_file(decoder *d, const key *key, void *target);           /* const char *, path of a readable file */
fr_result value_choice(decoder *d, const key *key, void *target);         /* int; detail: a list of choices */
fr_result value_point(decoder *d, const key *key, void *target);          /* double[3]; two numbers in 2D */
fr_result value_varying(decoder *d, const key *key, void *target);        /* fr_number, may be a function */
fr_result value_varying_vector(decoder *d, const key *key, void *target); /* fr_vector, may be a function */
fr_result value_colour(decoder *d, const key *key, void *target);         /* double[3] */
fr_result value_axis(decoder *d, const key *key, void *target);           /* int, "x" "y" "z" */
fr_result value_keys(decoder *d, const key *key, void *target);           /* detail: a key_set */
fr_result value_known(decoder *d, const key *key, void *target);          /* does nothing: decoded before */
fr_result value_heat(decoder *d, const key *key, void *target);
fr_result value_unbuilt(decoder *d, const key *key, void *target);       /* fails: not implemented */
fr_result value_shape(decoder *d, const key *key, void *target);         /* const fr_shape_def * */
fr_result value_rotation(decoder *d, const key *key, void *target);      /* fr_placed_shape: axis and degrees */
fr_result value_transport(decoder *d, const key *key, void *target);     /* fr_transport */
fr_result value_body_material(decoder *d, const key *key, void *target); /* fr_body_material */

/* How a body looks: entries for a list of the keys of a fr_body_def. */
#define DECODE_BODY_LOOK_KEYS                                                                                          \
    {"colour", value_colour, offsetof(fr_body_def, colour), NULL, NULL},                                               \
    {                                                                                                                  \
        "material", value_body_material, offsetof(fr_body_def, material), NULL, NULL                                   \
    }

typedef fr_choice choice; /* its value may be CHOICE_UNBUILT: these come last */
enum { CHOICE_UNBUILT = -1 };

/* Decodes a list of `least` to `count` finite numbers; *found is their number. */
typedef struct number_list {
    int least, most;
    const char *wanted; /* "two numbers (m)" */
} number_list;
fr_result decode_numbers(decoder *d, const number_list *list, double *values, int *found);

/* Parts of a scene that have their own file. */
fr_result value_walls(decoder *d, const key *key, void *target);      /* fr_wall_def[FR_SIDES] */
fr_result value_scalars(decoder *d, const key *key, void *target);    /* fr_scene_def */
fr_result value_sources(decoder *d, const key *key, void *target);    /* fr_scene_def */
fr_result value_forces(decoder *d, const key *key, void *target);     /* fr_scene_def */
fr_result value_obstacles(decoder *d, const key *key, void *target);  /* fr_scene_def */
fr_result value_bodies(decoder *d, const key *key, void *target);     /* fr_scene_def */
fr_result value_joints(decoder *d, const key *key, void *target);     /* fr_scene_def; after its bodies */
fr_result value_coupling(decoder *d, const key *key, void *target);   /* fr_coupling */
fr_result value_initial(decoder *d, const key *key, void *target);    /* fr_scene_def */
fr_result value_particles(decoder *d, const key *key, void *target);  /* fr_scene_def */
fr_result value_turbulence(decoder *d, const key *key, void *target); /* fr_turbulence_def */
fr_result value_jet(decoder *d, const key *key, void *target);        /* fr_source_def */
/* For methods on bent grids. */
fr_result value_bent_cells(decoder *d, const key *key, void *target);   /* fr_scene_def */
fr_result value_river_grid(decoder *d, const key *key, void *target);   /* fr_scene_def */
fr_result value_bent_inks(decoder *d, const key *key, void *target);    /* fr_scene_def */
fr_result value_bent_sides(decoder *d, const key *key, void *target);   /* fr_scene_def */
fr_result value_bent_blocks(decoder *d, const key *key, void *target);  /* fr_scene_def */
fr_result value_bent_tracers(decoder *d, const key *key, void *target); /* fr_scene_def */
fr_result value_bent_bed(decoder *d, const key *key, void *target);     /* fr_scene_def */

/* The tables of methods, by the keys that each method lists. The number of axes is decoded first. When scalars have
   been declared, the table of the scene's method is decoded into d->def; those of other methods are only checked. */
fr_result value_method_axes(decoder *d, const key *key, void *target);  /* detail: fr_method_info */
fr_result value_method_table(decoder *d, const key *key, void *target); /* detail: fr_method_info */
fr_result value_fill(decoder *d, const key *key, void *target);         /* fr_scene_def */
fr_result value_sinks(decoder *d, const key *key, void *target);        /* fr_scene_def */
fr_result value_prescribed(decoder *d, const key *key, void *target);   /* fr_scene_def */
fr_result value_probes(decoder *d, const key *key, void *target);       /* fr_scene_def */
fr_result value_output(decoder *d, const key *key, void *target);       /* fr_scene_def */
fr_result value_camera(decoder *d, const key *key, void *target);       /* fr_camera_def */
fr_result value_look(decoder *d, const key *key, void *target);         /* fr_scene_def */

#endif
