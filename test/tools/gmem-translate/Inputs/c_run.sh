#!/bin/sh
# c_run.sh ROOT FOLDER PLANNED.mlir COMPILER FLAGS -- OPTIONS - makes C of a plan
# with these options of gmem-translate, compiles it, and runs it against the
# reference. COMPILER and FLAGS are one word each.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
set -eu
here=$1/test/tools/gmem-translate/Inputs folder=$2 planned=$3 compiler=$4 flags=$5
shift 6
rm -rf "$folder"
mkdir -p "$folder"
# The bytes of constants, for the reference.
gmem-translate --gmem-to-c --name=net --entry=none --names=numbers \
  --parameters=extern "$planned" -o "$folder" 2>"$folder/log"
rm "$folder"/net.[ch]
gmem-translate --gmem-to-c --name=net "$@" "$planned" -o "$folder" 2>"$folder/log"
gmem-machine --reference "$planned" >"$folder/reference_tables.h"
python3 -B "$here/c_network.py" "$folder" net
strict='-Wall -Wextra -Wconversion -Wpedantic -Wshadow -Werror'
# shellcheck disable=SC2086 # lists of words
$compiler $flags $strict -c "$folder/net.c" -o "$folder/net.o"
# shellcheck disable=SC2086
gcc -O1 -w ${MACHINE-} -I "$here" -I "$folder" "$here/c_driver.c" \
  "$folder/net.o" ${EXTERN-} -o "$folder/run"
"$folder/run"
