// SPDX-License-Identifier: BSD-3-Clause
#include "workloads/traces/mpi_calls.hpp"

#include "sim/base/common.hpp"

namespace tutti::workloads::traces {
namespace {

struct NamedKind {
  MpiCall kind;
  std::string_view begins;  // of the names without "MPI_", in lower case
};

// The first match counts. Nonblocking collectives are looked up without their leading I.
constexpr NamedKind named_kinds[] = {
    {MpiCall::init_exit, "init finalize"},
    {MpiCall::barrier, "barrier"},
    {MpiCall::point_to_point,
     "send ssend bsend rsend psend recv mrecv precv probe mprobe wait test start"},
    {MpiCall::one_to_all, "bcast scatter"},
    {MpiCall::all_to_all, "reduce_scatter"},
    {MpiCall::other, "reduce_local"},
    {MpiCall::all_to_one, "reduce gather"},
    {MpiCall::all_to_all, "all scan exscan neighbor_"},
    {MpiCall::communicator, "comm_ cart_ graph_ dist_graph_ group_ intercomm_"},
    {MpiCall::one_sided,
     "put get_accumulate rget rput accumulate raccumulate fetch_and_op compare_and_swap"},
    {MpiCall::window_management,
     "win_create win_allocate win_attach win_detach win_free win_get win_set win_shared "
     "win_delete"},
    {MpiCall::window, "win_"},
    {MpiCall::file, "file_"}};

MpiCall kind_of(std::string_view name) {
  for (const auto& [kind, begins] : named_kinds)
    for (const std::string_view begin : split(begins, ' '))
      if (name.starts_with(begin)) return kind;
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
