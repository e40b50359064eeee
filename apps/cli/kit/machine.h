/* What the program knows about the machine it runs on. */
#ifndef KIT_MACHINE_H
#define KIT_MACHINE_H

#include "kit/json.h"

double machine_seconds(void);                   /* monotonic clock, s */
double machine_memory(void);                    /* whole main memory, bytes */
int machine_cores(void);
double machine_load(void);                      /* programs that wanted to run during the last minute, on average */

/* Free bytes where `path` is or will be (its nearest folder that exists); negative when it cannot be told. */
double machine_disk_free(const char *path);

/* Whether files can be made there, for a folder that may not exist yet; the failure names the place and the reason. */
fr_result machine_can_write(const char *path);

/* The processor's name as the system gives it, or "unknown". */
void machine_processor(char *name, size_t size);

/* Now, UTC, ISO 8601. */
typedef struct machine_stamp {
    char text[32];
} machine_stamp;
machine_stamp machine_now(void);

/* A "machine" object: processor, cores, memory, system. */
void machine_describe(json *json);

/* Resident memory of this process, bytes: now, and its peak; 0 where the system does not tell. */
double machine_resident(void);
double machine_peak(void);

#endif
