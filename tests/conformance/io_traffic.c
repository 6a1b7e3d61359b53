/* SPDX-License-Identifier: BSD-3-Clause
 * Writes and reads a file collectively with a real MPI, and prints the messages of the shuffle.
 *   io_traffic LIBRARY FOLDER NAME write|read OPTIONS... (one access; io_accesses.h)
 *   io_traffic LIBRARY FOLDER < ACCESSES                 (one line "NAME write|read OPTIONS" each)
 * LIBRARY is the name in the output; the caller selects the component of Open MPI. Prints the lines
 * "lib,case,procs,aggregators,buffer_bytes,src,dst,msgs,sum_bytes" and "end". Each call's pieces
 * are written to FOLDER/NAME.CALL.csv, and the data are verified.
 * With Open MPI (pml_monitoring_enable 2), its counters of messages with user tags are read; they
 * include those of fcoll, whose tags are not negative. With MPICH, the program's own PMPI_Isend
 * counts the messages of ROMIO. */
#define _GNU_SOURCE
#include "../support/io_accesses.h"

static int rank, procs;
static char path[512];

#ifdef OPEN_MPI
#include <link.h>

#include "../support/openmpi_counters.h"

static void start_counting(void) { open_counters(procs); }
static void end(void) { _Exit(0); } /* see openmpi_counters.h */

static int is_ompio(struct dl_phdr_info* loaded, size_t size, void* found) {
  (void)size;
  if (strstr(loaded->dlpi_name, "/mca_io_ompio.so") == NULL) return 0;
  *(void**)found = dlopen(loaded->dlpi_name, RTLD_NOW | RTLD_NOLOAD);
  return 1;
}
static void set(const char* name, int value) {
  void* component = NULL;
  if (dl_iterate_phdr(is_ompio, &component) == 0) return; /* --mca io romio321 */
  int* own = dlsym(component, name);
  if (own == NULL) reject("no parameter", name);
  *own = value;
}
/* The parameters of ompio are read-only in MPI_T: they are set for the next file in the component,
 * which the first file loads. fcoll/dynamic_gen2 ignores the hint cb_nodes. */
static void set_parameters(const struct access* it) {
  set("mca_io_ompio_bytes_per_agg", it->buffer_bytes);
  set("mca_io_ompio_num_aggregators", it->aggregators);
}
#else
#include <dlfcn.h>
#include <sched.h>

static size_t* sent; /* by destination: messages, then bytes */

int PMPI_Isend(const void* data, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm,
               MPI_Request* request) {
  static int (*next)(const void*, int, MPI_Datatype, int, int, MPI_Comm, MPI_Request*);
  int bytes = 0;
  if (next == NULL) *(void**)&next = dlsym(RTLD_NEXT, "PMPI_Isend");
  MPI_Type_size(type, &bytes);
  sent[to] += 1;
  sent[procs + to] += (size_t)bytes * (size_t)count;
  return next(data, count, type, to, tag, comm, request);
}

/* MPICH over UCX waits without yielding, which takes long with more processes than cores. */
unsigned ucp_worker_progress(void* worker) {
  static unsigned (*next)(void*);
  if (next == NULL) *(void**)&next = dlsym(RTLD_NEXT, "ucp_worker_progress");
  const unsigned events = next(worker);
  if (events == 0) sched_yield();
  return events;
}

static void start_counting(void) { sent = calloc(2 * (size_t)procs, sizeof *sent); }
static void read_counters(size_t* pairs) { memcpy(pairs, sent, 2 * (size_t)procs * sizeof *sent); }
static void set_parameters(const struct access* it) { (void)it; }
static void end(void) { MPI_Finalize(); }
#endif

static char content(long long offset) { return (char)(1 + offset % 251); }

static MPI_Info hints(const struct access* it) {
  MPI_Info info;
  char number[32];
  MPI_Info_create(&info);
  snprintf(number, sizeof number, "%d", it->aggregators);
  MPI_Info_set(info, "cb_nodes", number);
  snprintf(number, sizeof number, "%d", it->buffer_bytes);
  MPI_Info_set(info, "cb_buffer_size", number);
  MPI_Info_set(info, "cb_config_list", "*:*");
  MPI_Info_set(info, "romio_cb_write", "enable");
  MPI_Info_set(info, "romio_cb_read", "enable");
  return info;
}

/* Writes the file that is to be read; without a file, `bytes` is 0. */
static void prepare(long long bytes) {
  remove(path);
  FILE* file = bytes > 0 ? fopen(path, "w") : NULL;
  if (file == NULL) return;
  for (long long at = 0; at < bytes; ++at) fputc(content(at), file);
  fclose(file);
}

/* All pieces of a call, of all ranks in turn, to a file of rank 0; and the end of the data. */
static long long write_pieces(const char* name, int count, const struct piece* pieces) {
  long long end = 0;
  int all_count = 0;
  MPI_Reduce(&count, &all_count, 1, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD);
  if (rank > 0) {
    MPI_Send(pieces, 2 * count, MPI_LONG_LONG, 0, 0, MPI_COMM_WORLD);
    return 0;
  }
  FILE* file = fopen(name, "w");
  struct piece* of_rank = malloc(((size_t)all_count + 1) * sizeof *of_rank);
  if (file == NULL) reject("cannot write", name);
  fprintf(file, "rank,offset,length\n");
  for (int from = 0; from < procs; ++from) {
    MPI_Status status;
    int values = 2 * count;
    if (from == 0) {
      memcpy(of_rank, pieces, (size_t)count * sizeof *pieces);
    } else {
      MPI_Recv(of_rank, 2 * all_count, MPI_LONG_LONG, from, 0, MPI_COMM_WORLD, &status);
      MPI_Get_count(&status, MPI_LONG_LONG, &values);
    }
    for (int i = 0; i < values / 2; ++i) {
      const struct piece* each = of_rank + i;
      fprintf(file, "%d,%lld,%lld\n", from, each->offset, each->length);
      if (each->offset + each->length > end) end = each->offset + each->length;
    }
  }
  fclose(file);
  free(of_rank);
  return end;
}

/* The data of a call as the file has them. */
static char* expected(const struct piece* pieces, int count, long long bytes) {
  char* data = malloc((size_t)bytes + 1);
  long long to = 0;
  for (int i = 0; i < count; ++i)
    for (long long at = 0; at < pieces[i].length; ++at) data[to++] = content(pieces[i].offset + at);
  if (to != bytes) reject("pieces overlap within a rank", "");
  return data;
}

static int file_has(const struct piece* pieces, int count) {
  FILE* file = fopen(path, "r");
  int is_right = file != NULL;
  for (int i = 0; is_right && i < count; ++i) {
    fseek(file, (long)pieces[i].offset, SEEK_SET);
    for (long long at = 0; at < pieces[i].length; ++at)
      is_right &= (char)fgetc(file) == content(pieces[i].offset + at);
  }
  if (file != NULL) fclose(file);
  return is_right;
}

struct call {
  int pieces;
  struct piece* piece;
  char *data, *buffer;
};

static void prepare_calls(const struct access* it, const char* folder, const struct part* mine,
                          struct call* calls) {
  long long end = 0;
  for (int i = 0; i < mine->calls; ++i) {
    char name[512];
    calls[i].pieces = pieces_of(mine, i, &calls[i].piece);
    calls[i].data = expected(calls[i].piece, calls[i].pieces, mine->bytes[i]);
    calls[i].buffer = calloc(1, (size_t)mine->bytes[i] + 1);
    snprintf(name, sizeof name, "%s/%s.%d.csv", folder, it->name, i);
    const long long last = write_pieces(name, calls[i].pieces, calls[i].piece);
    if (last > end) end = last;
  }
  if (rank == 0) prepare(it->is_read ? end : 0);
}

/* Performs the calls; returns the messages and bytes to each rank. */
static void count(const struct access* it, const struct part* mine, struct call* calls,
                  size_t* counted) {
  const size_t pairs = 2 * (size_t)procs;
  size_t* before = calloc(pairs, sizeof *before);
  MPI_Info info = hints(it);
  MPI_File file;
  set_parameters(it);
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_File_open(MPI_COMM_WORLD, path, MPI_MODE_RDWR | MPI_MODE_CREATE, info, &file);
  MPI_File_set_view(file, 0, mine->etype, mine->view, "native", info);
  read_counters(before);
  for (int i = 0; i < mine->calls; ++i) {
    const int bytes = (int)mine->bytes[i];
    if (it->is_read)
      MPI_File_read_at_all(file, mine->offsets[i], calls[i].buffer, bytes, MPI_BYTE,
                           MPI_STATUS_IGNORE);
    else
      MPI_File_write_at_all(file, mine->offsets[i], calls[i].data, bytes, MPI_BYTE,
                            MPI_STATUS_IGNORE);
  }
  read_counters(counted);
  for (size_t i = 0; i < pairs; ++i) counted[i] -= before[i];
  MPI_File_close(&file);
  MPI_Info_free(&info);
  free(before);
}

static int verify(const struct access* it, const struct part* mine, struct call* calls) {
  int is_right = 1;
  MPI_Barrier(MPI_COMM_WORLD);
  for (int i = 0; i < mine->calls; ++i) {
    is_right &= it->is_read ? memcmp(calls[i].buffer, calls[i].data, (size_t)mine->bytes[i]) == 0
                            : file_has(calls[i].piece, calls[i].pieces);
    free(calls[i].piece);
    free(calls[i].data);
    free(calls[i].buffer);
  }
  MPI_Allreduce(MPI_IN_PLACE, &is_right, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
  return is_right;
}

static void print(const char* library, const struct access* it, const size_t* of_all) {
  for (int from = 0; from < procs; ++from)
    for (int to = 0; to < procs; ++to) {
      const size_t* of_rank = of_all + 2 * (size_t)procs * (size_t)from;
      if (of_rank[to] > 0)
        printf("%s,%s,%d,%d,%d,%d,%d,%zu,%zu\n", library, it->name, procs, it->aggregators,
               it->buffer_bytes, from, to, of_rank[to], of_rank[procs + to]);
    }
}

static void measure(const char* library, const char* folder, int words, char** word) {
  struct access it;
  struct part mine;
  struct call calls[most_calls];
  const size_t pairs = 2 * (size_t)procs;
  size_t* counted = calloc(pairs, sizeof *counted);
  size_t* of_all = calloc(pairs * (size_t)procs, sizeof *of_all);
  read_access(words, word, &it);
  make_part(&it, rank, procs, &mine);
  prepare_calls(&it, folder, &mine, calls);
  count(&it, &mine, calls, counted);
  if (!verify(&it, &mine, calls) && rank == 0) printf("# wrong data: %s\n", it.name);
  MPI_Gather(counted, (int)(pairs * sizeof *counted), MPI_BYTE, of_all,
             (int)(pairs * sizeof *counted), MPI_BYTE, 0, MPI_COMM_WORLD);
  if (rank == 0) print(library, &it, of_all);
  fflush(stdout);
  free_part(&mine);
  free(counted);
  free(of_all);
}

static void measure_lines(const char* library, const char* folder) {
  char line[1024];
  for (;;) {
    char* word[most_words];
    int words = 0;
    memset(line, 0, sizeof line);
    if (rank == 0 && fgets(line, sizeof line, stdin) == NULL) line[0] = '\0';
    MPI_Bcast(line, sizeof line, MPI_BYTE, 0, MPI_COMM_WORLD);
    if (line[0] == '\0') return;
    for (char* at = strtok(line, " \n"); at != NULL && words < most_words; at = strtok(NULL, " \n"))
      word[words++] = at;
    if (words > 0) measure(library, folder, words, word);
  }
}

int main(int argc, char** argv) {
  int provided = 0;
  MPI_T_init_thread(MPI_THREAD_SINGLE, &provided);
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &procs);
  if (argc < 3) reject("usage: io_traffic LIBRARY FOLDER", "[NAME write|read OPTIONS]");
  start_counting();
  snprintf(path, sizeof path, "%s/file", argv[2]);
  /* The first file loads the component (set_parameters). */
  MPI_File first;
  MPI_File_open(MPI_COMM_WORLD, path, MPI_MODE_RDWR | MPI_MODE_CREATE, MPI_INFO_NULL, &first);
  MPI_File_close(&first);
  if (argc > 3)
    measure(argv[1], argv[2], argc - 3, argv + 3);
  else
    measure_lines(argv[1], argv[2]);
  if (rank == 0) printf("end\n");
  fflush(stdout);
  MPI_Barrier(MPI_COMM_WORLD);
  end();
  return 0;
}
