# use_pkg_config.sh PREFIX FOLDER [--static] - builds and runs a program for each
# library of PREFIX with the flags of pkg-config alone; with --static without the
# shared libraries.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
set -eu
here=$(dirname "$0")
folder=$2
mkdir -p "$folder"
if [ "${3:-}" = --static ]; then
  mkdir "$folder/prefix"
  cp -r "$1/lib" "$1/include" "$folder/prefix"
  rm "$folder"/prefix/lib/libgmem_*.so*
  set -- "$folder/prefix" "$folder" --static
fi
if [ "$1" != /usr ]; then # packages of Debian are found without
  export PKG_CONFIG_PATH="$1/lib/pkgconfig" LD_LIBRARY_PATH="$1/lib"
fi
build() { # NAME SOURCE FLAGS...
  package=gmem-$(echo "$1" | tr _ -) program=$folder/$1 source=$here/$2 name=$1
  shift 2
  cc -std=c11 -Wall -Werror "$@" $(pkg-config --cflags "$package") "$source" -o "$program" $(pkg-config $static --libs "$package")
  said=$("$program")
  echo "$name: $said"
}
static=${3:-}
while read -r name header function; do
  build "$name" link.c "-DHEADER=\"$header\"" "-DFUNCTION=$function"
done < "$here/components.list"
if pkg-config --exists gmem-passes; then
  build passes passes.c
fi
