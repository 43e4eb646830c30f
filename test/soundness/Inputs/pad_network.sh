# pad_network.sh NETWORK SCRATCH - plans the network, then again with 64 bytes on
# both sides of the inputs of its convolutions, and prints how many those are,
# both peaks, and what gmem-machine says.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
set -e
here=$(dirname "$0")
plan="gmem-opt --mlir-print-op-generic --mlir-print-debuginfo --gmem-plan=alignment=64"
$plan "$1" -o "$2.plain.mlir"
python3 -B "$here/pad_convolutions.py" 64 <"$2.plain.mlir" 2>&1 >"$2.asked.mlir"
$plan "$2.asked.mlir" -o "$2.padded.mlir"
grep -o 'peak = [0-9]*' "$2.plain.mlir"
grep -o 'peak = [0-9]*' "$2.padded.mlir"
gmem-machine "$2.padded.mlir" | grep -o '[0-9]* violations'
