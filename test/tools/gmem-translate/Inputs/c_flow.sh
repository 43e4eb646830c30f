#!/bin/sh
# c_flow.sh PREFIX COUNT - plans the files PREFIX0..., has gmem-machine execute
# those that have no memrefs and no false claims, and prints why none is C.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
set -eu
prefix=$1 number=0
while [ "$number" -lt "$2" ]; do
  for options in '' sharing=none keep-inputs=true; do
    gmem-opt --allow-unregistered-dialect --gmem-plan="$options" \
      "$prefix$number" -o "$prefix.planned" 2>/dev/null
    case $number in
    7 | 8 | 9) ;;
    *) gmem-machine --runs=100 "$prefix.planned" >"$prefix.log" || cat "$prefix.log" ;;
    esac
  done
  if gmem-translate --gmem-to-c --name=net "$prefix.planned" -o /nonexistent \
    2>"$prefix.log"; then
    echo "$number: is C"
  fi
  sed "s/.*planned: \([a-z]*.*\); use --entry.*/$number: \1/" "$prefix.log"
  number=$((number + 1))
done
