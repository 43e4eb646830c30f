#!/bin/sh
# in_bare_root.sh - what a user of the Debian packages does: installs them, builds a
# program for each component by find_package and by pkg-config, and runs the tools.
# Runs in the root that bare_root.sh makes. With --all-tests it ends with all tests of the
# sources.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
set -eu
cd /gmem

part() { printf '\n== %s\n' "$*"; }
# expect WORDS COMMAND...: runs it, and looks for WORDS in what it prints.
expect() {
  words=$1
  shift
  echo "\$ $*"
  "$@" >said 2>&1 || {
    cat said
    exit 1
  }
  tail -n 3 said
  grep -q -- "$words" said || {
    echo "in_bare_root: '$words' is not in the output" >&2
    exit 1
  }
}
add() {
  DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends \
    "$@" >install.log 2>&1 || {
    tail -n 20 install.log
    exit 1
  }
}
apt-get update -qq

part "the runtime and the planner: libgmem-dev, without MLIR"
add ./debs/libgmem0.2_*.deb ./debs/libgmem-dev_*.deb gcc libc6-dev pkg-config \
  cmake ninja-build
mkdir -p made
expect "a at 0" sh -c 'cc consumers/embed.c -o made/embed \
  $(pkg-config --cflags --libs gmem-planner gmem-runtime) && made/embed'
cmake -G Ninja -S consumers -B made/consumers >made/cmake.log
ninja -C made/consumers >made/ninja.log
expect "96 bytes" made/consumers/embed
made/consumers/image made/net.gmem
expect "served: a request" made/consumers/serve made/net.gmem
expect "1000 requests" made/consumers/firmware
expect 328350 made/consumers/loops
cmake -G Ninja -S consumers/components -B made/components >made/cmake.log
ninja -C made/components >made/ninja.log
expect "use_context_shared linked" sh -c \
  'for one in made/components/bin/*; do echo $(basename $one) $($one) || exit 1; done'
expect "transforms: linked" sh consumers/components/use_pkg_config.sh /usr made/pkg

part "the runtime on 32 bit, static: lib32gmem-dev"
if ls debs/lib32gmem-dev_*.deb >/dev/null 2>&1; then
  add ./debs/lib32gmem-dev_*.deb
  for name in image serve; do
    package=gmem-runtime
    [ $name = serve ] || package=gmem-plan-writer
    # shellcheck disable=SC2046 # a list of words
    PKG_CONFIG_LIBDIR=/usr/lib32/pkgconfig sh -c "cc -m32 -static consumers/$name.c \
      -o made/$name-32 \$(pkg-config --cflags --static --libs $package)"
  done
  made/image-32 made/net-32.gmem
  expect "served: a request" made/serve-32 made/net-32.gmem
  cmp made/net.gmem made/net-32.gmem
fi

part "the tools: gmem-tools"
add ./debs/gmem-tools_*.deb
for tool in opt translate run solve link diff; do
  expect "gmem-$tool 0" gmem-$tool --version
done
example=/usr/share/doc/gmem/examples/ds_cnn.mlir
ls $example
gmem-opt --gmem-plan $example -o made/planned.mlir
gmem-opt --gmem-verify-plan made/planned.mlir -o /dev/null
gmem-translate --gmem-to-image --weights=all made/planned.mlir -o made/ds_cnn.gmem
expect "" gmem-run made/ds_cnn.gmem
expect "bitwise equal" gmem-run $example --compare

part "the plugin in mlir-opt: gmem-mlir-plugin"
add ./debs/gmem-mlir-plugin_*.deb mlir-22-tools
expect gmem.offset mlir-opt-22 --load-pass-plugin=gmem-plugin.so \
  --pass-pipeline='builtin.module(cse,gmem-plan{algorithm=ref-count})' $example

part "the passes: libgmem-passes-dev"
add ./debs/libgmem-passes0.2_*.deb ./debs/libgmem-passes-dev_*.deb
cmake -G Ninja -S consumers/components -B made/passes -DGMEM_HAS_PASSES=ON >made/cmake.log
ninja -C made/passes >made/ninja.log
expect "peak 128" made/passes/bin/use_passes
expect "peak 128" made/passes/bin/use_passes_shared
expect "peak 128" sh consumers/components/use_pkg_config.sh /usr made/pkg

part "the Python module: python3-gmem"
add ./debs/python3-gmem_*.deb
expect "planner: good" python3 /gmem/python/use_planner.py
expect "passes: good" python3 /gmem/python/use_passes.py $example

# timed NOTE ARGUMENTS...: prints how long ./dev ARGUMENTS takes, and what a run of
# the tests says of itself.
timed() {
  note=$1
  shift
  before=$(date +%s)
  ./dev "$@" >../made/dev.log 2>&1 || {
    tail -n 40 ../made/dev.log
    exit 1
  }
  echo "./dev $*: $(($(date +%s) - before)) seconds $note"
  grep -E '^[0-9]+ (tests took|passed)' ../made/dev.log || true
}
if [ -d sources ]; then
  part "from the sources, on $(nproc) processors"
  cd sources
  timed "with what it installs and builds" demo
  timed "when all is built" demo
  timed "with what it installs and builds" test --quick
  timed "when all is built" test --quick
  [ "$1" != --all-tests ] || timed "when all is built" test
fi
part "all was as it should be"
