// text_table.h - text tables with aligned columns.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef GMEM_TOOLS_TEXT_TABLE_H_
#define GMEM_TOOLS_TEXT_TABLE_H_

#include <stdbool.h>
#include <stddef.h>

enum { GMEM_TABLE_COLUMNS = 8, GMEM_CELL_BYTES = 40 };

typedef struct gmem_table_row_s {
  char *name; // the first cell; owned
  char *note; // replaces the other cells, or NULL; owned
  char cells[GMEM_TABLE_COLUMNS][GMEM_CELL_BYTES];
  size_t cell_count;
} gmem_table_row_t;

// The first column is left-aligned, the others are right-aligned.
typedef struct gmem_table_s {
  gmem_table_row_t *rows;
  size_t count, capacity;
  bool is_short; // out of memory: rows are missing
} gmem_table_t;

// Adds a row. If out of memory, sets |is_short| and returns NULL, which the
// other functions accept.
gmem_table_row_t *gmem_table_add(gmem_table_t *table, const char *name);

// Appends a cell, formatted like printf.
__attribute__((format(printf, 2, 3))) void
gmem_table_cell(gmem_table_row_t *row, const char *format, ...);

// Sets text that replaces all cells.
void gmem_table_note(gmem_table_t *table, gmem_table_row_t *row,
                     const char *text);

// Prints the table on standard output and frees it. Returns false if rows are
// missing (out of memory).
bool gmem_table_print(gmem_table_t *table);

#endif // GMEM_TOOLS_TEXT_TABLE_H_
