/* What the fuzzers share. Each is one function that takes bytes as a file's content. With libFuzzer behind it, it
   hunts; with replay.c it goes once through the files that were kept. */
#ifndef FUZZ_H
#define FUZZ_H

#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Ends the fuzzer when something that must hold does not; also where assert is left out. */
#define FUZZ_REQUIRE(condition) ((condition) ? (void)0 : abort())

/* A path in a folder of this process, in memory where the machine has that; valid until the next call. The folder goes
   away with the process. */
const char *fuzz_path(const char *name);

/* Stores bytes in that file. */
const char *fuzz_store(const char *name, const void *data, size_t size);

#endif
