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
             name,
             {"mpi_comm_rank", "mpi_comm_size", "mpi_comm_get", "mpi_comm_group", "mpi_comm_set",
              "mpi_wt",        "mpi_type_",     "mpi_get",      "mpi_group_",     "mpi_op_",
              "mpi_info_",     "mpi_cart_rank", "mpi_cart_sh",  "mpi_cart_coo",   "mpi_initialized",
              "mpi_finalized", "mpi_put",       "mpi_accum",    "mpi_request_",   "mpi_error_",
              "mpi_attr_",     "mpi_pack",      "mpi_unpack",   "mpi_iprobe",     "mpi_improbe",
              "mpi_file_get",  "shmem_my_pe",   "shmem_n_pes",  "shmem_put",      "shmem_get",
              "shmem_fence",   "shmem_ptr"}) ||
         (name.starts_with("shmem_") &&
          (name.ends_with("_p") || name.ends_with("_g") || name.find("_put") != name.npos ||
           name.find("_get") != name.npos));
}

// Calls of MPI-IO that all ranks of the file's communicator make.
bool is_of_file(std::string_view name) {
  if (!name.starts_with("mpi_file_")) return false;
  const auto has = [&](std::string_view what) { return name.find(what) != name.npos; };
  return (has("_all") && !has("_iread") && !has("_iwrite") && !has("_begin")) ||
         (has("_ordered") && !has("_begin")) ||
         begins_with_one_of(
             name, {"mpi_file_open", "mpi_file_close", "mpi_file_set_view", "mpi_file_set_size",
                    "mpi_file_preallocate", "mpi_file_sync", "mpi_file_set_atomicity"});
}

// Calls with which ranks take work from a counter, or try to take a flag.
bool counts_work(std::string_view name) {
  return begins_with_one_of(name, {"mpi_fetch_and_op", "mpi_compare_and_swap", "mpi_get_accumulate",
                                   "mpi_rget_accumulate"}) ||
         (name.starts_with("shmem_") &&
          (name.find("_fetch") != name.npos || name.ends_with("_fadd") || name.ends_with("_finc") ||
           name.find("_swap") != name.npos || name.ends_with("_cswap")));
}

ThreadRegion of_threads(std::string_view name) {
  using T = ThreadRegion;
  constexpr std::pair<std::string_view, T> prefixes[] = {
      {"!$omp critical sblock", T::critical_block},
      {"!$omp critical", T::critical},
      {"!$omp for", T::loop},
      {"!$omp do", T::loop},
      {"!$omp taskwait", T::task_wait},
      {"!$omp taskgroup", T::task_wait},
      {"pthread_mutex_lock", T::lock},
      {"omp_set_lock", T::lock},
      {"omp_set_nest_lock", T::lock},
      {"pthread_mutex_unlock", T::unlock},
      {"omp_unset_lock", T::unlock},
      {"omp_unset_nest_lock", T::unlock},
      {"pthread_cond_wait", T::condition_wait},
      {"pthread_cond_timedwait", T::condition_wait},
      {"pthread_cond_signal", T::condition_signal},
      {"pthread_cond_broadcast", T::condition_broadcast}};
  for (const auto& [prefix, kind] : prefixes)
    if (name.starts_with(prefix)) return kind;
  return T::none;
}

CallKind kind_of(const workloads::traces::TraceRegion& region) {
  using workloads::traces::RegionRole;
  const std::string name = canonical(region.name);
  const bool waits_for_device = region.role == RegionRole::device_wait;
  const bool is_of_device = workloads::traces::is_of_devices(region.role);
  return {
      .is_call = region.is_call() || name.starts_with("shmem_"),
      .send = send_mode(name),
      .probes = is_one_of(name, {"mpi_probe", "mpi_mprobe"}),
      .tests = name.starts_with("mpi_test") || name == "mpi_win_test",
      .peeks = is_one_of(name, {"mpi_iprobe", "mpi_improbe"}),
      .is_any = is_one_of(name, {"mpi_waitany", "mpi_waitsome", "mpi_testany", "mpi_testsome"}),
      .counts_work = counts_work(name),
      .is_wait = name == "mpi_wait",
      .waits_for_requests = name.starts_with("mpi_wait"),
      .is_local = is_local(name) || (is_of_device && !waits_for_device),
      .is_of_all = is_one_of(
          name, {"mpi_init", "mpi_init_thread", "mpi_finalize", "shmem_init", "shmem_finalize"}),
      .starts_request = begins_with_one_of(name, {"mpi_i", "mpi_start", "mpi_file_i"}) &&
                        !begins_with_one_of(name, {"mpi_ini", "mpi_info", "mpi_is_", "mpi_iprobe",
                                                   "mpi_improbe", "mpi_intercomm"}),
      .starts_processes = name.starts_with("mpi_comm_spawn"),
      .is_of_file = is_of_file(name),
      .queries = region.role == RegionRole::device_query,
      .role = region.role,
      .of_threads = of_threads(name)};
}

}  // namespace

std::vector<CallKind> call_kinds(const std::vector<workloads::traces::TraceRegion>& regions) {
  std::vector<CallKind> kinds;
  for (const auto& region : regions) kinds.push_back(kind_of(region));
  return kinds;
}

}  // namespace tutti::studies::replay
