# code_block.sh LANGUAGE DOCUMENT - prints the code blocks of that language.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
sed -n '/^```'"$1"'$/,/^```$/p' "$2" | grep -v '^```'
