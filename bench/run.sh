#!/bin/sh
# run.sh BUILD_FOLDER [--full] [PART...] - prints every table that the documents
# quote, or the parts that are named: networks, sharing, constants, addressed,
# model, memrefs, unified, problems, families, planner, penalties, stable, order, ordered, ranks, pools,
# checks, determinism, compile, runtime, instructions, arena, load, parallel. Networks of your own are
# measured too when GMEM_INPUTS names a folder of them (addressed: only those),
# problems of your own when GMEM_PROBLEMS does.
# --full takes longer.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
set -eu
build=$1
shift
full=
if [ "${1:-}" = --full ]; then
  full=--full
  shift
fi
[ $# -gt 0 ] || set -- networks sharing constants addressed model memrefs unified problems families \
  planner penalties stable order ordered ranks pools checks determinism compile runtime instructions arena load parallel
for part in "$@"; do
  echo "== $part"
  case $part in
  networks) python3 bench/bench_networks.py "$build" ;;
  sharing) python3 bench/bench_sharing.py "$build" ;;
  constants) python3 bench/bench_constants.py "$build" ;;
  addressed) python3 bench/bench_addressed.py "$build" ;;
  model) python3 bench/bench_model.py "$build" ;;
  memrefs) python3 bench/bench_memrefs.py "$build" ;;
  unified) python3 bench/bench_unified.py "$build" ;;
  problems)
    if [ -n "${GMEM_PROBLEMS:-}" ]; then
      python3 bench/bench_problems.py "$build" $full
      [ -z "$full" ] || python3 bench/bench_forms.py "$build"
    else
      echo "problems of others: GMEM_PROBLEMS names no folder of them"
    fi
    ;;
  families)
    [ -n "$full" ] || "$build/bin/bench_planner" families
    [ -z "$full" ] || "$build/bin/bench_planner" families --effort=exhaustive
    [ -z "$full" ] || "$build/bin/bench_planner" families 100000 1000000
    ;;
  planner)
    "$build/bin/bench_planner"
    [ -z "$full" ] || "$build/bin/bench_planner" tiling --effort=exhaustive
    ;;
  penalties)
    "$build/bin/bench_penalties"
    "$build/bin/bench_penalties" --effort=normal --only=12
    [ -z "$full" ] || "$build/bin/bench_penalties" --effort=normal
    ;;
  compile) python3 bench/bench_compile.py "$build" ;;
  stable) python3 bench/bench_stable.py "$build" ;;
  order) python3 -B bench/bench_order.py "$build" $full ;;
  ordered) python3 bench/bench_ordered.py "$build" ;;
  ranks)
    python3 bench/bench_ranks.py "$build"
    python3 bench/bench_decode_layer.py "$build"
    ;;
  pools) python3 bench/bench_pools.py "$build" ;;
  checks)
    sizes=10000,100000
    [ -z "$full" ] || sizes=$sizes,1000000
    python3 bench/bench_checks.py "$build" --sizes=$sizes
    ;;
  determinism) python3 bench/bench_determinism.py "$build" ;;
  runtime) "$build/bin/bench_runtime" ;;
  instructions) python3 bench/bench_instructions.py "$build" ;;
  arena) python3 bench/bench_arena.py "$build" $full ;;
  load)
    requests=1000000
    [ -z "$full" ] || requests=10000000
    "$build/test/unit/runtime_load_test" --requests=$requests
    ;;
  parallel) "$build/bin/bench_parallel" ;;
  *)
    echo "run.sh: no part '$part'" >&2
    exit 2
    ;;
  esac
  echo
done
