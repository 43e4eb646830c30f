#!/bin/sh
# c_init.sh ROOT FOLDER NETWORK.mlir PLAN COMPILER FLAGS -- OPTIONS - makes C of a
# network with constants=hoist and with constants=keep, PLAN being more options of
# gmem-plan, and compares the outputs. COMPILER and FLAGS are one word each.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
set -eu
here=$1/test/tools/gmem-translate/Inputs folder=$2 network=$3 plan=$4
compiler=$5 flags=$6
shift 7
rm -rf "$folder"
mkdir -p "$folder"
for name in keep once; do
  constants=keep
  [ $name = keep ] || constants=hoist
  gmem-opt --allow-unregistered-dialect \
    --gmem-plan="$plan constants=$constants" "$network" \
    -o "$folder/$name.mlir" 2>"$folder/log"
  gmem-translate --gmem-to-c --name=$name --names=numbers "$@" \
    "$folder/$name.mlir" -o "$folder"
done
python3 -B "$here/c_init.py" "$folder"
strict='-Wall -Wextra -Wconversion -Wpedantic -Wshadow -Werror'
objects=
for file in keep once keep_data once_data; do
  [ -f "$folder/$file.c" ] || continue
  # shellcheck disable=SC2086 # lists of words
  $compiler $flags $strict -c "$folder/$file.c" -o "$folder/$file.o"
  objects="$objects $folder/$file.o"
done
# shellcheck disable=SC2086
gcc -std=c11 -O1 -Wall -Wextra -Wno-unused -Werror -fsanitize=address -I "$folder" \
  "$folder/main.c" $objects -o "$folder/run"
"$folder/run"
