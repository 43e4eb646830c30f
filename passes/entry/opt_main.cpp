// opt_main.cpp - see opt_main.h. C++, because the C API has no equivalent.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "opt_main.h"

#include "dialect.h"
#include "mlir/CAPI/IR.h"
#include "mlir/Pass/PassRegistry.h"
#include "mlir/Support/FileUtilities.h"
#include "mlir/Tools/mlir-opt/MlirOptMain.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/WithColor.h"
#include "llvm/Support/raw_ostream.h"

#include <sys/mman.h>
#include <unistd.h>

using namespace mlir;

// Creates an in-memory file with the text of the gmem dialect. Returns its
// path, or "" on failure.
static std::string dialectFile() {
  int file = memfd_create("gmem.irdl.mlir", MFD_CLOEXEC);
  if (file < 0)
    return "";
  ssize_t written =
      write(file, gmem_dialect_text.bytes, gmem_dialect_text.length);
  return written == ssize_t(gmem_dialect_text.length)
             ? "/proc/self/fd/" + std::to_string(file)
             : "";
}

extern "C" int gmem_opt_main(int argc, char **argv,
                             MlirDialectRegistry registry,
                             gmem_opt_write_fn write) {
  DialectRegistry &dialects = *unwrap(registry);
  auto [input, output] = registerAndParseCLIOptions(
      argc, argv, "gmem-opt: mlir-opt with the gmem passes\n", dialects);
  MlirOptMainConfig config = MlirOptMainConfig::createFromCLOptions();
  // The gmem dialect is loaded in the same way as --irdl-file loads one.
  std::string dialect = dialectFile();
  if (config.getIrdlFile().empty())
    config.setIrdlFile(dialect);
  if (config.shouldListPasses())
    return printRegisteredPasses(), 0;
  if (config.shouldShowDialects()) {
    for (StringRef name : dialects.getDialectNames())
      llvm::outs() << name << "\n";
    llvm::outs() << "gmem\n";
    return 0;
  }
  std::string message;
  std::unique_ptr<llvm::MemoryBuffer> file = openInputFile(input, &message);
  if (!file) {
    llvm::WithColor::error(llvm::errs(), "gmem-opt") << message << "\n";
    return 1;
  }
  std::string text;
  llvm::raw_string_ostream stream(text);
  if (failed(MlirOptMain(stream, std::move(file), dialects, config)))
    return 1;
  return write(output.c_str(), text.data(), text.size());
}
