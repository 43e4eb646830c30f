#!/bin/sh
# c_usage.sh PLANNED.mlir - prints what is said of wrong command lines.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
planned=$1
while read -r options; do
  # shellcheck disable=SC2086 # a list of words
  gmem-translate $options "$planned" 2>&1 >/dev/null | head -1
  # shellcheck disable=SC2086
  gmem-translate $options "$planned" >/dev/null 2>&1
  [ $? = 2 ] || echo "another status: $options"
done <<'END'
--gmem-to-c
--gmem-to-c --name=net --workspaces=extern
--gmem-to-c --name=net --parameters=mine
--gmem-to-c --name=net --io=x
--gmem-to-c --name=net --entry=x
--gmem-to-c --name=net --names=x
--gmem-to-c --name=net --outputs=x
--gmem-to-c --name=net --outputs=1
--gmem-to-c --name=net --entry=compiled
--gmem-to-c --name=net --compiled=x
--gmem-to-c --name=net --io=workspace --entry=none
--gmem-to-c --name=net -o -
--gmem-to-json --name=net
--gmem-to-json --gmem-to-c --name=net
--gmem-to-c --name=net --weights=all
END
