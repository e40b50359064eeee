/* Facts about the machine: clock, memory, cores, disk. */
#ifndef KIT_MACHINE_H
#define KIT_MACHINE_H

#include "kit/json.h"

double machine_seconds(void);                   /* monotonic clock, s */
double machine_memory(void);                    /* total main memory, bytes */
int machine_cores(void);
double machine_load(void);                      /* load average of the last minute */

/* Free bytes on the disk of `path`, or of its nearest existing parent; negative if unknown. */
double machine_disk_free(const char *path);

/* Fails, naming the folder and the reason, unless files can be created there. The folder need not exist yet. */
fr_result machine_can_write(const char *path);

/* The processor's name as reported by the system, or "unknown". */
void machine_processor(char *name, size_t size);

/* The current time, UTC, ISO 8601. */
typedef struct machine_stamp {
    char text[32];
} machine_stamp;
machine_stamp machine_now(void);

/* Writes an object "machine": processor, cores, memory, system. */
void machine_describe(json *json);

/* Current and peak resident memory of this process, bytes; 0 if unknown. */
double machine_resident(void);
double machine_peak(void);

#endif
