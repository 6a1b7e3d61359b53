/* SPDX-License-Identifier: BSD-3-Clause
 * Round trips of two ranks: prints half the time in seconds for each size in the arguments. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

static double round_trip(int rank, char* data, int bytes) {
  const double begin = MPI_Wtime();
  if (rank == 0) MPI_Send(data, bytes, MPI_BYTE, 1, 0, MPI_COMM_WORLD);
  MPI_Recv(data, bytes, MPI_BYTE, 1 - rank, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  if (rank == 1) MPI_Send(data, bytes, MPI_BYTE, 0, 0, MPI_COMM_WORLD);
  return MPI_Wtime() - begin;
}

int main(int argc, char** argv) {
  int rank, most = 1;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  for (int i = 1; i < argc; ++i)
    if (atoi(argv[i]) > most) most = atoi(argv[i]);
  char* data = malloc(most);
  for (int i = 1; i < argc; ++i) {
    round_trip(rank, data, atoi(argv[i]));
    const double time = round_trip(rank, data, atoi(argv[i]));
    if (rank == 0) printf("%.12g\n", time / 2);
  }
  free(data);
  MPI_Finalize();
  return 0;
}
