#!/bin/sh
# run.sh BUILD_FOLDER - prints every table that the documents quote. Networks of
# your own are measured too when GMEM_INPUTS names a folder of them.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
set -eu
build=$1
echo "== networks"
python3 bench/bench_networks.py "$build"
echo
echo "== planner on generated problems"
"$build/bin/bench_planner"
echo
echo "== runtime"
"$build/test/unit/runtime_speed"
