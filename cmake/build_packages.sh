#!/bin/sh
# build_packages.sh [--twice] - makes the Debian packages of cmake/packages.cmake in
# build-packages/debs. With --twice: of the commit, in two folders of different
# length, and compares them byte for byte. Times in packages are that of the commit.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
set -eu
cd "$(dirname "$0")/.."

jobs=$(nproc 2>/dev/null || echo 2)
commit=$(git rev-parse HEAD 2>/dev/null || true) # may move while this runs
if [ -z "${SOURCE_DATE_EPOCH:-}" ]; then
  SOURCE_DATE_EPOCH=$(git log -1 --format=%ct "$commit")
fi
export SOURCE_DATE_EPOCH
# dpkg-shlibdeps names one of the packages with a symbol, by the order of a hash.
export PERL_HASH_SEED=0 PERL_PERTURB_KEYS=0
# Files in packages have these permissions wherever they are made.
umask 022

# pack SOURCES OUTPUT: builds the folder SOURCES, and moves its packages to OUTPUT.
pack() (
  mkdir -p "$2"
  rm -f "$2"/*.deb
  cd "$1"
  for preset in packages packages-m32; do
    if [ "$preset" = packages-m32 ] && [ "$(dpkg --print-architecture)" != amd64 ]; then
      continue
    fi
    cmake --preset "$preset" >"/tmp/gmem-packages-$$.log" 2>&1 &&
      ninja -C "build-$preset" -j "$jobs" >"/tmp/gmem-packages-$$.log" 2>&1 &&
      rm -rf "build-$preset/packed" &&
      (cd "build-$preset" && cpack -B packed) >"/tmp/gmem-packages-$$.log" 2>&1 || {
      cat "/tmp/gmem-packages-$$.log" >&2
      exit 1
    }
    rm -f "/tmp/gmem-packages-$$.log"
    mv "build-$preset"/packed/*.deb "$2"
  done
)

case ${1:-} in
"")
  [ -z "$(git status --porcelain 2>/dev/null)" ] ||
    echo "build_packages: the sources differ from the commit" >&2
  pack . "$PWD/build-packages/debs"
  cd build-packages/debs
  ;;
--twice)
  work=$PWD/build-packages-twice
  rm -rf "$work"
  for folder in "$work/first" "$work/folder-of-the-second"; do
    mkdir -p "$folder/sources"
    git archive "$commit" | tar -x -C "$folder/sources"
    pack "$folder/sources" "$folder/debs"
    (cd "$folder/debs" && sha256sum ./*.deb) >"$folder/sums"
    rm -rf "$folder/sources"
  done
  diff "$work/first/sums" "$work/folder-of-the-second/sums" || {
    echo "build_packages: these packages differ" >&2
    exit 1
  }
  echo "built twice: the same bytes"
  cd "$work/first/debs"
  ;;
*)
  echo "usage: build_packages.sh [--twice]" >&2
  exit 2
  ;;
esac
sha256sum ./*.deb
