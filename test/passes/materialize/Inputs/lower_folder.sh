#!/bin/sh
# lower_folder.sh FOLDER OUT - plans, materialises and lowers every network in
# FOLDER, in every mode; nothing but LLVM may be left of it.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
mkdir -p "$2"
files=0 good=0
for network in "$1"/*.mlir; do
  for mode in alloc arg global; do
    files=$((files + 1))
    pipeline="builtin.module(gmem-plan,gmem-materialize{arena-mode=$mode weights=image},canonicalize,cse,gmem-lower-to-llvm)"
    if gmem-opt --allow-unregistered-dialect -pass-pipeline="$pipeline" \
      "$network" -o "$2/out.mlir" 2>"$2/messages" &&
      ! grep -qE '= "?(memref|arith|scf|linalg|affine|cf|builtin)\.' "$2/out.mlir" &&
      grep -q "gmem.arenas = \[{.*mode = \"$mode\", pool = \"memory\"" "$2/out.mlir"; then
      good=$((good + 1))
    else
      echo "failed: $network $mode"
      cat "$2/messages"
    fi
  done
done
rm -f "$2/out.mlir"
echo "$good of $files went well"
