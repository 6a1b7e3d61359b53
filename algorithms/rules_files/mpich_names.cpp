// SPDX-License-Identifier: BSD-3-Clause
#include "algorithms/rules_files/mpich_names.hpp"

#include "algorithms/mpich.hpp"
#include "algorithms/rules_files/facts.hpp"
#include "algorithms/selection/algorithm_sets.hpp"

namespace tutti::algorithms::rules_files {
namespace {

constexpr std::string_view of_mpich_suffix = "_mpich";
constexpr std::string_view tree_start = "tree_";

// Names that differ from Tutti's.
struct NameInMpich {
  std::string_view collective;
  std::string_view here;
  std::string_view there;
};
constexpr NameInMpich names_in_mpich[] = {{"allgather", "bruck", "brucks"},
                                          {"allgatherv", "bruck", "brucks"},
                                          {"alltoall", "modified_bruck", "brucks"},
                                          {"barrier", "bruck", "dissemination"},
                                          {"reduce_scatter_block", "butterfly", "noncommutative"}};

// Open MPI's name of a method, and the registry's of MPICH's, where more than a suffix differs.
constexpr NameInMpich methods[] = {
    {"bcast", "scatter_allgather", "scatter_recursive_doubling_allgather"},
    {"bcast", "scatter_allgather_ring", "scatter_ring_allgather"},
    {"allreduce", "rabenseifner", "reduce_scatter_allgather_mpich"},
    {"allreduce", "redscat_allgather", "reduce_scatter_allgather_mpich"},
    {"reduce", "rabenseifner", "reduce_scatter_gather"},
    {"alltoall", "linear_sync", "scattered"}};

// Algorithms that Tutti does not have.
struct OtherAlgorithms {
  std::string_view collective;
  std::vector<std::string_view> names;
};
const std::vector<OtherAlgorithms>& others() {
  static const std::vector<OtherAlgorithms> table{
      {"allgather", {"inter_local_gather_remote_bcast"}},
      {"allgatherv", {"inter_remote_gather_local_bcast"}},
      {"allreduce", {"intra_smp", "intra_ccl", "inter_reduce_exchange_bcast"}},
      {"alltoall", {"inter_pairwise_exchange"}},
      {"alltoallv", {"inter_pairwise_exchange"}},
      {"barrier", {"intra_smp", "inter_bcast"}},
      {"bcast", {"intra_smp", "intra_pipelined_tree", "inter_remote_send_local_bcast"}},
      {"gather", {"inter_linear", "inter_local_gather_remote_send"}},
      {"reduce", {"intra_smp", "inter_local_reduce_remote_send"}},
      {"reduce_scatter", {"inter_remote_reduce_local_scatter"}},
      {"reduce_scatter_block", {"inter_remote_reduce_local_scatter"}},
      {"scan", {"intra_smp"}},
      {"scatter", {"inter_linear", "inter_remote_send_local_scatter"}}};
  return table;
}

std::string_view without(std::string_view name, std::string_view suffix) {
  return name.ends_with(suffix) ? name.substr(0, name.size() - suffix.size()) : name;
}

MpichName make_name(const Algorithm& algorithm) {
  std::string_view name = without(algorithm.name, of_mpich_suffix);
  for (const NameInMpich& other : names_in_mpich)
    if (other.collective == algorithm.collective && other.here == name) name = other.there;
  std::string type;
  if (name.starts_with(tree_start)) {
    type = name.substr(tree_start.size());
    name = "tree";
  }
  const bool has_any_comm = algorithm.collective == "gatherv" || algorithm.collective == "scatterv";
  return {fmt::format("{}_{}", has_any_comm ? "allcomm" : "intra", name), type, &algorithm};
}

}  // namespace

const std::vector<MpichName>& mpich_names(std::string_view collective) {
  static const auto table = [] {
    std::map<std::string_view, std::vector<MpichName>> by_collective;
    for (const Algorithm& algorithm : all_algorithms())
      if (selection::is_in_set(mpich::set, algorithm))
        by_collective[algorithm.collective].push_back(make_name(algorithm));
    return by_collective;
  }();
  static const std::vector<MpichName> none;
  const auto names = table.find(collective);
  return names == table.end() ? none : names->second;
}

const Algorithm* mpich_algorithm(std::string_view collective, std::string_view name,
                                 std::string_view tree_type) {
  for (const MpichName& known : mpich_names(collective))
    if (known.name == name && (tree_type.empty() || known.tree_type == tree_type))
      return known.algorithm;
  return nullptr;
}

std::optional<MpichName> mpich_name(const Algorithm& algorithm) {
  for (const MpichName& known : mpich_names(algorithm.collective))
    if (known.algorithm->name == algorithm.name) return known;
  return std::nullopt;
}

std::string mpich_prefix(std::string_view collective) {
  std::string start = fmt::format("MPIR_{}_", collective);
  start[5] = static_cast<char>(std::toupper(static_cast<unsigned char>(start[5])));
  return start;
}

std::vector<std::string> mpich_algorithms(std::string_view collective) {
  std::vector<std::string> names;
  for (const MpichName& known : mpich_names(collective))
    if (std::ranges::find(names, known.name) == names.end()) names.push_back(known.name);
  if (names.empty()) return names;
  const auto more = std::ranges::find(others(), collective, &OtherAlgorithms::collective);
  if (more != others().end())
    for (const auto name : more->names) names.emplace_back(name);
  names.emplace_back("allcomm_nb");
  return names;
}

const Algorithm* in_mpich(const Algorithm& of_open_mpi) {
  const std::string_view collective = of_open_mpi.collective;
  for (const NameInMpich& method : methods)
    if (method.collective == collective && method.here == of_open_mpi.name)
      return find_algorithm(collective, method.there);
  const std::string with_suffix = fmt::format("{}{}", of_open_mpi.name, of_mpich_suffix);
  if (const Algorithm* other = find_algorithm(collective, with_suffix)) return other;
  return mpich_name(of_open_mpi) ? &of_open_mpi : nullptr;
}

const Algorithm* in_open_mpi(const Algorithm& of_mpich) {
  static const auto table = [] {
    std::map<const Algorithm*, const Algorithm*> counterparts;
    for (const Algorithm& algorithm : all_algorithms())
      if (algorithm.id > 0) counterparts.emplace(in_mpich(algorithm), &algorithm);
    return counterparts;
  }();
  const auto counterpart = table.find(&of_mpich);
  return counterpart == table.end() ? nullptr : counterpart->second;
}

}  // namespace tutti::algorithms::rules_files
