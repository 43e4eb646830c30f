# run.sh LEVEL FILE - what @entry of a module of the LLVM dialect prints, without
# the addresses in it.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
libraries=$(llvm-config-22 --libdir)
mlir-runner "$1" -e entry -entry-point-result=void \
  --shared-libs="$libraries/libmlir_runner_utils.so,$libraries/libmlir_c_runner_utils.so" "$2" |
  sed 's/base@ = 0x[0-9a-f]*//'
