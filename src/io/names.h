/* Names of fields as names of files and datasets. */
#ifndef FR_IO_NAMES_H
#define FR_IO_NAMES_H

#include <freshet/frame.h>

enum { NAME_LENGTH = 128, NAME_ROOM = NAME_LENGTH - 16 /* for a number or a word more */ };
typedef char name_text[NAME_LENGTH];

/* The name with '_' for what a file system or HDF5 would stumble over, cut to length: it leads into no other folder. */
void names_clean(const char *name, char clean[NAME_ROOM]);

/* A name of its own for every field, in `names`: as it is where that will do; otherwise with '_' for what a file
   system or HDF5 would stumble over, cut to length, numbered where two would be the same. `taken` (may be NULL) are
   names that none may have, up to a NULL. */
void names_of_fields(const fr_frame *frame, const char *const *taken, name_text *names);

#endif
