// SPDX-License-Identifier: BSD-3-Clause
// Writes traces of a stencil on a ring of rows, of any size and in little memory: an OTF2
// archive, and the same program as time-independent traces of SimGrid for smpirun -replay.
//   stencil_trace otf2 DIR RANKS ITERATIONS
//   stencil_trace ti DIR RANKS ITERATIONS
// Each iteration: four receives, four sends of 4 KiB to the neighbours on a torus of two
// dimensions, 900 us of computation, a wait for all. All ranks are equal: 36 events in 1 ms.
#include <otf2/otf2.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum { bytes = 4096, period = 1000000, begin = 1000 };
enum { in_main, in_update, in_irecv, in_isend, in_waitall, regions };
static const char* const names[regions] = {"main", "update", "MPI_Irecv", "MPI_Isend",
                                           "MPI_Waitall"};

static uint32_t width, height;
static void neighbours(uint32_t rank, uint32_t* of) {
  const uint32_t x = rank % width, y = rank / width;
  of[0] = y * width + (x + 1) % width;
  of[1] = y * width + (x + width - 1) % width;
  of[2] = (y + 1) % height * width + x;
  of[3] = (y + height - 1) % height * width + x;
}

static OTF2_FlushType flush(void* data, OTF2_FileType type, OTF2_LocationRef location, void* caller,
                            bool final) {
  (void)data, (void)type, (void)location, (void)caller, (void) final;
  return OTF2_FLUSH;
}

static void write_rank(OTF2_EvtWriter* to, uint32_t rank, uint64_t iterations) {
  uint32_t peer[4];
  neighbours(rank, peer);
  static const int opposite[4] = {1, 0, 3, 2};
  OTF2_EvtWriter_Enter(to, NULL, begin, in_main);
  for (uint64_t i = 0; i < iterations; ++i) {
    uint64_t now = begin + i * period;
    for (int k = 0; k < 4; ++k, now += 1000) {
      OTF2_EvtWriter_Enter(to, NULL, now, in_irecv);
      OTF2_EvtWriter_MpiIrecvRequest(to, NULL, now, 8 * i + k);
      OTF2_EvtWriter_Leave(to, NULL, now + 500, in_irecv);
    }
    for (int k = 0; k < 4; ++k, now += 1000) {
      OTF2_EvtWriter_Enter(to, NULL, now, in_isend);
      OTF2_EvtWriter_MpiIsend(to, NULL, now, peer[k], 0, k, bytes, 8 * i + 4 + k);
      OTF2_EvtWriter_Leave(to, NULL, now + 500, in_isend);
    }
    OTF2_EvtWriter_Enter(to, NULL, now, in_update);
    OTF2_EvtWriter_Leave(to, NULL, now + 900000, in_update);
    now += 901000;
    OTF2_EvtWriter_Enter(to, NULL, now, in_waitall);
    for (int k = 0; k < 4; ++k)
      OTF2_EvtWriter_MpiIrecv(to, NULL, now + 2000, peer[k], 0, opposite[k], bytes, 8 * i + k);
    for (int k = 0; k < 4; ++k)
      OTF2_EvtWriter_MpiIsendComplete(to, NULL, now + 2000, 8 * i + 4 + k);
    OTF2_EvtWriter_Leave(to, NULL, now + 2000, in_waitall);
  }
  OTF2_EvtWriter_Leave(to, NULL, begin + iterations * period, in_main);
}

static uint32_t strings;
static uint32_t string_of(OTF2_GlobalDefWriter* to, const char* text) {
  OTF2_GlobalDefWriter_WriteString(to, strings, text);
  return strings++;
}

static void write_definitions(OTF2_GlobalDefWriter* to, uint32_t ranks, uint64_t iterations) {
  OTF2_GlobalDefWriter_WriteClockProperties(to, 1000000000, 0, iterations * period + 2 * begin,
                                            OTF2_UNDEFINED_TIMESTAMP);
  const uint32_t none = string_of(to, "");
  OTF2_GlobalDefWriter_WriteParadigm(to, OTF2_PARADIGM_MPI, string_of(to, "MPI"),
                                     OTF2_PARADIGM_CLASS_PROCESS);
  for (uint32_t i = 0; i < regions; ++i) {
    const uint32_t name = string_of(to, names[i]);
    const int is_mpi = strncmp(names[i], "MPI_", 4) == 0;
    OTF2_GlobalDefWriter_WriteRegion(
        to, i, name, name, none, is_mpi ? OTF2_REGION_ROLE_POINT2POINT : OTF2_REGION_ROLE_FUNCTION,
        is_mpi ? OTF2_PARADIGM_MPI : OTF2_PARADIGM_USER, OTF2_REGION_FLAG_NONE, none, 0, 0);
  }
  const uint32_t machine = string_of(to, "machine");
  OTF2_GlobalDefWriter_WriteSystemTreeNode(to, 0, machine, machine,
                                           OTF2_UNDEFINED_SYSTEM_TREE_NODE);
  uint64_t* members = malloc(ranks * sizeof *members);
  for (uint32_t rank = 0; rank < ranks; ++rank) {
    char text[32];
    snprintf(text, sizeof text, "MPI Rank %u", rank);
    const uint32_t name = string_of(to, text);
    OTF2_GlobalDefWriter_WriteLocationGroup(to, rank, name, OTF2_LOCATION_GROUP_TYPE_PROCESS, 0,
                                            OTF2_UNDEFINED_LOCATION_GROUP);
    OTF2_GlobalDefWriter_WriteLocation(to, rank, name, OTF2_LOCATION_TYPE_CPU_THREAD,
                                       36 * iterations + 2, rank);
    members[rank] = rank;
  }
  const uint32_t world = string_of(to, "MPI_COMM_WORLD");
  OTF2_GlobalDefWriter_WriteGroup(to, 0, none, OTF2_GROUP_TYPE_COMM_LOCATIONS, OTF2_PARADIGM_MPI,
                                  OTF2_GROUP_FLAG_NONE, ranks, members);
  OTF2_GlobalDefWriter_WriteGroup(to, 1, none, OTF2_GROUP_TYPE_COMM_GROUP, OTF2_PARADIGM_MPI,
                                  OTF2_GROUP_FLAG_NONE, ranks, members);
  OTF2_GlobalDefWriter_WriteComm(to, 0, world, 1, OTF2_UNDEFINED_COMM, OTF2_COMM_FLAG_NONE);
  free(members);
}

static void write_otf2(const char* folder, uint32_t ranks, uint64_t iterations) {
  OTF2_Archive* archive = OTF2_Archive_Open(folder, "traces", OTF2_FILEMODE_WRITE, 1 << 20, 4 << 20,
                                            OTF2_SUBSTRATE_POSIX, OTF2_COMPRESSION_NONE);
  static OTF2_FlushCallbacks callbacks = {.otf2_pre_flush = flush};
  OTF2_Archive_SetFlushCallbacks(archive, &callbacks, NULL);
  OTF2_Archive_SetSerialCollectiveCallbacks(archive);
  OTF2_Archive_OpenEvtFiles(archive);
  for (uint32_t rank = 0; rank < ranks; ++rank) {
    OTF2_EvtWriter* to = OTF2_Archive_GetEvtWriter(archive, rank);
    write_rank(to, rank, iterations);
    OTF2_Archive_CloseEvtWriter(archive, to);
  }
  OTF2_Archive_CloseEvtFiles(archive);
  OTF2_Archive_OpenDefFiles(archive);
  for (uint32_t rank = 0; rank < ranks; ++rank)
    OTF2_Archive_CloseDefWriter(archive, OTF2_Archive_GetDefWriter(archive, rank));
  OTF2_Archive_CloseDefFiles(archive);
  OTF2_GlobalDefWriter* definitions = OTF2_Archive_GetGlobalDefWriter(archive);
  write_definitions(definitions, ranks, iterations);
  OTF2_Archive_CloseGlobalDefWriter(archive, definitions);
  OTF2_Archive_Close(archive);
}

// At 1 Gf/s. Replays match by source and tag, as in the archive.
static void write_ti(const char* folder, uint32_t ranks, uint64_t iterations) {
  mkdir(folder, 0777);
  static const int opposite[4] = {1, 0, 3, 2};
  char path[4096];
  snprintf(path, sizeof path, "%s/list", folder);
  FILE* list = fopen(path, "w");
  for (uint32_t rank = 0; rank < ranks; ++rank) {
    snprintf(path, sizeof path, "%s/rank-%u.txt", folder, rank);
    fprintf(list, "%s\n", path);
    FILE* to = fopen(path, "w");
    uint32_t peer[4];
    neighbours(rank, peer);
    fprintf(to, "%u init\n", rank);
    for (uint64_t i = 0; i < iterations; ++i) {
      for (int k = 0; k < 4; ++k)
        fprintf(to, "%u irecv %u %d %d 6\n", rank, peer[k], opposite[k], bytes);
      for (int k = 0; k < 4; ++k) fprintf(to, "%u isend %u %d %d 6\n", rank, peer[k], k, bytes);
      fprintf(to, "%u compute 900000\n%u waitall 8\n", rank, rank);
    }
    fprintf(to, "%u finalize\n", rank);
    fclose(to);
  }
  fclose(list);
}

int main(int argc, char** argv) {
  if (argc != 5) return fprintf(stderr, "stencil_trace otf2|ti DIR RANKS ITERATIONS\n"), 2;
  const uint32_t ranks = (uint32_t)strtoul(argv[3], NULL, 10);
  for (width = 1; (width + 1) * (width + 1) <= ranks;) ++width;
  while (ranks % width != 0) --width;
  height = ranks / width;
  const uint64_t iterations = strtoull(argv[4], NULL, 10);
  if (strcmp(argv[1], "otf2") == 0)
    write_otf2(argv[2], ranks, iterations);
  else
    write_ti(argv[2], ranks, iterations);
  return 0;
}
