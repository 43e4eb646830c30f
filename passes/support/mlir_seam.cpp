// mlir_seam.cpp - functions that the passes need and the MLIR C API lacks:
// diagnostics with notes, all symbol references of an op, raw element bytes.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mlir_seam.h"

#include "mlir/CAPI/IR.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/DialectResourceBlobManager.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;

extern "C" void gmem_emit(gmem_severity_t severity, MlirLocation location,
                          const char *text, const gmem_note_t *notes,
                          size_t noteCount) {
  InFlightDiagnostic diagnostic = severity == GMEM_SEVERITY_ERROR
                                      ? emitError(unwrap(location))
                                      : emitRemark(unwrap(location));
  diagnostic << text;
  for (size_t i = 0; i < noteCount; ++i)
    diagnostic.attachNote(unwrap(notes[i].location)) << notes[i].text;
}

extern "C" void gmem_print(const char *bytes, size_t length) {
  llvm::errs().write(bytes, length);
}

extern "C" void gmem_for_each_symbol(MlirOperation op, gmem_symbol_fn visit,
                                     void *user) {
  unwrap(op)->getAttrDictionary().walk<WalkOrder::PreOrder>(
      [&](SymbolRefAttr reference) {
        if (reference.getNestedReferences().empty()) {
          StringRef name = reference.getRootReference().getValue();
          visit(mlirStringRefCreate(name.data(), name.size()), user);
        }
        return WalkResult::skip();
      });
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

extern "C" bool gmem_is_isolated(MlirOperation op) {
  return unwrap(op)->hasTrait<OpTrait::IsIsolatedFromAbove>();
}
