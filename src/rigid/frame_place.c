#include <freshet/frame.h>

#include "rigid/quaternion.h"

void fr_body_place(const fr_body_state *state, double turn[3][3], double at[3])
{
    quaternion_matrix(state->rotation, turn);
    for (int a = 0; a < 3; a++) {
        at[a] = state->position[a];
        for (int b = 0; b < 3; b++)
            at[a] -= turn[a][b] * state->centre[b];
    }
}
