/* Reads a mesh file through assimp, in this process. */
#include "geom/mesh_parts.h"

#ifdef FR_HAVE_ASSIMP
#include <assimp/cimport.h>
#include <assimp/postprocess.h>
#include <assimp/scene.h>

#include "base/memory.h"

static fr_result mesh_count(const char *file, const struct aiScene *scene, mesh *m)
{
    int64_t vertices = 0, triangles = 0;
    for (unsigned i = 0; i < scene->mNumMeshes; i++) {
        const struct aiMesh *part = scene->mMeshes[i];
        vertices += part->mNumVertices;
        for (unsigned f = 0; f < part->mNumFaces; f++)
            triangles += part->mFaces[f].mNumIndices == 3;
    }
    if (triangles == 0 || vertices == 0)
        return fr_fail(FR_ERROR_FILE, "%s holds no triangles", file);
    if (triangles > INT32_MAX / 4 || vertices > INT32_MAX / 4)
        return fr_fail(FR_ERROR_FILE, "%s is too large: %lld triangles, at most %d", file, (long long)triangles,
                       INT32_MAX / 4);
    m->vertices = memory_alloc(sizeof *m->vertices * (size_t)vertices);
    m->triangles = memory_alloc(sizeof *m->triangles * (size_t)triangles);
    return m->vertices && m->triangles ? FR_OK : FR_ERROR_MEMORY;
}

static fr_result mesh_add_vertices(const char *file, const struct aiMesh *part, mesh *m)
{
    for (unsigned v = 0; v < part->mNumVertices; v++) {
        const struct aiVector3D *p = &part->mVertices[v];
        double *to = m->vertices[m->vertex_count++];
        to[0] = p->x;
        to[1] = p->y;
        to[2] = p->z;
        for (int a = 0; a < 3; a++)
            if (!(fabs(to[a]) < MESH_LARGEST))
                return fr_fail(FR_ERROR_FILE, "%s: vertex %d has the coordinates (%g, %g, %g)", file, m->vertex_count,
                               to[0], to[1], to[2]);
    }
    return FR_OK;
}

static fr_result mesh_add_part(const char *file, const struct aiMesh *part, mesh *m)
{
    int base = m->vertex_count;
    FR_TRY(mesh_add_vertices(file, part, m));
    for (unsigned f = 0; f < part->mNumFaces; f++) {
        const struct aiFace *face = &part->mFaces[f];
        if (face->mNumIndices != 3)
            continue;
        for (int k = 0; k < 3; k++) {
            if (face->mIndices[k] >= part->mNumVertices)
                return fr_fail(FR_ERROR_FILE, "%s: a triangle names vertex %u of %u", file, face->mIndices[k] + 1,
                               part->mNumVertices);
            int v = base + (int)face->mIndices[k];
            m->triangles[m->triangle_count][k] = v;
        }
        m->triangle_count++;
    }
    return FR_OK;
}

static fr_result mesh_take(const char *file, const struct aiScene *scene, mesh *m)
{
    FR_TRY(mesh_count(file, scene, m));
    for (unsigned i = 0; i < scene->mNumMeshes; i++)
        FR_TRY(mesh_add_part(file, scene->mMeshes[i], m));
    return FR_OK;
}

fr_result mesh_import(const char *file, mesh *out)
{
    *out = (mesh){0};
    /* PreTransformVertices applies the transforms of the file's scene graph (glTF, Collada). */
    const struct aiScene *scene =
        aiImportFileEx(file, aiProcess_Triangulate | aiProcess_PreTransformVertices, mesh_files());
    if (!scene)
        return fr_fail(FR_ERROR_FILE, "cannot read %s as a mesh: %s", file, aiGetErrorString());
    fr_result result = mesh_take(file, scene, out);
    aiReleaseImport(scene);
    if (result != FR_OK)
        mesh_free(out);
    return result;
}
#else
fr_result mesh_import(const char *file, mesh *out)
{
    *out = (mesh){0};
    return fr_fail(FR_ERROR_UNSUPPORTED,
                   "cannot read the mesh %s: this build has no assimp; install it and build again", file);
}
#endif
