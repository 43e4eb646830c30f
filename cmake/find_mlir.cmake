# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# gmem_mlir: the MLIR C API on top of the shared libraries of LLVM and MLIR.
# Linking MLIR's static targets as well would put two copies of it into one
# process, so only the thin C wrappers are linked statically.

# MLIR 22, or that of MLIR_DIR: also 19.
find_program(GMEM_LLVM_CONFIG NAMES llvm-config-22 llvm-config)
if(GMEM_LLVM_CONFIG)
  execute_process(COMMAND ${GMEM_LLVM_CONFIG} --prefix
    OUTPUT_VARIABLE gmem_llvm_prefix OUTPUT_STRIP_TRAILING_WHITESPACE)
endif()
find_package(MLIR REQUIRED CONFIG
  HINTS ${gmem_llvm_prefix}/lib/cmake/mlir)
set(gmem_llvm_prefix ${LLVM_INSTALL_PREFIX})

# Of the C API, as an installed package finds it again.
set(gmem_mlir_names MLIRCAPIIRDL MLIRCAPIQuant MLIRCAPISparseTensor MLIRCAPIIR
  MLIRCAPIFunc MLIR LLVM)

add_library(gmem_mlir INTERFACE)
target_include_directories(gmem_mlir SYSTEM INTERFACE
  ${MLIR_INCLUDE_DIRS} ${LLVM_INCLUDE_DIRS})
foreach(name ${gmem_mlir_names})
  if(name MATCHES CAPI)
    target_link_libraries(gmem_mlir INTERFACE $<TARGET_FILE:${name}>)
  else()
    target_link_libraries(gmem_mlir INTERFACE ${name})
  endif()
endforeach()

# Registering every upstream dialect and pass is for the tools alone.
add_library(gmem_mlir_everything INTERFACE)
foreach(name MLIRCAPIRegisterEverything MLIRRegisterAllDialects
    MLIRRegisterAllExtensions MLIRRegisterAllPasses)
  if(TARGET ${name}) # the last three: headers before MLIR 20
    target_link_libraries(gmem_mlir_everything INTERFACE $<TARGET_FILE:${name}>)
  endif()
endforeach()
target_link_libraries(gmem_mlir_everything INTERFACE gmem_mlir)

# Compiling and running what MLIR has lowered is for gmem-run alone.
add_library(gmem_mlir_engine INTERFACE)
target_link_libraries(gmem_mlir_engine INTERFACE
  $<TARGET_FILE:MLIRCAPIExecutionEngine> $<TARGET_FILE:MLIRExecutionEngine>
  $<TARGET_FILE:MLIRExecutionEngineUtils> gmem_mlir_everything)
