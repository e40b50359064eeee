#include "grid/poisson/lattice_moved.h"

int lattice_child(const lattice_pair *pair, int axis, int parent, int number)
{
    if (number == 2 && parent == pair->coarse->n[axis] - 1)
        return parent > 0 ? 0 : pair->fine->n[axis];
    if (number < 0 && parent == 0)
        return pair->fine->n[axis];
    return (pair->fine->coarsen[axis] ? 2 * parent : parent) + number;
}

static bool moved_in_block(const uint16_t *flags)
{
    unsigned some = 0;
    for (int h = 0; h < LANES; h++)
        some |= flags[h];
    return some & FLAG_ANY_MOVED;
}

/* A fine row and colour, and the coarse row whose children are wanted. */
typedef struct moved_row {
    int colour, j, k, J, K;
} moved_row;

static void moved_visit_row(const lattice_pair *pair, const moved_row *row, lattice_moved_visit visit, void *context)
{
    const lattice *fine = pair->fine;
    int j = row->j, k = row->k, parity = lattice_parity(row->colour, j, k);
    ptrdiff_t at = lattice_at(fine, j, k);
    const uint16_t *flags = fine->flags[row->colour] + at;
    for (int h = 0; h < lattice_half(fine->n[0], parity); h++) {
        if (h % LANES == 0 && !moved_in_block(flags + h)) {
            h += LANES - 1;
            continue;
        }
        unsigned f = flags[h];
        bool here = lattice_parent(pair, 1, j, f) == row->J && lattice_parent(pair, 2, k, f) == row->K;
        if (!(f & FLAG_ANY_MOVED) || !here)
            continue;
        visit(context,
              &(lattice_moved){row->colour, j, k, at + h, lattice_parent(pair, 0, 2 * h + parity, f)});
    }
}

void lattice_visit_moved(const lattice_pair *pair, const int row[2], int colours, lattice_moved_visit visit,
                         void *context)
{
    const lattice *fine = pair->fine;
    if (!fine->moved)
        return;
    int reach_y = fine->coarsen[1] ? 3 : 1, reach_z = fine->coarsen[2] ? 3 : 1, on = fine->surface;
    for (int dz = reach_z > 1 ? -on : 0; dz < reach_z; dz++) {
        for (int dy = reach_y > 1 ? -on : 0; dy < reach_y; dy++) {
            int j = lattice_child(pair, 1, row[0], dy), k = lattice_child(pair, 2, row[1], dz);
            bool any = j < fine->n[1] && k < fine->n[2] && fine->moved_rows[k * fine->n[1] + j];
            for (int colour = 0; colour < colours && any; colour++)
                moved_visit_row(pair, &(moved_row){colour, j, k, row[0], row[1]}, visit, context);
        }
    }
}
