/* The volume of cells that obstacles cut.

   Smoke takes it from the distance at the centre, as if a plane across an axis cut the cell. That is up to a tenth of a
   cell wrong at edges and corners. Watertight obstacles, whose weight in water is that of the cells that they fill,
   have it from the corners as well: linear in 24 tetrahedra around the centre (in 2D four triangles). Where the surface
   is curved these are chords, and what they miss follows from how the centre differs from the corners' mean: K =
   h²∇²d/8. Over the cell the linear function is ⅔K more than the centre on average, the distance ⅓K. Cells that an edge
   of an obstacle passes are few, and sampled.

   What rigid bodies cover of a cell is known (solids_shares.c) and taken from what the others leave. */
#include <math.h>
#include <string.h>

#include "grid/halo.h"
#include "mac/solids/solids_parts.h"

/* A lower bound for the volume of a cut cell: half the mean open share of its faces. At the same speed such a cell is
   filled at most twice as fast as a whole one, so it needs at most twice as many steps. */
static float solids_least_volume(const solids *s, int dims, ptrdiff_t row[3], int i)
{
    float sum = 0;
    for (int a = 0; a < dims; a++) {
        const float *open = s->open[a].data + row[a] + i;
        sum += open[0] + open[s->open[a].stride[a]];
    }
    return 0.5f * sum / (float)(2 * dims);
}

/* The share of a triangle on which a linear function is positive, from its corners. */
static double volume_triangle(const double f[3])
{
    const int positive = (f[0] >= 0) + (f[1] >= 0) + (f[2] >= 0);
    if (positive == 0 || positive == 3)
        return positive ? 1 : 0;
    int odd = 0;
    while ((f[odd] >= 0) != (positive == 1))
        odd++;
    const double own = f[odd], corner = own / (own - f[(odd + 1) % 3]) * (own / (own - f[(odd + 2) % 3]));
    return positive == 1 ? corner : 1 - corner;
}

/* The same of a tetrahedron: a corner of it is cut off, or two are cut from two. */
static double volume_tetrahedron(const double f[4])
{
    double part[4];
    int positive = 0, negative = 4;
    for (int i = 0; i < 4; i++)
        part[f[i] >= 0 ? positive++ : --negative] = f[i];
    if (positive == 0 || positive == 4)
        return positive ? 1 : 0;
    if (positive != 2) {
        const int odd = positive == 1 ? 0 : 3;
        double corner = 1;
        for (int i = 0; i < 4; i++)
            corner *= i == odd ? 1 : part[odd] / (part[odd] - part[i]);
        return positive == 1 ? corner : 1 - corner;
    }
    const double ac = part[0] / (part[0] - part[2]), ad = part[0] / (part[0] - part[3]);
    const double bc = part[1] / (part[1] - part[2]), bd = part[1] / (part[1] - part[3]);
    return bc * bd + ac * ad * (1 - bd) + ac * bd * (1 - bc);
}

/* A cell that may be cut. */
typedef struct volume_cut {
    const solids *s;
    double centre; /* m: distance there */
    double bent;   /* m: by how much the corners' mean is more */
    double less;   /* m: to be taken from all distances */
    bool edge;     /* of an obstacle: distances have a kink and no curvature */
    bool corners;  /* nothing but corners is known: distances at centres are those to rigid bodies */
} volume_cut;

/* The distance in the middle of a face: the mean of its corners, or of the centres of its two cells, whichever is less
   bent. Along an edge of an obstacle these are alike. */
static double volume_middle(const volume_cut *cut, const double f[4], double beside)
{
    const double corners = 0.25 * (f[0] + f[1] + f[2] + f[3]), centres = 0.5 * (cut->centre + beside) - cut->less;
    return cut->corners ? corners : cut->bent > 0 ? fmin(corners, centres) : fmax(corners, centres);
}

/* The open share of the part of a cell between its centre and a face, whose first corner is given, and the distance at
   the centre of the cell beyond it. */
static double volume_pyramid(const volume_cut *cut, const float *corner, int axis, double beside)
{
    const field *c = &cut->s->corner;
    const ptrdiff_t b = c->stride[axis == 0 ? 1 : 0], d = c->stride[axis == 2 ? 1 : 2];
    const double centre = cut->centre - cut->less;
    double f[4] = {corner[0], corner[b], corner[b + d], corner[d]}, sum = 0;
    for (int e = 0; e < 4; e++)
        f[e] -= cut->less;
    if (cut->s->domain.dims == 2)
        return volume_triangle((double[3]){f[0], f[1], centre});
    const double middle = volume_middle(cut, f, beside);
    for (int e = 0; e < 4; e++)
        sum += 0.25 * volume_tetrahedron((double[4]){f[e], f[(e + 1) % 4], middle, centre});
    return sum;
}

/* Whether a rigid body is the nearest to a cell: then nothing but the corners says where others are. */
static bool volume_is_rigid(const solids *s, const float *distance)
{
    return s->rigid_count > 0 && s->bodies[s->owner[distance - s->distance.block]].shares;
}

/* How distances are bent in a cell, from its first corner. At edges of obstacles slopes differ, and their mean is
   shorter than one; at a right angle its square is ¾ or less. */
static volume_cut volume_cut_of(const solids *s, const int cell[3])
{
    const float *corner = field_row(&s->corner, cell[1], cell[2]) + cell[0];
    const float *at = field_row(&s->distance, cell[1], cell[2]) + cell[0];
    const bool rigid = volume_is_rigid(s, at);
    const domain *d = &s->domain;
    const int corners = 1 << d->dims;
    double mean = 0, slope[3] = {0, 0, 0}, square = 0;
    for (int n = 0; n < corners; n++) {
        ptrdiff_t at = 0;
        for (int a = 0; a < d->dims; a++)
            at += n >> a & 1 ? s->corner.stride[a] : 0;
        const double part = (double)corner[at] / corners;
        mean += part;
        for (int a = 0; a < d->dims; a++)
            slope[a] += (n >> a & 1 ? 2 : -2) * part / d->h[a];
    }
    for (int a = 0; a < d->dims; a++)
        square += slope[a] * slope[a];
    const double smooth = fmin(fmax(1 - 4 * (1 - square), 0), 1);
    const double centre = rigid ? mean : (double)*at;
    return (volume_cut){s, centre, mean - centre, smooth * (mean - centre) / 3, smooth < 0.5, rigid};
}

/* The open share of a cell from distances in it; false: the scene's function failed. */
static bool volume_sample(const solids *s, const int cell[3], double *open)
{
    enum { ALONG = 3 };
    const domain *d = &s->domain;
    const double width = domain_min_h(d) / ALONG;
    const int layers = d->dims == 3 ? ALONG : 1;
    *open = 0;
    for (int n = 0; n < ALONG * ALONG * layers; n++) {
        const int part[3] = {n % ALONG, n / ALONG % ALONG, n / (ALONG * ALONG)};
        double point[3] = {0, 0, 0}, distance;
        for (int a = 0; a < d->dims; a++)
            point[a] = d->origin[a] + (cell[a] + (part[a] + 0.5) / ALONG) * d->h[a];
        if (solids_distance_to_others(s, point, &distance) != FR_OK)
            return false;
        *open += fmin(fmax(0.5 + distance / width, 0), 1) / (ALONG * ALONG * layers);
    }
    return true;
}

/* What obstacles that are not rigid leave open of a cell where they are watertight. Cells whose centres are further
   from them than from their corners are whole. */
static float volume_open(const solids *s, const int cell[3])
{
    const domain *d = &s->domain;
    const float *corner = field_row(&s->corner, cell[1], cell[2]) + cell[0];
    const float *at = field_row(&s->distance, cell[1], cell[2]) + cell[0];
    double square = 0, sum = 0;
    for (int a = 0; a < d->dims; a++)
        square += 0.25 * d->h[a] * d->h[a];
    if ((double)*at * *at > square && (*at > 0 || !volume_is_rigid(s, at)))
        return *at > 0 ? 1 : 0;
    const volume_cut cut = volume_cut_of(s, cell);
    if (cut.centre * cut.centre > square)
        return cut.centre > 0 ? 1 : 0;
    if (cut.edge && volume_sample(s, cell, &sum))
        return (float)sum;
    sum = 0;
    for (int a = 0; a < d->dims; a++)
        for (int end = 0; end < 2; end++)
            sum += volume_pyramid(&cut, corner + end * s->corner.stride[a], a,
                                  at[end ? s->distance.stride[a] : -s->distance.stride[a]]);
    return (float)(sum / (2 * d->dims));
}

/* The same where they are not. */
static float volume_open_plainly(const solids *s, const int cell[3])
{
    const float *at = field_row(&s->distance, cell[1], cell[2]) + cell[0];
    return solids_open_volume(&s->domain, volume_is_rigid(s, at) ? (float)volume_cut_of(s, cell).centre : *at);
}

static void volume_take_rigid(const solids *s, int j, int k, const int span[2], float *open)
{
    enum { PIECE = 256 };
    for (int first = span[0]; first < span[1] && s->rigid_count > 0; first += PIECE) {
        const shares_run run = {-1, {j, k}, first, span[1] - first < PIECE ? span[1] - first : PIECE};
        double share[PIECE];
        memset(share, 0, (size_t)run.count * sizeof *share);
        if (solids_add_shares(s, &run, share))
            for (int i = 0; i < run.count; i++)
                open[first + i] = (float)fmax((double)open[first + i] - share[i], 0);
    }
}

static void volume_row(void *context, int j, int k, const int span[2])
{
    solids *s = context;
    const int dims = s->domain.dims;
    ptrdiff_t faces[3] = {0, 0, 0};
    for (int a = 0; a < dims; a++)
        faces[a] = field_offset(&s->open[a], 0, j, k);
    float *volume = field_row(&s->volume, j, k);
    for (int i = span[0]; i < span[1]; i++) {
        const int cell[3] = {i, j, k};
        volume[i] = solids_all_rigid(s) ? 1 : s->sealed ? volume_open(s, cell) : volume_open_plainly(s, cell);
    }
    volume_take_rigid(s, j, k, span, volume);
    for (int i = span[0]; i < span[1]; i++) {
        float least = solids_least_volume(s, dims, faces, i);
        volume[i] = least == 0 ? 0 : volume[i] > least ? volume[i] : least;
    }
}

void solids_measure(solids *s, const region *r)
{
    for (int a = 0; a < s->domain.dims; a++)
        halo_fill_even(&s->open[a], &s->domain);
    region_for_rows(r, &s->volume, !s->sealed || solids_parallel(s), volume_row, s);
}
