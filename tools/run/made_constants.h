// made_constants.h - constants of a program that functions make
// (gmem.transform): the functions are in the libraries of --library.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef GMEM_TOOLS_MADE_CONSTANTS_H_
#define GMEM_TOOLS_MADE_CONSTANTS_H_

#include "command_line.h"
#include "gmem/passes.h"

// Whether |module| has globals with gmem.transform.
bool gmem_has_made_constants(MlirModule module);

// Writes the constant |buffer|, which is GMEM_PLANNED_TRANSFORMED, to the
// zeroed bytes at |dst|. Each function of the chain is a gmem_transform_fn
// (gmem/transforms.h) of its name in one of |libraries|, and gets NULL as its
// user. Fails with NOT_FOUND if none has it, with the status of a function, and
// when the source is unknown.
gmem_status_t gmem_made_constant_write(const gmem_planned_t *planned,
                                       uint32_t buffer,
                                       const gmem_text_list_t *libraries,
                                       void *dst, gmem_diag_t *diag);

// Gives the globals with gmem.transform in |module| the contents that functions
// make: |planned| is a plan of |program|, which has the same globals. Prints a
// message on failure.
gmem_status_t gmem_made_constants_store(MlirModule module,
                                        const gmem_planned_t *planned,
                                        MlirModule program,
                                        const gmem_text_list_t *libraries);

#endif // GMEM_TOOLS_MADE_CONSTANTS_H_
