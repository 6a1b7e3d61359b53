// SPDX-License-Identifier: BSD-3-Clause
#include "workloads/traces/mpi_calls.hpp"

#include "sim/base/common.hpp"

namespace tutti::workloads::traces {
namespace {

struct NamedKind {
  std::string_view begin;  // of the name without "MPI_", in lower case
  MpiCall kind;
};

// The first match counts. Nonblocking collectives are looked up without their leading I.
constexpr NamedKind named_kinds[] = {{"init", MpiCall::init_exit},
                                     {"finalize", MpiCall::init_exit},
                                     {"barrier", MpiCall::barrier},
                                     {"send", MpiCall::point_to_point},
                                     {"ssend", MpiCall::point_to_point},
                                     {"bsend", MpiCall::point_to_point},
                                     {"rsend", MpiCall::point_to_point},
                                     {"psend", MpiCall::point_to_point},
                                     {"recv", MpiCall::point_to_point},
                                     {"mrecv", MpiCall::point_to_point},
                                     {"precv", MpiCall::point_to_point},
                                     {"probe", MpiCall::point_to_point},
                                     {"mprobe", MpiCall::point_to_point},
                                     {"wait", MpiCall::point_to_point},
                                     {"test", MpiCall::point_to_point},
                                     {"start", MpiCall::point_to_point},
                                     {"bcast", MpiCall::one_to_all},
                                     {"scatter", MpiCall::one_to_all},
                                     {"reduce_scatter", MpiCall::all_to_all},
                                     {"reduce_local", MpiCall::other},
                                     {"reduce", MpiCall::all_to_one},
                                     {"gather", MpiCall::all_to_one},
                                     {"all", MpiCall::all_to_all},
                                     {"scan", MpiCall::all_to_all},
                                     {"exscan", MpiCall::all_to_all},
                                     {"neighbor_", MpiCall::all_to_all},
                                     {"comm_", MpiCall::communicator},
                                     {"cart_", MpiCall::communicator},
                                     {"graph_", MpiCall::communicator},
                                     {"dist_graph_", MpiCall::communicator},
                                     {"group_", MpiCall::communicator},
                                     {"intercomm_", MpiCall::communicator},
                                     {"put", MpiCall::one_sided},
                                     {"get_accumulate", MpiCall::one_sided},
                                     {"rget", MpiCall::one_sided},
                                     {"rput", MpiCall::one_sided},
                                     {"accumulate", MpiCall::one_sided},
                                     {"raccumulate", MpiCall::one_sided},
                                     {"fetch_and_op", MpiCall::one_sided},
                                     {"compare_and_swap", MpiCall::one_sided},
                                     {"win_", MpiCall::window},
                                     {"file_", MpiCall::file}};

MpiCall kind_of(std::string_view name) {
  for (const auto& each : named_kinds)
    if (name.starts_with(each.begin)) return each.kind;
  return name == "get" ? MpiCall::one_sided : MpiCall::other;
}

}  // namespace

MpiCall mpi_call(std::string_view region) {
  constexpr std::string_view prefix = "mpi_";
  const std::string lower = lower_case(region);
  if (!lower.starts_with(prefix)) return MpiCall::other;
  std::string_view name = lower;
  name.remove_prefix(prefix.size());
  if (name.starts_with("alloc_mem")) return MpiCall::other;
  const MpiCall kind = kind_of(name);
  return kind == MpiCall::other && name.starts_with('i') ? kind_of(name.substr(1)) : kind;
}

}  // namespace tutti::workloads::traces
