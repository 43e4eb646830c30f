# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Run by CPack before it packs: compresses manual pages and lists of changes, as
# Debian has them, without a time stamp.
file(GLOB_RECURSE files
  ${CPACK_TEMPORARY_INSTALL_DIRECTORY}/*/usr/share/man/man1/*.1
  ${CPACK_TEMPORARY_INSTALL_DIRECTORY}/*/usr/share/doc/*/changelog)
foreach(file ${files})
  execute_process(COMMAND gzip -9n ${file} COMMAND_ERROR_IS_FATAL ANY)
endforeach()
