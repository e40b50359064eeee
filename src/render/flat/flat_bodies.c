/* Bodies in a flat view: what they are made of, an outline, and in 2D the sign of their centre of mass, whose quarters
   turn with them. A slice of a 3D scene cuts them. */
#include "render/flat/flat.h"

#include "base/threads.h"

/* Radius of the sign in longest sides of the body, and in pixels. */
static const double sign_share = 0.09, sign_least = 3.5, sign_most = 13;

typedef struct flat_body {
    const flat *flat;
    const fr_image *image;
    const placed_body *body;
    double metres; /* per pixel */
    double sign;   /* m, radius; 0: none */
    int box[4];    /* pixels: x0, y0, x1, y1 */
} flat_body;

/* The point of the body under a point of the picture. */
static vec3 flat_body_point(const flat_body *work, double x, double y)
{
    const flat *flat = work->flat;
    const cut *cut = &flat->cut;
    const fr_frame *frame = flat->frame;
    double at[3] = {0, 0, 0};
    if (frame->dims == 3)
        at[cut->across] = frame->origin[cut->across] + cut->at * frame->spacing[cut->across];
    at[cut->axes[0]] = cut->low[0] + (x - flat->plot[0]) * flat_metres(flat, 0);
    at[cut->axes[1]] = cut->low[1] + (flat->plot[3] - y) * flat_metres(flat, 1);
    return body_point(work->body, vec3_of(at));
}

static rgb flat_body_colour(const flat_body *work, vec3 p)
{
    const double x = p.x - work->body->centre[0], y = p.y - work->body->centre[1], away = hypot(x, y);
    if (!(away < work->sign))
        return texture_at(work->body->texture, (const double[3]){p.x, p.y, p.z}, work->metres).colour;
    float ink = away > work->sign - 1.2 * work->metres || (x > 0) == (y > 0) ? 0.01f : 0.9f;
    return (rgb){ink, ink, ink};
}

/* The mean colour of a pixel. Only stripes and the sign have edges within it. */
static rgb flat_body_mean(const flat_body *work, vec3 middle, int x, int y)
{
    /* a rotated grid of samples, which a quarter turn maps onto itself */
    static const double part[4][2] = {{0.125, 0.625}, {0.375, 0.125}, {0.625, 0.875}, {0.875, 0.375}};
    const double *centre = work->body->centre;
    bool sign = hypot(middle.x - centre[0], middle.y - centre[1]) < work->sign + work->metres;
    if (!sign && work->body->texture->material != FR_BODY_PAINT)
        return flat_body_colour(work, middle);
    rgb sum = {0, 0, 0};
    for (int k = 0; k < 4; k++)
        sum = rgb_add(sum, flat_body_colour(work, flat_body_point(work, x + part[k][0], y + part[k][1])));
    return rgb_scale(sum, 0.25f);
}

static void flat_body_pixel(const flat_body *work, int x, int y)
{
    const flat *flat = work->flat;
    const vec3 middle = flat_body_point(work, x + 0.5, y + 0.5);
    double distance = fr_model_distance(work->body->model, (const double[3]){middle.x, middle.y, middle.z});
    double width = fmax(flat->text / 8, 1), d = distance / work->metres;
    if (!(d < width + 1))
        return;
    const rgb sum = flat_body_mean(work, middle, x, y);
    double inside = clampd(0.5 - d, 0, 1), line = clampd(width / 2 + 0.5 - fabs(d), 0, 1);
    rgb own = work->body->texture->colour;
    rgb outline = flat->palette.dark ? rgb_mix(own, (rgb){1, 1, 1}, 0.5f) : rgb_scale(own, 0.2f);
    uint8_t *pixel = image_pixel(work->image, x, y);
    rgb colour = rgb_mix(colour_of_bytes(pixel), sum, (float)inside);
    colour_to_bytes(rgb_mix(colour, outline, (float)line), pixel);
}

static void flat_body_rows(void *context, int begin, int end)
{
    const flat_body *work = context;
    for (int y = work->box[1] + begin; y < work->box[1] + end; y++)
        for (int x = work->box[0]; x < work->box[2]; x++)
            flat_body_pixel(work, x, y);
}

/* The pixels that a body may cover. */
static void flat_body_box(const flat *flat, const fr_image *image, flat_body *work)
{
    const int *axes = flat->cut.axes, *plot = flat->plot, size[2] = {image->width, image->height};
    const placed_body *body = work->body;
    const double low[2] = {body->low[axes[0]], body->low[axes[1]]},
                 high[2] = {body->high[axes[0]], body->high[axes[1]]};
    double a[2], b[2], margin = fmax(flat->text / 8, 1) + 2;
    flat_point(flat, low, a);
    flat_point(flat, high, b);
    for (int i = 0; i < 2; i++) {
        int most = plot[i + 2] < size[i] ? plot[i + 2] : size[i], least = plot[i] > 0 ? plot[i] : 0;
        work->box[i] = (int)clampd(floor(fmin(a[i], b[i]) - margin), least, most);
        work->box[i + 2] = (int)clampd(ceil(fmax(a[i], b[i]) + margin), least, most);
    }
}

void flat_bodies(const flat *flat, const fr_image *image)
{
    for (int i = 0; i < flat->bodies.count; i++) {
        const placed_body *body = &flat->bodies.list[i];
        flat_body work = {.flat = flat, .image = image, .body = body, .metres = flat_metres(flat, 0)};
        double sign = clampd(sign_share * body->texture->size / work.metres, sign_least, sign_most);
        if (flat->frame->dims == 2 && 6 * sign * work.metres < body->texture->size)
            work.sign = sign * work.metres;
        flat_body_box(flat, image, &work);
        if (work.box[0] < work.box[2])
            threads_for(work.box[3] - work.box[1], flat_body_rows, &work);
    }
}
