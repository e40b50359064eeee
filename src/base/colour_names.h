/* Named colours, for scenes and for inks whose name is a colour. */
#ifndef FR_BASE_COLOUR_NAMES_H
#define FR_BASE_COLOUR_NAMES_H

typedef struct colour_name {
    const char *name;
    double colour[3];    /* sRGB, 0 … 1 */
} colour_name;

/* All named colours; an entry without a name ends the list. */
extern const colour_name colour_names[];

/* The colour of that name, or NULL. */
const double *colour_named(const char *name);

#endif
