# plan_file.sh FILE WORK CHECKER ALGORITHM,... - takes one .mlir file through planning and
# translation, with each of the algorithms;
# WORK is a folder for what is made on the way. Prints a line for each step that
# fails, or one that says that all is well.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
file=$1 work=$2/$$ checker=$3
mkdir -p "$work"
allow=--allow-unregistered-dialect
faults=0

# try WHAT COMMAND...: runs it; a failure is a line of output.
try() {
  what=$1
  shift
  "$@" >"$work/log" 2>&1 && return
  echo "$file ($algorithm): $what failed: $(tail -n 1 "$work/log")"
  faults=$((faults + 1))
}

plan() {
  gmem-opt $allow --mlir-print-debuginfo --gmem-plan="algorithm=$algorithm" \
    "$1" -o "$2"
}

whole_way() {
  rm -f "$work"/plan*
  try plan plan "$file" "$work/plan.mlir"
  [ -e "$work/plan.mlir" ] || return
  try 'stock mlir-opt' mlir-opt $allow --mlir-print-debuginfo \
    "$work/plan.mlir" -o "$work/plan-stock.mlir"
  try verify gmem-opt $allow --gmem-verify-plan "$work/plan-stock.mlir" \
    -o /dev/null
  try 'plan again' plan "$work/plan.mlir" "$work/plan-again.mlir"
  try 'same bytes' cmp "$work/plan.mlir" "$work/plan-again.mlir"
  try json gmem-translate --gmem-to-json "$work/plan.mlir" -o "$work/plan.json"
  try 'json check' python3 "$checker" "$work/plan.json"
  try csv gmem-translate --gmem-to-csv "$work/plan.mlir" -o "$work/plan.csv"
  try 'csv check' gmem-solve --check="$work/plan.csv"
  try image gmem-translate --gmem-to-image "$work/plan.mlir" -o "$work/plan.gmem"
  try 'image check' gmem-run --digest "$work/plan.gmem"
}

for algorithm in $(echo "$4" | tr , ' '); do
  whole_way
done
rm -rf "$work"
[ $faults != 0 ] || echo "$file: well"
