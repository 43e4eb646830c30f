# plan_folder.sh FOLDER WORK CHECKER ALGORITHM,... - runs plan_file.sh on every .mlir file
# below FOLDER, prints what fails, and at the end how many files went well.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
rm -rf "$2"
mkdir -p "$2"
here=$(dirname "$0")
find "$1" -name '*.mlir' -print0 | sort -z |
  xargs -0 -P "$(nproc)" -I FILE sh "$here/plan_file.sh" FILE "$2" "$3" "$4" \
    >"$2/log"
grep -v ': well$' "$2/log"
echo "$(grep -c ': well$' "$2/log") of $(find "$1" -name '*.mlir' | wc -l) files went well"
