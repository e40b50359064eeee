/* Names of fields as names of files and datasets. */
#ifndef FR_IO_NAMES_H
#define FR_IO_NAMES_H

#include <freshet/frame.h>

enum { NAME_LENGTH = 128, NAME_ROOM = NAME_LENGTH - 16 /* leaves room for a suffix */ };
typedef char name_text[NAME_LENGTH];

/* The name with '_' for characters that are unsafe in file systems or HDF5, cut to length. It cannot lead into another
   folder. */
void names_clean(const char *name, char clean[NAME_ROOM]);

/* A unique name for every field, in `names`: its own name, cleaned as above, and numbered where two would be equal.
   `taken` (may be NULL) lists names that no field may get; NULL ends the list. */
void names_of_fields(const fr_frame *frame, const char *const *taken, name_text *names);

#endif
