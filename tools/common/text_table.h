// text_table.h - tables for people: columns as wide as their widest cell.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef GMEM_TOOLS_TEXT_TABLE_H_
#define GMEM_TOOLS_TEXT_TABLE_H_

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

enum { GMEM_TABLE_COLUMNS = 8, GMEM_CELL_BYTES = 40 };

typedef struct gmem_table_row_s {
  char *name; // the first cell; owned
  char *note; // instead of the other cells, or NULL; owned
  char cells[GMEM_TABLE_COLUMNS][GMEM_CELL_BYTES];
  size_t cell_count;
} gmem_table_row_t;

// The first column is on the left, the others are numbers on the right.
typedef struct gmem_table_s {
  gmem_table_row_t *rows;
  size_t count, capacity;
  bool is_short; // of memory: some rows are not there
} gmem_table_t;

// Begins a row. On lack of memory the table remembers it, and the row that is
// returned is NULL, which the other functions accept.
gmem_table_row_t *gmem_table_add(gmem_table_t *table, const char *name);

// One more cell, as printf makes it.
__attribute__((format(printf, 2, 3))) void
gmem_table_cell(gmem_table_row_t *row, const char *format, ...);

// Text in the place of all cells.
void gmem_table_note(gmem_table_t *table, gmem_table_row_t *row,
                     const char *text);

// Prints the table; false when some rows are not there.
bool gmem_table_print(const gmem_table_t *table, FILE *file);
void gmem_table_free(gmem_table_t *table);

#endif // GMEM_TOOLS_TEXT_TABLE_H_
