/* Literature cases: what a case is, what it records, and what the cases share. */
#ifndef VALIDATE_VALIDATE_H
#define VALIDATE_VALIDATE_H

#include "cli.h"
#include "kit/json.h"

#define VALIDATE_PI 3.14159265358979323846

/* The scheme of the cases that ask for accuracy. */
#define VALIDATE_BEST FR_ADVECTION_CENTRAL

enum { VALIDATE_ROWS = 32, VALIDATE_PANELS = 4, VALIDATE_CURVES = 10, VALIDATE_NOTES = 8 };

/* How a measured number is judged. */
typedef enum validate_rule {
    VALIDATE_REPORT,      /* shown, not judged */
    VALIDATE_WITHIN,      /* |measured − published| ≤ limit */
    VALIDATE_RELATIVE,    /* |measured − published| ≤ limit·|published| */
    VALIDATE_AT_LEAST,    /* measured ≥ limit */
    VALIDATE_AT_MOST      /* measured ≤ limit */
} validate_rule;

typedef struct validate_row {
    char quantity[96];
    double measured, published;   /* NaN where nothing is published */
    validate_rule rule;
    double limit;
} validate_row;

/* A curve grows point by point. */
typedef struct validate_curve {
    char name[64];
    bool points;                  /* marks: published points */
    double *x, *y;
    int count, capacity;
} validate_curve;

typedef struct validate_panel {
    char title[96], x_label[48], y_label[48];
    validate_curve curves[VALIDATE_CURVES];
    int curve_count;
} validate_panel;

typedef struct validate_case validate_case;

/* What came out of one case. */
typedef struct validate_record {
    const validate_case *of;
    validate_row rows[VALIDATE_ROWS];
    int row_count;
    validate_panel panels[VALIDATE_PANELS];
    int panel_count;
    char notes[VALIDATE_NOTES][256];   /* how it was run, what it shows */
    int note_count;
    char failure[512];                 /* why it could not finish; "" when it did */
    double seconds;
} validate_record;

struct validate_case {
    const char *name;
    const char *what;        /* one line */
    const char *source;      /* who published the numbers */
    bool quick;              /* of the quick group; all are of the full one */
    fr_result (*run)(const validate_case *self, validate_record *record);
    double number;           /* of a family: its Reynolds or Rayleigh number, or what its file says */
    int cells;               /* of a family: cells along a side, or spacings of particles along a length of its file */
};

extern const validate_case validate_cases[];
extern const int validate_case_count;

/* One function per family of cases; see the file of that name. */
fr_result validate_cavity(const validate_case *self, validate_record *record);
fr_result validate_taylor_green_2d(const validate_case *self, validate_record *record);
fr_result validate_taylor_green_3d(const validate_case *self, validate_record *record);
fr_result validate_heated_cavity(const validate_case *self, validate_record *record);
fr_result validate_couette(const validate_case *self, validate_record *record);
fr_result validate_poiseuille(const validate_case *self, validate_record *record);
fr_result validate_cylinder_steady(const validate_case *self, validate_record *record);
fr_result validate_cylinder_shedding(const validate_case *self, validate_record *record);
fr_result validate_kelvin(const validate_case *self, validate_record *record);
fr_result validate_ring(const validate_case *self, validate_record *record);
fr_result validate_leapfrog(const validate_case *self, validate_record *record);
fr_result validate_slotted_disc(const validate_case *self, validate_record *record);
fr_result validate_gaussian(const validate_case *self, validate_record *record);
fr_result validate_still_water(const validate_case *self, validate_record *record);
fr_result validate_dam_front(const validate_case *self, validate_record *record);
fr_result validate_dam_box(const validate_case *self, validate_record *record);
fr_result validate_standing_wave(const validate_case *self, validate_record *record);
fr_result validate_square_patch(const validate_case *self, validate_record *record);
fr_result validate_poiseuille_sph(const validate_case *self, validate_record *record);
fr_result validate_river_couette(const validate_case *self, validate_record *record);
fr_result validate_river_dean(const validate_case *self, validate_record *record);
fr_result validate_river_throat(const validate_case *self, validate_record *record);
fr_result validate_river_free_stream(const validate_case *self, validate_record *record);
fr_result validate_river_vortex(const validate_case *self, validate_record *record);

/* validate_record.c: filling a record. */

/* Adds a row that is judged by `rule` and `limit`; its name is a format. */
void validate_row_add(validate_record *record, validate_row row, const char *quantity, ...) FR_PRINTF(3, 4);
/* Adds one that is shown and not judged; `published` NaN where nothing is. */
void validate_report(validate_record *record, double measured, double published, const char *quantity, ...)
    FR_PRINTF(4, 5);
void validate_note(validate_record *record, const char *format, ...) FR_PRINTF(2, 3);

/* A new panel of the plot; curves go to the newest one. */
void validate_panel_add(validate_record *record, const char *title, const char *x_label, const char *y_label);
validate_curve *validate_curve_add(validate_record *record, bool points, const char *name, ...) FR_PRINTF(3, 4);
void validate_point_add(validate_curve *curve, double x, double y);

bool validate_row_passed(const validate_row *row);
double validate_row_deviation(const validate_row *row);   /* relative where the rule is, else measured − published */
bool validate_passed(const validate_record *record);

void validate_print(const validate_record *record);
void validate_json(const validate_record *record, json *json);
/* folder/<case>.json, .svg and .png. */
fr_result validate_write(const validate_record *record, const char *folder);
void validate_free(validate_record *record);

/* validate_flow.c: running and measuring. */

typedef struct validate_scheme {
    const char *name;
    fr_advection advection;
    double
        least_energy; /* share of a carried vortex' energy that it must keep, see taylor-green-2d; 0: reported only */
} validate_scheme;
extern const validate_scheme validate_schemes[];
extern const int validate_scheme_count;

/* A square or cube of `cells` along each side of length `size`, every side of one kind, density 1. */
fr_scene_def validate_box(int dims, double size, int cells, fr_wall_kind walls);

/* The next frame, with a line of progress on a terminal. */
fr_result validate_frame(fr_world *world, const char *name);

/* A component on the line through the middle of a unit square along `axis`: times `scale` into the curve. */
typedef struct validate_extremes {
    double least, most;
} validate_extremes;
fr_result validate_profile(fr_world *world, const char *name, int axis, double scale, validate_curve *curve,
                           validate_extremes *extremes);

/* Steps frame by frame until the velocity changes by less than `change` m/s per second anywhere, or `cap` s have gone.
 */
typedef struct validate_steady {
    double change, cap;      /* asked */
    double time, left;       /* reached: s, and the change per second at the end */
    bool reached;
} validate_steady;
fr_result validate_run_steady(fr_world *world, const char *name, validate_steady *steady);
void validate_note_steady(validate_record *record, const validate_steady *steady);

double validate_value(const fr_field *field, int64_t i, int64_t j, int64_t k);
/* A component of the velocity, where the frame has it. */
double validate_velocity(const fr_frame *frame, int axis, int64_t i, int64_t j, int64_t k);

/* Where the sample (i, j, k) of a field sits. */
void validate_place(const fr_frame *frame, const fr_field *field, const int64_t index[3], double at[3]);

/* Of a cell in the plane, on a plain or a bent grid. */
double validate_area(const fr_frame *frame, int64_t i, int64_t j);

/* log₂ of the ratio of two errors, the grid twice as fine in the second. */
double validate_order(double coarse, double fine);

/* A column of the present ledger row. */
double validate_ledger(fr_world *world, const char *column);

/* validate_river.c: rivers. */

typedef struct validate_river_kind {
    const char *name;
    fr_river_scheme scheme;
    int sweeps;              /* classic: of every iteration; 0: as the program has them */
    bool judged;             /* false: reported only */
} validate_river_kind;

/* With few sweeps classic shows what its iteration leaves undone, with many what its grid does. */
enum { VALIDATE_RIVER_KINDS = 3 };
extern const validate_river_kind validate_river_kinds[VALIDATE_RIVER_KINDS];
void validate_river_set_kind(fr_scene_def *def, const validate_river_kind *kind);

/* A river of ns × nt cells on the grid that `map` gives, density 1. */
fr_scene_def validate_river_scene(fr_function map, void *context, int ns, int nt);
void validate_river_repeat(fr_scene_def *def, int axis);

/* A unit square or cube that repeats along every axis, its lines bent by waves of so many units; the mirror image where
   that is negative, plain where it is 0. Density 1. `bend` must outlive the definition. */
fr_scene_def validate_river_bent(int dims, int cells, double *bend);

/* validate_liquid.c: liquids of particles. */

typedef struct validate_liquid {
    fr_shape_def shape;
    fr_fill_def fill;
    fr_scene_def def;
} validate_liquid;

/* A domain that slips and a box of water in it. Fills `liquid` in place: the definition points into it. */
void validate_liquid_make(validate_liquid *liquid, int dims, const double size[3], const double low[3],
                          const double high[3], double spacing);

typedef struct validate_solver {
    const char *name;
    fr_sph_solver solver;
    double pressure_error;   /* most that a layer of still water may be off, see sph-hydrostatic; 0: reported only */
} validate_solver;
extern const validate_solver validate_solvers[];
extern const int validate_solver_count;

const float *validate_particle(const fr_vectors *vectors, int64_t n);
const float *validate_attribute(const fr_frame *frame, const char *name);

#endif
