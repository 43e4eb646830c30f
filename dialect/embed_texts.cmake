# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Script: writes OUTPUT, a C file that embeds FILES of FOLDER. The first file is
# the dialect, the others are op models. IRDL of MLIR_VERSION 19 has no names of
# operands.
set(arrays "")
set(entries "")
foreach(file ${FILES})
  string(MAKE_C_IDENTIFIER ${file} symbol)
  file(READ ${FOLDER}/${file} text)
  if(file MATCHES "irdl" AND MLIR_VERSION VERSION_LESS 20)
    string(REGEX REPLACE "[a-z]+: (variadic %)" "\\1" text "${text}")
  endif()
  string(HEX "${text}" hex)
  string(REGEX REPLACE "(..)" "0x\\1," bytes "${hex}")
  string(APPEND arrays "static const char ${symbol}[] = {${bytes}0};\n")
  list(APPEND entries "{\"${file}\", ${symbol}, sizeof ${symbol} - 1}")
endforeach()
list(POP_FRONT entries dialect)
list(LENGTH entries count)
list(JOIN entries ",\n    " models)
file(WRITE ${OUTPUT} "// Made by embed_texts.cmake.
#include \"dialect.h\"

${arrays}
const gmem_embedded_t gmem_dialect_text = ${dialect};
const gmem_embedded_t gmem_model_texts[] = {
    ${models}};
const size_t gmem_model_text_count = ${count};
")
