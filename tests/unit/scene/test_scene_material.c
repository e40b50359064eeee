#define _POSIX_C_SOURCE 200809L
/* Colours, texture, materials and views of surfaces in scenes. */
#include "load_text.h"

#define LIQUID "method='liquid', domain={size={1,1,1}, cells=16}, time={duration=1}"
#define DROP "shape=sphere{radius=0.2}, at={0.5,0.5,0.5}"

static void test_reads_colours(void **state)
{
    (void)state;
    fr_scene *scene = load("return { " LIQUID ", scalars={ink={}}, fill={ fluid_in{ " DROP
                           ", ink=1, colour={0.25,0.5,1} } }, sources={ source{ " DROP
                           ", velocity={0,-1,0}, colour='#ff0080' } }, walls={ left=inflow{ velocity={1,0,0}, "
                           "colour='black' } } }");
    const fr_scene_def *def = fr_scene_definition(scene);
    assert_int_equal(def->fill[0].scalar_count, 4);
    assert_string_equal(def->fill[0].scalars[1].name, FR_COLOUR_RED);
    assert_true(def->fill[0].scalars[3].value.value == 1);
    assert_int_equal(def->sources[0].scalar_count, 3);
    assert_true(def->sources[0].scalars[2].value.value > 0.5);
    assert_int_equal(def->walls[FR_LEFT].scalar_count, 3);
    fr_scene_destroy(scene);
}

static void test_reads_looks(void **state)
{
    (void)state;
    fr_scene *scene = load("return { " LIQUID ", liquid={texture=true}, fill={ fluid_in{ " DROP " } }, "
                           "look={ liquid={ material='wax', pattern='marble', pattern_size=0.2 } }, "
                           "output={ images={ 'speed', view{ field='speed', surface=true } } } }");
    const fr_scene_def *def = fr_scene_definition(scene);
    assert_true(def->liquid.texture);
    assert_int_equal(def->look.liquid_material, FR_MATERIAL_WAX);
    assert_int_equal(def->look.liquid_pattern, FR_PATTERN_MARBLE);
    assert_true(def->look.liquid_pattern_size > 0.19);
    assert_int_equal(def->output.view_count, 2);
    assert_true(!def->output.views[0].surface && def->output.views[1].surface);
    fr_scene_destroy(scene);
}

static void test_refuses(void **state)
{
    (void)state;
    static const struct {
        const char *text, *first, *second;
    } list[] = {
        {"return { " HEAD ", sources={\nsource{ shape=circle{radius=0.1}, at={0.5,0.5}, density=1, colour='red' } } }",
         "sources[1]", "method = \"liquid\""},
        {"return { " LIQUID ",\nfill={ fluid_in{ " DROP ", colour={2,0,0} } } }", "fill[1].colour", "between 0 and 1"},
        {"return { " LIQUID ",\nfill={ fluid_in{ " DROP ", colour='bleu' } } }", "no colour \"bleu\"", "'blue'"},
        {"return { " LIQUID ",\nsources={ source{ " DROP ", rate=1, colour='red' } } }", "no amount", "rate"},
        {"return { " LIQUID ",\nlook={ liquid={ material='wacks' } } }", "wacks", "wax"},
        {"return { " LIQUID ",\nlook={ liquid={ material='lava' } } }", "temperature", "heat"},
        {"return { " LIQUID ",\nlook={ liquid={ pattern='checker' } } }", "texture = true", "pattern"},
        {"return { " LIQUID ",\nliquid={ texture=true, refine=2 } }", "liquid.refine", "not built yet"},
        {"return { " LIQUID ", liquid={\ntexture=1 } }", "liquid.texture", "true or false"},
        {"return { " HEAD ",\noutput={ images={ view{ field='speed', surface=true } } } }", "only a liquid in 3D",
         "surface"},
        {"return { " LIQUID ",\noutput={ images={ view{ field='u', surface=true } } } }", "no values to show",
         "\"speed\""},
        {"return { " LIQUID ",\noutput={ images={ view{ field='speed', surface=true, arrows=true } } } }", "arrows",
         "of slices"},
        {"return { " LIQUID ", scalars={\ncolour_red={} } }", "another meaning", "colour_red"}};
    for (size_t i = 0; i < sizeof list / sizeof *list; i++)
        refused(list[i].text, 2, list[i].first, list[i].second);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_reads_colours), cmocka_unit_test(test_reads_looks),
                                       cmocka_unit_test(test_refuses)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
