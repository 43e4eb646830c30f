// machine_input.c - see machine_input.h.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "machine_input.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "mlir-c/RegisterEverything.h"

char *machine_read_file(const char *path, size_t *size) {
  FILE *file = strcmp(path, "-") == 0 ? stdin : fopen(path, "rb");
  size_t room = 1 << 16;
  char *text = malloc(room);
  *size = 0;
  while (file && text) {
    *size += fread(text + *size, 1, room - *size, file);
    if (*size < room)
      break;
    room *= 2;
    char *larger = realloc(text, room);
    if (!larger)
      free(text);
    text = larger;
  }
  if (!file || !text || ferror(file)) {
    fprintf(stderr, "error: cannot read %s\n", path);
    exit(2);
  }
  if (file != stdin)
    fclose(file);
  return text;
}

MlirContext machine_make_context(void) {
  MlirDialectRegistry registry = mlirDialectRegistryCreate();
  mlirRegisterAllDialects(registry);
  MlirContext context =
      mlirContextCreateWithRegistry(registry, /*threadingEnabled=*/false);
  mlirDialectRegistryDestroy(registry);
  mlirContextSetAllowUnregisteredDialects(context, true);
  return context;
}
