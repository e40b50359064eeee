#include "validate.h"

#define GHIA "Ghia, Ghia & Shin 1982"
#define DE_VAHL_DAVIS "de Vahl Davis 1983"
#define SCHAEFER_TUREK "Schaefer & Turek 1996; John & Matthies 2001"
#define MARTIN_MOYCE "Martin & Moyce 1952"
#define KLEEFSMAN "Kleefsman et al. 2005 (SPHERIC test 2)"
#define BRACHET "Taylor & Green 1937; Brachet et al. 1983; van Rees et al. 2011"

const validate_case validate_cases[] = {
    {.name = "cavity-100", .what = "lid-driven cavity, Re 100, 64 x 64", .source = "Marchi, Suero & Araki 2009; " GHIA,
     .quick = true, .run = validate_cavity, .number = 100, .cells = 64},
    {.name = "cavity-1000", .what = "lid-driven cavity, Re 1000, 128 x 128", .source = "Botella & Peyret 1998",
     .run = validate_cavity, .number = 1000, .cells = 128},
    {.name = "cavity-3200", .what = "lid-driven cavity, Re 3200, 128 x 128", .source = GHIA, .run = validate_cavity, .number = 3200, .cells = 128},
    {.name = "taylor-green-2d", .what = "Taylor-Green vortex carried by a mean flow (1, 0.5), Re 1000",
     .source = "exact solution, Taylor & Green 1937", .quick = true, .run = validate_taylor_green_2d},
    {.name = "taylor-green-3d-100", .what = "Taylor-Green vortex in a periodic cube, Re 100, 32 x 32 x 32", .source = BRACHET, .quick = true,
     .run = validate_taylor_green_3d, .number = 100, .cells = 32},
    {.name = "taylor-green-3d-1600", .what = "Taylor-Green vortex in a periodic cube, Re 1600, 64 x 64 x 64", .source = BRACHET,
     .run = validate_taylor_green_3d, .number = 1600, .cells = 64},
    {.name = "heated-cavity-1e3", .what = "air between a hot and a cold wall, Ra 1e3, 40 x 40", .source = DE_VAHL_DAVIS, .quick = true,
     .run = validate_heated_cavity, .number = 1e3, .cells = 40},
    {.name = "heated-cavity-1e4", .what = "air between a hot and a cold wall, Ra 1e4, 40 x 40", .source = DE_VAHL_DAVIS, .quick = true,
     .run = validate_heated_cavity, .number = 1e4, .cells = 40},
    {.name = "heated-cavity-1e5", .what = "air between a hot and a cold wall, Ra 1e5, 80 x 80", .source = DE_VAHL_DAVIS,
     .run = validate_heated_cavity, .number = 1e5, .cells = 80},
    {.name = "heated-cavity-1e6", .what = "air between a hot and a cold wall, Ra 1e6, 128 x 128", .source = DE_VAHL_DAVIS,
     .run = validate_heated_cavity, .number = 1e6, .cells = 128},
    {.name = "couette-startup", .what = "a wall set in motion above still fluid", .source = "exact series", .quick = true, .run = validate_couette},
    {.name = "poiseuille-startup", .what = "a force sets fluid between walls in motion", .source = "exact series", .quick = true,
     .run = validate_poiseuille},
    {.name = "kelvin", .what = "circulation of a material loop in one of two vortices", .source = "Kelvin's theorem", .quick = true,
     .run = validate_kelvin},
    {.name = "slotted-disc", .what = "one turn of Zalesak's slotted disc of ink, 100 x 100", .source = "Zalesak 1979", .quick = true,
     .run = validate_slotted_disc},
    {.name = "gaussian", .what = "conduction of a Gaussian hill", .source = "exact solution", .quick = true, .run = validate_gaussian},
    {.name = "vortex-ring", .what = "speed of a vortex ring with a Gaussian core", .source = "Saffman 1970", .run = validate_ring},
    {.name = "vortex-rings", .what = "two coaxial rings leapfrog", .source = "Helmholtz 1858", .run = validate_leapfrog},
    {.name = "dfg-2d-1", .what = "steady flow round a cylinder in a channel, Re 20", .source = SCHAEFER_TUREK, .run = validate_cylinder_steady,
     .cells = 20},
    {.name = "dfg-2d-2", .what = "vortex street behind a cylinder in a channel, Re 100", .source = SCHAEFER_TUREK,
     .run = validate_cylinder_shedding, .cells = 20},
    {.name = "sph-hydrostatic", .what = "pressure of particle liquids at rest", .source = "weight of water", .quick = true, .run = validate_still_water},
    {.name = "sph-dam-square", .what = "front of a square column of particle liquid that falls over", .source = MARTIN_MOYCE, .quick = true,
     .run = validate_dam_front, .number = 1, .cells = 40},
    {.name = "sph-dam-tall", .what = "front of a column of particle liquid, twice as high as wide, that falls over", .source = MARTIN_MOYCE, .quick = true,
     .run = validate_dam_front, .number = 2, .cells = 40},
    {.name = "sph-dam-box-coarse", .what = "particle liquid floods a box on the floor, spacing 4 cm", .source = KLEEFSMAN, .quick = true,
     .run = validate_dam_box, .cells = 25},
    {.name = "sph-dam-box", .what = "particle liquid floods a box on the floor, spacing 2 cm", .source = KLEEFSMAN, .run = validate_dam_box, .cells = 50},
    {.name = "sph-standing-wave", .what = "frequency and decay of a standing wave of particle liquid", .source = "Lighthill 1978", .quick = true,
     .run = validate_standing_wave, .cells = 50},
    {.name = "sph-square-patch", .what = "a square of particle liquid that turns in empty space", .source = "Colagrossi 2005", .quick = true,
     .run = validate_square_patch, .cells = 40},
    {.name = "sph-poiseuille", .what = "a force sets particle liquid between walls in motion", .source = "exact series", .quick = true,
     .run = validate_poiseuille_sph, .cells = 32},
};
const int validate_case_count = sizeof validate_cases / sizeof validate_cases[0];
