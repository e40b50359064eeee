/* Freshet: everything in one include. */
#ifndef FRESHET_FRESHET_H
#define FRESHET_FRESHET_H

#include <freshet/base.h>
#include <freshet/defs.h>
#include <freshet/fields.h>
#include <freshet/frame.h>
#include <freshet/io.h>
#include <freshet/render.h>
#include <freshet/scene.h>
#include <freshet/shape.h>
#include <freshet/surface.h>
#include <freshet/method.h>
#include <freshet/preview.h>
#include <freshet/world.h>

#endif
