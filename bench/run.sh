#!/bin/sh
# run.sh BUILD_FOLDER [--full | --smoke] [PART...] - prints every table that the
# documents quote, or the parts that are named, as a case below. Networks of your own
# are measured too when GMEM_INPUTS names a folder of them (addressed: only those),
# problems of your own when GMEM_PROBLEMS does.
# --full takes longer; --smoke runs each part on the least that it can take, to see that
# it runs.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
set -eu
build=$1
shift
full= smoke= few= addressed=
case ${1:-} in
--full)
  full=--full
  shift
  ;;
--smoke)
  shift
  smoke=1
  few=bench/smoke.mlir
  unset GMEM_INPUTS
  made=$(mktemp -d)
  trap 'rm -r "$made"' EXIT
  addressed=$made/smoke.addressed.mlir
  "$build/bin/gmem-opt" --gmem-plan --gmem-encode-addresses $few -o "$addressed"
  export GMEM_PROBLEMS="$made"
  mkdir "$made/challenging"
  printf 'id,lower,upper,size\na,0,2,4\nb,1,3,4\nc,2,4,4\n' >"$made/challenging/A.csv"
  ;;
esac
# shellcheck disable=SC2046 # the parts, as the cases name them
[ $# -gt 0 ] || set -- $(sed -n 's/^  \([a-z]*\)).*/\1/p' "$0")

# either SMALL COMMAND...: the command, or with --smoke it with the words of SMALL.
either() {
  small=$1
  shift
  # shellcheck disable=SC2086 # a list of words
  if [ -n "$smoke" ]; then "$@" $small; else "$@"; fi
}

for part in "$@"; do
  echo "== $part"
  case $part in
  networks) python3 bench/bench_networks.py "$build" $few ;;
  sharing) python3 bench/bench_sharing.py "$build" $few ;;
  constants) python3 bench/bench_constants.py "$build" $few ;;
  addressed) python3 bench/bench_addressed.py "$build" $addressed ;;
  model) either 100 python3 bench/bench_model.py "$build" ;;
  memrefs) python3 bench/bench_memrefs.py "$build" $few ;;
  unified) python3 bench/bench_unified.py "$build" $few ;;
  problems)
    if [ -n "${GMEM_PROBLEMS:-}" ]; then
      python3 bench/bench_problems.py "$build" $full
      [ -z "$full$smoke" ] || python3 bench/bench_forms.py "$build"
    else
      echo "problems of others: GMEM_PROBLEMS names no folder of them"
    fi
    ;;
  families)
    [ -n "$full" ] || either "--seeds=1 24" "$build/bin/bench_planner" families
    [ -z "$full" ] || "$build/bin/bench_planner" families --effort=exhaustive
    [ -z "$full" ] || "$build/bin/bench_planner" families --effort=exhaustive 100000 1000000
    ;;
  planner)
    for table in tiling algorithms aliases dense scale; do
      either 100 "$build/bin/bench_planner" $table
      echo
    done
    [ -z "$full" ] || "$build/bin/bench_planner" tiling --effort=exhaustive
    ;;
  penalties)
    "$build/bin/bench_penalties" --only=12
    [ -n "$smoke" ] || "$build/bin/bench_penalties"
    [ -n "$smoke" ] || "$build/bin/bench_penalties" --effort=normal --only=12
    [ -z "$full" ] || "$build/bin/bench_penalties" --effort=normal
    ;;
  stable) python3 bench/bench_stable.py "$build" $few ;;
  order) either --family=Inception python3 -B bench/bench_order.py "$build" $full ;;
  ordered) python3 bench/bench_ordered.py "$build" $few ;;
  ranks)
    either --repeats=1 python3 bench/bench_ranks.py "$build"
    python3 bench/bench_decode_layer.py "$build"
    ;;
  pools) python3 bench/bench_pools.py "$build" $few ;;
  checks)
    sizes=10000,100000
    [ -z "$full" ] || sizes=$sizes,1000000
    either "--sizes=100 elementwise $few" python3 bench/bench_checks.py "$build" --sizes=$sizes
    ;;
  passes) either 100 python3 bench/bench_passes.py "$build" ;;
  determinism) either 100 python3 bench/bench_determinism.py "$build" ;;
  compile) python3 bench/bench_compile.py "$build" $few ;;
  runtime) either calls "$build/bin/bench_runtime" ;;
  instructions) either 1 python3 bench/bench_instructions.py "$build" ;;
  arena) either "--rounds=1 --threads=1 $few" python3 bench/bench_arena.py "$build" $full ;;
  load)
    requests=1000000
    [ -z "$full" ] || requests=10000000
    either --requests=1000 "$build/test/unit/runtime_load_test" --requests=$requests
    ;;
  parallel) "$build/bin/bench_parallel" ;;
  *)
    echo "run.sh: no part '$part'" >&2
    exit 2
    ;;
  esac
  echo
done
