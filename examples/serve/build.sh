#!/bin/sh
# build.sh GMEM NETWORK.mlir OUT [ENTRY] - makes OUT/serve, a server of the
# network, and OUT/network.gmem, its plan and weights. GMEM is where gmem is
# installed, or its build folder. CC and CFLAGS are for the C files,
# NETWORK_CFLAGS for the network: without it, it is compiled for this machine.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
set -eu
[ $# = 3 ] || [ $# = 4 ] || {
  echo "usage: build.sh GMEM NETWORK.mlir OUT [ENTRY]" >&2
  exit 2
}
gmem=$1 network=$2 out=$3 entry=${4:-main}
here=$(cd "$(dirname "$0")" && pwd)
llvm=$(llvm-config-22 --bindir)
headers=$gmem/include
[ -d "$headers/gmem" ] || headers=$here/../../include
mkdir -p "$out"

# What functions return becomes an argument, so that a request allocates nothing.
# Memrefs are planned as they are.
"$gmem/bin/gmem-opt" "$network" -o "$out/network.mlir"
plan='gmem-bufferize-and-plan{out-params=true}'
if ! grep -q 'tensor<' "$out/network.mlir"; then
  plan='buffer-results-to-out-params{modify-public-functions hoist-static-allocs},gmem-plan'
fi
"$gmem/bin/gmem-opt" "$out/network.mlir" \
  --pass-pipeline="builtin.module($plan)" -o "$out/planned.mlir"

# The plan, and the bytes of the weights. (Constants of which all elements are
# equal, as in networks that stand for trained ones, get random values.)
"$gmem/bin/gmem-translate" --gmem-to-image --weights=all --random-weights \
  "$out/planned.mlir" -o "$out/network.gmem"

# The program: arenas and weights are arguments, too.
"$gmem/bin/gmem-opt" "$out/planned.mlir" \
  --pass-pipeline='builtin.module(gmem-materialize{arena-mode=arg weights=image})' \
  -o "$out/compiled.mlir"
"$gmem/bin/gmem-opt" "$out/compiled.mlir" \
  --pass-pipeline='builtin.module(func.func(llvm-request-c-wrappers),gmem-lower-to-llvm)' \
  -o "$out/lowered.mlir"
"$llvm/mlir-translate" --mlir-to-llvmir "$out/lowered.mlir" -o "$out/network.ll"
# shellcheck disable=SC2086 # lists of words
"$llvm/clang" -fPIC -Wno-override-module ${NETWORK_CFLAGS--O2 -march=native} \
  -c "$out/network.ll" -o "$out/network.o"
# Its function gets a unique name; all other symbols become local.
"$llvm/llvm-objcopy" --redefine-sym "_mlir_ciface_$entry=network_main" \
  --keep-global-symbol "_mlir_ciface_$entry" "$out/network.o"

# The server: C, and the runtime.
python3 -B "$here/describe_entry.py" "$out/network.mlir" "$out/compiled.mlir" \
  "$("$gmem/bin/gmem-run" --digest "$out/network.gmem")" "$entry" >"$out/entry.c"
# shellcheck disable=SC2086 # lists of words
${CC:-cc} -std=c11 -O2 -Wall -Wextra -Wpedantic -Werror ${CFLAGS:-} \
  -D_POSIX_C_SOURCE=200809L -I "$headers" -I "$here" "$here"/*.c "$out/entry.c" \
  "$out/network.o" "$gmem"/lib*/libgmem_runtime.a "$gmem"/lib*/libgmem_hash.a \
  -pthread -lm -o "$out/serve"
echo "$out/serve $out/network.gmem"
