# closed_output.sh ROOT - runs each tool with standard output closed, and to a
# full disk, and says which of them do not fail with a message.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
network=$1/examples/ds_cnn.mlir
folder=$(mktemp -d)
count=0
gmem-opt --gmem-plan "$network" -o "$folder/planned.mlir"
gmem-translate --gmem-to-csv "$folder/planned.mlir" -o "$folder/problem.csv"
gmem-translate --gmem-to-image "$folder/planned.mlir" -o "$folder/plan.gmem"

fails() {
  for full in false true; do
    if $full; then "$@" >/dev/full 2>"$folder/log"; else "$@" >&- 2>"$folder/log"; fi
    code=$?
    if [ $code -eq 1 ] && [ "$(grep -ci "error: " "$folder/log")" -gt 0 ]; then
      count=$((count + 1))
    else
      echo "bad: exit $code of $*, with the message: $(cat "$folder/log")"
    fi
  done
}

fails gmem-opt --gmem-plan "$network"
fails gmem-opt --gmem-list-op-models
fails gmem-opt --show-dialects
fails gmem-opt --help
fails gmem-translate --gmem-to-json "$folder/planned.mlir"
fails gmem-translate --gmem-to-image "$folder/planned.mlir"
fails gmem-translate --help
fails gmem-run "$folder/plan.gmem"
fails gmem-run "$network" --entry main
fails gmem-solve "$folder/problem.csv"
fails gmem-solve --list-algorithms
fails gmem-solve --version
fails gmem-run --help
fails gmem-diff --help
fails gmem-link --help
fails gmem-link "$folder/planned.mlir" -o "$folder/linked"
fails gmem-docs "$1/tools/docs/passes.md.in"
echo "$count runs that failed, as they should"
rm -r "$folder"
