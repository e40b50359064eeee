/* How many cores this process may use: those in its CPU affinity mask, limited by the CPU quota of its cgroup (Linux;
   containers and job systems set it). */
#ifndef FR_BASE_CORES_H
#define FR_BASE_CORES_H

/* At least 1. The system is asked once, at the first call. */
int cores_count(void);

/* The CPU quota in cores, rounded up; 0 without a limit. `groups` is a file like /proc/self/cgroup, `root` a folder
   like /sys/fs/cgroup. Knows cgroup versions 1 and 2. */
int cores_of_groups(const char *groups, const char *root);

#endif
