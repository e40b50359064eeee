/* How many cores this process may use: those it is bound to, and no more than its group's share of time (Linux
   cgroups, as set by containers and job systems). */
#ifndef FR_BASE_CORES_H
#define FR_BASE_CORES_H

/* At least 1; asked of the system once. */
int cores_count(void);

/* The share of time in cores, rounded up, that the groups named in the file `groups` (as /proc/self/cgroup) have
   under the folder `root` (as /sys/fs/cgroup), of both versions of the interface; 0 without a limit. */
int cores_of_groups(const char *groups, const char *root);

#endif
