/* SPDX-License-Identifier: BSD-3-Clause
 * One MPI_Allgather of blocks of argv[1] bytes: run by SMPI or a real MPI to compare with `sim`.
 * argv[2] "shared": all ranks receive into one buffer, for simulators that run them in one
 * process, where separate results would not fit. */
#include <mpi.h>
#include <stdlib.h>
#include <string.h>

static char* shared;

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  const size_t bytes = argc > 1 ? strtoul(argv[1], NULL, 10) : 64;
  const int is_shared = argc > 2 && strcmp(argv[2], "shared") == 0;
  int procs = 1;
  MPI_Comm_size(MPI_COMM_WORLD, &procs);
  char* block = calloc(bytes + 1, 1);
  char* result = shared;
  if (result == NULL) result = calloc(bytes * (size_t)procs + 1, 1);
  if (is_shared) shared = result;
  MPI_Allgather(block, (int)bytes, MPI_BYTE, result, (int)bytes, MPI_BYTE, MPI_COMM_WORLD);
  if (!is_shared) free(result);
  free(block);
  MPI_Finalize();
  return 0;
}
