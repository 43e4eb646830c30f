#!/bin/sh
# build.sh GMEM NETWORK.mlir BOARD OUT [ENTRY] - makes OUT/firmware, a program
# with the planned network in it, for BOARD: host, lm3s6965evb (Cortex-M3) or
# netduinoplus2 or mps2-an386 (Cortex-M4 with floats). GMEM is where gmem is installed, or its
# build folder. CC is for the C files on the host; OUTPUTS, for a function that
# returns nothing, how many of its last arguments are outputs (1). EDIT is a
# command that is given OUT/compiled.mlir, to break the plan on purpose.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
set -eu
[ $# = 4 ] || [ $# = 5 ] || {
  echo "usage: build.sh GMEM NETWORK.mlir BOARD OUT [ENTRY]" >&2
  exit 2
}
gmem=$1 network=$2 board=$3 out=$4 entry=${5:-main}
here=$(cd "$(dirname "$0")" && pwd)
llvm=$(llvm-config-22 --bindir)
warnings='-std=c11 -Wall -Wextra -Wpedantic -Werror'
no_tables='-fno-unwind-tables -fno-asynchronous-unwind-tables'
with_floats='--target=thumbv7em-none-eabihf -mcpu=cortex-m4 -mfloat-abi=hard'
# What is compiled for which board, and the memories that it is planned into: of
# the SRAM, what stack, inputs and outputs leave.
case $board in
host) target='' index=64 sram='' more='' ;;
lm3s6965evb)
  target='--target=thumbv7m-none-eabi -mcpu=cortex-m3 -mfloat-abi=soft'
  index=32 sram=:capacity=59K more=''
  ;;
netduinoplus2)
  target=$with_floats index=32 sram=:capacity=120K more=''
  ;;
mps2-an386)
  target=$with_floats index=32 sram=:capacity=56K,speed=4 more=';psram'
  ;;
*)
  echo "build.sh: error: no board '$board'" >&2
  exit 2
  ;;
esac
mkdir -p "$out"
rm -f "$out"/sample*.npy

# What functions return becomes an argument, so that a request allocates nothing.
# Memrefs are planned as they are.
"$gmem/bin/gmem-opt" "$network" -o "$out/network.mlir"
options="weight-alignment=64 pools={flash:kind=constant;sram$sram$more}"
plan="gmem-bufferize-and-plan{out-params=true $options}"
if ! grep -q 'tensor<' "$out/network.mlir"; then
  plan="buffer-results-to-out-params{add-result-attr modify-public-functions hoist-static-allocs},gmem-plan{$options}"
fi
"$gmem/bin/gmem-opt" "$out/network.mlir" \
  --pass-pipeline="builtin.module($plan)" -o "$out/planned.mlir"

# The network: pools are arguments. Ahead of time, by upstream's tools.
"$gmem/bin/gmem-opt" "$out/planned.mlir" \
  --pass-pipeline='builtin.module(gmem-materialize{arena-mode=arg weights=image})' \
  -o "$out/compiled.mlir"
[ -z "${EDIT:-}" ] || $EDIT "$out/compiled.mlir"
"$gmem/bin/gmem-opt" "$out/compiled.mlir" \
  --pass-pipeline="builtin.module(func.func(llvm-request-c-wrappers),gmem-lower-to-llvm{index-bitwidth=$index})" \
  -o "$out/lowered.mlir"
"$llvm/mlir-translate" --mlir-to-llvmir "$out/lowered.mlir" -o "$out/network.ll"
# shellcheck disable=SC2086 # lists of words
"$llvm/clang" $target -Os -Wno-override-module -c "$out/network.ll" \
  -o "$out/compiled.o"
"$llvm/llvm-objcopy" --keep-global-symbol "_mlir_ciface_$entry" \
  "$out/compiled.o"

# The plan as C, and a request. A function that returns nothing puts out what it
# leaves in its last OUTPUTS arguments.
outputs=''
grep -q 'bufferize.result' "$out/compiled.mlir" || outputs=--outputs=${OUTPUTS:-1}
"$gmem/bin/gmem-translate" --gmem-to-c --name=network --entry=compiled \
  --compiled="$out/compiled.mlir" --function="$entry" --workspaces=given \
  $outputs "$out/planned.mlir" -o "$out"
python3 -B "$here/write_request.py" "$out/compiled.mlir" "$entry" "$out"
flash='-DNETWORK_FLASH_SECTION=__attribute__((section(".rodata.pool.flash")))'
set -- "$here/firmware.c" "$here/../serve/memref_copy.c" "$out/network.c" \
  "$out/request.c" "$flash"
if [ "$board" = host ]; then
  # shellcheck disable=SC2086 # lists of words
  ${CC:-cc} $warnings -Os -I "$here" -I "$out" "$@" "$here/host_board.c" \
    "$out/compiled.o" -lm -Wl,-Map="$out/firmware.map" -o "$out/firmware"
else
  # shellcheck disable=SC2086 # lists of words
  "$llvm/clang" $target $warnings -ffreestanding -fno-builtin $no_tables -Os \
    -nostdlib -I "$here" -I "$out" "$@" "$here/cortex_m.c" \
    "$here/freestanding.c" "$out/compiled.o" -fuse-ld=lld -static \
    -Wl,-L,"$here" -Wl,-T,"$here/$board.ld" -Wl,-Map="$out/firmware.map" \
    -Wl,--gc-sections -o "$out/firmware"
fi
echo "$out/firmware"
