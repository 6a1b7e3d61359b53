// SPDX-License-Identifier: BSD-3-Clause
// `--algorithm auto:nccl...` on machines of the catalog: what runs, and why it cannot.
#include "workloads/nccl_choice.hpp"

#include <doctest/doctest.h>

#include "platforms/reader.hpp"
#include "workloads/collective_call.hpp"

using namespace tutti;

namespace {

Result<workloads::CollectiveCall> nccl_call(const char* machine, const std::string& collective,
                                            const std::string& algorithm, int nodes, int gpus,
                                            Bytes message_bytes) {
  const auto read = platforms::load_machine(
      fmt::format("{}/platforms/catalog/{}.xml", TUTTI_SOURCE_DIR, machine));
  REQUIRE(read);
  platforms::PlacementRequest placement;
  placement.ppn = gpus;
  return workloads::resolve({.collective = collective,
                             .algorithm = algorithm,
                             .procs = nodes * gpus,
                             .message_bytes = message_bytes},
                            *read, placement);
}

std::string what_runs_by_nccl(const char* machine, const std::string& collective,
                              const std::string& algorithm, int nodes, int gpus,
                              Bytes message_bytes) {
  const auto call = nccl_call(machine, collective, algorithm, nodes, gpus, message_bytes);
  if (!call) return call.error().message + ": " + call.error().hint;
  CHECK(call->component == "nccl");
  return fmt::format("{}: {}", call->algorithm->name,
                     workloads::nccl_names(*call->algorithm, call->args.fanout));
}

constexpr Bytes KiB = 1024, MiB = 1024 * KiB, GiB = 1024 * MiB;

}  // namespace

TEST_CASE("auto:nccl runs NCCL's choice with its channels") {
  CHECK(what_runs_by_nccl("h100-pod", "allreduce", "auto:nccl", 1, 8, MiB) ==
        "nccl_ring_ll: Ring/LL, 24 channels");
  CHECK(what_runs_by_nccl("h100-pod", "allreduce", "auto:nccl-2.28:NCCL_ALGO=^NVLS", 1, 8,
                          128 * MiB) == "nccl_ring_simple: Ring/Simple, 24 channels");
  CHECK(what_runs_by_nccl("h100-pod", "allreduce", "auto:nccl:NCCL_ALGO=tree", 8, 8, GiB) ==
        "nccl_tree_simple: Tree/Simple, 16 channels");
  // The block of a rank: 64 KiB in all.
  CHECK(what_runs_by_nccl("h100-pod", "allgather", "auto:nccl", 8, 1, 8 * KiB) ==
        "nccl_pat: PAT/Simple, 2 channels");
  CHECK(what_runs_by_nccl("marenostrum5", "allreduce", "auto:nccl-2.20", 4, 4, GiB) ==
        "nccl_ring_simple: Ring/Simple, 8 channels");
  const auto call = nccl_call("h100-pod", "allreduce", "auto:nccl", 1, 8, MiB);
  REQUIRE(call);
  CHECK(call->decided_by == "nccl-2.28");
  REQUIRE(call->nccl != nullptr);
  CHECK(call->nccl->channels == 24);
  CHECK(call->args.fanout == 24);
}

TEST_CASE("calls that NCCL cannot choose for are errors with a hint") {
  CHECK(what_runs_by_nccl("crill", "allreduce", "auto:nccl", 2, 8, MiB) ==
        "crill has no GPUs that NCCL could use: the keys gpu/... of a platform describe them");
  CHECK(what_runs_by_nccl("h100-pod", "allreduce", "auto:nccl-2.29", 1, 8, MiB) ==
        "unknown version of NCCL's choice 'nccl-2.29': did you mean 'nccl-2.28'?");
  CHECK(
      what_runs_by_nccl("h100-pod", "scan", "auto:nccl", 1, 8, MiB) ==
      "NCCL has no scan: it has allreduce, bcast, reduce, allgather, reduce_scatter and messages");
  CHECK(what_runs_by_nccl("h100-pod", "allreduce", "auto:nccl:NCCL_ALGO=rings", 1, 8, MiB) ==
        "NCCL_ALGO: unknown word 'rings': did you mean 'Ring'?");
}

TEST_CASE("NCCL's lists continue after commas") {
  CHECK(workloads::continues_nccl_list("auto:nccl:NCCL_ALGO=ring", "tree"));
  CHECK(workloads::continues_nccl_list("auto:nccl:NCCL_ALGO=ring", "tree;allreduce:^ring"));
  CHECK(workloads::continues_nccl_list("auto:nccl:NCCL_ALGO=ring", "Tree:NCCL_PROTO=LL"));
  CHECK_FALSE(workloads::continues_nccl_list("auto:nccl:NCCL_ALGO=ring", "nccl_tree_ll"));
  CHECK_FALSE(workloads::continues_nccl_list("auto:nccl", "tree"));
}
