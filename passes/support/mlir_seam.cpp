// mlir_seam.cpp - functions that the passes need and the MLIR C API lacks:
// diagnostics with notes, all symbol references of an op, raw element bytes;
// and functions of MLIR 22's C API for older releases.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mlir_seam.h"

#include <cassert>
#include <iterator>
#include <optional>

#include "mlir/CAPI/IR.h"
#include "mlir/CAPI/Support.h"
#include "mlir/IR/AttrTypeSubElements.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/DialectResourceBlobManager.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Parser/Parser.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;

extern "C" void gmem_emit(gmem_severity_t severity, MlirLocation location,
                          const char *text, const gmem_note_t *notes,
                          size_t noteCount) {
  InFlightDiagnostic diagnostic =
      severity == GMEM_SEVERITY_ERROR     ? emitError(unwrap(location))
      : severity == GMEM_SEVERITY_WARNING ? emitWarning(unwrap(location))
                                          : emitRemark(unwrap(location));
  diagnostic << Twine(text); // a copy, as handlers may keep it
  for (size_t i = 0; i < noteCount; ++i)
    diagnostic.attachNote(unwrap(notes[i].location)) << Twine(notes[i].text);
}

extern "C" void gmem_print(const char *bytes, size_t length) {
  llvm::errs().write(bytes, length);
}

// Whether the attribute contains no others and no types but numbers, texts and
// lists of them: most are such, and a walk that remembers what it has seen is
// slow. What is nested more deeply is walked.
static bool isPlain(Attribute attribute, int depth = 0) {
  enum { MOST_NESTING = 3 };
  if (isa<UnitAttr, DenseArrayAttr>(attribute))
    return true;
  if (auto text = dyn_cast<StringAttr>(attribute))
    return isa<NoneType>(text.getType());
  if (auto number = dyn_cast<IntegerAttr>(attribute))
    return isa<IntegerType, IndexType>(number.getType());
  if (isa<SymbolRefAttr>(attribute) || depth == MOST_NESTING)
    return false;
  auto isNestedPlain = [&](Attribute nested) {
    return isPlain(nested, depth + 1);
  };
  if (auto list = dyn_cast<ArrayAttr>(attribute))
    return llvm::all_of(list, isNestedPlain);
  if (auto entries = dyn_cast<DictionaryAttr>(attribute))
    return llvm::all_of(entries, [&](NamedAttribute entry) {
      return isNestedPlain(entry.getValue());
    });
  bool isGood = true;
  attribute.walkImmediateSubElements(
      [&](Attribute nested) { isGood = isGood && isPlain(nested, depth + 1); },
      [&](Type type) {
        isGood = isGood && isa<IntegerType, IndexType, FloatType>(type);
      });
  return isGood;
}

// The same, of attributes of which many are equal.
static bool isPlain(Attribute attribute, gmem_plain_seen_t *seen) {
  const void *key = attribute.getAsOpaquePointer();
  const void *&slot = seen->attributes[gmem_seen_slot(key)];
  if (slot == key)
    return true;
  if (!isPlain(attribute))
    return false;
  slot = key;
  return true;
}

extern "C" void gmem_for_each_symbol(MlirOperation op, gmem_symbol_fn visit,
                                     void *user) {
  gmem_plain_seen_t seen = {};
  gmem_for_each_symbol_of_each(op, &seen, visit, user);
}

// The properties of an op that is not registered, which are one attribute, as a
// rule a dictionary; null if it has none.
static Attribute unregisteredProperties(Operation *op) {
  OpaqueProperties stored = op->getPropertiesStorage();
  return stored && !op->isRegistered() ? *stored.as<Attribute *>() : nullptr;
}

// Does not make a dictionary of properties and other attributes together.
extern "C" void gmem_for_each_symbol_of_each(MlirOperation op,
                                             gmem_plain_seen_t *seen,
                                             gmem_symbol_fn visit, void *user) {
  SmallVector<NamedAttribute> found;
  auto isFound = [seen](NamedAttribute named) {
    return !isPlain(named.getValue(), seen);
  };
  llvm::copy_if(unwrap(op)->getRawDictionaryAttrs(), std::back_inserter(found),
                isFound);
  OperationName type = unwrap(op)->getName();
  if (unwrap(op)->getPropertiesStorageSize() && type.isRegistered())
    for (StringAttr name : type.getAttributeNames())
      if (Attribute value = unwrap(op)->getInherentAttr(name).value_or(nullptr);
          value && !isPlain(value, seen))
        found.emplace_back(name, value);
  if (Attribute all = unregisteredProperties(unwrap(op));
      all && !isPlain(all, seen))
    found.emplace_back(StringAttr::get(all.getContext()), all);
  llvm::sort(found); // as in a dictionary
  std::optional<AttrTypeWalker> walker;
  for (NamedAttribute named : found) {
    if (!walker) {
      walker.emplace();
      walker->addWalk([&](SymbolRefAttr reference) {
        if (reference.getNestedReferences().empty()) {
          StringRef name = reference.getRootReference().getValue();
          visit(mlirStringRefCreate(name.data(), name.size()), user);
        }
        return WalkResult::skip();
      });
    }
    walker->walk<WalkOrder::PreOrder>(named.getValue());
  }
}

// The number of |name| in |names|, or their |count|.
static size_t numberOf(StringAttr name, const MlirIdentifier *names,
                       size_t count) {
  size_t number = 0;
  while (number < count && unwrap(names[number]) != name)
    ++number;
  return number;
}

extern "C" void gmem_set_attributes(MlirOperation op,
                                    const MlirIdentifier *names,
                                    const MlirAttribute *values, size_t count) {
  SmallVector<NamedAttribute, 16> all;
  DictionaryAttr old = unwrap(op)->getRawDictionaryAttrs();
  for (NamedAttribute attribute : old)
    if (numberOf(attribute.getName(), names, count) == count)
      all.push_back(attribute);
  bool isSorted = all.empty(); // |names| are
  for (size_t i = 0; i < count; ++i)
    if (unwrap(values[i]))
      all.emplace_back(unwrap(names[i]), unwrap(values[i]));
  if (!isSorted)
    llvm::sort(all);
  assert(llvm::is_sorted(all));
  if (old.getValue() != ArrayRef<NamedAttribute>(all))
    unwrap(op)->setDiscardableAttrs(
        DictionaryAttr::getWithSorted(unwrap(op)->getContext(), all));
}

extern "C" void gmem_get_attributes(MlirOperation op,
                                    const MlirIdentifier *names,
                                    MlirAttribute *values, size_t count) {
  std::fill_n(values, count, MlirAttribute{nullptr});
  for (NamedAttribute attribute : unwrap(op)->getRawDictionaryAttrs()) {
    size_t number = numberOf(attribute.getName(), names, count);
    if (number < count)
      values[number] = wrap(attribute.getValue());
  }
}

extern "C" uint64_t gmem_may_have_attributes(MlirOperation op,
                                             gmem_name_set_t *set) {
  OperationName type = unwrap(op)->getName();
  uint64_t found = 0, all = (UINT64_C(1) << set->count) - 1;
  auto add = [&](StringAttr name) {
    const void *key = name.getAsOpaquePointer();
    size_t slot = gmem_seen_slot(key);
    if (set->seen[slot] != key) {
      set->seen[slot] = key;
      set->numbers[slot] =
          static_cast<uint8_t>(numberOf(name, set->names, set->count));
    }
    found |= UINT64_C(1) << set->numbers[slot];
  };
  for (NamedAttribute attribute : unwrap(op)->getRawDictionaryAttrs())
    add(attribute.getName());
  if (!type.isRegistered())
    return unregisteredProperties(unwrap(op)) ? all : found & all;
  for (StringAttr name : type.getAttributeNames())
    add(name);
  return found & all;
}

extern "C" gmem_status_t gmem_walk(MlirOperation op, gmem_visit_fn visit,
                                   void *user) {
  gmem_status_t status = GMEM_OK;
  unwrap(op)->walk<WalkOrder::PreOrder>([&](Operation *nested) {
    status = visit(wrap(nested), user);
    return status == GMEM_OK ? WalkResult::advance() : WalkResult::interrupt();
  });
  return status;
}

extern "C" void gmem_erase_unreachable_blocks(MlirOperation op) {
  for (Region &region : unwrap(op)->getRegions()) {
    llvm::SmallPtrSet<Block *, 16> reached;
    SmallVector<Block *> open;
    if (!region.empty())
      open.push_back(&region.front());
    while (!open.empty()) {
      Block *block = open.pop_back_val();
      if (reached.insert(block).second)
        llvm::append_range(open, block->getSuccessors());
    }
    for (Block &block : llvm::make_early_inc_range(region)) {
      if (reached.contains(&block))
        continue;
      block.dropAllDefinedValueUses();
      block.dropAllUses();
      block.erase();
    }
  }
}

// A visit of attributes "gmem.*".
struct OwnVisit {
  gmem_attribute_fn visit;
  void *user;
  // Names that are not visited again, by their address in the context; null:
  // all are.
  const void **seen;
  gmem_own_attribute_t own;
};

// Visits those of one dictionary of |visit->own.op|.
static gmem_status_t visitOwn(OwnVisit *visit, DictionaryAttr all) {
  for (NamedAttribute attribute : all) {
    const void *key = attribute.getName().getAsOpaquePointer();
    if (visit->seen && visit->seen[gmem_seen_slot(key)] == key)
      continue;
    StringRef name = attribute.getName().getValue();
    if (name.starts_with("gmem.")) {
      visit->own.name = mlirStringRefCreate(name.data(), name.size());
      visit->own.value = wrap(attribute.getValue());
      if (gmem_status_t status = visit->visit(&visit->own, visit->user))
        return status;
    }
    if (visit->seen)
      visit->seen[gmem_seen_slot(key)] = key;
  }
  return GMEM_OK;
}

// The same for the arguments or results of the function that the op defines.
static gmem_status_t visitLists(OwnVisit *visit, gmem_holder_t holder,
                                StringRef list) {
  auto all = unwrap(visit->own.op)->getAttrOfType<ArrayAttr>(list);
  visit->own.holder = holder;
  visit->own.number = 0;
  if (!all)
    return GMEM_OK;
  for (Attribute one : all) {
    if (auto dictionary = dyn_cast<DictionaryAttr>(one))
      if (gmem_status_t status = visitOwn(visit, dictionary))
        return status;
    ++visit->own.number;
  }
  return GMEM_OK;
}

static gmem_status_t visitProperties(const OwnVisit *visit) {
  auto all = dyn_cast_or_null<DictionaryAttr>(
      unregisteredProperties(unwrap(visit->own.op)));
  OwnVisit each = {visit->visit, visit->user, nullptr, visit->own};
  each.own.holder = GMEM_HOLDER_PROPERTIES;
  return all ? visitOwn(&each, all) : GMEM_OK;
}

static gmem_status_t visitAll(MlirOperation op, OwnVisit *visit) {
  gmem_status_t status = GMEM_OK;
  unwrap(op)->walk<WalkOrder::PreOrder>([&](Operation *nested) {
    visit->own = {};
    visit->own.op = wrap(nested);
    visit->own.holder = GMEM_HOLDER_OP;
    status = visitOwn(visit, nested->getRawDictionaryAttrs());
    if (status == GMEM_OK && visit->seen)
      status = visitProperties(visit);
    // Functions have no operands and results.
    bool mayBeFunction = nested->getNumRegions() == 1 &&
                         !nested->getNumOperands() && !nested->getNumResults();
    if (status == GMEM_OK && mayBeFunction)
      status = visitLists(visit, GMEM_HOLDER_ARGUMENT, "arg_attrs");
    if (status == GMEM_OK && mayBeFunction)
      status = visitLists(visit, GMEM_HOLDER_RESULT, "res_attrs");
    return status == GMEM_OK ? WalkResult::advance() : WalkResult::interrupt();
  });
  return status;
}

extern "C" gmem_status_t gmem_for_each_own_attribute(MlirOperation op,
                                                     gmem_attribute_fn visit,
                                                     void *user) {
  OwnVisit all = {visit, user, nullptr, {}};
  return visitAll(op, &all);
}

extern "C" gmem_status_t
gmem_for_each_own_name(MlirOperation op, gmem_attribute_fn visit, void *user) {
  const void *seen[GMEM_SEEN] = {};
  OwnVisit first = {visit, user, seen, {}};
  return visitAll(op, &first);
}

static gmem_attr_t findName(StringRef name) {
  int found = 0;
  while (found < GMEM_ATTR_COUNT &&
         name != unwrap(gmem_attr_name(static_cast<gmem_attr_t>(found))))
    ++found;
  return static_cast<gmem_attr_t>(found);
}

extern "C" MlirAttribute gmem_all_attributes(MlirOperation op) {
  NamedAttrList all(unwrap(op)->getAttrDictionary());
  if (auto properties =
          dyn_cast_or_null<DictionaryAttr>(unregisteredProperties(unwrap(op))))
    for (NamedAttribute property : properties)
      all.set(property.getName(), property.getValue());
  return wrap(all.getDictionary(unwrap(op)->getContext()));
}

extern "C" uint64_t gmem_own_attributes(MlirOperation op,
                                        gmem_names_seen_t *seen) {
  static_assert(GMEM_ATTR_COUNT < 64, "each attribute has a bit");
  uint64_t found = 0;
  for (NamedAttribute attribute : unwrap(op)->getRawDictionaryAttrs()) {
    StringAttr name = attribute.getName();
    const void *key = name.getAsOpaquePointer();
    size_t slot = gmem_seen_slot(key);
    if (seen->names[slot] != key) {
      seen->names[slot] = key;
      seen->attributes[slot] = findName(name.getValue());
    }
    found |= UINT64_C(1) << seen->attributes[slot];
  }
  return found & ~(UINT64_C(1) << GMEM_ATTR_COUNT);
}

extern "C" bool gmem_elements_bytes(MlirAttribute elements,
                                    MlirStringRef *outBytes, bool *isSplat) {
  ArrayRef<char> bytes;
  *isSplat = false;
  if (auto dense = dyn_cast<DenseIntOrFPElementsAttr>(unwrap(elements))) {
    bytes = dense.getRawData();
    *isSplat = dense.isSplat();
  } else if (auto dense =
                 dyn_cast<DenseResourceElementsAttr>(unwrap(elements))) {
    if (AsmResourceBlob *blob = dense.getRawHandle().getBlob())
      bytes = blob->getData();
  }
  *outBytes = mlirStringRefCreate(bytes.data(), bytes.size());
  return !bytes.empty();
}

template <typename T> static MlirAttribute expand(SparseElementsAttr sparse) {
  llvm::SmallVector<T> values;
  values.reserve(static_cast<size_t>(sparse.getNumElements()));
  for (T value : sparse.getValues<T>())
    values.push_back(value);
  return wrap(DenseElementsAttr::get(sparse.getType(), values));
}

extern "C" MlirAttribute gmem_elements_expand(MlirAttribute elements) {
  auto sparse = dyn_cast<SparseElementsAttr>(unwrap(elements));
  if (!sparse || !sparse.getType().hasStaticShape())
    return elements;
  Type element = sparse.getElementType();
  if (element.isIntOrIndex())
    return expand<llvm::APInt>(sparse);
  if (isa<FloatType>(element))
    return expand<llvm::APFloat>(sparse);
  return elements; // of complex numbers, or strings
}

extern "C" bool gmem_may_write_operand(MlirOperation op, intptr_t number) {
  auto listed = llvm::dyn_cast<mlir::MemoryEffectOpInterface>(unwrap(op));
  if (!listed)
    return true;
  llvm::SmallVector<mlir::MemoryEffects::EffectInstance> effects;
  listed.getEffects(effects);
  mlir::Value operand = unwrap(op)->getOperand(static_cast<unsigned>(number));
  for (const auto &effect : effects)
    if (!llvm::isa<mlir::MemoryEffects::Read>(effect.getEffect()) &&
        (!effect.getValue() || effect.getValue() == operand))
      return true;
  return false;
}

extern "C" bool gmem_has_no_effects(MlirOperation op) {
  WalkResult result = unwrap(op)->walk([](Operation *nested) {
    return nested->isRegistered() && isMemoryEffectFree(nested)
               ? WalkResult::advance()
               : WalkResult::interrupt();
  });
  return !result.wasInterrupted();
}

extern "C" bool gmem_may_speculate(MlirOperation op) {
  return !unwrap(op)->isRegistered() || isSpeculatable(unwrap(op));
}

extern "C" bool gmem_is_registered(MlirOperation op) {
  return unwrap(op)->isRegistered();
}

extern "C" bool gmem_is_isolated(MlirOperation op) {
  return unwrap(op)->hasTrait<OpTrait::IsIsolatedFromAbove>();
}

//===--- older releases ---------------------------------------------------===//

#if LLVM_VERSION_MAJOR < 22
#define GMEM_UNLESS_IN_MLIR extern "C" LLVM_ATTRIBUTE_WEAK

GMEM_UNLESS_IN_MLIR MlirLocation mlirValueGetLocation(MlirValue value) {
  return wrap(unwrap(value).getLoc());
}

GMEM_UNLESS_IN_MLIR bool mlirOperationIsBeforeInBlock(MlirOperation op,
                                                      MlirOperation other) {
  return unwrap(op)->isBeforeInBlock(unwrap(other));
}

GMEM_UNLESS_IN_MLIR intptr_t mlirBlockGetNumPredecessors(MlirBlock block) {
  Block *of = unwrap(block);
  return std::distance(of->pred_begin(), of->pred_end());
}

GMEM_UNLESS_IN_MLIR MlirBlock mlirBlockGetPredecessor(MlirBlock block,
                                                      intptr_t number) {
  return wrap(*std::next(unwrap(block)->pred_begin(), number));
}

GMEM_UNLESS_IN_MLIR uint64_t
mlirDenseElementsAttrGetIndexValue(MlirAttribute elements, intptr_t number) {
  return cast<DenseElementsAttr>(unwrap(elements))
      .getValues<uint64_t>()[static_cast<size_t>(number)];
}

GMEM_UNLESS_IN_MLIR MlirModule
mlirModuleCreateParseFromFile(MlirContext context, MlirStringRef path) {
  OwningOpRef<ModuleOp> module =
      parseSourceFile<ModuleOp>(unwrap(path), unwrap(context));
  return MlirModule{module.release().getOperation()};
}

// Ranges were single positions.
GMEM_UNLESS_IN_MLIR bool
mlirLocationIsAFileLineColRange(MlirLocation location) {
  return isa<FileLineColLoc>(unwrap(location));
}

GMEM_UNLESS_IN_MLIR MlirIdentifier
mlirLocationFileLineColRangeGetFilename(MlirLocation location) {
  return wrap(cast<FileLineColLoc>(unwrap(location)).getFilename());
}

GMEM_UNLESS_IN_MLIR int
mlirLocationFileLineColRangeGetStartLine(MlirLocation location) {
  auto position = dyn_cast<FileLineColLoc>(unwrap(location));
  return position ? static_cast<int>(position.getLine()) : -1;
}

GMEM_UNLESS_IN_MLIR int
mlirLocationFileLineColRangeGetStartColumn(MlirLocation location) {
  auto position = dyn_cast<FileLineColLoc>(unwrap(location));
  return position ? static_cast<int>(position.getColumn()) : -1;
}

GMEM_UNLESS_IN_MLIR bool mlirLocationIsACallSite(MlirLocation location) {
  return isa<CallSiteLoc>(unwrap(location));
}

GMEM_UNLESS_IN_MLIR MlirLocation
mlirLocationCallSiteGetCallee(MlirLocation location) {
  return wrap(cast<CallSiteLoc>(unwrap(location)).getCallee());
}

GMEM_UNLESS_IN_MLIR bool mlirLocationIsAFused(MlirLocation location) {
  return isa<FusedLoc>(unwrap(location));
}

GMEM_UNLESS_IN_MLIR unsigned
mlirLocationFusedGetNumLocations(MlirLocation location) {
  auto fused = cast<FusedLoc>(unwrap(location));
  return static_cast<unsigned>(fused.getLocations().size());
}

GMEM_UNLESS_IN_MLIR void mlirLocationFusedGetLocations(MlirLocation location,
                                                       MlirLocation *parts) {
  for (Location part : cast<FusedLoc>(unwrap(location)).getLocations())
    *parts++ = wrap(part);
}

GMEM_UNLESS_IN_MLIR bool mlirLocationIsAName(MlirLocation location) {
  return isa<NameLoc>(unwrap(location));
}

GMEM_UNLESS_IN_MLIR MlirIdentifier
mlirLocationNameGetName(MlirLocation location) {
  return wrap(cast<NameLoc>(unwrap(location)).getName());
}
#endif
