#!/bin/sh
# Checks that clang is there with its sanitizers and its fuzzer, and says how to get them.
set -eu

probe=$(mktemp -d)
trap 'rm -rf "$probe"' EXIT
echo 'int LLVMFuzzerTestOneInput(const unsigned char *d, unsigned long n); int LLVMFuzzerTestOneInput(const unsigned char *d, unsigned long n) { return d && n > 9 ? 0 : 0; }' \
    >"$probe/probe.c"
if ! clang -fsanitize=fuzzer,address,undefined "$probe/probe.c" -o "$probe/probe" 2>"$probe/why"; then
    tail -n 2 "$probe/why" >&2
    echo "deps-fuzz.sh: fuzzing needs clang and its runtime; on Debian: apt-get install clang libclang-rt-14-dev (or the number of your clang)" >&2
    exit 1
fi
