#!/bin/sh
# Installs what Freshet builds and tests with, on Debian and Ubuntu. Quiet when nothing is missing.
set -eu

packages="gcc g++ libc6-dev make cmake ninja-build pkg-config python3
liblua5.4-dev libcmocka-dev libassimp-dev libode-dev libpng-dev zlib1g-dev libembree-dev ffmpeg hdf5-tools"

missing=""
for package in $packages; do
    status=$(dpkg-query -W -f='${db:Status-Status}' "$package" 2>/dev/null || true)
    [ "$status" = installed ] || missing="$missing $package"
done
[ -n "$missing" ] || exit 0

if ! command -v apt-get >/dev/null 2>&1; then
    echo "deps.sh: this machine has no apt-get; please install:$missing" >&2
    exit 1
fi
if [ "$(id -u)" -eq 0 ]; then
    root=""
elif command -v sudo >/dev/null 2>&1; then
    root="sudo"
else
    echo "deps.sh: missing:$missing" >&2
    echo "deps.sh: install them as root: apt-get install$missing" >&2
    exit 1
fi

echo "Installing:$missing"
export DEBIAN_FRONTEND=noninteractive
$root apt-get update -qq
# shellcheck disable=SC2086
$root apt-get install -y -qq --no-install-recommends $missing >/dev/null
