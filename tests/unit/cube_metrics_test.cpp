// SPDX-License-Identifier: BSD-3-Clause
// The metrics of CUBE files, and the kinds of MPI calls.
#include "sim/replay/report/cube_metrics.hpp"

#include <doctest/doctest.h>

#include <set>

using namespace tutti;
using studies::replay::metric_count;
using studies::replay::metric_names;
using workloads::traces::mpi_call;
using workloads::traces::MpiCall;

TEST_CASE("a CUBE file has every metric of a replay, in a tree") {
  std::set<std::string_view> names;
  std::vector<std::string_view> open;
  std::uint64_t summed = 0;
  for (const auto& each : reports::cube_metrics(true)) {
    CAPTURE(each.name);
    while (!open.empty() && open.back() != each.parent) open.pop_back();
    CHECK(each.parent.empty() == open.empty());  // the parent's other descendants are complete
    open.push_back(each.name);
    CHECK(names.insert(each.name).second);
    CHECK((each.sums != 0) + (each.calls != 0) + (each.causes != 0) == 1);
    summed |= each.sums;
  }
  for (std::size_t i = 0; i < metric_count; ++i)
    CHECK_MESSAGE((summed >> i & 1) == 1, metric_names[i], " is in no CUBE metric");
}

TEST_CASE("MPI calls have kinds") {
  struct Case {
    const char* region;
    MpiCall kind;
  };
  for (const auto& [region, kind] : {Case{"MPI_Send", MpiCall::point_to_point},
                                     Case{"MPI_Irecv", MpiCall::point_to_point},
                                     Case{"MPI_Sendrecv_replace", MpiCall::point_to_point},
                                     Case{"MPI_Waitall", MpiCall::point_to_point},
                                     Case{"MPI_Improbe", MpiCall::point_to_point},
                                     Case{"mpi_recv_", MpiCall::point_to_point},
                                     Case{"MPI_Ibarrier", MpiCall::barrier},
                                     Case{"MPI_Bcast", MpiCall::one_to_all},
                                     Case{"MPI_Iscatterv", MpiCall::one_to_all},
                                     Case{"MPI_Reduce", MpiCall::all_to_one},
                                     Case{"MPI_Igatherv", MpiCall::all_to_one},
                                     Case{"MPI_Reduce_scatter_block", MpiCall::all_to_all},
                                     Case{"MPI_Reduce_local", MpiCall::other},
                                     Case{"MPI_Iallreduce", MpiCall::all_to_all},
                                     Case{"MPI_Alloc_mem", MpiCall::other},
                                     Case{"MPI_Ineighbor_alltoallv", MpiCall::all_to_all},
                                     Case{"MPI_Init_thread", MpiCall::init_exit},
                                     Case{"MPI_Comm_split", MpiCall::communicator},
                                     Case{"MPI_Get", MpiCall::one_sided},
                                     Case{"MPI_Get_count", MpiCall::other},
                                     Case{"MPI_Win_fence", MpiCall::window},
                                     Case{"MPI_Win_allocate_shared", MpiCall::window_management},
                                     Case{"MPI_Win_free", MpiCall::window_management},
                                     Case{"MPI_File_iread", MpiCall::file},
                                     Case{"main", MpiCall::other}}) {
    CAPTURE(region);
    CHECK(mpi_call(region) == kind);
  }
}
