// text_table.c - text tables with aligned columns.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "text_table.h"

#include <assert.h>
#include <ctype.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// Replaces control characters: names from files must not send escape sequences
// to a terminal.
static char *copy_text(gmem_table_t *table, const char *text) {
  size_t size = strlen(text) + 1;
  char *copy = malloc(size);
  for (size_t i = 0; copy && i < size; ++i)
    copy[i] = text[i] && iscntrl((unsigned char)text[i]) ? '?' : text[i];
  if (!copy)
    table->is_short = true;
  return copy;
}

static bool reserve(gmem_table_t *table) {
  if (table->count < table->capacity)
    return true;
  size_t capacity = table->capacity ? 2 * table->capacity : 16;
  gmem_table_row_t *grown = realloc(table->rows, capacity * sizeof *grown);
  if (!grown)
    return false;
  table->rows = grown;
  table->capacity = capacity;
  return true;
}

gmem_table_row_t *gmem_table_add(gmem_table_t *table, const char *name) {
  char *copy = copy_text(table, name);
  if (!copy || !reserve(table)) {
    table->is_short = true;
    free(copy);
    return NULL;
  }
  gmem_table_row_t *row = &table->rows[table->count++];
  *row = (gmem_table_row_t){.name = copy};
  return row;
}

void gmem_table_cell(gmem_table_row_t *row, const char *format, ...) {
  if (!row || row->cell_count == GMEM_TABLE_COLUMNS)
    return;
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(row->cells[row->cell_count++], GMEM_CELL_BYTES, format, arguments);
  va_end(arguments);
}

void gmem_table_note(gmem_table_t *table, gmem_table_row_t *row,
                     const char *text) {
  if (row && !row->note)
    row->note = copy_text(table, text);
}

static void grow_to(int *width, const char *text) {
  int length = (int)strlen(text);
  if (length > *width)
    *width = length;
}

static void print_row(const gmem_table_row_t *row, int name_width,
                      const int *widths) {
  printf("%-*s", name_width, row->name);
  if (row->note)
    printf("  %s", row->note);
  for (size_t k = 0; !row->note && k < row->cell_count; ++k)
    printf("  %*s", widths[k], row->cells[k]);
  putchar('\n');
}

bool gmem_table_print(gmem_table_t *table) {
  int name_width = 0, widths[GMEM_TABLE_COLUMNS] = {0};
  bool is_whole = !table->is_short;
  for (size_t i = 0; i < table->count; ++i) {
    grow_to(&name_width, table->rows[i].name);
    assert(table->rows[i].cell_count <= GMEM_TABLE_COLUMNS);
    for (size_t k = 0; k < table->rows[i].cell_count; ++k)
      grow_to(&widths[k], table->rows[i].cells[k]);
  }
  for (size_t i = 0; i < table->count; ++i) {
    print_row(&table->rows[i], name_width, widths);
    free(table->rows[i].name);
    free(table->rows[i].note);
  }
  free(table->rows);
  *table = (gmem_table_t){0};
  return is_whole;
}
