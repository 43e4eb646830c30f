#!/bin/sh
# c_compiled.sh ROOT FOLDER COMPILER FLAGS OPTIONS... - compiles examples/digits
# ahead of time, calls it from generated C made with OPTIONS, and compares its
# output with that of gmem-run. COMPILER and FLAGS are one word each; PLAN may
# have options of the plan, DEFINE those of the compiler of the caller.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
set -eu
root=$1 folder=$2 compiler=$3 flags=$4
shift 4
here=$root/test/tools/gmem-translate/Inputs
mkdir -p "$folder"
if [ ! -f "$folder/network.o" ]; then
  gmem-opt "$root/examples/digits.mlir" -o "$folder/planned.mlir" \
    --pass-pipeline='builtin.module(gmem-bufferize-and-plan{out-params=true '"${PLAN-}"'})'
  gmem-opt "$folder/planned.mlir" -o "$folder/compiled.mlir" \
    --pass-pipeline='builtin.module(gmem-materialize{arena-mode=arg weights=image})'
  gmem-opt "$folder/compiled.mlir" -o "$folder/lowered.mlir" \
    --pass-pipeline='builtin.module(func.func(llvm-request-c-wrappers),gmem-lower-to-llvm)'
  mlir-translate -mlir-to-llvmir "$folder/lowered.mlir" -o "$folder/network.ll"
  clang-22 -Wno-override-module -O1 -fPIC -c "$folder/network.ll" \
    -o "$folder/network.o"
  # A function of the network may be called as one of the program, "main".
  llvm-objcopy --keep-global-symbol=_mlir_ciface_main "$folder/network.o"
  gcc -O1 -c "$root/examples/serve/memref_copy.c" -I "$root/examples/serve" \
    -o "$folder/memref_copy.o"
  python3 -B "$here/c_npy.py" make 1,28,28,1 "$folder/input"
  gmem-run "$root/examples/digits.mlir" --entry main \
    --input "0=$folder/input.npy" --save "$folder/jit-" >/dev/null
fi
gmem-translate --gmem-to-c --name=digits --entry=compiled \
  --compiled="$folder/compiled.mlir" "$@" "$folder/planned.mlir" -o "$folder"
strict='-Wall -Wextra -Wconversion -Wpedantic -Wshadow -Werror'
objects=$folder/network.o
# shellcheck disable=SC2086 # lists of words
$compiler $flags $strict -c "$folder/digits.c" -o "$folder/digits.o"
if [ -f "$folder/digits_data.c" ]; then
  # shellcheck disable=SC2086
  $compiler $flags $strict -c "$folder/digits_data.c" -o "$folder/data.o"
  objects="$objects $folder/data.o"
fi
# shellcheck disable=SC2086
gcc -std=c11 -Wall -Wextra -Werror ${DEFINE-} -I "$folder" \
  "$here/c_compiled.c" "$folder/digits.o" "$folder/memref_copy.o" $objects -lm \
  -o "$folder/run"
"$folder/run" "$folder/input.raw" "$folder/output.raw"
python3 -B "$here/c_npy.py" compare "$folder/jit-result0.npy" "$folder/output.raw"
rm -f "$folder"/digits*
