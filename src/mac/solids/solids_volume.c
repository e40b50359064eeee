/* The volume of cells that obstacles cut. */
#include "grid/halo.h"
#include "mac/solids/solids.h"

typedef struct solids_volume_job {
    const domain *d;
    solids *s;
} solids_volume_job;

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

static void solids_volume_rows(void *context, int begin, int end)
{
    const solids_volume_job *job = context;
    solids *s = job->s;
    for (int r = begin; r < end; r++) {
        int j = r % job->d->n[1], k = r / job->d->n[1];
        ptrdiff_t faces[3] = {0, 0, 0};
        for (int a = 0; a < job->d->dims; a++)
            faces[a] = field_offset(&s->open[a], 0, j, k);
        const float *distance = field_row(&s->distance, j, k);
        float *volume = field_row(&s->volume, j, k);
        for (int i = 0; i < job->d->n[0]; i++) {
            float least = solids_least_volume(s, job->d->dims, faces, i),
                  open = solids_open_volume(job->d, distance[i]);
            volume[i] = least == 0 ? 0 : open > least ? open : least;
        }
    }
}

void solids_measure(const domain *d, solids *s)
{
    for (int a = 0; a < d->dims; a++)
        halo_fill_even(&s->open[a], d);
    solids_volume_job job = {d, s};
    field_for_rows(&s->volume, solids_volume_rows, &job);
}
