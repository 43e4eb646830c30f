# run_networks.sh FOLDER WORK - plans every .mlir file below FOLDER in some ways
# and executes the plan (a file, WORK); prints what fails, and how many do not.
# The machine knows values, not memory that is written many times: memrefs are
# left out here, and run for real elsewhere (memref-programs.test, gmem-run/).
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
runs=0 sound=0
for file in $(find "$1" -name '*.mlir' | sort); do
  for options in '' 'keep-inputs=true algorithm=greedy-by-size' \
    'sharing=slice+concat effort=fast view-alignment=1' 'io=separate share-weights=true effort=fast'; do
    runs=$((runs + 1))
    if gmem-opt --allow-unregistered-dialect --mlir-print-debuginfo \
      --gmem-plan="memrefs=false $options" "$file" -o "$2" 2>"$2.log" &&
      gmem-machine "$2" >"$2.log"; then
      sound=$((sound + 1))
    else
      echo "$file fails ($options): $(head -1 "$2.log")"
    fi
  done
done
echo "$sound of $runs plans are sound"
