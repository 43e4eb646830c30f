// plugin.c - makes the passes a plugin of the stock mlir-opt; what it looks
// for, mlirGetPassPluginInfo, is in registration.cpp.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

typedef int gmem_plugin_has_no_code_of_its_own;
