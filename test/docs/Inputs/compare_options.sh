#!/bin/sh
# compare_options.sh TOOL PAGE... - prints the options of TOOL that no PAGE
# names, and then those that a PAGE names, and no tool has.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
set -eu
tool=$1
shift
options='--[a-z][a-z-]*[a-z]'
words() { grep -oh -e "$options" "$@" | sort -u; }
status=0
for option in $("$tool" --help | words); do
  case $option in --help | --usage | --version) continue ;; esac
  words "$@" | grep -qxe "$option" || {
    echo "$tool: no page names $option"
    status=1
  }
done
known=$(for each in gmem-run gmem-opt gmem-translate gmem-link gmem-solve gmem-diff; do
  "$each" --help
done | words)
for option in $(words "$@"); do
  echo "$known" | grep -qxe "$option" || {
    echo "no tool has $option"
    status=1
  }
done
exit $status
