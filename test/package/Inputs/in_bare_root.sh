#!/bin/sh
# in_bare_root.sh - what a user of the Debian packages does: installs them, builds a
# program for each component by find_package and by pkg-config, and runs the tools.
# Runs in the root that bare_root.sh makes.
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
mkdir -p work
expect "a at 0" sh -c 'cc consumers/embed.c -o work/embed \
  $(pkg-config --cflags --libs gmem-planner gmem-runtime) && work/embed'
cmake -G Ninja -S consumers -B work/consumers >work/cmake.log
ninja -C work/consumers >work/ninja.log
expect "96 bytes" work/consumers/embed
work/consumers/image work/net.gmem
expect "served: a request" work/consumers/serve work/net.gmem
expect "1000 requests" work/consumers/firmware
expect 328350 work/consumers/loops
cmake -G Ninja -S consumers/components -B work/components >work/cmake.log
ninja -C work/components >work/ninja.log
expect "use_context_shared linked" sh -c \
  'for one in work/components/bin/*; do echo $(basename $one) $($one) || exit 1; done'
expect "transforms: linked" sh consumers/components/use_pkg_config.sh /usr work/pkg

part "the runtime on 32 bit, static: lib32gmem-dev"
if ls debs/lib32gmem-dev_*.deb >/dev/null 2>&1; then
  add ./debs/lib32gmem-dev_*.deb
  for name in image serve; do
    package=gmem-runtime
    [ $name = serve ] || package=gmem-plan-writer
    # shellcheck disable=SC2046 # a list of words
    PKG_CONFIG_LIBDIR=/usr/lib32/pkgconfig sh -c "cc -m32 -static consumers/$name.c \
      -o work/$name-32 \$(pkg-config --cflags --static --libs $package)"
  done
  work/image-32 work/net-32.gmem
  expect "served: a request" work/serve-32 work/net-32.gmem
  cmp work/net.gmem work/net-32.gmem
fi

part "the tools: gmem-tools"
add ./debs/gmem-tools_*.deb
for tool in opt translate run solve link diff; do
  expect "gmem-$tool 0" gmem-$tool --version
done
example=/usr/share/doc/gmem/examples/ds_cnn.mlir
ls $example
gmem-opt --gmem-plan $example -o work/planned.mlir
gmem-opt --gmem-verify-plan work/planned.mlir -o /dev/null
gmem-translate --gmem-to-image --weights=all work/planned.mlir -o work/ds_cnn.gmem
expect "" gmem-run work/ds_cnn.gmem
expect "bitwise equal" gmem-run $example --compare

part "the plugin in mlir-opt: gmem-mlir-plugin"
add ./debs/gmem-mlir-plugin_*.deb mlir-22-tools
expect gmem.offset mlir-opt-22 --load-pass-plugin=gmem-plugin.so \
  --pass-pipeline='builtin.module(cse,gmem-plan{algorithm=ref-count})' $example

part "the passes: libgmem-passes-dev"
add ./debs/libgmem-passes0.2_*.deb ./debs/libgmem-passes-dev_*.deb
cmake -G Ninja -S consumers/components -B work/passes -DGMEM_HAS_PASSES=ON >work/cmake.log
ninja -C work/passes >work/ninja.log
expect "peak 128" work/passes/bin/use_passes
expect "peak 128" work/passes/bin/use_passes_shared
expect "peak 128" sh consumers/components/use_pkg_config.sh /usr work/pkg

part "the Python module: python3-gmem"
add ./debs/python3-gmem_*.deb
expect "planner: good" python3 /gmem/python/use_planner.py
expect "passes: good" python3 /gmem/python/use_passes.py $example

if [ -d sources ]; then
  part "from the sources"
  cd sources
  before=$(date +%s)
  ./dev demo >../work/demo.log 2>&1
  after=$(date +%s)
  grep "lower bound" ../work/demo.log
  echo "./dev demo: $((after - before)) seconds with what it installs and builds"
  ./dev test --quick >../work/test.log 2>&1 || true
  tail -n 1 ../work/test.log
  echo "./dev test --quick: $(($(date +%s) - after)) seconds with what it builds"
fi
part "all was as it should be"
