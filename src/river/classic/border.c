#include "river/classic/classic.h"

void stage_classic_speeds(const river_model *m, const river_state *s, border_speeds *speeds)
{
    double in = 0, out = 0;
    *speeds = (border_speeds){.whole = {0}};
    for (int side = 0; side < 2 * m->curve.domain.dims; side++) {
        fr_river_side_kind kind = m->sides[side].kind;
        speeds->whole[side] = s->side_speed[side][0];
        speeds->each[side] = m->sides[side].uneven ? s->side_speed[side] : NULL;
        speeds->enters[side] = s->side_enters[side];
        in += m->sides[side].brings ? border_cells_discharge(&m->border, speeds, side) : 0;
        out += kind == FR_RIVER_OUTFLOW ? m->border.through[side] : 0;
    }
    for (int side = 0; side < 2 * m->curve.domain.dims; side++)
        if (m->sides[side].kind == FR_RIVER_OUTFLOW)
            speeds->whole[side] = out > 0 ? in / out : 0;
}

void stage_classic_border(const river_model *m, const river_state *s, field velocity[3])
{
    border_speeds speeds;
    stage_classic_speeds(m, s, &speeds);
    border_cells_velocity(&m->border, &speeds, velocity);
}
