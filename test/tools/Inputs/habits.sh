# habits.sh ROOT FOLDER - counts, for each tool, the habits that it shares with the
# others, and names those that it lacks ("bad:").
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
network=$1/examples/ds_cnn.mlir
folder=$2
version=$(sed -n 's/.*VERSION_STRING "\(.*\)"/\1/p' "$1/include/gmem/version.h")
planned=$folder/planned.mlir
gmem-opt --gmem-plan "$network" -o "$planned"
gmem-translate --gmem-to-csv "$planned" -o "$folder/problem.csv"
gmem-translate --gmem-to-image "$planned" -o "$folder/plan.gmem"

# habit NAME COMMAND...: the command succeeds.
habit() {
  name=$1
  shift
  if "$@" >"$folder/out" 2>"$folder/err"; then
    count=$((count + 1))
  else
    echo "bad: $tool: $name"
    cat "$folder/out" "$folder/err"
  fi
}

# exits STATUS COMMAND...
exits() {
  wanted=$1
  shift
  "$@" >"$folder/text" 2>&1 </dev/null
  [ $? = "$wanted" ]
}

# says PATTERN COMMAND...: also if it fails.
says() {
  pattern=$1
  shift
  "$@" 2>&1 </dev/null | grep -q -e "$pattern"
}

same_help() {
  "$tool" -h >"$folder/short" && "$tool" --help >"$folder/long" &&
    cmp "$folder/short" "$folder/long"
}

# makes FILE COMMAND...: the command makes FILE in a folder that is not there.
makes() {
  made=$1
  shift
  "$@" </dev/null && [ -s "$made" ]
}

# reads FILE COMMAND...: standard input is FILE.
reads() {
  input=$1
  shift
  "$@" <"$input"
}

is_json() { "$@" | python3 -c 'import json, sys; json.load(sys.stdin)'; }

# What they all do.
tool() {
  tool=$1
  wrong=$2
  right=$3
  count=0
  habit "-h is --help" same_help
  habit "--help exits with 0" exits 0 "$tool" --help
  habit "--version says gmem's" says "^$tool $version\$" "$tool" --version
  if [ "$tool" = gmem-solve ]; then
    count=$((count + 1)) # knows no MLIR
  else
    habit "--version says MLIR's" says '^LLVM and MLIR [0-9]' "$tool" --version
  fi
  habit "--version exits with 0" exits 0 "$tool" --version
  habit "a wrong option exits with 2" exits 2 "$tool" "--$wrong"
  habit "a wrong option is guessed" says "[Dd]id you mean '*--$right" "$tool" "--$wrong"
  new=$folder/$tool
}

tool gmem-opt gmem-pln gmem-plan
habit "-o makes folders" makes "$new/a/b.mlir" gmem-opt --gmem-plan "$network" -o "$new/a/b.mlir"
habit "- is standard input" reads "$network" gmem-opt --gmem-plan - -o -
habit "bytes have suffixes" gmem-opt --gmem-plan=capacity=64M "$network"
echo "$tool: $count habits"

tool gmem-translate gmem-to-jsn gmem-to-json
habit "-o makes folders" makes "$new/a/b.json" gmem-translate --gmem-to-json "$planned" -o "$new/a/b.json"
habit "-o makes folders of C" makes "$new/c/d/n.h" gmem-translate --gmem-to-c --name=n --entry=none "$planned" -o "$new/c/d"
habit "- is standard input" reads "$planned" gmem-translate --gmem-to-json - -o -
habit "JSON" is_json gmem-translate --gmem-to-json "$planned"
echo "$tool: $count habits"

tool gmem-run requets requests
habit "- is standard input" reads "$folder/plan.gmem" gmem-run -
habit "--json" is_json gmem-run --json --requests 2 "$folder/plan.gmem"
habit "the output of - is that of a file" sh -c "cat '$folder/plan.gmem' | gmem-run - > '$folder/piped' && gmem-run '$folder/plan.gmem' | cmp - '$folder/piped'"
echo "$tool: $count habits"

tool gmem-solve capcity capacity
habit "-o makes folders" makes "$new/a/b.csv" gmem-solve "$folder/problem.csv" -o "$new/a/b.csv"
habit "- is standard input" reads "$folder/problem.csv" gmem-solve - -o -
habit "--json" is_json gmem-solve --json "$folder/problem.csv" -o "$folder/plan.csv"
habit "bytes have suffixes" gmem-solve --capacity=64M --alignment=1K "$folder/problem.csv"
echo "$tool: $count habits"

tool gmem-link concurent concurrent
habit "-o makes folders" makes "$new/a/b/link.json" gmem-link "$planned" -o "$new/a/b"
habit "- is standard input" reads "$planned" gmem-link "m=-" "n=$planned" -o "$new/c"
habit "--json" is_json gmem-link --json "$planned" -o "$new/d"
echo "$tool: $count habits"

tool gmem-diff quit quiet
habit "- is standard input" reads "$planned" gmem-diff - "$planned"
habit "--json, with status 0 for equal plans" is_json gmem-diff --json "$planned" "$planned"
habit "bytes have suffixes" gmem-diff --fail-on-growth=2M "$planned" "$planned"
echo "$tool: $count habits"
echo done
