/* SPDX-License-Identifier: BSD-3-Clause
 * Calls of collectives by their names, for programs that observe a real MPI. */
#include <mpi.h>
#include <stdlib.h>
#include <string.h>

static int rank, procs, bytes, root;
static MPI_Comm all;
static char *in, *out;
static int *counts, *displacements;

static int is(const char* name, const char* requested) { return strcmp(name, requested) == 0; }

static void deal_out(int total) {
  for (int r = 0, at = 0; r < procs; ++r) {
    counts[r] = total / procs + (r < total % procs);
    displacements[r] = at;
    at += counts[r];
  }
}

static int moves(const char* name) {
  const MPI_Datatype byte = MPI_BYTE;
  if (is(name, "bcast")) return MPI_Bcast(out, bytes, byte, root, all), 1;
  if (is(name, "allgather")) return MPI_Allgather(in, bytes, byte, out, bytes, byte, all), 1;
  if (is(name, "alltoall")) return MPI_Alltoall(in, bytes, byte, out, bytes, byte, all), 1;
  if (is(name, "gather")) return MPI_Gather(in, bytes, byte, out, bytes, byte, root, all), 1;
  if (is(name, "scatter")) return MPI_Scatter(in, bytes, byte, out, bytes, byte, root, all), 1;
  if (is(name, "barrier")) return MPI_Barrier(all), 1;
  deal_out(bytes * procs);
  if (is(name, "allgatherv"))
    return MPI_Allgatherv(in, bytes, byte, out, counts, displacements, byte, all), 1;
  if (is(name, "gatherv"))
    return MPI_Gatherv(in, bytes, byte, out, counts, displacements, byte, root, all), 1;
  if (is(name, "scatterv"))
    return MPI_Scatterv(in, counts, displacements, byte, out, bytes, byte, root, all), 1;
  if (is(name, "alltoallv"))
    return MPI_Alltoallv(in, counts, displacements, byte, out, counts, displacements, byte,
                         all), 1;
  return 0;
}

static int reduces(const char* name) {
  const MPI_Datatype byte = MPI_BYTE;
  if (is(name, "reduce")) return MPI_Reduce(in, out, bytes, byte, MPI_BOR, root, all), 1;
  if (is(name, "allreduce")) return MPI_Allreduce(in, out, bytes, byte, MPI_BOR, all), 1;
  if (is(name, "scan")) return MPI_Scan(in, out, bytes, byte, MPI_BOR, all), 1;
  if (is(name, "exscan")) return MPI_Exscan(in, out, bytes, byte, MPI_BOR, all), 1;
  if (is(name, "reduce_scatter_block"))
    return MPI_Reduce_scatter_block(in, out, bytes, byte, MPI_BOR, all), 1;
  deal_out(bytes);
  if (is(name, "reduce_scatter"))
    return MPI_Reduce_scatter(in, out, counts, byte, MPI_BOR, all), 1;
  return 0;
}

/* Room for messages of `most` bytes, blocks or vectors. */
static void take_room(size_t most) {
  const size_t room = most * (size_t)procs + 1;
  in = calloc(room, 1);
  out = calloc(room, 1);
  counts = calloc((size_t)procs, sizeof *counts);
  displacements = calloc((size_t)procs, sizeof *displacements);
}

static void give_back(void) {
  free(displacements);
  free(counts);
  free(out);
  free(in);
}
