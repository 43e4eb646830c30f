// registration.cpp - registers the passes and pipelines of pass_table.c with
// MLIR, by name and with options. C++, because the C API cannot register
// pipelines or passes with options.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "pass_table.h"

#include "edit_distance.h"
#include "mlir/CAPI/IR.h"
#include "mlir/Pass/Pass.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Pass/PassRegistry.h"
#include "pass_options.h"
#include "report_ranks.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir;

namespace {

// The phases whose results every pass prints: --gmem-debug, for pipelines and
// passes alike.
llvm::cl::opt<std::string> &debugPhases() {
  static llvm::cl::opt<std::string> phases(
      "gmem-debug",
      llvm::cl::desc("Print the results of phases of gmem's analysis on "
                     "standard error: the option debug= of all passes"));
  return phases;
}

gmem_plan_reader_fn *planReader; // of files with earlier plans, or null

// Adds the options of |descriptor| to |owner|, a pass or a set of options.
template <typename OptionT, typename OwnerT>
void addOptions(OwnerT &owner, std::vector<std::unique_ptr<OptionT>> &options,
                const gmem_pass_descriptor_t &descriptor,
                const gmem_more_algorithms_t *more) {
  for (size_t i = 0; i < descriptor.option_count; ++i) {
    const gmem_pass_option_t &option = descriptor.options[i];
    bool isChosen =
        more && more->chosen && StringRef(option.name) == "algorithm";
    options.push_back(std::make_unique<OptionT>(
        owner, option.name, llvm::cl::desc(option.help),
        llvm::cl::ValueOptional,
        llvm::cl::init(isChosen ? more->chosen->name : option.default_value)));
  }
}

// The stated options that |receiver| has as well, as text.
template <typename OptionT>
std::string forwarded(const std::vector<std::unique_ptr<OptionT>> &options,
                      const gmem_pass_descriptor_t *receiver) {
  std::string text;
  for (auto &option : options)
    if (receiver && option->getNumOccurrences() &&
        gmem_pass_has_option(receiver, option->getArgStr().str().c_str()))
      text +=
          option->getValue().empty()
              ? (option->getArgStr() + " ").str()
              : (option->getArgStr() + "={" + option->getValue() + "} ").str();
  return text;
}

using ErrorFn = llvm::function_ref<LogicalResult(const Twine &)>;

// The bytes of |text| up to a space that is not in braces or quotes.
size_t valueLength(StringRef text) {
  int depth = 0;
  char quote = 0;
  size_t i = 0;
  for (; i < text.size() && (text[i] != ' ' || depth || quote); ++i) {
    if (quote)
      quote = text[i] == quote ? 0 : quote;
    else if (text[i] == '\'' || text[i] == '"')
      quote = text[i];
    else
      depth += (text[i] == '{') - (text[i] == '}');
  }
  return i;
}

// Fails if |text| states an option that |descriptor| lacks. MLIR would not say
// of which pass.
LogicalResult checkOptions(const gmem_pass_descriptor_t &descriptor,
                           StringRef text, ErrorFn onError) {
  while (!(text = text.ltrim()).empty()) {
    StringRef name = text.substr(0, text.find_first_of(" ="));
    gmem_nearest_t nearest = {nullptr, gmem_slip_limit(name.size())};
    for (size_t i = 0; i < descriptor.option_count; ++i)
      gmem_nearest_try(&nearest, name.data(), name.size(),
                       descriptor.options[i].name);
    if (!nearest.found)
      return onError(Twine(descriptor.name) + ": no such option " + name +
                     " (docs/passes.md lists them)");
    if (nearest.least)
      return onError(Twine(descriptor.name) + ": no such option " + name +
                     ": did you mean '" + nearest.found + "'?");
    text = text.drop_front(valueLength(text));
  }
  return success();
}

// One entry of the table as a pass.
class TablePass : public Pass {
public:
  TablePass(const gmem_pass_descriptor_t &descriptor, TypeID id,
            const gmem_more_algorithms_t *more)
      : Pass(id, "builtin.module"), descriptor(descriptor), id(id), more(more),
        statedFor(descriptor.name) {
    addOptions(*this, options, descriptor, more);
  }

  // Errors about options name |pipeline|, for which they were stated.
  void setPipeline(const char *pipeline) { statedFor = pipeline; }

  LogicalResult initializeOptions(StringRef text, ErrorFn onError) override {
    return failed(checkOptions(descriptor, text, onError))
               ? failure()
               : Pass::initializeOptions(text, onError);
  }

  StringRef getName() const override { return descriptor.name; }
  StringRef getArgument() const override { return descriptor.name; }
  StringRef getDescription() const override { return descriptor.summary; }

protected:
  bool canScheduleOn(RegisteredOperationName name) const override {
    return name.getStringRef() == "builtin.module";
  }

  std::unique_ptr<Pass> clonePass() const override {
    auto clone = std::make_unique<TablePass>(descriptor, id, more);
    clone->copyOptionValuesFrom(this);
    clone->parsed = parsed; // clones are made after initialize, too
    clone->statedFor = statedFor;
    return clone;
  }

  // Reports invalid option values before any pass runs.
  LogicalResult initialize(MLIRContext *context) override {
    for (const char *const *name = descriptor.dialects; name && *name; ++name)
      context->getOrLoadDialect(*name); // the pass reports failures
    gmem_plan_options_init(&parsed);
    parsed.more = more;
    parsed.previous_reader = planReader;
    for (auto &option : options) {
      gmem_diag_t diag;
      if (gmem_plan_options_set(&parsed, option->getArgStr().str().c_str(),
                                option->getValue().c_str(), &diag) != GMEM_OK)
        return emitError(UnknownLoc::get(context))
               << statedFor << ": " << diag.text;
    }
    // Those of the pipelines that it runs.
    for (const char *const *name = gmem_report_ranks_dialects;
         *name && parsed.ranks[0]; ++name)
      context->getOrLoadDialect(*name);
    gmem_diag_t diag;
    const std::string &phases = debugPhases();
    if (!parsed.debug && gmem_plan_options_set(&parsed, "debug", phases.c_str(),
                                               &diag) != GMEM_OK)
      return emitError(UnknownLoc::get(context)) << "--gmem-" << diag.text;
    return success();
  }

  void runOnOperation() override {
    std::string stated;
    if (parsed.ranks[0])
      stated = forwarded(options, gmem_pass_find("gmem-shard-and-plan"));
    parsed.stated = stated.c_str();
    if (descriptor.run(wrap(getOperation()), &parsed, nullptr, nullptr) !=
        GMEM_OK)
      signalPassFailure();
    if (!gmem_pass_needs_verifier(&descriptor, &parsed))
      markAllAnalysesPreserved();
  }

private:
  const gmem_pass_descriptor_t &descriptor;
  TypeID id;
  const gmem_more_algorithms_t *more;
  const char *statedFor; // a name in the table
  std::vector<std::unique_ptr<Option<std::string>>> options;
  gmem_plan_options_t parsed;
};

// The options of a pipeline entry of the table.
struct TableOptions : public detail::PassOptions {
  explicit TableOptions(const gmem_pass_descriptor_t &descriptor) {
    addOptions(*this, values, descriptor, nullptr);
  }
  std::vector<std::unique_ptr<Option<std::string>>> values;
};

TypeID idOf(const gmem_pass_descriptor_t &descriptor) {
  static TypeIDAllocator allocator;
  static llvm::StringMap<TypeID> ids;
  auto found = ids.find(descriptor.name);
  if (found == ids.end())
    found = ids.insert({descriptor.name, allocator.allocate()}).first;
  return found->second;
}

// Sets |passes| to those of |step|, with option values substituted for $OPTION,
// or to "" when |options| do not select it.
LogicalResult passesOf(const gmem_pass_descriptor_t &pipeline,
                       const gmem_pipeline_step_t &step,
                       const TableOptions &options, std::string &passes,
                       ErrorFn onError) {
  bool isTaken = !step.option;
  passes = step.passes;
  for (auto &value : options.values) {
    StringRef name = value->getArgStr(), text = value->getValue();
    auto refuse = [&](StringRef what) {
      return onError(Twine(pipeline.name) + ": " + name + "='" + text +
                     "' is " + what);
    };
    if (step.option && name == step.option &&
        !gmem_flag_find(value->getValue().c_str(), &isTaken))
      return refuse("neither true nor false");
    std::string placeholder = ("$" + name).str();
    bool isFlag, isNumber = !text.empty() && llvm::all_of(text, llvm::isDigit);
    for (size_t at; (at = passes.find(placeholder)) != std::string::npos;) {
      if (!isNumber && !gmem_flag_find(value->getValue().c_str(), &isFlag))
        return refuse("neither a number nor a flag");
      passes.replace(at, placeholder.size(), text);
    }
  }
  if (!isTaken)
    passes.clear();
  return success();
}

LogicalResult buildPipeline(const gmem_pass_descriptor_t &pipeline,
                            OpPassManager &manager, StringRef text,
                            ErrorFn onError) {
  std::optional<StringRef> anchor = manager.getOpName();
  if (anchor && *anchor != "builtin.module")
    return onError(Twine(pipeline.name) + " runs on builtin.module, not on " +
                   *anchor);
  if (failed(checkOptions(pipeline, text, onError)))
    return failure();
  TableOptions options(pipeline);
  std::string message;
  llvm::raw_string_ostream stream(message);
  if (failed(options.parseFromString(text, stream)))
    return onError(message);
  size_t before = manager.size();
  for (auto *step = pipeline.steps; step->passes; ++step) {
    std::string passes;
    if (failed(passesOf(pipeline, *step, options, passes, onError)))
      return failure();
    if (!passes.empty() && failed(parsePassPipeline(passes, manager, stream)))
      return onError(Twine(pipeline.name) + " cannot be built: " + message);
  }
  for (Pass &pass : llvm::drop_begin(manager.getPasses(), before)) {
    const gmem_pass_descriptor_t *entry =
        gmem_pass_find(pass.getArgument().str().c_str());
    if (!entry)
      continue; // of MLIR, or passes of functions
    static_cast<TablePass &>(pass).setPipeline(pipeline.name);
    std::string own = forwarded(options.values, entry);
    if (!own.empty() && failed(pass.initializeOptions(own, onError)))
      return failure();
  }
  return success();
}

void registerPipeline(const gmem_pass_descriptor_t &descriptor) {
  registerPassPipeline(
      descriptor.name, descriptor.summary,
      [&](OpPassManager &manager, StringRef text, ErrorFn onError) {
        return buildPipeline(descriptor, manager, text, onError);
      },
      [&](llvm::function_ref<void(const detail::PassOptions &)> visit) {
        visit(TableOptions(descriptor));
      });
}

} // namespace

extern "C" void gmem_register_passes_with(const gmem_more_algorithms_t *more) {
  debugPhases(); // known before the command line is parsed
  for (size_t i = 0; i < gmem_pass_count(); ++i) {
    const gmem_pass_descriptor_t &descriptor = *gmem_pass_at(i);
    if (descriptor.steps)
      registerPipeline(descriptor);
    else
      registerPass([&descriptor, more]() -> std::unique_ptr<Pass> {
        return std::make_unique<TablePass>(descriptor, idOf(descriptor), more);
      });
  }
}

extern "C" void gmem_register_plan_reader(gmem_plan_reader_fn *reader) {
  planReader = reader;
}

extern "C" void gmem_register_passes(void) {
  gmem_register_passes_with(nullptr);
}
