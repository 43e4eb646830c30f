// replay.c - feeds every file of the folders given on the command line to a
// fuzz target's entry point, so that the corpus is an ordinary test.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <dirent.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

// What libFuzzer gives to targets with a mutator of their own, which nobody
// calls here.
size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t room);

size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t room) {
  (void)data, (void)room;
  return size;
}

// Returns whether the file could be read.
static int replay_file(const char *path) {
  FILE *file = fopen(path, "rb");
  if (!file)
    return 0;
  fseek(file, 0, SEEK_END);
  long size = ftell(file);
  rewind(file);
  uint8_t *data = size >= 0 ? malloc((size_t)size + 1) : NULL;
  int read = data && fread(data, 1, (size_t)size, file) == (size_t)size;
  fclose(file);
  if (read) {
    // An exact-size copy, so that a sanitizer sees a read past the end.
    uint8_t *exact = malloc((size_t)size ? (size_t)size : 1);
    if (exact) {
      memcpy(exact, data, (size_t)size);
      LLVMFuzzerTestOneInput(exact, (size_t)size);
      free(exact);
    }
  }
  free(data);
  return read;
}

static int replay_folder(const char *folder) {
  DIR *dir = opendir(folder);
  if (!dir)
    return 0;
  int files = 0;
  for (struct dirent *entry; (entry = readdir(dir));) {
    char path[4096];
    snprintf(path, sizeof path, "%s/%s", folder, entry->d_name);
    if (entry->d_name[0] != '.')
      files += replay_file(path);
  }
  closedir(dir);
  return files;
}

int main(int argc, char **argv) {
  int files = 0;
  for (int i = 1; i < argc; ++i)
    files += replay_folder(argv[i]);
  fprintf(stderr, "%d files replayed\n", files);
  return files == 0; // an empty corpus tests nothing
}
