/* The greatest speed to expect of a liquid, and from it the speed of sound where the scene gives none. */
#include <math.h>

#include "sph/model.h"

/* Ten times the greatest speed keeps the compression, which goes with the Mach number squared, to about 1 % (Monaghan
 * 1994). */
static const double SOUND_PER_SPEED = 10;

typedef struct sound_search {
    const fr_scene_def *def;
    const sph_model *m;
    double energy;           /* m²/s², the greatest so far */
} sound_search;

/* g·x where the domain is deepest. */
static double sound_depth(const sph_model *m)
{
    double deepest = 0;
    for (int a = 0; a < m->dims; a++)
        deepest += fmax(m->gravity[a] * m->low[a], m->gravity[a] * m->high[a]);
    return deepest;
}

static fr_result sound_velocity(const fr_vector *from, const double x[3], double velocity[3])
{
    double own[3] = {from->value[0], from->value[1], from->value[2]};
    if (from->function)
        FR_TRY(from->function(from->context, (double[4]){x[0], x[1], x[2], 0}, own));
    for (int a = 0; a < 3; a++)
        velocity[a] += own[a];
    return FR_OK;
}

/* Kinetic and potential energy of a particle over the domain's deepest place. */
static fr_result sound_place(void *context, const double x[3], const fr_fill_def *fill)
{
    sound_search *search = context;
    const fr_scene_def *def = search->def;
    const double *gravity = search->m->gravity;
    double velocity[3] = {0}, energy = sound_depth(search->m);
    FR_TRY(sound_velocity(&fill->velocity, x, velocity));
    if (def->has_initial_velocity)
        FR_TRY(sound_velocity(&def->initial_velocity, x, velocity));
    for (int a = 0; a < search->m->dims; a++)
        energy += 0.5 * velocity[a] * velocity[a] - gravity[a] * x[a];
    search->energy = fmax(search->energy, energy);
    return FR_OK;
}

/* Liquid from sources may fall through the whole domain. */
static double sound_sources(const sph_model *m)
{
    double fall = 0, most = 0;
    for (int a = 0; a < m->dims; a++)
        fall += fabs(m->gravity[a]) * (m->high[a] - m->low[a]);
    for (int i = 0; i < m->source_count; i++) {
        const double *v = m->sources[i].velocity.value;
        if (m->sources[i].sets_velocity) /* others are heaters */
            most = fmax(most, fall + 0.5 * (v[0] * v[0] + v[1] * v[1] + v[2] * v[2]));
    }
    return most;
}

fr_result sph_model_fall(const fr_scene_def *def, const sph_filling *filling, sph_model *m)
{
    if (m->sph.solver != FR_SPH_WCSPH && m->sph.boundary != FR_SPH_LENNARD_JONES)
        return FR_OK;
    sound_search search = {def, m, sound_sources(m)};
    FR_TRY(sph_fill(def, m, filling, sound_place, &search));
    m->fall_speed = sqrt(2 * search.energy);
    return FR_OK;
}

fr_result sph_model_sound(sph_model *m)
{
    if (m->sph.state == FR_SPH_COLE)
        m->sound_speed = sph_cole_sound(&m->sph, m->fluid.density);
    else
        m->sound_speed = m->sph.sound_speed > 0 ? m->sph.sound_speed : SOUND_PER_SPEED * m->fall_speed;
    if (!(m->sound_speed > 0))
        return fr_fail_key("sph.sound_speed", "sph.sound_speed cannot be derived, because nothing in the scene moves "
                                              "or falls; give it, ten times the greatest "
                                              "speed that you expect");
    return FR_OK;
}
