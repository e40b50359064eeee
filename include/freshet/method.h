/* Freshet: the methods of this build and their properties. */
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
    bool has_surface;             /* its frames show a liquid with a surface, which 3D scenes can write as a mesh */
    bool has_bodies;              /* its scenes may have rigid bodies, joints and a coupling */
    const char *resolution_key;   /* the key that sets the resolution: "domain.cells" */
    const char *particles_key;    /* the key of passive particles; NULL: it has none */
    const char *coarser;          /* advice when a scene does not fit: "use fewer cells (--res)" */
    const char *easier;           /* advice when a step fails */
    const char *source_gives;     /* what a source must set at least one of, for messages; NULL: not checked */
    const char *scalars_key;      /* the key that declares scalars: "scalars"; NULL: it carries none */
    const char *const *scalars;   /* scalars that every scene of it has without declaring them; ends with NULL */
    /* Names of fields, without scalars; freshet/fields.h says which are 3D only. The lists end with NULL. */
    const char *const *probes;    /* fields for probes; NULL: none */
    const char *const *views;     /* fields for pictures; NULL: none */
    const fr_key *keys;           /* the keys of its own table in a scene, which is named like the method */
    const fr_refused_key *refused;   /* keys of other methods, which would have no effect here; NULL: none */
    const char *place_key;        /* the key that says where the fluid is: "domain"; a scene must have it */
    const char *place_example;    /* how to write it, for messages */
} fr_method_info;

/* All values of fr_method are below this number. Some of them may not be in this build. */
FR_API int fr_method_count(void);

/* The properties of a method, in static memory; NULL when this build does not have it. */
FR_API const fr_method_info *fr_method_describe(fr_method method);

/* The method of that name; false when this build has none. */
FR_API bool fr_method_find(const char *name, fr_method *method);

/* Derives values that a scene left out from others: the particle spacing from domain.cells. */
FR_API void fr_scene_complete(fr_scene_def *def);

#ifdef __cplusplus
}
#endif
#endif
