/* A plume of smoke: runs half a second, then prints the ledger. */
#include <freshet/freshet.h>
#include <stdio.h>

int main(void)
{
    fr_shape_def ball = fr_default_shape(FR_SHAPE_SPHERE);
    ball.radius = 0.12;
    fr_scalar_value smoke = {.name = "density", .value.value = 1};
    fr_source_def source = {
        .shape = {.shape = &ball, .at = {0.5, 0.2, 0.5}}, .scalars = &smoke, .scalar_count = 1, .to = 1e9};
    fr_scene_def scene = fr_default_scene(FR_METHOD_SMOKE);
    scene.domain.cells[0] = 32;
    scene.smoke.buoyancy_density = -4;
    scene.sources = &source;
    scene.source_count = 1;
    fr_world *world;
    if (fr_world_create(&scene, &world) != FR_OK)
        return fprintf(stderr, "%s\n", fr_error_message()), 1;
    while (fr_world_time(world) < 0.5)
        if (fr_world_step_frame(world) != FR_OK)
            return fprintf(stderr, "%s\n", fr_error_message()), 1;
    const fr_frame *frame = fr_world_frame(world);
    for (int i = 0; i < frame->ledger.count; i++)
        printf("%s = %g\n", frame->ledger.names[i], frame->ledger.values[i]);
    fr_world_destroy(world);
    return 0;
}
