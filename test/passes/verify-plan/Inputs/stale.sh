# stale.sh PLANNED SCRIPT [OPTIONS] - changes the planned file with the sed script and
# prints what gmem-verify-plan says of its figures, as refused.sh does. Fails
# unless the script changed something, the changed plan is accepted with a
# remark and, with figures=strict, refused with the same text.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
changed=$1.changed-$$
trap 'rm -f "$changed" "$changed.remark" "$changed.error"' EXIT
sed "$2" "$1" >"$changed"
if cmp -s "$1" "$changed"; then
  echo "stale.sh: '$2' changes nothing" >&2
  exit 1
fi
gmem-opt --allow-unregistered-dialect --gmem-verify-plan="$3" "$changed" -o /dev/null 2>"$changed.remark" ||
  exit 1
gmem-opt --allow-unregistered-dialect --gmem-verify-plan="figures=strict $3" "$changed" -o /dev/null \
  2>"$changed.error"
status=$?
sed -n "s|^$changed:\([0-9].*\)|\1|p" "$changed.remark"
sed -i 's/: remark: /: error: /' "$changed.remark"
test $status = 1 && cmp "$changed.remark" "$changed.error"
