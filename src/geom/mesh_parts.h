/* Shared by the files that read meshes; private to them. */
#ifndef FR_GEOM_MESH_PARTS_H
#define FR_GEOM_MESH_PARTS_H

#include "geom/mesh.h"

/* Resource limits for reading a mesh. */
typedef struct mesh_limits {
    double seconds;          /* elapsed time */
    double busy_seconds;     /* CPU time */
    double bytes;            /* memory, beyond what the program has already */
} mesh_limits;

/* Reads the file in this process. It may crash, hang or print: only the child process calls it. */
fr_result mesh_import(const char *file, mesh *out);

/* The child's side of the pipe: sends a mesh or the failure. Ends the process when the parent is gone. */
void mesh_reply_send(int pipe, fr_result result, const mesh *m);

/* The parent's side: checks all that it receives. `deadline` is a time of clock_now. A reply that claims more than
   `most_bytes` is refused before memory is taken for it. After a failure mesh_free may still be called on `out`.
   `answered`: a complete and valid reply came; false when the pipe ended early, the deadline passed or the data were
   invalid. */
fr_result mesh_reply_receive(int pipe, double deadline, double most_bytes, mesh *out, bool *answered);

#ifdef FR_HAVE_ASSIMP
struct aiFileIO;

/* File access for the importer: regular files only, also for those that a mesh refers to (materials, images). */
struct aiFileIO *mesh_files(void);
#endif

#endif
