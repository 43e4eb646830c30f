# solve_folder.sh FOLDER OUTPUT - solves every CSV file below FOLDER with every
# algorithm, checks each plan, and prints how many there were.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
find "$1" -name '*.csv' | sort | {
  plans=0
  while read -r file; do
    for algorithm in $(gmem-solve --list-algorithms | cut -d' ' -f1); do
      # What takes seconds is left to the benchmarks.
      if gmem-solve --algorithm="$algorithm" --steps=4000000 "$file" -o "$2" &&
        gmem-solve --check "$2" "$file" >/dev/null; then
        plans=$((plans + 1))
      else
        echo "$file: $algorithm failed"
      fi
    done
  done
  echo "$plans plans checked"
}
