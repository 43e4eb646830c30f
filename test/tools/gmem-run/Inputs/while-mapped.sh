#!/bin/sh
# while-mapped.sh COMMAND IMAGE [OPTION...] - runs gmem-run on IMAGE, and the
# shell's COMMAND as soon as it has IMAGE mapped. Ends with gmem-run's status.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
set -u
command=$1
shift
gmem-run "$@" &
process=$!
until grep -q "$1" /proc/$process/maps 2>/dev/null; do
  kill -0 $process 2>/dev/null || break
  sleep 0.02
done
eval "$command"
wait $process
