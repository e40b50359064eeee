/* Between the files that read meshes. */
#ifndef FR_GEOM_MESH_PARTS_H
#define FR_GEOM_MESH_PARTS_H

#include "geom/mesh.h"

/* What reading a mesh may take of the machine. */
typedef struct mesh_limits {
    double seconds;          /* by the clock */
    double busy_seconds;     /* of the processor */
    double bytes;            /* of memory, beyond what the program has already */
} mesh_limits;

/* Reads the file in this process, where it may crash, hang or print; for the child alone. */
fr_result mesh_import(const char *file, mesh *out);

/* The child's side of the pipe: sends a mesh, or why there is none. It ends the process when the parent is gone. */
void mesh_reply_send(int pipe, fr_result result, const mesh *m);

/* The parent's side: believes nothing. `deadline` is a time of clock_now. A failure leaves a mesh that mesh_free may
 *have. answered: the other side had its say; else the pipe ended early, or the time did, or what came made no sense. */
fr_result mesh_reply_receive(int pipe, double deadline, mesh *out, bool *answered);

#ifdef FR_HAVE_ASSIMP
struct aiFileIO;

/* How the importer gets at files: regular ones only, also those that a mesh refers to (materials, buffers, pictures).
 */
struct aiFileIO *mesh_files(void);
#endif

#endif
