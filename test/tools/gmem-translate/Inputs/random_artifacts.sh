# random_artifacts.sh FIRST LAST FOLDER OPTIONS - plans the random programs of
# these seeds and checks all that is made of them. Prints "seed N: WHAT" for
# each that is wrong, and how many went well.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
here=$(dirname "$0")
rm -rf "$3" && mkdir -p "$3" && cd "$3" || exit 1

program() {
  python3 -B -c 'import sys
sys.path.insert(0, sys.argv[1])
from random_program import random_program
print("module {\n" + random_program(int(sys.argv[2])) + "}")' \
    "$here/../../../soundness/Inputs" "$1"
}

# Generic: what MLIR prints of some ops it cannot read.
artifacts() {
  program "$1" >in.mlir &&
    gmem-opt --allow-unregistered-dialect --mlir-print-op-generic \
      --mlir-print-debuginfo --gmem-plan="$2" in.mlir -o plan.mlir &&
    gmem-translate --gmem-to-json plan.mlir -o plan.json &&
    gmem-translate --gmem-to-csv plan.mlir -o plan.csv &&
    gmem-translate --gmem-to-image plan.mlir -o plan.gmem &&
    gmem-run plan.gmem >map.txt &&
    gmem-solve --check=plan.csv >check.txt &&
    python3 "$here/check_plan.py" plan.json &&
    python3 "$here/check_owners.py" plan.json plan.csv
}

good=0
for seed in $(seq "$1" "$2"); do
  if artifacts "$seed" "$4" >said.txt 2>&1; then
    good=$((good + 1))
    cat said.txt >>all.txt
  else
    echo "seed $seed: $(tail -1 said.txt)"
  fi
done
echo "$good went well, $(grep -c '[1-9][0-9]* views' all.txt) have views"
