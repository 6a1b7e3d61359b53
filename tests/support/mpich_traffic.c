/* SPDX-License-Identifier: BSD-3-Clause
 * Calls collectives on a real MPICH 4.0 over UCX (device ch4:ucx), and prints the messages of each.
 * The program's own ucp_tag_send functions count each message and pass it on to UCX. Run it with
 * MPIR_CVAR_NOLOCAL=1: every process is a node of its own, and all messages go through UCX.
 * Lines of standard input of rank 0: "collective bytes root algorithm", the algorithm as a number
 * of MPIR_CVAR_<COLLECTIVE>_INTRA_ALGORITHM; 0: the library's choice.
 * Writes "line: source destination messages bytes" for each pair with messages, and "end". A
 * message of a datatype that is not contiguous has an unknown size: its pair has bytes -1. */
#define _GNU_SOURCE
#include <ctype.h>
#include <dlfcn.h>
#include <sched.h>
#include <stdint.h>
#include <stdio.h>

#include "collective_calls.h"

/* The beginning of ucp_request_param_t of UCX 1.13. */
struct request_param {
  uint32_t mask, flags;
  void *request, *callback;
  uint64_t datatype;
};
enum { datatype_is_set = 1 << 3, class_bits = 3, contiguous = 0 };

typedef void* (*send_function)(void*, const void*, size_t, uint64_t, const struct request_param*);

static void** endpoints; /* of each destination */
static long long* sent;  /* by destination: messages, bytes */
static int learned = -1; /* the destination whose endpoint the next message shows */

static void record(void* endpoint, size_t count, const struct request_param* param) {
  if (learned >= 0) {
    endpoints[learned] = endpoint;
    learned = -1;
  }
  for (int to = 0; sent != NULL && to < procs; ++to) {
    if (endpoints[to] != endpoint) continue;
    const int is_set = (param->mask & datatype_is_set) != 0;
    const uint64_t kind = is_set ? param->datatype & ((1 << class_bits) - 1) : contiguous;
    const long long size = is_set ? (long long)(param->datatype >> class_bits) : 1;
    sent[2 * to] += 1;
    if (kind != contiguous || sent[2 * to + 1] < 0)
      sent[2 * to + 1] = -1;
    else
      sent[2 * to + 1] += size * (long long)count;
  }
}

void* ucp_tag_send_nbx(void* endpoint, const void* buffer, size_t count, uint64_t tag,
                       const struct request_param* param) {
  static send_function next;
  if (next == NULL) *(void**)&next = dlsym(RTLD_NEXT, "ucp_tag_send_nbx");
  record(endpoint, count, param);
  return next(endpoint, buffer, count, tag, param);
}

void* ucp_tag_send_sync_nbx(void* endpoint, const void* buffer, size_t count, uint64_t tag,
                            const struct request_param* param) {
  static send_function next;
  if (next == NULL) *(void**)&next = dlsym(RTLD_NEXT, "ucp_tag_send_sync_nbx");
  record(endpoint, count, param);
  return next(endpoint, buffer, count, tag, param);
}

/* A process that waits for a message lets those compute that share its core. */
unsigned ucp_worker_progress(void* worker) {
  static unsigned (*next)(void*);
  if (next == NULL) *(void**)&next = dlsym(RTLD_NEXT, "ucp_worker_progress");
  const unsigned events = next(worker);
  if (events == 0) sched_yield();
  return events;
}

/* The first message of MPI_Sendrecv to another rank shows its endpoint. */
static void learn_endpoints(void) {
  endpoints = calloc((size_t)procs, sizeof *endpoints);
  for (int distance = 1; distance < procs; ++distance) {
    const int to = (rank + distance) % procs, from = (rank + procs - distance) % procs;
    char byte = 0, other = 0;
    MPI_Barrier(MPI_COMM_WORLD);
    learned = to;
    MPI_Sendrecv(&byte, 1, MPI_BYTE, to, 0, &other, 1, MPI_BYTE, from, 0, MPI_COMM_WORLD,
                 MPI_STATUS_IGNORE);
    if (learned >= 0) {
      fprintf(stderr, "rank %d: no message to %d passes through UCX\n", rank, to);
      MPI_Abort(MPI_COMM_WORLD, 2);
    }
  }
}

static void force(const char* collective, int algorithm) {
  char name[128], upper[32] = "";
  int index = 0, length = 0;
  MPI_T_cvar_handle handle;
  for (size_t i = 0; i + 1 < sizeof upper && collective[i] != '\0'; ++i)
    upper[i] = (char)toupper((unsigned char)collective[i]);
  snprintf(name, sizeof name, "MPIR_CVAR_%s_INTRA_ALGORITHM", upper);
  if (MPI_T_cvar_get_index(name, &index) != MPI_SUCCESS ||
      MPI_T_cvar_handle_alloc(index, NULL, &handle, &length) != MPI_SUCCESS ||
      MPI_T_cvar_write(handle, &algorithm) != MPI_SUCCESS) {
    fprintf(stderr, "cannot set %s\n", name);
    MPI_Abort(MPI_COMM_WORLD, 2);
  }
  MPI_T_cvar_handle_free(&handle);
}

static void print(int line, const long long* of_all) {
  for (int from = 0; from < procs; ++from)
    for (int to = 0; to < procs; ++to) {
      const long long* pair = of_all + 2 * ((size_t)from * (size_t)procs + (size_t)to);
      if (pair[0] > 0) printf("%d: %d %d %lld %lld\n", line, from, to, pair[0], pair[1]);
    }
}

static void judge(int line, const char* name, int algorithm) {
  const size_t pairs = 2 * (size_t)procs;
  long long* counted = calloc(pairs, sizeof *counted);
  long long* of_all = calloc(pairs * (size_t)procs, sizeof *of_all);
  force(name, algorithm);
  MPI_Barrier(MPI_COMM_WORLD);
  sent = counted;
  const int is_known = moves(name) || reduces(name);
  sent = NULL;
  force(name, 0);
  if (!is_known) MPI_Abort(MPI_COMM_WORLD, 2);
  MPI_Gather(counted, (int)pairs, MPI_LONG_LONG, of_all, (int)pairs, MPI_LONG_LONG, 0,
             MPI_COMM_WORLD);
  if (rank == 0) print(line, of_all);
  free(of_all);
  free(counted);
}

int main(int argc, char** argv) {
  int provided = 0;
  struct {
    char name[32];
    int bytes, root, algorithm;
  } call;
  MPI_T_init_thread(MPI_THREAD_SINGLE, &provided);
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &procs);
  all = MPI_COMM_WORLD;
  learn_endpoints();
  take_room(1 << 20);
  for (int line = 1;; ++line) {
    int there = 0;
    if (rank == 0)
      there =
          scanf("%31s %d %d %d", call.name, &call.bytes, &call.root, &call.algorithm) == 4;
    MPI_Bcast(&there, 1, MPI_INT, 0, MPI_COMM_WORLD);
    if (!there) break;
    MPI_Bcast(&call, (int)sizeof call, MPI_BYTE, 0, MPI_COMM_WORLD);
    bytes = call.bytes;
    root = call.root;
    judge(line, call.name, call.algorithm);
  }
  if (rank == 0) printf("end\n");
  give_back();
  MPI_Finalize();
  return 0;
}
