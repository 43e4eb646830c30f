#!/bin/sh
# run.sh GMEM NETWORK.mlir BOARD OUT [ENTRY] - builds the firmware for BOARD
# (build.sh), runs it there, in qemu if it is not the host, and compares what it
# puts out with what gmem-run computes; of a board, it shows what memory is taken.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
set -eu
[ $# = 4 ] || [ $# = 5 ] || {
  echo "usage: run.sh GMEM NETWORK.mlir BOARD OUT [ENTRY]" >&2
  exit 2
}
gmem=$1 network=$2 board=$3 out=$4 entry=${5:-main}
here=$(cd "$(dirname "$0")" && pwd)
sh "$here/build.sh" "$@" >/dev/null
[ "$board" = host ] ||
  python3 -B "$here/check_map.py" "$out/network.h" "$out/firmware.map" \
    "$here/$board.ld"

status=0
if [ "$board" = host ]; then
  "$out/firmware" >"$out/printed" || status=$?
else
  timeout 60 qemu-system-arm -M "$board" -display none -monitor none \
    -serial none -semihosting-config enable=on,target=native \
    -kernel "$out/firmware" >"$out/messages" 2>&1 </dev/null || status=$?
  # Semihosting prints to standard error, as qemu itself does.
  grep -v '^Timer with period zero' "$out/messages" >"$out/printed" || true
fi
sed "/^result/d; /^argument/d; s/^/$board: /" "$out/printed"
[ "$status" = 0 ] || exit "$status"

set --
number=0
while [ -e "$out/sample$number.npy" ]; do
  set -- "$@" --input "$number=$out/sample$number.npy"
  number=$((number + 1))
done
"$gmem/bin/gmem-run" "$network" --entry "$entry" "$@" --save "$out/run." \
  >"$out/run.log" 2>&1 || {
  cat "$out/run.log" >&2
  exit 1
}
python3 -B "$here/compare_outputs.py" "$out/printed" "$out/run"
