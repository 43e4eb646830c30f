// plugin.cpp - the entry point of gmem-plugin.so, for the stock mlir-opt
// (--load-pass-plugin). C++, because MLIR's plugin interface is a C++ struct.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "gmem/passes.h"
#include "gmem/version.h"
#include "mlir/Tools/Plugins/PassPlugin.h"

extern "C" LLVM_ATTRIBUTE_WEAK
    LLVM_ATTRIBUTE_VISIBILITY_DEFAULT mlir::PassPluginLibraryInfo
    mlirGetPassPluginInfo() {
  return {MLIR_PLUGIN_API_VERSION, "gmem", GMEM_VERSION_STRING,
          gmem_register_passes};
}
