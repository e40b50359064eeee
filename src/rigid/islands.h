/* The steps of bodies that touch or are joined; see islands.c. */
#ifndef FR_RIGID_ISLANDS_H
#define FR_RIGID_ISLANDS_H

#include "rigid/parts.h"

/* Finds the islands from contacts and joints. */
void islands_find(rigid *r, double seconds);

/* Puts right what overlaps or is out of joint. */
fr_result islands_correct(rigid *r, double t, double seconds);

/* Gives what bounces its new velocity. */
fr_result islands_bounce(rigid *r, double t, double seconds);

/* Kicks all islands but those that only swing, and holds them. */
fr_result islands_kick(rigid *r, double t, double seconds);

/* Moves those that only swing. */
fr_result islands_swing(rigid *r, double t, double seconds);

#endif
