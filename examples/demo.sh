#!/bin/sh
# demo.sh BUILD_FOLDER [NETWORK.mlir [OUTPUT_FOLDER]] - plans a network with
# several algorithms, verifies the plans, and prints the results. Also runs the
# network if its text contains "// Run it: gmem-run ...". Run by ./dev demo.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
set -eu
build=$1
network=${2:-examples/mobilenet_v2.mlir}
bin=$build/bin
name=$(basename "$network" .mlir)
out=${3:-$build/demo}
mkdir -p "$out"

# plan NAME OPTIONS: plans and verifies; writes NETWORK.NAME.mlir and .json.
plan() {
  "$bin/gmem-opt" --allow-unregistered-dialect --mlir-print-debuginfo \
    --gmem-plan="$2" "$network" -o "$out/$name.$1.mlir"
  "$bin/gmem-translate" --gmem-to-json "$out/$name.$1.mlir" \
    -o "$out/$name.$1.json"
}

# figure NAME JSON: a number at the top level of the plan.
figure() { sed -n "s/^  \"$1\": \([0-9]*\),*$/\1/p" "$2" | head -1; }

# row LABEL BYTES [BOUND]: one line of the table.
row() {
  awk -v label="$1" -v bytes="$2" -v bound="${3:-0}" 'BEGIN {
    printf "  %-26s %15d bytes %10.2f MiB", label, bytes, bytes / 1048576
    if (bound > 0) printf "  %6.3f x bound", bytes / bound
    print "" }'
}

for algorithm in none ref-count greedy-by-size auto; do
  plan "$algorithm" "algorithm=$algorithm"
done
plan unshared "sharing=none"
planned=$out/$name.auto
"$bin/gmem-translate" --gmem-to-image "$planned.mlir" -o "$out/$name.gmem"
"$bin/gmem-translate" --gmem-to-csv "$planned.mlir" -o "$out/$name.csv"
"$bin/gmem-solve" --check "$out/$name.csv" >"$out/check.txt"

weights=$(sed -n '/"name": "weights"/,/}/s/^ *"size": \([0-9]*\),*$/\1/p' \
  "$planned.json" | head -1)
# Sum over all buffers except weights; values that are always the same memory
# count once.
sum=$(awk '/^      "pool": / { pool = $2 }
  /^      "size": / { size = $2 + 0 }
  /^      "alias_of": null/ && pool !~ /weights"/ { total += size }
  END { printf "%d", total }' "$planned.json")
bound=$(figure lower_bound "$planned.json")

echo "$name: where its tensors live in the accelerator's memory"
echo
row "weights" "$weights"
row "sum of all tensors" "$sum"
row "no reuse" "$(figure peak "$out/$name.none.json")" "$bound"
row "ref-count" "$(figure peak "$out/$name.ref-count.json")" "$bound"
row "greedy-by-size" "$(figure peak "$out/$name.greedy-by-size.json")" "$bound"
row "auto, sharing=none" "$(figure peak "$out/$name.unshared.json")" "$bound"
row "auto" "$(figure peak "$planned.json")" "$bound"
row "lower bound" "$bound"
echo
echo "independent check of the plan: $(cat "$out/check.txt")"
echo
echo "the address map of the plan image (first tensors):"
"$bin/gmem-run" "$out/$name.gmem" >"$out/map.txt"
awk 'NR == 1 || (/^(tensors|memory) / && ++shown <= 12)' "$out/map.txt"
tail -1 "$out/map.txt"
run=$(sed -n 's|^// Run it: gmem-run [^ ]*||p' "$network")
if [ -n "$run" ]; then
  echo
  echo "the network bufferized, compiled for this CPU, and run with and without a"
  echo "plan:"
  # shellcheck disable=SC2086 # a list of words
  "$bin/gmem-run" "$network" $run 2>"$out/run.txt" || {
    cat "$out/run.txt" >&2
    exit 1
  }
fi
echo
echo "artifacts:"
for file in "$planned.mlir:planned IR, read by every MLIR tool" \
  "$planned.json:the plan as JSON" \
  "$out/$name.csv:the planner's problem and solution" \
  "$out/$name.gmem:plan image, loaded by the runtime" \
  "$out/map.txt:the whole address map"; do
  printf '  %-46s %s\n' "${file%%:*}" "${file#*:}"
done
