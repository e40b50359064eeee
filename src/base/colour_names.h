/* Words for colours: in scenes, and for inks that are called so. */
#ifndef FR_BASE_COLOUR_NAMES_H
#define FR_BASE_COLOUR_NAMES_H

typedef struct colour_name {
    const char *name;
    double colour[3];    /* sRGB, 0 … 1 */
} colour_name;

/* All of them; the last has no name. */
extern const colour_name colour_names[];

/* The colour of that name, or NULL. */
const double *colour_named(const char *name);

#endif
