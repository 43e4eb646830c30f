#!/bin/sh
# two-processes.sh IMAGE PIPE OUT - runs one request to IMAGE and prints what it
# says as JSON, while another process, whose report goes to OUT, has IMAGE
# mapped.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
set -eu
gmem-run "$1" --json --hold <"$2" >"$3" &
exec 3>"$2" # until it is closed the first process holds on
tries=0
until grep -q '^}' "$3" 2>/dev/null; do
  tries=$((tries + 1))
  [ "$tries" -lt 600 ] || exit 1
  sleep 0.05
done
gmem-run "$1" --json 3>&-
exec 3>&-
wait
