/* Validation cases from the literature: what a case is, what it records, and what the cases share. */
#ifndef VALIDATE_VALIDATE_H
#define VALIDATE_VALIDATE_H

#include "cli.h"
#include "kit/json.h"

#define VALIDATE_PI 3.14159265358979323846

/* The advection scheme of the cases that need accuracy. */
#define VALIDATE_BEST FR_ADVECTION_CENTRAL

enum { VALIDATE_ROWS = 64, VALIDATE_PANELS = 4, VALIDATE_CURVES = 10, VALIDATE_NOTES = 8 };

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

/* A curve of a plot; points are added one by one. */
typedef struct validate_curve {
    char name[64];
    bool points;                  /* drawn as marks: published values */
    double *x, *y;
    int count, capacity;
} validate_curve;

typedef struct validate_panel {
    char title[96], x_label[48], y_label[48];
    validate_curve curves[VALIDATE_CURVES];
    int curve_count;
} validate_panel;

typedef struct validate_case validate_case;

/* The results of one case. */
typedef struct validate_record {
    const validate_case *of;
    validate_row rows[VALIDATE_ROWS];
    int row_count;
    validate_panel panels[VALIDATE_PANELS];
    int panel_count;
    char notes[VALIDATE_NOTES][256];   /* how the case was run, what it shows */
    int note_count;
    char failure[512];                 /* why the case could not finish; "" when it did */
    double seconds;
} validate_record;

struct validate_case {
    const char *name;
    const char *what;        /* one line */
    const char *source;      /* who published the numbers */
    bool quick;              /* part of the quick group; the full group has all cases */
    fr_result (*run)(const validate_case *self, validate_record *record);
    double number;           /* parameter of a family: Reynolds or Rayleigh number, or as its file says */
    int cells;               /* resolution of a family: cells along a side, or particles along a reference length */
};

extern const validate_case validate_cases[];
extern const int validate_case_count;

/* One function per family of cases; each file describes its own. */
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
fr_result validate_dam_front_grid(const validate_case *self, validate_record *record);
fr_result validate_dam_lobovsky(const validate_case *self, validate_record *record);
fr_result validate_given_flow(const validate_case *self, validate_record *record);
fr_result validate_dam_box(const validate_case *self, validate_record *record);
fr_result validate_dam_box_grid(const validate_case *self, validate_record *record);
fr_result validate_liquid_wave(const validate_case *self, validate_record *record);
fr_result validate_liquid_rest(const validate_case *self, validate_record *record);
fr_result validate_liquid_fall(const validate_case *self, validate_record *record);
fr_result validate_melting_couette(const validate_case *self, validate_record *record);
fr_result validate_melting_poiseuille(const validate_case *self, validate_record *record);
fr_result validate_melting_bingham(const validate_case *self, validate_record *record);
fr_result validate_melting_power_law(const validate_case *self, validate_record *record);
fr_result validate_melting_film(const validate_case *self, validate_record *record);
fr_result validate_melting_front(const validate_case *self, validate_record *record);
fr_result validate_melting_gaussian(const validate_case *self, validate_record *record);
fr_result validate_melting_spin(const validate_case *self, validate_record *record);
fr_result validate_melting_fall(const validate_case *self, validate_record *record);
fr_result validate_melting_buckling(const validate_case *self, validate_record *record);
fr_result validate_melting_coiling(const validate_case *self, validate_record *record);
fr_result validate_floating_rest(const validate_case *self, validate_record *record);
fr_result validate_floating_neutral(const validate_case *self, validate_record *record);
fr_result validate_floating_release(const validate_case *self, validate_record *record);
fr_result validate_floating_ten_cate(const validate_case *self, validate_record *record);
fr_result validate_floating_disc(const validate_case *self, validate_record *record);
fr_result validate_floating_tumbling(const validate_case *self, validate_record *record);
fr_result validate_floating_bounce(const validate_case *self, validate_record *record);
fr_result validate_floating_incline(const validate_case *self, validate_record *record);
fr_result validate_floating_momentum(const validate_case *self, validate_record *record);
fr_result validate_floating_heave(const validate_case *self, validate_record *record);
fr_result validate_heated_tank(const validate_case *self, validate_record *record);
fr_result validate_standing_wave(const validate_case *self, validate_record *record);
fr_result validate_square_patch(const validate_case *self, validate_record *record);
fr_result validate_poiseuille_sph(const validate_case *self, validate_record *record);
fr_result validate_river_couette(const validate_case *self, validate_record *record);
fr_result validate_river_dean(const validate_case *self, validate_record *record);
fr_result validate_river_throat(const validate_case *self, validate_record *record);
fr_result validate_river_free_stream(const validate_case *self, validate_record *record);
fr_result validate_river_vortex(const validate_case *self, validate_record *record);

/* validate_record.c: filling a record. */

/* Adds a row that is judged by `rule` and `limit`; `quantity` is a format string. */
void validate_row_add(validate_record *record, validate_row row, const char *quantity, ...) FR_PRINTF(3, 4);
/* Adds a row that is shown but not judged; `published` may be NaN. */
void validate_report(validate_record *record, double measured, double published, const char *quantity, ...)
    FR_PRINTF(4, 5);
void validate_note(validate_record *record, const char *format, ...) FR_PRINTF(2, 3);

/* Adds a panel to the plot; new curves go to the last panel. */
void validate_panel_add(validate_record *record, const char *title, const char *x_label, const char *y_label);
validate_curve *validate_curve_add(validate_record *record, bool points, const char *name, ...) FR_PRINTF(3, 4);
void validate_point_add(validate_curve *curve, double x, double y);

bool validate_row_passed(const validate_row *row);
double validate_row_deviation(const validate_row *row);   /* relative if the rule is, else measured − published */
bool validate_passed(const validate_record *record);

void validate_print(const validate_record *record);
void validate_json(const validate_record *record, json *json);
/* Writes folder/<case>.json, .svg and .png. */
fr_result validate_write(const validate_record *record, const char *folder);
void validate_free(validate_record *record);

/* validate_flow.c: running and measuring. */

typedef struct validate_scheme {
    const char *name;
    fr_advection advection;
    double least_energy;     /* least fraction of an advected vortex's energy (taylor-green-2d); 0: reported only */
} validate_scheme;
extern const validate_scheme validate_schemes[];
extern const int validate_scheme_count;

/* A square or cube of side `size` with `cells` cells along each axis, the same walls on all sides, density 1. */
fr_scene_def validate_box(int dims, double size, int cells, fr_wall_kind walls);

/* Advances to the next frame, with a progress line on a terminal. */
fr_result validate_frame(fr_world *world, const char *name);

/* Adds the profile of a component, times `scale`, along the centreline of a unit square in direction `axis` to the
   curve; returns its extremes. */
typedef struct validate_extremes {
    double least, most;
} validate_extremes;
fr_result validate_profile(fr_world *world, const char *name, int axis, double scale, validate_curve *curve,
                           validate_extremes *extremes);

/* Steps frame by frame until the velocity changes by less than `change` (m/s per s) everywhere, or until `cap` s. */
typedef struct validate_steady {
    double change, cap;      /* requested */
    double time, left;       /* result: s, and the change per second at the end */
    bool reached;
} validate_steady;
fr_result validate_run_steady(fr_world *world, const char *name, validate_steady *steady);
void validate_note_steady(validate_record *record, const validate_steady *steady);

double validate_value(const fr_field *field, int64_t i, int64_t j, int64_t k);
/* A sample of a velocity component, at the location where the frame has it. */
double validate_velocity(const fr_frame *frame, int axis, int64_t i, int64_t j, int64_t k);

/* Position of the sample (i, j, k) of a field, m. */
void validate_place(const fr_frame *frame, const fr_field *field, const int64_t index[3], double at[3]);

/* Area of a 2D cell, on a uniform or a curvilinear grid. */
double validate_area(const fr_frame *frame, int64_t i, int64_t j);

/* The order of accuracy: log₂ of the ratio of the errors on two grids, the second twice as fine. */
double validate_order(double coarse, double fine);

/* A column of the current ledger row. */
double validate_ledger(fr_world *world, const char *column);

/* validate_river.c: rivers. */

typedef struct validate_river_kind {
    const char *name;
    fr_river_scheme scheme;
    int sweeps;              /* classic: sweeps of every iteration; 0: the default */
    bool judged;             /* false: reported only */
} validate_river_kind;

/* With few sweeps the classic scheme shows its iteration error, with many its discretisation error. */
enum { VALIDATE_RIVER_KINDS = 3 };
extern const validate_river_kind validate_river_kinds[VALIDATE_RIVER_KINDS];
void validate_river_set_kind(fr_scene_def *def, const validate_river_kind *kind);

/* A river of ns × nt cells on the grid defined by `map`, density 1. */
fr_scene_def validate_river_scene(fr_function map, void *context, int ns, int nt);
void validate_river_repeat(fr_scene_def *def, int axis);

/* A periodic unit square or cube whose grid lines are waves with the amplitude *bend; mirrored where it is negative,
   straight where it is 0. Density 1. `bend` must outlive the definition. */
fr_scene_def validate_river_bent(int dims, int cells, double *bend);

/* validate_liquid.c: liquids. */

typedef struct validate_liquid {
    fr_shape_def shape;
    fr_fill_def fill;
    fr_scene_def def;
} validate_liquid;

/* A box of water in a domain with slip walls. Fills `liquid` in place: the definition points into it. */
void validate_liquid_make(validate_liquid *liquid, int dims, const double size[3], const double low[3],
                          const double high[3], double spacing);

/* Makes it a liquid on a grid, `cells` of them along the longest side; only box, water and time stay. */
void validate_liquid_on_grid(validate_liquid *liquid, fr_liquid_surface surface, int cells);

/* A box of liquid without weight that fills its domain, 1 m along its longest side with `cells` of them. */
void validate_liquid_full(validate_liquid *liquid, fr_liquid_surface surface, int dims, const double size[3],
                          int cells);

/* The share of cell (i, j, k) that is liquid, from the distance of its centre. */
double validate_share(const fr_frame *frame, int64_t i, int64_t j, int64_t k);

/* Adds the surface of a 2D liquid to a curve, moved along x by `shift` m, with gaps between its parts (outline.c). */
void validate_outline(const fr_frame *frame, double shift, validate_curve *curve);

/* How surfaces on a grid are tracked. */
typedef struct validate_tracker {
    const char *name;
    fr_liquid_surface surface;
} validate_tracker;
enum { VALIDATE_TRACKERS = 5 };
extern const validate_tracker validate_trackers[VALIDATE_TRACKERS];

typedef struct validate_solver {
    const char *name;
    fr_sph_solver solver;
    double pressure_error;   /* largest accepted error of a layer of still water (sph-hydrostatic); 0: reported only */
} validate_solver;
extern const validate_solver validate_solvers[];
extern const int validate_solver_count;

const float *validate_particle(const fr_vectors *vectors, int64_t n);
const float *validate_attribute(const fr_frame *frame, const char *name);

#endif
