#!/bin/sh
# c_networks.sh ROOT FOLDER BYTES NETWORK.mlir... - makes C of each network that can
# be planned. It is compiled; where it is a list of operators with at most BYTES of
# constants it is run against the reference. Prints what became of each.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
set -eu
root=$1 folder=$2 most_bytes=$3
shift 3
mkdir -p "$folder"
planned=$folder/planned.mlir
for network in "$@"; do
  name=$(basename "$(dirname "$network")")/$(basename "$network")
  gmem-opt --gmem-plan --allow-unregistered-dialect "$network" -o "$planned" \
    2>/dev/null || continue
  entry=operators
  gmem-translate --gmem-to-c --name=net --parameters=given "$planned" \
    -o "$folder" 2>"$folder/log" || entry=none
  [ $entry = operators ] || gmem-translate --gmem-to-c --name=net --entry=none \
    "$planned" -o "$folder" 2>/dev/null
  gcc -std=c11 -Wall -Wextra -Wconversion -Wpedantic -Werror -fsyntax-only \
    "$folder/net.c"
  g++ -x c++ -std=c++17 -Wall -Wextra -Wpedantic -Werror -fsyntax-only \
    "$folder/net.c"
  bytes=$(sed -n 's/.*_PARAMETER_SIZE UINT.*(\([0-9]*\))$/\1/p' "$folder/net.h" |
    sort -n | tail -1)
  if [ $entry = none ]; then
    sed -n "s|.*: error: [^ ]*: \(.*\)|$name: \1|p" "$folder/log" | cut -c1-300
  elif [ "${bytes:-0}" -gt "$most_bytes" ]; then
    echo "$name: compiles"
  else
    sh "$root/test/tools/gmem-translate/Inputs/c_run.sh" "$root" "$folder/run" \
      "$planned" gcc -std=c11 -- --workspaces=given --parameters=given
    echo "$name: runs"
  fi
done
rm -rf "$folder"
