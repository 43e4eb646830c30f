#!/bin/sh
# two-programs.sh FOLDER NET OTHER - runs FOLDER/NET.mlir, which waits, and
# meanwhile NET.mlir and OTHER.mlir, all with one weight store; their reports go
# to FOLDER/first, second and third.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
set -eu
cd "$1"
mkfifo pipe
gmem-run "$2.mlir" --entry main --weight-store socket --hold <pipe >first &
exec 3>pipe # until it is closed the first process holds on
tries=0
until grep -q "first run ms" first 2>/dev/null; do
  tries=$((tries + 1))
  [ "$tries" -lt 600 ] || exit 1
  sleep 0.05
done
gmem-run "$2.mlir" --entry main --weight-store socket >second 3>&-
gmem-run "$3.mlir" --entry main --weight-store socket >third 3>&-
exec 3>&-
wait
