#!/bin/sh
# c_modes.sh ROOT FOLDER PLANNED.mlir COMPILER FLAGS - c_run.sh for every way to
# give memory to a model. COMPILER and FLAGS are one word each.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
set -eu
while read -r options; do
  # shellcheck disable=SC2086 # a list of words
  sh "$1/test/tools/gmem-translate/Inputs/c_run.sh" "$1" "$2" "$3" "$4" "$5" -- \
    $options || {
    echo "failed: $options"
    exit 1
  }
done <<'END'
--workspaces=static
--workspaces=given
--workspaces=given --parameters=given
--workspaces=static --io=workspace
--workspaces=given --parameters=given --io=workspace --names=numbers
--workspaces=static --parameters=given
END
echo all modes
