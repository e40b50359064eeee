/* The registry of fields: one row for each. */
#include <freshet/fields.h>

#include <string.h>

#define LOOK(colormap, span) .in_2d = {colormap, span}, .in_3d = {colormap, span}
#define UNIT(name) .unit = name, .bent_unit = name
#define VELOCITY(axis, at) "The velocity along " axis ".", UNIT("m/s"), .location = at, LOOK("coolwarm", FR_SPAN_SIGNED)

#define COLOUR(part) "The " part " of the liquid's colour, which it carries along, 0 to 1.", UNIT("1"), \
    LOOK("viridis", FR_SPAN_FROM_ZERO)
#define TEXTURE(axis) "Where along " axis " the liquid was at the start, or where it came in.", UNIT("m"), \
    LOOK("viridis", FR_SPAN_DATA)

/* Messages list the fields in this order. */
static const fr_field_info fields[] = {
    {"u", VELOCITY("x", FR_AT_FACE_X)},
    {"v", VELOCITY("y", FR_AT_FACE_Y)},
    {"w", VELOCITY("z", FR_AT_FACE_Z), .only_3d = true},
    {"pressure", "The pressure: without the fluid's own weight on grids, with it in a liquid of particles.",
     UNIT("Pa"), .particle_unit = "Pa", LOOK("coolwarm", FR_SPAN_SIGNED)},
    {"density", "On a grid how much smoke there is; of a particle of liquid the mass in a volume.",
     UNIT("1"), .particle_unit = "kg/m³", .is_scalar = true, LOOK("smoke", FR_SPAN_FROM_ZERO)},
    {"temperature", "The temperature of the fluid.",
     UNIT("K"), .particle_unit = "K", .is_scalar = true, LOOK("inferno", FR_SPAN_DATA)},
    {"viscosity", "The kinematic viscosity of a liquid that melts.",
     UNIT("m²/s"), .particle_unit = "m²/s", LOOK("magma", FR_SPAN_DECADES)},
    {"liquid_fraction", "How much of a liquid that melts is molten, 0 to 1.", UNIT("1"), .particle_unit = "1",
     LOOK("viridis", FR_SPAN_FROM_ZERO)},
    {"colour_red", COLOUR("red")},
    {"colour_green", COLOUR("green")},
    {"colour_blue", COLOUR("blue")},
    {"texture_x", TEXTURE("x")},
    {"texture_y", TEXTURE("y")},
    {"texture_z", TEXTURE("z"), .only_3d = true},
    {"divergence", "How fast volume is made; zero where the flow keeps it.",
     UNIT("1/s"), LOOK("coolwarm", FR_SPAN_SIGNED)},
    {"vorticity", "Twice the rate at which the fluid turns, above zero counter-clockwise; in 3D its length.",
     UNIT("1/s"), .in_2d = {"coolwarm", FR_SPAN_SIGNED}, .in_3d = {"magma", FR_SPAN_FROM_ZERO}},
    {"solid", "The distance to the nearest obstacle, below zero inside.",
     .unit = "m", .bent_unit = "cells", LOOK("viridis", FR_SPAN_DATA)},
    {"level_set", "The distance to the liquid's surface, below zero in the liquid; right within three cells of it.",
     UNIT("m"), LOOK("coolwarm", FR_SPAN_SIGNED)},
    {"bed", "How high a river's bed lies.", UNIT("m"), LOOK("viridis", FR_SPAN_DATA)},
    {"age", "How long ago the particle started.", .particle_unit = "s"},
    {"radius", "Of a particle that corrects a level set: below zero for one of the liquid.", .particle_unit = "m"},
    {"liquid", "The surface of a liquid, as clear water in 3D.", .particle_unit = "m/s", .derived = FR_FROM_LIQUIDS},
    {"clay", "The surface of a liquid, opaque and matt, so that its shape shows.",
     .particle_unit = "m/s", .derived = FR_FROM_LIQUIDS, .only_3d = true},
    {"cell_types", "The cells of liquid, of its surface, of air and of obstacles, each in one colour.",
     .derived = FR_FROM_GRIDS},
    {"particles", "The particles: a liquid's coloured by speed, tracers as dots.",
     .particle_unit = "m/s", .derived = FR_FROM_GRIDS | FR_FROM_LIQUIDS},
    {"speed", "The length of the velocity.", UNIT("m/s"), .particle_unit = "m/s",
     .derived = FR_FROM_GRIDS | FR_FROM_LIQUIDS, LOOK("viridis", FR_SPAN_FROM_ZERO)},
    {"velocity", "The two components of the velocity in the picture's plane, one red and one green.",
     UNIT("m/s"), .derived = FR_FROM_GRIDS, LOOK(NULL, FR_SPAN_SIGNED)},
    {"dyes", "All inks together, each in its own colour.", .derived = FR_FROM_GRIDS, LOOK(NULL, FR_SPAN_FROM_ZERO)},
    {"grid", "The lines of the grid.", .derived = FR_FROM_GRIDS},
    {"volume", "Smoke and inks rendered as a lit volume.", .derived = FR_FROM_GRIDS, .only_3d = true},
    {"id", "The particle's number, which it keeps for life.", .particle_unit = "", .derived = FR_FROM_LIQUIDS},
};
enum { FIELDS = sizeof fields / sizeof fields[0] };

static const fr_field_info scalar = {
    NULL, "A scalar that the scene declares.", UNIT("1"), .is_scalar = true, LOOK("viridis", FR_SPAN_FROM_ZERO)};

int fr_fields(const fr_field_info **all)
{
    *all = fields;
    return FIELDS;
}

const fr_field_info *fr_field_describe(const char *name)
{
    for (int i = 0; i < FIELDS; i++)
        if (!strcmp(fields[i].name, name))
            return &fields[i];
    return NULL;
}

const fr_field_info *fr_field_on_grid(const char *name)
{
    const fr_field_info *known = fr_field_describe(name);
    return known && known->unit && !known->derived ? known : &scalar;
}

bool fr_field_may_be_scalar(const char *name)
{
    const fr_field_info *known = fr_field_describe(name);
    return !known || known->is_scalar || !(known->derived ? known->derived & FR_FROM_GRIDS : known->unit != NULL);
}
