#!/bin/sh
# c_init_compiled.sh ROOT FOLDER MATERIALIZE COMPILER FLAGS OPTIONS... - compiles a
# network that computes constants ahead of time, materialized with those options,
# calls it from generated C made with OPTIONS, and compares its output with that of
# gmem-run with constants=keep. COMPILER and FLAGS are one word each.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
set -eu
root=$1 folder=$2 how=$3 compiler=$4 flags=$5
shift 5
here=$root/test/tools/gmem-translate/Inputs
network=$root/test/passes/constants/Inputs/turned.mlir
rm -rf "$folder"
mkdir -p "$folder"
plan='constants=hoist constant-budget=1M weight-alignment=64 alignment=64'
gmem-opt "$network" -o "$folder/planned.mlir" 2>"$folder/log" \
  --pass-pipeline="builtin.module(gmem-bufferize-and-plan{out-params=true $plan})"
gmem-opt "$folder/planned.mlir" -o "$folder/compiled.mlir" \
  --pass-pipeline="builtin.module(gmem-materialize{arena-mode=arg $how})"
gmem-opt "$folder/compiled.mlir" -o "$folder/lowered.mlir" \
  --pass-pipeline='builtin.module(func.func(llvm-request-c-wrappers),gmem-lower-to-llvm)'
mlir-translate -mlir-to-llvmir "$folder/lowered.mlir" -o "$folder/network.ll"
clang-22 -Wno-override-module -O1 -fPIC -c "$folder/network.ll" \
  -o "$folder/network.o"
llvm-objcopy --keep-global-symbol=_mlir_ciface_main \
  --keep-global-symbol=_mlir_ciface_main_init "$folder/network.o"
gcc -O1 -c "$root/examples/serve/memref_copy.c" -I "$root/examples/serve" \
  -o "$folder/memref_copy.o"
python3 -B "$here/c_npy.py" make 2,4 "$folder/input"
gmem-run "$network" --entry main --plan-options=constants=keep \
  --input "0=$folder/input.npy" --save "$folder/jit-" >/dev/null 2>&1
gmem-translate --gmem-to-c --name=net --entry=compiled \
  --compiled="$folder/compiled.mlir" "$@" "$folder/planned.mlir" -o "$folder"
strict='-Wall -Wextra -Wconversion -Wpedantic -Wshadow -Werror'
objects=
for file in net net_data; do
  [ -f "$folder/$file.c" ] || continue
  # shellcheck disable=SC2086 # lists of words
  $compiler $flags $strict -c "$folder/$file.c" -o "$folder/$file.o"
  objects="$objects $folder/$file.o"
done
# shellcheck disable=SC2086
gcc -std=c11 -Wall -Wextra -Werror ${DEFINE-} -I "$folder" \
  "$here/c_init_compiled.c" "$folder/network.o" "$folder/memref_copy.o" \
  $objects -lm -o "$folder/run"
"$folder/run" "$folder/input.raw" "$folder/output.raw"
python3 -B "$here/c_npy.py" compare "$folder/jit-result0.npy" "$folder/output.raw"
