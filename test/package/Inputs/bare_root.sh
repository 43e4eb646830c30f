#!/bin/sh
# bare_root.sh [--sources | --all-tests] [ROOT] - builds the packages, installs them
# on a bare Debian 12 (debootstrap, in ROOT or a temporary folder), and does there what in_bare_root.sh does; with --sources also `./dev demo`
# and `./dev test --quick` of the commit, with --all-tests `./dev test`, too, and
# prints their times. As root. The packages come from the archives of this machine.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
set -eu
cd "$(dirname "$0")/../../.."

usage() {
  echo "usage: $0 [--sources | --all-tests] [ROOT]" >&2
  exit 2
}

sources=
case ${1:-} in
--sources | --all-tests)
  sources=$1
  shift
  ;;
esac
temporary=
root=${1:-}
case $#:$root in
*:-*) usage ;;
1:?*) ;;
0:)
  temporary=$(mktemp -d)
  root=$temporary/root
  ;;
*) usage ;;
esac
cmake/build_packages.sh
log=${GMEM_BARE_ROOT_LOG:-build-packages/bare-root.log}
finish() {
  status=$?
  umount -R "$root/proc" "$root/dev" 2>/dev/null || true
  [ -z "$temporary" ] || rm -rf --one-file-system "$temporary"
  exit $status
}
trap finish EXIT
trap 'exit 1' INT TERM

mirror=$(apt-get indextargets --format '$(REPO_URI)' 'Created-By: Packages' |
  sort | uniq -c | sort -rn | awk '/debian\/?$/ { print $2; exit }')
[ -n "$mirror" ] || {
  echo "bare_root: apt of this machine has no archive of Debian" >&2
  exit 1
}
if [ ! -e "$root/etc/debian_version" ]; then
  debootstrap --variant=minbase bookworm "$root" "$mirror" >"$log" 2>&1 || {
    tail -n 5 "$log" >&2
    exit 1
  }
fi
# LLVM 22 is an update of Debian 12: the root has the archives that this machine has.
for file in /etc/apt/sources.list /etc/apt/sources.list.d/debian.*; do
  [ ! -e "$file" ] || cp "$file" "$root${file%/*}/"
done
[ ! -e /etc/apt/sources.list.d/debian.sources ] ||
  [ -e /etc/apt/sources.list ] || : >"$root/etc/apt/sources.list"
apt-config dump | grep '^Acquire::' >"$root/etc/apt/apt.conf.d/80bare-root" || true
cp /etc/resolv.conf /etc/hosts "$root/etc/"
mount -t proc proc "$root/proc"
mount --rbind /dev "$root/dev"
mount --make-rslave "$root/dev"

rm -rf "$root/gmem"
mkdir -p "$root/gmem"
cp -r build-packages/debs "$root/gmem/debs"
cp -r test/package/Inputs "$root/gmem/consumers"
cp -r test/tools/python/Inputs "$root/gmem/python"
cp test/package/Inputs/in_bare_root.sh "$root/gmem/"
if [ -n "$sources" ]; then
  mkdir "$root/gmem/sources"
  git archive HEAD | tar -x -C "$root/gmem/sources"
fi
chroot "$root" env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root LC_ALL=C.UTF-8 \
  sh /gmem/in_bare_root.sh "$sources"
