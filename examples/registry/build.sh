#!/bin/sh
# build.sh GMEM OUT - writes the models, in each way that memory can be owned,
# their list, and the firmware OUT/registry. GMEM is where gmem is installed, or
# its source folder with the tools in PATH.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
set -eu
here=$(dirname "$0") gmem=$1 out=$2
mkdir -p "$out"

# NAME OPTIONS-OF-GMEM-PLAN OPTIONS-OF-GMEM-TRANSLATE...
model() {
  name=$1 plan=$2
  shift 2
  gmem-opt "--gmem-plan=alignment=16 weight-alignment=16 $plan" \
    "$here/model.mlir" -o "$out/$name.mlir" 2>"$out/$name.log" ||
    cat "$out/$name.log" >&2
  gmem-translate --gmem-to-c --descriptor --name="$name" "$@" \
    "$out/$name.mlir" -o "$out"
  names="$names $name"
}

names=
model own constants=keep
model given constants=keep --workspaces=given --parameters=given
model mapped constants=keep --workspaces=given --io=workspace
model hoisted constants=hoist --workspaces=given --parameters=given
model ready constants=hoist

{
  echo '#include "operators.h"'
  echo '#include "registry.h"'
  for name in $names; do
    printf '#include "%s.h"\nOPERATORS(%s)\n' "$name" "$name"
  done
  echo 'const gmem_model_desc_t *const registry[] = {'
  for name in $names; do
    echo "    &${name}_model,"
  done
  echo '};'
  echo 'const size_t registry_count = sizeof registry / sizeof *registry;'
} >"$out/models.c"
sources=
for name in $names; do
  sources="$sources $out/$name.c"
  [ ! -e "$out/${name}_data.c" ] || sources="$sources $out/${name}_data.c"
done
# shellcheck disable=SC2086 # lists of words
${CC:-cc} ${CFLAGS:--std=c11 -O2} -I "$gmem/include" -I "$here" -I "$out" \
  "$here/registry.c" "$out/models.c" $sources -o "$out/registry"
