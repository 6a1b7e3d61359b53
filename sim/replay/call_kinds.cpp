// SPDX-License-Identifier: BSD-3-Clause
#include "sim/replay/call_kinds.hpp"

namespace tutti::studies::replay {
namespace {

using Names = std::initializer_list<std::string_view>;

bool is_one_of(std::string_view name, Names names) {
  return std::ranges::find(names, name) != names.end();
}
bool begins_with_one_of(std::string_view name, Names names) {
  return std::ranges::any_of(names, [&](auto prefix) { return name.starts_with(prefix); });
}

// Fortran: "mpi_ssend_"; the profiling interface: "PMPI_Ssend".
std::string canonical(std::string_view name) {
  std::string lower = lower_case(name);
  while (lower.ends_with('_')) lower.pop_back();
  return lower.starts_with("pmpi_") ? lower.substr(1) : lower;
}

SendMode send_mode(std::string_view name) {
  if (is_one_of(name, {"mpi_ssend", "mpi_issend"})) return SendMode::synchronous;
  if (is_one_of(name, {"mpi_bsend", "mpi_ibsend"})) return SendMode::buffered;
  if (is_one_of(name, {"mpi_rsend", "mpi_irsend"})) return SendMode::ready;
  return SendMode::standard;
}

bool is_local(std::string_view name) {
  return begins_with_one_of(
      name, {"mpi_comm_rank", "mpi_comm_size", "mpi_comm_get", "mpi_comm_group", "mpi_comm_set",
             "mpi_wt",        "mpi_type_",     "mpi_get",      "mpi_group_",     "mpi_op_",
             "mpi_info_",     "mpi_cart_rank", "mpi_cart_sh",  "mpi_cart_coo",   "mpi_initialized",
             "mpi_finalized", "mpi_put",       "mpi_accum",    "mpi_request_",   "mpi_error_",
             "mpi_attr_",     "mpi_pack",      "mpi_unpack"});
}

CallKind kind_of(const workloads::traces::TraceRegion& region) {
  const std::string name = canonical(region.name);
  return {.is_call = region.is_call(),
          .send = send_mode(name),
          .probes = is_one_of(name, {"mpi_probe", "mpi_mprobe"}),
          .tests = name.starts_with("mpi_test") || name == "mpi_win_test",
          .is_wait = name == "mpi_wait",
          .is_local = is_local(name) || region.role == workloads::traces::RegionRole::launch,
          .is_of_all = is_one_of(name, {"mpi_init", "mpi_init_thread", "mpi_finalize"}),
          .role = region.role};
}

}  // namespace

std::vector<CallKind> call_kinds(const std::vector<workloads::traces::TraceRegion>& regions) {
  std::vector<CallKind> kinds;
  for (const auto& region : regions) kinds.push_back(kind_of(region));
  return kinds;
}

}  // namespace tutti::studies::replay
