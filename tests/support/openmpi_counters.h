/* SPDX-License-Identifier: BSD-3-Clause
 * The message counters of Open MPI's pml_monitoring. The program needs -ldl, and ends with _Exit
 * instead of MPI_Finalize, which fails in 4.1 because of the counters. Define _GNU_SOURCE first. */
#include <dlfcn.h>
#include <mpi.h>
#include <stdio.h>

static MPI_Comm counted_world = MPI_COMM_WORLD;
static MPI_T_pvar_session counter_session;
static MPI_T_pvar_handle messages_handle, bytes_handle;
static int counted_procs;

static void stop(const char* why, const char* what) {
  fprintf(stderr, "%s %s\n", why, what);
  MPI_Abort(MPI_COMM_WORLD, 2);
}

static int has_counters(void) {
  int index = 0;
  return MPI_T_pvar_get_index("pml_monitoring_messages_count", MPI_T_PVAR_CLASS_SIZE, &index) ==
         MPI_SUCCESS;
}

/* Open MPI 4.1 registers the message counters when it opens pml_monitoring, and unregisters them
 * when it selects another pml, although monitoring still intercepts it. Registered again they
 * work. */
static void register_counters(void) {
  void* common = dlopen("libmca_common_monitoring.so.50", RTLD_NOW);
  void* own = dlopen("openmpi/lib/openmpi3/mca_pml_monitoring.so", RTLD_NOW | RTLD_NOLOAD);
  void (*add)(void*) = NULL;
  if (common != NULL) *(void**)&add = dlsym(common, "mca_common_monitoring_register");
  if (add == NULL) stop("no pml_monitoring", "here");
  add(own == NULL ? NULL : dlsym(own, "mca_pml_monitoring_component"));
}

static MPI_T_pvar_handle counter(const char* name) {
  int index = 0, length = 0;
  MPI_T_pvar_handle handle;
  if (MPI_T_pvar_get_index(name, MPI_T_PVAR_CLASS_SIZE, &index) != MPI_SUCCESS ||
      MPI_T_pvar_handle_alloc(counter_session, index, &counted_world, &handle, &length) !=
          MPI_SUCCESS)
    stop("no counter", name);
  if (length != counted_procs) stop("a counter of another length", name);
  MPI_T_pvar_start(counter_session, handle);
  return handle;
}

static void open_counters(int procs) {
  counted_procs = procs;
  if (!has_counters()) register_counters();
  MPI_T_pvar_session_create(&counter_session);
  messages_handle = counter("pml_monitoring_messages_count");
  bytes_handle = counter("pml_monitoring_messages_size");
}

/* `pairs` has two entries per process: messages, then bytes, since the start. */
static void read_counters(size_t* pairs) {
  MPI_T_pvar_read(counter_session, messages_handle, pairs);
  MPI_T_pvar_read(counter_session, bytes_handle, pairs + counted_procs);
}
