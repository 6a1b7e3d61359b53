/* SPDX-License-Identifier: BSD-3-Clause
 * One MPI_Bcast of argv[1] bytes from root argv[2]: run by SMPI or a real MPI to compare with
 * `sim`. */
#include <mpi.h>
#include <stdlib.h>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  const int bytes = argc > 1 ? atoi(argv[1]) : 1024;
  const int root = argc > 2 ? atoi(argv[2]) : 0;
  char* buffer = calloc(bytes > 0 ? bytes : 1, 1);
  MPI_Bcast(buffer, bytes, MPI_BYTE, root, MPI_COMM_WORLD);
  free(buffer);
  MPI_Finalize();
  return 0;
}
