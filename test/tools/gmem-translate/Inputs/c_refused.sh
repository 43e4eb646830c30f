#!/bin/sh
# c_refused.sh FOLDER NAME... - plans a module that states these names of its tensors, whose C
# is refused, and then also as numbers, which is not; nothing is written at first.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
set -eu
folder=$1/refused
shift
rm -rf "$folder"
mkdir -p "$folder"
python3 -B "$(dirname "$0")/c_names.py" --stated "$@" >"$folder.mlir"
gmem-opt --gmem-plan --mlir-print-debuginfo --allow-unregistered-dialect \
  "$folder.mlir" -o "$folder.planned"
! gmem-translate --gmem-to-c --name=net "$folder.planned" -o "$folder"
[ -z "$(ls -A "$folder")" ]
gmem-translate --gmem-to-c --name=net --names=numbers "$folder.planned" -o "$folder"
gcc -std=c11 -Wall -Wextra -Wpedantic -Werror -c "$folder/net.c" -o "$folder/net.o"
