/* A body that is let go in water at rest: at first it moves as if it carried water with it, half its own volume of it
   for a ball and its own volume for a disc (Lamb 1932, arts. 68, 92). In a closed room more water has to give way: for
   a ball or disc of radius a amid a round room of radius b the added mass is, per displaced mass,

     ball  ½ (b³ + 2a³)/(b³ − a³)        disc  (b² + a²)/(b² − a²)

   The room here is a cube, of which b is half the side: all of the correction counts towards the mark. */
#include "validate/floating.h"

#include <math.h>

static const double RADIUS_SHARE = 1.0 / 12; /* radius of the body over the side of the room, 3D */

typedef struct release_look {
    double speed, height, time;
} release_look;

static void release_see(void *context, const fr_frame *frame)
{
    const fr_body_state *s = &frame->bodies[0];
    *(release_look *)context = (release_look){s->velocity[1], s->position[1], frame->time};
}

typedef struct release_way {
    int dims, cells, frames;
    fr_liquid_surface surface;
    double density, radius; /* kg/m³, m, in a room of 1 m */
    double seconds;         /* of a frame, which is one step */
} release_way;

static fr_result release_run(const validate_case *self, const release_way *way, release_look *end)
{
    const double deep = way->dims == 3 ? 0.5 : 0;
    floating f;
    floating_make(&f, way->surface, way->dims, (double[3]){1, 1, 2 * deep}, way->cells);
    floating_add(&f, floating_ball(way->radius), (double[3]){0.5, 0.5, deep}, way->density);
    f.water.def.time = (fr_time_def){.duration = way->frames * way->seconds, .fps = 1 / way->seconds};
    return floating_follow(&f, self->name, release_see, end);
}

static double release_exact(int dims, double density)
{
    const double share = density / 1000;
    return (1 - share) / (share + (dims == 3 ? 0.5 : 1));
}

/* 08_added_mass.csv and the light ones. */
enum { RELEASE_DENSITIES = 11 };
static const double release_densities[RELEASE_DENSITIES] = {10, 50, 100, 250, 450, 550, 740, 900, 1500, 2000, 11000};

static fr_result release_densities_of(const validate_case *self, validate_record *record, release_way way)
{
    validate_panel_add(record, way.dims == 3 ? "first acceleration of a ball" : "first acceleration of a disc",
                       "density (kg/m3)", "acceleration (g)");
    validate_curve *curve = validate_curve_add(record, false, "measured");
    validate_curve *lamb = validate_curve_add(record, true, "Lamb");
    for (int n = 0; n < RELEASE_DENSITIES; n++) {
        release_look end;
        way.density = release_densities[n];
        FR_TRY(release_run(self, &way, &end));
        validate_row row = {.measured = end.speed / (end.time * FLOATING_GRAVITY),
                            .published = release_exact(way.dims, way.density),
                            .rule = VALIDATE_RELATIVE,
                            .limit = 0.05};
        validate_row_add(record, row, "%s of %g kg/m3: acceleration, in g", way.dims == 3 ? "ball" : "disc",
                         way.density);
        validate_point_add(curve, way.density, row.measured);
        validate_point_add(lamb, way.density, row.published);
    }
    return FR_OK;
}

/* A ball of 10 kg/m³ goes up its own radius: at rest without friction it keeps the acceleration. */
static fr_result release_rise(const validate_case *self, validate_record *record, release_way way)
{
    const double rate = release_exact(way.dims, way.density) * FLOATING_GRAVITY;
    way.frames = 20;
    way.seconds = sqrt(2 * way.radius / rate) / way.frames;
    for (int t = 0; t < VALIDATE_TRACKERS; t += floating_next(t)) {
        release_look end;
        way.surface = validate_trackers[t].surface;
        FR_TRY(release_run(self, &way, &end));
        validate_row row = {
            .measured = (end.height - 0.5) / way.radius, .published = 1, .rule = VALIDATE_RELATIVE, .limit = 0.05};
        validate_row_add(record, row, "%s: way of a %s of %g kg/m3, in radii", validate_trackers[t].name,
                         way.dims == 3 ? "ball" : "disc", way.density);
    }
    return FR_OK;
}

fr_result validate_floating_release(const validate_case *self, validate_record *record)
{
    const release_way ball = {.dims = 3,
                              .cells = self->cells,
                              .frames = 1,
                              .radius = RADIUS_SHARE,
                              .seconds = 1e-3,
                              .surface = FR_LIQUID_LEVEL_SET,
                              .density = 10};
    release_way disc = ball;
    disc.dims = 2;
    disc.cells = 4 * self->cells;
    disc.radius = RADIUS_SHARE / 4;
    FR_TRY(release_densities_of(self, record, ball));
    FR_TRY(release_densities_of(self, record, disc));
    FR_TRY(release_rise(self, record, ball));
    FR_TRY(release_rise(self, record, disc));
    validate_note(record,
                  "radius %.0f cells, in a closed room of %d (disc: %d) cells a side that is full of water; "
                  "acceleration: the speed after one step of 1 ms",
                  RADIUS_SHARE * self->cells, ball.cells, disc.cells);
    validate_note(record,
                  "published is for a boundless room; a round one as wide would have %.2g %% more added mass for the "
                  "ball, %.2g %% for the disc",
                  100 * (3 / (pow(0.5 / ball.radius, 3) - 1)), 100 * (2 / (pow(0.5 / disc.radius, 2) - 1)));
    validate_note(record, "way: after the time in which it would have risen by its radius with the first acceleration");
    return FR_OK;
}
