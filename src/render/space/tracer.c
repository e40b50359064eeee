#include "render/space/tracer.h"

#ifdef FR_HAVE_EMBREE
#include <embree3/rtcore.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct tracer {
    RTCDevice device;
    RTCScene scene;
    const fr_mesh *mesh;     /* NULL: balls */
    const tracer_place *places; /* NULL: no parts */
};

static fr_result tracer_fail(const tracer *t)
{
    bool memory = rtcGetDeviceError(t->device) == RTC_ERROR_OUT_OF_MEMORY;
    return fr_fail(memory ? FR_ERROR_MEMORY : FR_ERROR_UNSUPPORTED, "Embree could not prepare the picture%s",
                   memory ? ": out of memory" : "; please report this");
}

/* On the device of `first`, or on a new one. */
static fr_result tracer_create(const tracer *first, tracer **out)
{
    char settings[32];
    tracer *t = *out = calloc(1, sizeof *t);
    if (!t)
        return fr_fail(FR_ERROR_MEMORY, "out of memory: no room for a tracer");
    snprintf(settings, sizeof settings, "threads=%d", fr_threads());
    t->device = first ? first->device : rtcNewDevice(settings);
    if (first)
        rtcRetainDevice(t->device);
    t->scene = t->device ? rtcNewScene(t->device) : NULL;
    if (!t->scene)
        return tracer_fail(t);
    rtcSetSceneFlags(t->scene, RTC_SCENE_FLAG_ROBUST); /* no ray slips through between two triangles */
    return FR_OK;
}

static fr_result tracer_commit(tracer *t, RTCGeometry geometry)
{
    rtcCommitGeometry(geometry);
    rtcAttachGeometry(t->scene, geometry);
    rtcReleaseGeometry(geometry);
    rtcCommitScene(t->scene);
    return rtcGetDeviceError(t->device) == RTC_ERROR_NONE ? FR_OK : tracer_fail(t);
}

/* Copies the data into a buffer of Embree's: it reads slightly beyond the last element, and its own buffers are
   padded. */
static bool tracer_copy(RTCGeometry geometry, enum RTCBufferType type, const void *data, int64_t count)
{
    enum RTCFormat format = type == RTC_BUFFER_TYPE_INDEX ? RTC_FORMAT_UINT3 : RTC_FORMAT_FLOAT3;
    void *buffer = rtcSetNewGeometryBuffer(geometry, type, 0, format, 12, (size_t)count);
    if (buffer && count > 0)
        memcpy(buffer, data, 12 * (size_t)count);
    return buffer;
}

static fr_result tracer_add_mesh(tracer *t, const fr_mesh *mesh)
{
    if (mesh->triangle_count == 0)
        return FR_OK;
    RTCGeometry geometry = rtcNewGeometry(t->device, RTC_GEOMETRY_TYPE_TRIANGLE);
    t->mesh = mesh;
    if (!tracer_copy(geometry, RTC_BUFFER_TYPE_VERTEX, mesh->vertices, mesh->vertex_count)
        || !tracer_copy(geometry, RTC_BUFFER_TYPE_INDEX, mesh->triangles, mesh->triangle_count))
        return tracer_fail(t);
    return tracer_commit(t, geometry);
}

static fr_result tracer_add_balls(tracer *t, const fr_frame *frame, double radius)
{
    if (frame->particle_count == 0)
        return FR_OK;
    RTCGeometry geometry = rtcNewGeometry(t->device, RTC_GEOMETRY_TYPE_SPHERE_POINT);
    float (*balls)[4] = rtcSetNewGeometryBuffer(geometry, RTC_BUFFER_TYPE_VERTEX, 0, RTC_FORMAT_FLOAT4, sizeof *balls,
                                                (size_t)frame->particle_count);
    if (!balls)
        return tracer_fail(t);
    for (int64_t n = 0; n < frame->particle_count; n++) {
        memcpy(balls[n], frame->particles.data + n * frame->particles.stride, 3 * sizeof(float));
        balls[n][3] = (float)radius;
    }
    return tracer_commit(t, geometry);
}

/* Places are attached in their order, so that an instance's number is that of its place. */
static fr_result tracer_add_places(tracer *t, const tracer_place *places, int count)
{
    t->places = places;
    for (int i = 0; i < count; i++) {
        const tracer_place *p = &places[i];
        RTCGeometry instance = rtcNewGeometry(t->device, RTC_GEOMETRY_TYPE_INSTANCE);
        float columns[4][3];
        for (int a = 0; a < 3; a++) {
            columns[3][a] = (float)p->at[a];
            for (int b = 0; b < 3; b++)
                columns[b][a] = (float)p->turn[a][b];
        }
        rtcSetGeometryInstancedScene(instance, p->part->scene);
        rtcSetGeometryTransform(instance, 0, RTC_FORMAT_FLOAT3X4_COLUMN_MAJOR, columns);
        rtcCommitGeometry(instance);
        rtcAttachGeometryByID(t->scene, instance, (unsigned)i);
        rtcReleaseGeometry(instance);
    }
    rtcCommitScene(t->scene);
    return rtcGetDeviceError(t->device) == RTC_ERROR_NONE ? FR_OK : tracer_fail(t);
}

/* Hands a tracer out, or destroys it after a failure. */
static fr_result tracer_finish(fr_result result, tracer **out)
{
    if (result != FR_OK) {
        tracer_destroy(*out);
        *out = NULL;
    }
    return result;
}

fr_result tracer_of_part(const tracer *first, const fr_mesh *mesh, tracer **out)
{
    fr_result result = tracer_create(first, out);
    return tracer_finish(result == FR_OK ? tracer_add_mesh(*out, mesh) : result, out);
}

fr_result tracer_of_mesh(const fr_mesh *mesh, tracer **out)
{
    return tracer_of_part(NULL, mesh, out);
}

fr_result tracer_of_balls(const fr_frame *frame, double radius, tracer **out)
{
    fr_result result = tracer_create(NULL, out);
    return tracer_finish(result == FR_OK ? tracer_add_balls(*out, frame, radius) : result, out);
}

fr_result tracer_of_places(const tracer_place *places, int count, tracer **out)
{
    fr_result result = tracer_create(places->part, out);
    return tracer_finish(result == FR_OK ? tracer_add_places(*out, places, count) : result, out);
}

void tracer_destroy(tracer *t)
{
    if (!t)
        return;
    if (t->scene)
        rtcReleaseScene(t->scene);
    if (t->device)
        rtcReleaseDevice(t->device);
    free(t);
}

static struct RTCRay tracer_ray(const tracer_line *line)
{
    return (struct RTCRay){.org_x = (float)line->from.x, .org_y = (float)line->from.y, .org_z = (float)line->from.z,
                           .tnear = (float)line->least, .dir_x = (float)line->along.x, .dir_y = (float)line->along.y,
                           .dir_z = (float)line->along.z, .tfar = (float)line->most, .mask = (unsigned)-1};
}

static vec3 tracer_vector(const float v[3])
{
    return (vec3){v[0], v[1], v[2]};
}

/* A vertex's normal as a triangle with that normal of its own uses it: at a crease, as where liquid meets a wall, it
   belongs to the other side of the crease. */
static vec3 tracer_corner_normal(const fr_mesh *mesh, int32_t vertex, vec3 own)
{
    const double crease = 0.75;  /* cosine: two walls of a box, with their mean normal, are one */
    vec3 normal = tracer_vector(mesh->normals[vertex]);
    return vec3_dot(normal, own) < crease ? own : normal;
}

/* Interpolates the vertex normals; the triangle's geometric normal decides which side is outside. */
static void tracer_see_mesh(const fr_mesh *mesh, const struct RTCHit *met, vec3 along, tracer_hit *hit)
{
    const int32_t *t = mesh->triangles[met->primID];
    vec3 a = tracer_vector(mesh->vertices[t[0]]), b = tracer_vector(mesh->vertices[t[1]]),
         c = tracer_vector(mesh->vertices[t[2]]);
    double u = (double)met->u, v = (double)met->v;
    vec3 own = vec3_unit(vec3_cross(vec3_sub(b, a), vec3_sub(c, a)));
    hit->leaving = vec3_dot(own, along) > 0;
    hit->weights[0] = 1 - met->u - met->v;
    hit->weights[1] = met->u;
    hit->weights[2] = met->v;
    vec3 sum = vec3_scale(tracer_corner_normal(mesh, t[0], own), 1 - u - v);
    sum = vec3_add(sum, vec3_scale(tracer_corner_normal(mesh, t[1], own), u));
    hit->normal = vec3_unit(vec3_add(sum, vec3_scale(tracer_corner_normal(mesh, t[2], own), v)));
}

static vec3 tracer_turned(const double turn[3][3], vec3 v)
{
    return (vec3){turn[0][0] * v.x + turn[0][1] * v.y + turn[0][2] * v.z,
                  turn[1][0] * v.x + turn[1][1] * v.y + turn[1][2] * v.z,
                  turn[2][0] * v.x + turn[2][1] * v.y + turn[2][2] * v.z};
}

static vec3 tracer_turned_back(const double turn[3][3], vec3 v)
{
    return (vec3){turn[0][0] * v.x + turn[1][0] * v.y + turn[2][0] * v.z,
                  turn[0][1] * v.x + turn[1][1] * v.y + turn[2][1] * v.z,
                  turn[0][2] * v.x + turn[1][2] * v.y + turn[2][2] * v.z};
}

/* A part's mesh is looked at in its own coordinates. */
static void tracer_see_place(const tracer *t, const struct RTCHit *met, vec3 along, tracer_hit *hit)
{
    const tracer_place *place = &t->places[met->instID[0]];
    hit->place = (int)met->instID[0];
    tracer_see_mesh(place->part->mesh, met, tracer_turned_back(place->turn, along), hit);
    hit->normal = tracer_turned(place->turn, hit->normal);
}

bool tracer_find(const tracer *t, const tracer_line *line, tracer_hit *hit)
{
    struct RTCIntersectContext context;
    struct RTCRayHit met = {.ray = tracer_ray(line), .hit = {.geomID = RTC_INVALID_GEOMETRY_ID}};
    rtcInitIntersectContext(&context);
    rtcIntersect1(t->scene, &context, &met);
    if (met.hit.geomID == RTC_INVALID_GEOMETRY_ID)
        return false;
    *hit = (tracer_hit){.distance = (double)met.ray.tfar, .number = met.hit.primID};
    if (t->places) {
        tracer_see_place(t, &met.hit, line->along, hit);
    } else if (t->mesh) {
        tracer_see_mesh(t->mesh, &met.hit, line->along, hit);
    } else {
        hit->normal = vec3_unit((vec3){met.hit.Ng_x, met.hit.Ng_y, met.hit.Ng_z});
        hit->leaving = vec3_dot(hit->normal, line->along) > 0;
    }
    return true;
}

bool tracer_is_blocked(const tracer *t, const tracer_line *line)
{
    struct RTCIntersectContext context;
    struct RTCRay ray = tracer_ray(line);
    rtcInitIntersectContext(&context);
    rtcOccluded1(t->scene, &context, &ray);
    return ray.tfar < 0;
}

#else

static fr_result tracer_missing(tracer **out)
{
    *out = NULL;
    return fr_fail(FR_ERROR_UNSUPPORTED,
                   "3D pictures of liquids and bodies need Embree 3, which this build lacks; install libembree-dev and "
                   "build again");
}

fr_result tracer_of_mesh(const fr_mesh *mesh, tracer **out)
{
    (void)mesh;
    return tracer_missing(out);
}

fr_result tracer_of_balls(const fr_frame *frame, double radius, tracer **out)
{
    (void)frame, (void)radius;
    return tracer_missing(out);
}

fr_result tracer_of_part(const tracer *first, const fr_mesh *mesh, tracer **out)
{
    (void)first, (void)mesh;
    return tracer_missing(out);
}

fr_result tracer_of_places(const tracer_place *places, int count, tracer **out)
{
    (void)places, (void)count;
    return tracer_missing(out);
}

void tracer_destroy(tracer *t)
{
    (void)t;
}

bool tracer_find(const tracer *t, const tracer_line *line, tracer_hit *hit)
{
    (void)t, (void)line, (void)hit;
    return false;
}

bool tracer_is_blocked(const tracer *t, const tracer_line *line)
{
    (void)t, (void)line;
    return false;
}
#endif
