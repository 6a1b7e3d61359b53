/* SPDX-License-Identifier: BSD-3-Clause
 * Accesses to a file by all ranks, described by options, as MPI file views and calls. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { most_dimensions = 8, most_calls = 64, most_words = 40 };

struct access {
  char name[64];
  int is_read, aggregators, buffer_bytes;
  /* --array */
  int dimensions, is_fortran;
  int sizes[most_dimensions], grid[most_dimensions];
  int ghosts[most_dimensions]; /* of reads */
  int kinds[most_dimensions], blocks[most_dimensions];
  int element_bytes;
  /* IOR: -t, -b, -s, -V */
  long long transfer, block, segments;
  int has_view;
  /* a list of pieces */
  char list[256];
};

/* The part of one rank: a file view and its calls; offsets in units of `etype`. */
struct part {
  MPI_Datatype etype, view;
  int calls;
  long long offsets[most_calls], bytes[most_calls];
};

struct piece {
  long long offset, length;
};

static void reject(const char* why, const char* what) {
  fprintf(stderr, "%s '%s'\n", why, what);
  MPI_Abort(MPI_COMM_WORLD, 2);
}

/* "12x10x8" */
static int read_sizes(char* text, int* out) {
  int count = 0;
  for (char* at = strtok(text, "x"); at != NULL; at = strtok(NULL, "x")) {
    if (count == most_dimensions) reject("too many dimensions", at);
    out[count++] = atoi(at);
  }
  return count;
}

/* "block,cyclic,cyclic:3,none" */
static void read_distributions(char* text, struct access* it) {
  int at = 0;
  for (char* word = strtok(text, ","); word != NULL; word = strtok(NULL, ",")) {
    if (at == most_dimensions) reject("too many dimensions", word);
    it->blocks[at] = MPI_DISTRIBUTE_DFLT_DARG;
    if (strcmp(word, "block") == 0)
      it->kinds[at] = MPI_DISTRIBUTE_BLOCK;
    else if (strcmp(word, "none") == 0)
      it->kinds[at] = MPI_DISTRIBUTE_NONE;
    else if (strncmp(word, "cyclic", 6) == 0)
      it->kinds[at] = MPI_DISTRIBUTE_CYCLIC;
    else
      reject("invalid distribution", word);
    if (strncmp(word, "cyclic:", 7) == 0) it->blocks[at] = atoi(word + 7);
    ++at;
  }
}

static void read_option(const char* name, char* value, struct access* it) {
  if (strcmp(name, "--array") == 0)
    it->dimensions = read_sizes(value, it->sizes);
  else if (strcmp(name, "--grid") == 0)
    read_sizes(value, it->grid);
  else if (strcmp(name, "--ghost") == 0) {
    if (read_sizes(value, it->ghosts) == 1)
      for (int d = 1; d < most_dimensions; ++d) it->ghosts[d] = it->ghosts[0];
  } else if (strcmp(name, "--distribution") == 0)
    read_distributions(value, it);
  else if (strcmp(name, "--order") == 0)
    it->is_fortran = strcmp(value, "fortran") == 0;
  else if (strcmp(name, "--element-size") == 0)
    it->element_bytes = atoi(value);
  else if (strcmp(name, "--aggregators") == 0)
    it->aggregators = atoi(value);
  else if (strcmp(name, "--buffer-size") == 0)
    it->buffer_bytes = atoi(value);
  else if (strcmp(name, "-t") == 0)
    it->transfer = atoll(value);
  else if (strcmp(name, "-b") == 0)
    it->block = atoll(value);
  else if (strcmp(name, "-s") == 0)
    it->segments = atoll(value);
  else if (strcmp(name, "--list") == 0)
    snprintf(it->list, sizeof it->list, "%s", value);
  else
    reject("unknown option", name);
}

/* "NAME write|read OPTIONS" */
static void read_access(int words, char** word, struct access* it) {
  memset(it, 0, sizeof *it);
  it->aggregators = it->element_bytes = 1;
  it->segments = 1;
  for (int d = 0; d < most_dimensions; ++d) {
    it->kinds[d] = MPI_DISTRIBUTE_BLOCK;
    it->blocks[d] = MPI_DISTRIBUTE_DFLT_DARG;
  }
  if (words < 2) reject("no NAME write|read", "");
  snprintf(it->name, sizeof it->name, "%s", word[0]);
  it->is_read = strcmp(word[1], "read") == 0;
  for (int i = 2; i < words; ++i) {
    if (strcmp(word[i], "-V") == 0)
      it->has_view = 1;
    else if (i + 1 == words)
      reject("no value for", word[i]);
    else {
      read_option(word[i], word[i + 1], it);
      ++i;
    }
  }
}

/* The rank's block with its ghost cells; 0 if it is empty. */
static int ghost_view(const struct access* it, int rank, struct part* mine) {
  int sizes[most_dimensions], begins[most_dimensions];
  for (int d = it->dimensions - 1; d >= 0; --d) {
    const int at = rank % it->grid[d];
    const int share = (it->sizes[d] + it->grid[d] - 1) / it->grid[d];
    int begin = at * share, end = begin + share < it->sizes[d] ? begin + share : it->sizes[d];
    rank /= it->grid[d];
    if (begin >= end) return 0;
    begin = begin > it->ghosts[d] ? begin - it->ghosts[d] : 0;
    end = end + it->ghosts[d] < it->sizes[d] ? end + it->ghosts[d] : it->sizes[d];
    begins[d] = begin;
    sizes[d] = end - begin;
  }
  MPI_Type_create_subarray(it->dimensions, it->sizes, sizes, begins,
                           it->is_fortran ? MPI_ORDER_FORTRAN : MPI_ORDER_C, mine->etype,
                           &mine->view);
  return 1;
}

static void array_part(struct access* it, int rank, int procs, struct part* mine) {
  int has_ghosts = 0, bytes = 0, has_data = 1;
  for (int d = 0; d < it->dimensions; ++d) has_ghosts |= it->ghosts[d] > 0;
  MPI_Type_contiguous(it->element_bytes, MPI_BYTE, &mine->etype);
  MPI_Type_commit(&mine->etype);
  if (has_ghosts)
    has_data = ghost_view(it, rank, mine);
  else
    MPI_Type_create_darray(procs, rank, it->dimensions, it->sizes, it->kinds, it->blocks, it->grid,
                           it->is_fortran ? MPI_ORDER_FORTRAN : MPI_ORDER_C, mine->etype,
                           &mine->view);
  if (has_data) MPI_Type_size(mine->view, &bytes);
  if (has_data && bytes == 0) MPI_Type_free(&mine->view);
  if (bytes == 0) mine->view = mine->etype;
  mine->calls = 1;
  mine->bytes[0] = bytes;
}

/* Call k + s b/t of each rank is at byte (s P + r) b + k t; with -V, through a view of its blocks
 * (IOR's aiori-MPIIO). */
static void ior_part(const struct access* it, int rank, int procs, struct part* mine) {
  const long long per_block = it->block / it->transfer;
  mine->etype = mine->view = MPI_BYTE;
  if (it->has_view) {
    const int sizes[] = {1, (int)per_block * procs}, own[] = {1, (int)per_block};
    const int begins[] = {0, (int)per_block * rank};
    MPI_Type_contiguous((int)it->transfer, MPI_BYTE, &mine->etype);
    MPI_Type_commit(&mine->etype);
    MPI_Type_create_subarray(2, sizes, own, begins, MPI_ORDER_C, mine->etype, &mine->view);
  }
  mine->calls = (int)(it->segments * per_block);
  if (mine->calls > most_calls) reject("too many calls", it->name);
  for (long long call = 0; call < mine->calls; ++call) {
    const long long segment = call / per_block, in_block = call % per_block * it->transfer;
    mine->bytes[call] = it->transfer;
    mine->offsets[call] = it->has_view ? call : (segment * procs + rank) * it->block + in_block;
  }
}

static void list_part(const struct access* it, int rank, struct part* mine) {
  enum { most = 100000 };
  MPI_Aint* offsets = malloc(most * sizeof *offsets);
  int* lengths = malloc(most * sizeof *lengths);
  int count = 0, owner = 0, length = 0;
  long long offset = 0;
  FILE* file = fopen(it->list, "r");
  if (file == NULL || fscanf(file, "rank,offset,length") != 0) reject("cannot read", it->list);
  while (fscanf(file, "%d,%lld,%d", &owner, &offset, &length) == 3) {
    if (owner != rank) continue;
    if (count == most) reject("too many pieces", it->list);
    offsets[count] = (MPI_Aint)offset;
    lengths[count++] = length;
    mine->bytes[0] += length;
  }
  fclose(file);
  mine->calls = 1;
  mine->etype = mine->view = MPI_BYTE;
  if (count > 0) MPI_Type_create_hindexed(count, lengths, offsets, MPI_BYTE, &mine->view);
  free(offsets);
  free(lengths);
}

static void make_part(struct access* it, int rank, int procs, struct part* mine) {
  memset(mine, 0, sizeof *mine);
  if (it->dimensions > 0)
    array_part(it, rank, procs, mine);
  else if (it->transfer > 0)
    ior_part(it, rank, procs, mine);
  else
    list_part(it, rank, mine);
  if (mine->view != mine->etype) MPI_Type_commit(&mine->view);
}

static void free_part(struct part* mine) {
  if (mine->view != mine->etype) MPI_Type_free(&mine->view);
  if (mine->etype != MPI_BYTE) MPI_Type_free(&mine->etype);
}

/* Appends the pieces of the file that a call accesses, found by unpacking ones into an array
 * through the view; returns their number. Adjacent pieces are one. */
static int pieces_of(const struct part* mine, int call, struct piece** out) {
  MPI_Aint lower = 0, extent = 0;
  int etype_bytes = 0, view_bytes = 0, count = 0, position = 0, room = 16;
  MPI_Type_get_extent(mine->view, &lower, &extent);
  MPI_Type_size(mine->etype, &etype_bytes);
  MPI_Type_size(mine->view, &view_bytes);
  const long long skipped = mine->offsets[call] * etype_bytes;
  const long long end = skipped + mine->bytes[call];
  const int repeats = (int)((end + view_bytes - 1) / view_bytes);
  const long long span = (long long)lower + extent * repeats;
  char* file = calloc(1, (size_t)span + 1);
  char* data = calloc((size_t)repeats, (size_t)view_bytes);
  memset(data + skipped, 1, (size_t)mine->bytes[call]);
  MPI_Unpack(data, repeats * view_bytes, &position, file, repeats, mine->view, MPI_COMM_WORLD);
  *out = malloc((size_t)room * sizeof **out);
  for (long long at = 0; at < span; ++at) {
    if (!file[at]) continue;
    if (count == room) *out = realloc(*out, (size_t)(room *= 2) * sizeof **out);
    (*out)[count].offset = at;
    while (file[at]) ++at;
    (*out)[count].length = at - (*out)[count].offset;
    ++count;
  }
  free(data);
  free(file);
  return count;
}
