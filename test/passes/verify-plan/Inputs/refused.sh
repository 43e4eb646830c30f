# refused.sh PLANNED SCRIPT - changes the planned file with the sed script and
# prints what gmem-verify-plan says, each message as LINE:COLUMN: ... without
# the file's name. Fails unless the plan held before the change, the script
# changed something, and the changed plan is refused without output.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
changed=$1.changed-$$
trap 'rm -f "$changed" "$changed.out" "$changed.err"' EXIT
gmem-opt --allow-unregistered-dialect --gmem-verify-plan "$1" -o /dev/null || exit 1
sed "$2" "$1" >"$changed"
if cmp -s "$1" "$changed"; then
  echo "refused.sh: '$2' changes nothing" >&2
  exit 1
fi
gmem-opt --allow-unregistered-dialect --gmem-verify-plan "$changed" >"$changed.out" 2>"$changed.err"
status=$?
sed -n "s|^$changed:\([0-9].*\)|\1|p" "$changed.err"
test $status = 1 && test ! -s "$changed.out"
