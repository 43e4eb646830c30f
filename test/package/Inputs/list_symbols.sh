# list_symbols.sh FOLDER - the functions that the shared libraries in FOLDER export.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
set -eu
for library in "$1"/libgmem_*.so; do
  nm -D --defined-only "$library" | sed -n "s/^[0-9a-f]* [A-Z] /$(basename "$library" .so | sed s/libgmem_//) /p"
done | LC_ALL=C sort
