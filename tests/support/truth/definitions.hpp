// SPDX-License-Identifier: BSD-3-Clause
// The definitions of the archive of a run. Groups: 0 the MPI locations, then one for each
// communicator and group of ranks, the OpenMP locations, and one for each team.
#pragma once

#include <doctest/doctest.h>

#include "tests/support/truth/log.hpp"

namespace tutti::tests::truth {

// As Score-P numbers them.
inline OTF2_LocationRef location_id(const Program& program, int place) {
  const auto rank = static_cast<OTF2_LocationRef>(place % program.rank_count);
  return rank + (static_cast<OTF2_LocationRef>(place / program.rank_count) << 32);
}

inline OTF2_Paradigm paradigm_of(const std::string& region) {
  if (region.starts_with("MPI_")) return OTF2_PARADIGM_MPI;
  if (region.starts_with("shmem_")) return OTF2_PARADIGM_SHMEM;
  if (region.starts_with("!$omp")) return OTF2_PARADIGM_OPENMP;
  if (region.starts_with("pthread_")) return OTF2_PARADIGM_PTHREAD;
  if (region.starts_with("cuda") || region.starts_with("kernel")) return OTF2_PARADIGM_CUDA;
  return OTF2_PARADIGM_COMPILER;
}

inline OTF2_RegionRole role_of(const std::string& region) {
  static const std::vector<std::pair<std::string, OTF2_RegionRole>> roles{
      {"!$omp parallel", OTF2_REGION_ROLE_PARALLEL},
      {"!$omp for", OTF2_REGION_ROLE_LOOP},
      {"!$omp critical sblock", OTF2_REGION_ROLE_CRITICAL_SBLOCK},
      {"!$omp critical", OTF2_REGION_ROLE_CRITICAL},
      {"!$omp create task", OTF2_REGION_ROLE_TASK_CREATE},
      {"!$omp task", OTF2_REGION_ROLE_TASK},
      {"!$omp implicit barrier", OTF2_REGION_ROLE_IMPLICIT_BARRIER},
      {"!$omp barrier", OTF2_REGION_ROLE_BARRIER},
      {"cudaMemcpy", OTF2_REGION_ROLE_DATA_TRANSFER},
      {"cuda", OTF2_REGION_ROLE_WRAPPER},
      {"MPI_Barrier", OTF2_REGION_ROLE_BARRIER},
      {"MPI_Ibarrier", OTF2_REGION_ROLE_BARRIER},
      {"MPI_Win_", OTF2_REGION_ROLE_RMA},
      {"MPI_Put", OTF2_REGION_ROLE_RMA},
      {"MPI_Bcast", OTF2_REGION_ROLE_COLL_ONE2ALL},
      {"MPI_Ibcast", OTF2_REGION_ROLE_COLL_ONE2ALL},
      {"MPI_Scatter", OTF2_REGION_ROLE_COLL_ONE2ALL},
      {"MPI_Reduce", OTF2_REGION_ROLE_COLL_ALL2ONE},
      {"MPI_Ireduce", OTF2_REGION_ROLE_COLL_ALL2ONE},
      {"MPI_Gather", OTF2_REGION_ROLE_COLL_ALL2ONE},
      {"MPI_Scan", OTF2_REGION_ROLE_COLL_OTHER},
      {"MPI_Exscan", OTF2_REGION_ROLE_COLL_OTHER},
      {"MPI_Comm_", OTF2_REGION_ROLE_COLL_OTHER},
      {"MPI_Finalize", OTF2_REGION_ROLE_FUNCTION},
      {"MPI_A", OTF2_REGION_ROLE_COLL_ALL2ALL},
      {"MPI_Ia", OTF2_REGION_ROLE_COLL_ALL2ALL},
      {"MPI_Neighbor", OTF2_REGION_ROLE_COLL_ALL2ALL},
      {"MPI_Ineighbor", OTF2_REGION_ROLE_COLL_ALL2ALL},
      {"MPI_", OTF2_REGION_ROLE_POINT2POINT}};
  for (const auto& [prefix, role] : roles)
    if (region.starts_with(prefix)) return role;
  return OTF2_REGION_ROLE_FUNCTION;
}

class Definitions {
 public:
  Definitions(OTF2_GlobalDefWriter* to, const Program& program, const Log& log)
      : to_(to), program_(program), log_(log) {}

  void write() {
    const auto length = static_cast<std::uint64_t>(log_.last() + 1);
    check(OTF2_GlobalDefWriter_WriteClockProperties(to_, 1'000'000'000, 0, length,
                                                    OTF2_UNDEFINED_TIMESTAMP));
    paradigms();
    regions();
    if (log_.is_unwound) contexts();
    locations();
    if (log_.has_metrics) metrics();
    if (program_.has_mpi) communicators();
    if (program_.thread_count > 1 && program_.team_records == Program::TeamRecords::all) teams();
    for (int window = 0; window < program_.windows; ++window)
      check(OTF2_GlobalDefWriter_WriteRmaWin(to_, id(window),
                                             string("window " + std::to_string(window)), 0,
                                             OTF2_RMA_WIN_FLAG_CREATE_DESTROY_EVENTS));
  }

 private:
  static void check(OTF2_ErrorCode code) { REQUIRE(code == OTF2_SUCCESS); }
  static std::uint32_t id(std::size_t of) { return static_cast<std::uint32_t>(of); }
  static std::uint32_t id(int of) { return static_cast<std::uint32_t>(of); }

  std::uint32_t string(const std::string& text) {
    const auto [found, is_new] = strings_.try_emplace(text, id(strings_.size()));
    if (is_new) check(OTF2_GlobalDefWriter_WriteString(to_, found->second, text.c_str()));
    return found->second;
  }

  void paradigms() {
    const auto define = [&](OTF2_Paradigm paradigm, const char* name, OTF2_ParadigmClass kind) {
      check(OTF2_GlobalDefWriter_WriteParadigm(to_, paradigm, string(name), kind));
    };
    define(OTF2_PARADIGM_COMPILER, "Compiler", OTF2_PARADIGM_CLASS_PROCESS);
    if (program_.has_mpi) define(OTF2_PARADIGM_MPI, "MPI", OTF2_PARADIGM_CLASS_PROCESS);
    if (program_.windows > 0) define(OTF2_PARADIGM_SHMEM, "SHMEM", OTF2_PARADIGM_CLASS_PROCESS);
    if (program_.thread_count > 1)
      define(OTF2_PARADIGM_OPENMP, "OpenMP", OTF2_PARADIGM_CLASS_THREAD_FORK_JOIN);
    if (program_.thread_count > 1)
      define(OTF2_PARADIGM_PTHREAD, "Pthreads", OTF2_PARADIGM_CLASS_THREAD_CREATE_WAIT);
    if (program_.stream_count > 0)
      define(OTF2_PARADIGM_CUDA, "CUDA", OTF2_PARADIGM_CLASS_ACCELERATOR);
  }

  void regions() {
    for (std::size_t i = 0; i < log_.regions.size(); ++i) {
      const std::string& name = log_.regions[i];
      check(OTF2_GlobalDefWriter_WriteRegion(to_, id(i), string(name), string(name), string(""),
                                             role_of(name), paradigm_of(name),
                                             OTF2_REGION_FLAG_NONE, string(""), 0, 0));
    }
  }

  // Of each region one.
  void contexts() {
    for (std::size_t i = 0; i < log_.regions.size(); ++i)
      check(OTF2_GlobalDefWriter_WriteCallingContext(
          to_, id(i), id(i), OTF2_UNDEFINED_SOURCE_CODE_LOCATION, OTF2_UNDEFINED_CALLING_CONTEXT));
    check(OTF2_GlobalDefWriter_WriteInterruptGenerator(
        to_, 0, string("timer"), OTF2_INTERRUPT_GENERATOR_MODE_TIME, OTF2_BASE_DECIMAL, -3, 1));
  }

  void metrics() {
    check(OTF2_GlobalDefWriter_WriteParameter(to_, 0, string("step"), OTF2_PARAMETER_TYPE_INT64));
    const OTF2_MetricMemberRef member = 0;
    check(OTF2_GlobalDefWriter_WriteMetricMember(
        to_, 0, string("PAPI_TOT_INS"), string(""), OTF2_METRIC_TYPE_PAPI,
        OTF2_METRIC_ACCUMULATED_START, OTF2_TYPE_UINT64, OTF2_BASE_DECIMAL, 0, string("#")));
    check(OTF2_GlobalDefWriter_WriteMetricClass(to_, 0, 1, &member, OTF2_METRIC_SYNCHRONOUS_STRICT,
                                                OTF2_RECORDER_KIND_CPU));
  }

  void locations() {
    check(OTF2_GlobalDefWriter_WriteSystemTreeNode(to_, 0, string("cluster"), string("machine"),
                                                   OTF2_UNDEFINED_SYSTEM_TREE_NODE));
    check(OTF2_GlobalDefWriter_WriteSystemTreeNode(to_, 1, string("node0"), string("node"), 0));
    for (int rank = 0; rank < program_.rank_count; ++rank)
      check(OTF2_GlobalDefWriter_WriteLocationGroup(
          to_, id(rank),
          string(program_.has_mpi ? "MPI Rank " + std::to_string(rank) : std::string("Process")),
          OTF2_LOCATION_GROUP_TYPE_PROCESS, 1, OTF2_UNDEFINED_LOCATION_GROUP));
    for (int rank = 0; rank < program_.rank_count && program_.stream_count > 0; ++rank)
      check(OTF2_GlobalDefWriter_WriteLocationGroup(
          to_, id(program_.rank_count + rank), string("CUDA Context 0"),
          OTF2_LOCATION_GROUP_TYPE_ACCELERATOR, 1, id(rank)));
    for (int place = 0; place < program_.place_count(); ++place) location(place);
  }

  void location(int place) {
    const int index = place / program_.rank_count;
    const bool is_stream = program_.is_stream(place);
    const std::string name = is_stream    ? "CUDA[0:" + std::to_string(index) + "]"
                             : index == 0 ? "Master thread"
                                          : "OMP thread " + std::to_string(index) + ":1";
    const int group = program_.rank_of(place) + (is_stream ? program_.rank_count : 0);
    check(OTF2_GlobalDefWriter_WriteLocation(
        to_, location_id(program_, place), string(name),
        is_stream ? OTF2_LOCATION_TYPE_ACCELERATOR_STREAM : OTF2_LOCATION_TYPE_CPU_THREAD,
        log_.records[static_cast<std::size_t>(place)].size(), id(group)));
  }

  void group(OTF2_GroupType type, OTF2_Paradigm paradigm, const std::vector<std::uint64_t>& members,
             const std::string& name = "") {
    check(OTF2_GlobalDefWriter_WriteGroup(to_, groups_++, string(name), type, paradigm,
                                          OTF2_GROUP_FLAG_NONE, id(members.size()),
                                          members.data()));
  }

  void communicators() {
    std::vector<std::uint64_t> masters;
    for (int rank = 0; rank < program_.rank_count; ++rank)
      masters.push_back(location_id(program_, rank));
    group(OTF2_GROUP_TYPE_COMM_LOCATIONS, OTF2_PARADIGM_MPI, masters);
    for (const Comm& each : program_.comms)
      group(OTF2_GROUP_TYPE_COMM_GROUP, OTF2_PARADIGM_MPI,
            {each.members.begin(), each.members.end()});
    for (const auto& ranks : log_.groups)
      group(OTF2_GROUP_TYPE_COMM_GROUP, OTF2_PARADIGM_MPI, {ranks.begin(), ranks.end()});
    for (std::size_t i = 0; i < program_.comms.size(); ++i) {
      const Comm& comm = program_.comms[i];
      const OTF2_CommFlag flag =
          comm.is_created ? OTF2_COMM_FLAG_CREATE_DESTROY_EVENTS : OTF2_COMM_FLAG_NONE;
      check(OTF2_GlobalDefWriter_WriteComm(to_, id(i), string(comm.name), id(i + 1),
                                           i == 0 ? OTF2_UNDEFINED_COMM : 0, flag));
    }
    for (std::size_t i = 0; i < program_.comms.size(); ++i)
      if (!program_.comms[i].dims.empty() && program_.comms[i].is_described) topology(i);
  }

  void topology(std::size_t comm) {
    const Comm& of = program_.comms[comm];
    std::vector<OTF2_CartDimensionRef> dims;
    for (const int size : of.dims) {
      check(OTF2_GlobalDefWriter_WriteCartDimension(
          to_, dimensions_, string("dimension " + std::to_string(dims.size())), id(size),
          of.is_periodic ? OTF2_CART_PERIODIC_TRUE : OTF2_CART_PERIODIC_FALSE));
      dims.push_back(dimensions_++);
    }
    const auto count = static_cast<std::uint8_t>(dims.size());
    check(OTF2_GlobalDefWriter_WriteCartTopology(to_, topologies_, string("grid"), id(comm), count,
                                                 dims.data()));
    for (std::size_t rank = 0; rank < of.members.size(); ++rank) {
      std::vector<std::uint32_t> coordinates;
      int stride = static_cast<int>(of.members.size());
      for (const int size : of.dims) {
        stride /= size;
        coordinates.push_back(id(static_cast<int>(rank) / stride % size));
      }
      check(OTF2_GlobalDefWriter_WriteCartCoordinate(to_, topologies_, id(rank), count,
                                                     coordinates.data()));
    }
    ++topologies_;
  }

  void teams() {
    std::vector<std::uint64_t> all;
    const int threads = program_.thread_count;
    for (int rank = 0; rank < program_.rank_count; ++rank)
      for (int thread = 0; thread < threads; ++thread)
        all.push_back(location_id(program_, program_.place(rank, thread)));
    group(OTF2_GROUP_TYPE_COMM_LOCATIONS, OTF2_PARADIGM_OPENMP, all);
    for (int rank = 0; rank < program_.rank_count; ++rank) {
      std::vector<std::uint64_t> members;
      for (int thread = 0; thread < threads; ++thread)
        members.push_back(static_cast<std::uint64_t>(rank * threads + thread));
      group(OTF2_GROUP_TYPE_COMM_GROUP, OTF2_PARADIGM_OPENMP, members, "OpenMP team");
      check(OTF2_GlobalDefWriter_WriteComm(to_, id(program_.team(rank)), string(""), groups_ - 1,
                                           OTF2_UNDEFINED_COMM, OTF2_COMM_FLAG_NONE));
    }
  }

  OTF2_GlobalDefWriter* to_;
  const Program& program_;
  const Log& log_;
  std::map<std::string, std::uint32_t> strings_;
  std::uint32_t groups_ = 0;
  OTF2_CartDimensionRef dimensions_ = 0;
  OTF2_CartTopologyRef topologies_ = 0;
};

}  // namespace tutti::tests::truth
