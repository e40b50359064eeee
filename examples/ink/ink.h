/* A drop of ink in a prescribed flow: the sample of docs/how-to-add-a-method.md. */
#ifndef FR_INK_INK_H
#define FR_INK_INK_H

#include "method/method.h"

extern const method method_ink;

#endif
