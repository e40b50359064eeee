/* --set key=value and --res: they change the table that the scene returned before it is decoded. */
#ifndef FR_SCENE_OVERRIDES_H
#define FR_SCENE_OVERRIDES_H

#include <freshet/scene.h>

#include <lua.h>

#include "base/arena.h"

typedef struct override {
    const char
        *key; /* what it changed, as in messages: "sources[1].rate"; "heat" if it created that table */
    const char *given; /* as the user gave it: "--set sources.1.rate=2" */
} override;

typedef struct override_list {
    override *items;
    int count;
} override_list;

/* Applies them in order to the table on the top of the stack. Lua errors may be raised: call it protected. */
fr_result overrides_apply(lua_State *lua, arena *arena, const fr_scene_options *options, override_list *list);

/* The last override of this key or of an enclosing one, or NULL. */
const override *overrides_find(const override_list *list, const char *key);

#endif
