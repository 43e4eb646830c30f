// opt_main.cpp - see opt_main.h. C++, because the C API has no equivalent.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "opt_main.h"

#include "dialect.h"
#include "mlir/CAPI/IR.h"
#include "mlir/Debug/Counter.h"
#include "mlir/IR/AsmState.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/Pass.h"
#include "mlir/Pass/PassInstrumentation.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Pass/PassRegistry.h"
#include "mlir/Support/FileUtilities.h"
#include "mlir/Support/Timing.h"
#include "mlir/Tools/mlir-opt/MlirOptMain.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Signals.h"
#include "llvm/Support/WithColor.h"
#include "llvm/Support/raw_ostream.h"

#include <atomic>
#ifdef __GLIBC__
#include <malloc.h>
#endif
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

namespace {

// The pass that began last and has not ended.
struct RunningPass {
  std::atomic<const char *> name; // of |length| bytes, not of passes that ended
  std::atomic<size_t> length;
};

class PassRecorder : public PassInstrumentation {
public:
  explicit PassRecorder(RunningPass &running) : running(running) {}
  void runBeforePass(Pass *pass, Operation *) override {
    StringRef name = pass->getArgument();
    running.length = name.size();
    running.name = name.data();
  }
  void runAfterPass(Pass *, Operation *) override { running.length = 0; }
  void runAfterPassFailed(Pass *, Operation *) override { running.length = 0; }

private:
  RunningPass &running;
};

// The output, in pieces: the text of a large program takes more memory than the
// program.
class Output : public llvm::raw_ostream {
public:
  Output(gmem_opt_write_fn write, void *user, const std::string &path)
      : writePiece(write), user(user), path(path) {
    SetBufferSize(1 << 16);
  }
  ~Output() override { flush(); }
  int finish() {
    flush();
    if (!status)
      status = writePiece(user, path.c_str(), nullptr, 0);
    return status;
  }

private:
  void write_impl(const char *bytes, size_t size) override {
    if (!status)
      status = writePiece(user, path.c_str(), bytes, size);
    written += size;
  }
  uint64_t current_pos() const override { return written; }

  gmem_opt_write_fn writePiece;
  void *user;
  const std::string &path;
  uint64_t written = 0;
  int status = 0;
};

// Between passes all is verified, and the printer need not verify it again; a
// pass may print what is not. For the passes of the module itself.
class VerifiedPrinting : public PassInstrumentation {
public:
  explicit VerifiedPrinting(llvm::cl::opt<bool> &isVerified)
      : isVerified(isVerified) {}
  void runBeforePass(Pass *pass, Operation *op) override {
    if (op->getParentOp() || outermost)
      return;
    outermost = pass;
    isVerified = false;
  }
  void runAfterPass(Pass *pass, Operation *op) override {
    if (op->getParentOp() || pass != outermost)
      return;
    outermost = nullptr;
    isVerified = true;
  }

private:
  llvm::cl::opt<bool> &isVerified;
  Pass *outermost = nullptr;
};

// A program can exceed the stack of a recursive pass of MLIR, or meet an error
// of it, and must not end without a word. Runs on a stack of its own.
void reportCrash(void *cookie) {
  static const char before[] = "gmem-opt: error: crashed in pass '",
                    after[] = "' or one that it runs: an error of the pass, "
                              "or the program nests too deeply for the stack "
                              "(ulimit -s)\n",
                    elsewhere[] = "gmem-opt: error: crashed\n";
  const auto *running = static_cast<RunningPass *>(cookie);
  ssize_t ignored;
  if (running->length) {
    ignored = write(STDERR_FILENO, before, sizeof before - 1);
    ignored = write(STDERR_FILENO, running->name, running->length);
    ignored = write(STDERR_FILENO, after, sizeof after - 1);
  } else {
    ignored = write(STDERR_FILENO, elsewhere, sizeof elsewhere - 1);
  }
  (void)ignored;
}

// What helps where MLIR could not parse a file for a reason that is common with
// dialects that are not registered, or "". Parses it again: MlirOptMain has a
// context and a handler of its own.
StringRef hintFor(StringRef path, const DialectRegistry &dialects) {
  StringRef hint;
  MLIRContext context(dialects, MLIRContext::Threading::DISABLED);
  context.allowUnregisteredDialects();
  ScopedDiagnosticHandler handler(&context, [&](Diagnostic &diagnostic) {
    std::string text = diagnostic.str();
    if (StringRef(text).contains("not found for custom op"))
      hint = "ops of a dialect that is not registered are read in the generic "
             "form, in which the tool that wrote the file prints them with "
             "--mlir-print-op-generic";
    else if (StringRef(text).contains("unsupported memory space"))
      hint = "MLIR accepts no memory space of a dialect that is not "
             "registered: name it by a string or an integer";
    return success();
  });
  if (path != "-")
    (void)parseSourceFile<ModuleOp>(path, &context);
  return hint;
}

// Only messages show the text again. MemoryBuffer::dontNeedIfMmap does nothing
// with glibc.
void releaseText(const llvm::MemoryBuffer &text) {
  if (text.getBufferKind() == llvm::MemoryBuffer::MemoryBuffer_MMap)
    (void)madvise(const_cast<char *>(text.getBufferStart()),
                  text.getBufferSize(), MADV_DONTNEED);
}

// Freed memory is used again by the next analysis: the system maps and clears
// each page that it gives anew, which was a fifth of the time of verifying a
// million ops. Larger arrays than LargeArray go back to the system, so that
// smaller ones behind them keep none of them, and so does what is free at the
// end of the heap beyond FreeAtEnd. glibc would raise both limits with the
// largest array that was freed.
void limitHeap() {
#ifdef __GLIBC__
  enum { LargeArray = 8 << 20, FreeAtEnd = 128 << 20 };
  (void)mallopt(M_MMAP_THRESHOLD, LargeArray);
  (void)mallopt(M_TRIM_THRESHOLD, FreeAtEnd);
#endif
}

} // namespace

#if LLVM_VERSION_MAJOR < 20 // MLIR 19 parses in the same function, and exits
static std::string registerCLIOptions(StringRef toolName,
                                      DialectRegistry &registry) {
  MlirOptMainConfig::registerCLOptions(registry);
  registerAsmPrinterCLOptions();
  registerMLIRContextCLOptions();
  registerPassManagerCLOptions();
  registerDefaultTimingManagerCLOptions();
  tracing::DebugCounter::registerCLOptions();
  return toolName.str();
}

static bool listPasses(const MlirOptMainConfig &) { return false; }
#else
static bool listPasses(const MlirOptMainConfig &config) {
  if (config.shouldListPasses())
    printRegisteredPasses();
  return config.shouldListPasses();
}
#endif

extern "C" int gmem_opt_main(int argc, char **argv,
                             MlirDialectRegistry registry,
                             gmem_opt_write_fn write, void *user,
                             int usageStatus) {
  DialectRegistry &dialects = *unwrap(registry);
  limitHeap();
  static llvm::cl::opt<std::string> input(llvm::cl::Positional,
                                          llvm::cl::desc("<input file>"),
                                          llvm::cl::init("-"));
  static llvm::cl::opt<std::string> output(
      "o", llvm::cl::desc("Output filename"), llvm::cl::value_desc("filename"),
      llvm::cl::init("-"));
  std::string header =
      registerCLIOptions("gmem-opt: mlir-opt with the gmem passes\n", dialects);
  // Not MLIR's parseCLIOptions, which ends with status 1.
  if (!llvm::cl::ParseCommandLineOptions(argc, argv, header, &llvm::errs()))
    return usageStatus;
  MlirOptMainConfig config = MlirOptMainConfig::createFromCLOptions();
  // The gmem dialect is loaded in the same way as --irdl-file loads one.
  std::string dialect = dialectFile();
  if (config.getIrdlFile().empty())
    config.setIrdlFile(dialect);
  if (listPasses(config))
    return 0;
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
  RunningPass running = {};
  llvm::sys::AddSignalHandler(reportCrash, &running);
  auto *isVerified = static_cast<llvm::cl::opt<bool> *>(
      llvm::cl::getRegisteredOptions().lookup("mlir-print-assume-verified"));
  if (!config.shouldVerifyPasses() || isVerified->getNumOccurrences())
    isVerified = nullptr;
  bool isParsed = false;
  // Called when the file has been parsed.
  config.setPassPipelineSetupFn([&, text = file.get(),
                                 inner = config](PassManager &pm) {
    isParsed = true;
    releaseText(*text);
    pm.addInstrumentation(std::make_unique<PassRecorder>(running));
    if (isVerified)
      pm.addInstrumentation(std::make_unique<VerifiedPrinting>(*isVerified));
    return inner.setupPassPipeline(pm);
  });
  Output stream(write, user, output);
  if (failed(MlirOptMain(stream, std::move(file), dialects, config))) {
    StringRef hint = isParsed ? "" : hintFor(input, dialects);
    if (!hint.empty())
      llvm::WithColor::note(llvm::errs(), "gmem-opt") << hint << "\n";
    return 1;
  }
  return stream.finish();
}
