/* Freshet: the methods that this build has, and what a program may want to say of them. */
#ifndef FRESHET_METHOD_H
#define FRESHET_METHOD_H

#include <freshet/defs.h>
#include <freshet/keys.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct fr_method_info {
    const char *name;             /* as scenes write it: "smoke" */
    bool of_particles;            /* its resolution is counted in particles, not in cells */
    const char *resolution_key;   /* the key that makes a scene coarser: "domain.cells" */
    const char *particles_key;    /* the key of particles that are only carried; NULL: it has none */
    const char *coarser;          /* advice when a scene does not fit: "use fewer cells (--res)" */
    const char *easier;           /* advice when a step fails */
    const char *source_gives;     /* of which a source must give something; NULL: the method's own check sees to it */
    const char *scalars_key;      /* the key that declares scalars: "scalars"; NULL: it carries none */
    const char *const *scalars;   /* those that every scene of it has without declaring them; NULL at the end */
    /* Names of fields besides all scalars; freshet/fields.h says which are in 3D only. NULL at the end. */
    const char *const *probes;    /* that probes may ask for; NULL: none */
    const char *const *views;     /* that pictures may show; NULL: none */
    const fr_key *keys;           /* of its own table in a scene, which has its name */
    const fr_refused_key *refused;   /* keys of other methods that would have no effect; NULL: none */
    const char *place_key;        /* the key that says where the scene is: "domain"; a scene without it is refused */
    const char *place_example;    /* how to write it */
} fr_method_info;

/* Numbers of methods lie below this; some may be no method of this build. */
FR_API int fr_method_count(void);

/* NULL for a number that is no method of this build. */
FR_API const fr_method_info *fr_method_describe(fr_method method);

/* The method of that name; false when this build has none. */
FR_API bool fr_method_find(const char *name, fr_method *method);

/* Fills in what follows from other values where a scene has left it out: the spacing of particles from domain.cells. */
FR_API void fr_scene_complete(fr_scene_def *def);

#ifdef __cplusplus
}
#endif
#endif
