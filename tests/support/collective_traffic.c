/* SPDX-License-Identifier: BSD-3-Clause
 * Calls collectives on a real Open MPI with pml_monitoring, and prints the messages of each. Lines
 * of standard input of rank 0: "collective bytes algorithm fanout segment root"; argv[1] "forced":
 * the algorithm is forced for a separate communicator per call; "free": it is not; "second": it is
 * not, and the second call on the communicator counts (coll/han sets up at the first).
 * Writes "line: source destination messages bytes" for each pair with messages, and "end". */
#define _GNU_SOURCE
#include "collective_calls.h"
#include "openmpi_counters.h"

struct call {
  char name[32];
  int bytes, algorithm, fanout, segment, root;
};

/* Returns the value before. */
static int force(const char* collective, const char* what, int value) {
  char name[128];
  int index = 0, length = 0, before = 0;
  MPI_T_cvar_handle handle;
  snprintf(name, sizeof name, "coll_tuned_%s_algorithm%s", collective, what);
  if (MPI_T_cvar_get_index(name, &index) != MPI_SUCCESS) return 0; /* no such parameter */
  /* 4.1 has allgatherv parameters read-only: the command line forces them. */
  if (MPI_T_cvar_handle_alloc(index, NULL, &handle, &length) != MPI_SUCCESS ||
      MPI_T_cvar_read(handle, &before) != MPI_SUCCESS ||
      (MPI_T_cvar_write(handle, &value) != MPI_SUCCESS && !is("allgatherv", collective)))
    stop("cannot set", name);
  MPI_T_cvar_handle_free(&handle);
  return before;
}

static void force_all(const struct call* call) {
  force(call->name, "", call->algorithm);
  force(call->name, "_segmentsize", call->segment);
  force(call->name, "_tree_fanout", call->fanout);
  force(call->name, "_chain_fanout", call->fanout);
}

static void print(int line, const size_t* sent) {
  for (int from = 0; from < procs; ++from)
    for (int to = 0; to < procs; ++to) {
      const size_t* of_rank = sent + 2 * (size_t)procs * (size_t)from;
      if (of_rank[to] > 0)
        printf("%d: %d %d %zu %zu\n", line, from, to, of_rank[to], of_rank[procs + to]);
    }
}

static void call_it(const struct call* call) {
  if (!moves(call->name) && !reduces(call->name)) stop("no collective", call->name);
}

static void judge(int line, const struct call* call, int is_second) {
  const size_t pairs = 2 * (size_t)procs;
  size_t* before = calloc(2 * pairs, sizeof *before);
  size_t* sent = calloc(pairs * (size_t)procs, sizeof *sent);
  bytes = call->bytes;
  root = call->root;
  MPI_Comm_dup(MPI_COMM_WORLD, &all);
  if (is_second) call_it(call);
  read_counters(before);
  call_it(call);
  read_counters(before + pairs);
  for (size_t i = 0; i < pairs; ++i) before[pairs + i] -= before[i];
  MPI_Gather(before + pairs, (int)(pairs * sizeof *before), MPI_BYTE, sent,
             (int)(pairs * sizeof *sent), MPI_BYTE, 0, MPI_COMM_WORLD);
  if (rank == 0) print(line, sent);
  if (!is_second) MPI_Comm_free(&all); /* 5.0.7 fails with coll/han and monitoring */
  free(sent);
  free(before);
}

static int read_call(struct call* call) {
  int there = 0;
  if (rank == 0)
    there = scanf("%31s %d %d %d %d %d", call->name, &call->bytes, &call->algorithm, &call->fanout,
                  &call->segment, &call->root) == 6;
  MPI_Bcast(&there, 1, MPI_INT, 0, MPI_COMM_WORLD);
  MPI_Bcast(call, (int)sizeof *call, MPI_BYTE, 0, MPI_COMM_WORLD);
  return there;
}

int main(int argc, char** argv) {
  int provided = 0;
  MPI_T_init_thread(MPI_THREAD_SINGLE, &provided);
  MPI_Init(&argc, &argv);
  const int is_forced = argc > 1 && is(argv[1], "forced");
  const int is_second = argc > 1 && is(argv[1], "second");
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &procs);
  all = MPI_COMM_WORLD;
  open_counters(procs);
  take_room(1 << 20);
  struct call call = {0};
  for (int line = 1; read_call(&call); ++line) {
    const int is_radix = is_forced && call.fanout > 1;
    const int radix = is_radix ? force(call.name, "_knomial_radix", call.fanout) : 0;
    if (is_forced) force_all(&call);
    judge(line, &call, is_second);
    /* A later collective may call this one. */
    call.algorithm = call.fanout = call.segment = 0;
    if (is_forced) force_all(&call);
    if (radix > 0) force(call.name, "_knomial_radix", radix);
  }
  MPI_Barrier(MPI_COMM_WORLD);
  if (rank == 0) printf("end\n");
  fflush(stdout);
  MPI_Barrier(MPI_COMM_WORLD);
  /* Not MPI_Finalize: see openmpi_counters.h. "end" marks success. */
  _Exit(0);
}
