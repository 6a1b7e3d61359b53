/* SPDX-License-Identifier: BSD-3-Clause
 * One call of the collective argv[1] on a real MPI, to compare with `sim`: argv[2] bytes (one
 * rank's block, or the whole vector), argv[3] root. Reductions are MPI_BOR on MPI_BYTE. */
#include "collective_calls.h"

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  if (argc != 4) MPI_Abort(MPI_COMM_WORLD, 2);
  bytes = atoi(argv[2]);
  root = atoi(argv[3]);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &procs);
  all = MPI_COMM_WORLD;
  take_room((size_t)bytes);
  if (!moves(argv[1]) && !reduces(argv[1])) MPI_Abort(MPI_COMM_WORLD, 2);
  give_back();
  MPI_Finalize();
  return 0;
}
