/* SPDX-License-Identifier: BSD-3-Clause
 * Computes, exchanges messages and calls collectives, to be traced. */
#include <mpi.h>
#include <stdlib.h>

enum { rounds = 50, bytes = 100000 };

static void compute(double seconds) {
  const double end = MPI_Wtime() + seconds;
  while (MPI_Wtime() < end) {
  }
}

static void exchange(int rank, char* out, char* in) {
  MPI_Request requests[2];
  MPI_Status status;
  const int other = rank ^ 1;
  MPI_Irecv(in, 1000, MPI_CHAR, other, 1, MPI_COMM_WORLD, &requests[0]);
  MPI_Isend(out, 1000, MPI_CHAR, other, 1, MPI_COMM_WORLD, &requests[1]);
  MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
  if (rank % 2 == 0) {
    MPI_Send(out, bytes, MPI_CHAR, other, 2, MPI_COMM_WORLD);
    MPI_Recv(in, 8, MPI_CHAR, other, 3, MPI_COMM_WORLD, &status);
  } else {
    MPI_Recv(in, bytes, MPI_CHAR, other, 2, MPI_COMM_WORLD, &status);
    MPI_Send(out, 8, MPI_CHAR, other, 3, MPI_COMM_WORLD);
  }
}

int main(int argc, char** argv) {
  int rank;
  double one = 1, sum;
  char* out = calloc(1, bytes);
  char* in = calloc(1, bytes);
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  for (int i = 0; i < rounds; ++i) {
    compute(1e-4 * (1 + rank));
    exchange(rank, out, in);
    MPI_Allreduce(&one, &sum, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    MPI_Bcast(out, 100, MPI_CHAR, i % 2, MPI_COMM_WORLD);
    MPI_Barrier(MPI_COMM_WORLD);
  }
  MPI_Finalize();
  free(out);
  free(in);
  return 0;
}
