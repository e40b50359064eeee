/* How many cores a process may use, from the CPU quotas of its cgroups. */
#define _GNU_SOURCE
#include "base/cores.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>

#include <cmocka.h>

#include <freshet/base.h>

static char root[] = "/tmp/freshet-cores-XXXXXX";

static void write_file(const char *name, const char *text)
{
    char path[256];
    snprintf(path, sizeof path, "%s/%s", root, name);
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fputs(text, file);
    fclose(file);
}

static void make_folder(const char *name)
{
    char path[256];
    snprintf(path, sizeof path, "%s/%s", root, name);
    assert_int_equal(mkdir(path, 0700), 0);
}

static int cores_with(const char *groups)
{
    char path[256];
    write_file("groups", groups);
    snprintf(path, sizeof path, "%s/groups", root);
    return cores_of_groups(path, root);
}

static int make_groups(void **state)
{
    (void)state;
    assert_non_null(mkdtemp(root));
    make_folder("free");
    make_folder("tight");
    make_folder("tight/inner");
    make_folder("cpu,cpuacct");
    make_folder("cpu,cpuacct/job");
    make_folder("cpu,cpuacct/rest");
    make_folder("cpuset");
    write_file("free/cpu.max", "max 100000\n");
    write_file("tight/cpu.max", "250000 100000\n");
    write_file("tight/inner/cpu.max", "400000 100000\n");
    write_file("cpu,cpuacct/job/cpu.cfs_quota_us", "50000\n");
    write_file("cpu,cpuacct/job/cpu.cfs_period_us", "100000\n");
    write_file("cpu,cpuacct/rest/cpu.cfs_quota_us", "-1\n");
    write_file("cpu,cpuacct/rest/cpu.cfs_period_us", "100000\n");
    write_file("cpuset/cpu.max", "100000 100000\n");
    return 0;
}

static int remove_groups(void **state)
{
    (void)state;
    char command[300];
    snprintf(command, sizeof command, "rm -r %s", root);
    return system(command);
}

static void version_2_limits(void **state)
{
    (void)state;
    assert_int_equal(cores_with("0::/free\n"), 0);
    assert_int_equal(cores_with("0::/tight\n"), 3);
    assert_int_equal(cores_with("0::/tight/inner\n"), 3);   /* the outer group is the tighter one */
    assert_int_equal(cores_with("0::/elsewhere\n"), 0);
    assert_int_equal(cores_with("0::/\n"), 0);
}

static void version_1_limits(void **state)
{
    (void)state;
    assert_int_equal(cores_with("4:cpu,cpuacct:/job\n0::/free\n"), 1);
    assert_int_equal(cores_with("4:cpu,cpuacct:/rest\n"), 0);
    assert_int_equal(cores_with("5:cpuset:/\n"), 0);        /* another controller */
    assert_int_equal(cores_with("nonsense\n\n:\n"), 0);
    assert_int_equal(cores_of_groups("/nowhere", root), 0);
}

static void keeps_to_the_cores_it_is_bound_to(void **state)
{
    (void)state;
    cpu_set_t set;
    assert_int_equal(sched_getaffinity(0, sizeof set, &set), 0);
    size_t first = 0;
    while (!CPU_ISSET(first, &set))
        first++;
    CPU_ZERO(&set);
    CPU_SET(first, &set);
    assert_int_equal(sched_setaffinity(0, sizeof set, &set), 0);
    assert_int_equal(cores_count(), 1);   /* asked for the first time here */
    unsetenv("FRESHET_THREADS");
    fr_set_threads(0);
    assert_int_equal(fr_threads(), 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(version_2_limits),
        cmocka_unit_test(version_1_limits),
        cmocka_unit_test(keeps_to_the_cores_it_is_bound_to),
    };
    return cmocka_run_group_tests(tests, make_groups, remove_groups);
}
