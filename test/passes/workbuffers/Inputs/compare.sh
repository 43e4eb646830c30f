# compare.sh NETWORK - plans the network with scratch memory for its
# convolutions, all at once, and operator-first: the tensors by themselves, and
# beside them a piece of memory for the scratch of any one operator.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
options='alignment=64 weight-alignment=64'
here=$(dirname "$0")
peak() {
  gmem-opt "--gmem-plan=$options" "$1" |
    sed -n 's/.*gmem.plan = {[^}]*peak = \([0-9]*\).*/\1/p'
}
work=$(mktemp)
trap 'rm -f "$work"' EXIT
python3 "$here/scratch.py" "$1" >"$work"
scratch=$(sed -n 's/.*gmem.workbuffers = \[{size = \([0-9]*\)}.*/\1/p' "$work" |
  sort -n | tail -1)
first=$(($(peak "$1") + (scratch + 63) / 64 * 64))
echo "$(basename "$1" .mlir): operator-first $first, together $(peak "$work")"
