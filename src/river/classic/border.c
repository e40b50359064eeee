#include "river/classic/classic.h"

void stage_classic_speeds(const river_model *m, const river_state *s, double speed[6])
{
    double in = 0, out = 0;
    for (int side = 0; side < 6; side++) {
        fr_river_side_kind kind = m->sides[side].kind;
        speed[side] = s->side_speed[side];
        in += kind == FR_RIVER_INFLOW ? speed[side] * m->border.through[side] : 0;
        out += kind == FR_RIVER_OUTFLOW ? m->border.through[side] : 0;
    }
    for (int side = 0; side < 6; side++)
        if (m->sides[side].kind == FR_RIVER_OUTFLOW)
            speed[side] = out > 0 ? in / out : 0;
}

void stage_classic_border(const river_model *m, const river_state *s, field velocity[3])
{
    double speed[6];
    stage_classic_speeds(m, s, speed);
    border_cells_velocity(&m->border, speed, velocity);
}
