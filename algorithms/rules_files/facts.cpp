// SPDX-License-Identifier: BSD-3-Clause
#include "algorithms/rules_files/facts.hpp"

#include "algorithms/selection/algorithm_sets.hpp"
#include "algorithms/selection/write_rules.hpp"

namespace tutti::algorithms::rules_files {
namespace {

using enum Library;

constexpr LibraryFacts library_table[] = {
    {ompi_31, "ompi-3.1", "Open MPI 3.1"}, {ompi_41, "ompi-4.1", "Open MPI 4.1"},
    {ompi_50, "ompi-5.0", "Open MPI 5.0"}, {ompi_6, "ompi-6", "Open MPI 6"},
    {mpich_4, "mpich-4", "MPICH 4"},       {nccl, "nccl", "NCCL"}};

constexpr std::array<std::string_view, 5> neighborhood_collectives{
    "neighbor_allgather", "neighbor_allgatherv", "neighbor_alltoall", "neighbor_alltoallv",
    "neighbor_alltoallw"};

// Names in a version that differ from Tutti's.
struct OtherName {
  std::string_view collective;
  std::string_view name;
  std::string_view usual;
  Library library;
};
constexpr OtherName other_names[] = {
    {"allgather", "bruck-k-fanout", "k_bruck", ompi_6},
    {"reduce_scatter", "recursive_halfing", "recursive_halving", ompi_31}};

struct HanAlgorithms {
  std::string_view collective;
  std::vector<std::string_view> names;
};
const std::vector<HanAlgorithms>& han_table() {
  static const std::vector<HanAlgorithms> table{{"allgather", {"intra", "simple"}},
                                                {"allreduce", {"intra", "simple", "reproducible"}},
                                                {"barrier", {"simple"}},
                                                {"bcast", {"intra", "simple"}},
                                                {"gather", {"intra", "simple"}},
                                                {"gatherv", {"intra"}},
                                                {"reduce", {"intra", "simple", "reproducible"}},
                                                {"scatter", {"intra", "simple"}}};
  return table;
}

constexpr MpichKey key_table[] = {{"collective", "=", "", false},
                                  {"comm_type", "=", "intra inter", false},
                                  {"comm_size", "<= < =", "pow2 node_comm_size", true},
                                  {"comm_avg_ppn", "<= <", "", true},
                                  {"comm_hierarchy", "=", "parent node node_roots flat", false},
                                  {"avg_msg_size", "<= <", "", true},
                                  {"total_msg_size", "<= <", "", true},
                                  {"count", "<= <", "pow2", true},
                                  {"is_multi_threaded", "=", "yes no", false},
                                  {"is_node_consecutive", "=", "yes no", false},
                                  {"is_commutative", "=", "yes no", false},
                                  {"is_op_built_in", "=", "yes no", false},
                                  {"is_sendbuf_inplace", "=", "yes no", false},
                                  {"is_block_regular", "=", "yes no", false}};

constexpr std::string_view mpich_collective_table[] = {"allgather",
                                                       "allgatherv",
                                                       "allreduce",
                                                       "alltoall",
                                                       "alltoallv",
                                                       "alltoallw",
                                                       "barrier",
                                                       "bcast",
                                                       "exscan",
                                                       "gather",
                                                       "gatherv",
                                                       "reduce",
                                                       "reduce_scatter",
                                                       "reduce_scatter_block",
                                                       "scan",
                                                       "scatter",
                                                       "scatterv",
                                                       "neighbor_allgather",
                                                       "neighbor_allgatherv",
                                                       "neighbor_alltoall",
                                                       "neighbor_alltoallv",
                                                       "neighbor_alltoallw",
                                                       "iallgather",
                                                       "iallgatherv",
                                                       "iallreduce",
                                                       "ialltoall",
                                                       "ialltoallv",
                                                       "ialltoallw",
                                                       "ibarrier",
                                                       "ibcast",
                                                       "iexscan",
                                                       "igather",
                                                       "igatherv",
                                                       "ireduce",
                                                       "ireduce_scatter",
                                                       "ireduce_scatter_block",
                                                       "iscan",
                                                       "iscatter",
                                                       "iscatterv",
                                                       "ineighbor_allgather",
                                                       "ineighbor_allgatherv",
                                                       "ineighbor_alltoall",
                                                       "ineighbor_alltoallv",
                                                       "ineighbor_alltoallw"};

struct MpichAlgorithms {
  std::string_view collective;
  std::vector<std::string_view> names;
};
const std::vector<MpichAlgorithms>& mpich_table() {
  static const std::vector<MpichAlgorithms> table{
      {"allgather",
       {"intra_brucks", "intra_k_brucks", "intra_recursive_doubling", "intra_recexch", "intra_ring",
        "inter_local_gather_remote_bcast", "allcomm_nb"}},
      {"allgatherv",
       {"intra_brucks", "intra_recursive_doubling", "intra_ring", "inter_remote_gather_local_bcast",
        "allcomm_nb"}},
      {"allreduce",
       {"intra_recursive_doubling", "intra_recursive_multiplying", "intra_reduce_scatter_allgather",
        "intra_smp", "intra_tree", "intra_recexch", "intra_ring",
        "intra_k_reduce_scatter_allgather", "intra_ccl", "inter_reduce_exchange_bcast",
        "allcomm_nb"}},
      {"alltoall",
       {"intra_brucks", "intra_k_brucks", "intra_pairwise", "intra_pairwise_sendrecv_replace",
        "intra_scattered", "inter_pairwise_exchange", "allcomm_nb"}},
      {"alltoallv",
       {"intra_pairwise_sendrecv_replace", "intra_scattered", "inter_pairwise_exchange",
        "allcomm_nb"}},
      {"barrier",
       {"intra_k_dissemination", "intra_recexch", "intra_smp", "inter_bcast", "allcomm_nb"}},
      {"bcast",
       {"intra_binomial", "intra_scatter_recursive_doubling_allgather",
        "intra_scatter_ring_allgather", "intra_smp", "intra_tree", "intra_pipelined_tree",
        "inter_remote_send_local_bcast", "allcomm_nb"}},
      {"exscan", {"intra_recursive_doubling", "allcomm_nb"}},
      {"gather",
       {"intra_binomial", "inter_linear", "inter_local_gather_remote_send", "allcomm_nb"}},
      {"gatherv", {"allcomm_linear", "allcomm_nb"}},
      {"reduce",
       {"intra_binomial", "intra_reduce_scatter_gather", "intra_smp",
        "inter_local_reduce_remote_send", "allcomm_nb"}},
      {"reduce_scatter",
       {"intra_noncommutative", "intra_pairwise", "intra_recursive_doubling",
        "intra_recursive_halving", "inter_remote_reduce_local_scatter", "allcomm_nb"}},
      {"reduce_scatter_block",
       {"intra_noncommutative", "intra_pairwise", "intra_recursive_doubling",
        "intra_recursive_halving", "inter_remote_reduce_local_scatter", "allcomm_nb"}},
      {"scan", {"intra_recursive_doubling", "intra_smp", "allcomm_nb"}},
      {"scatter",
       {"intra_binomial", "inter_linear", "inter_remote_send_local_scatter", "allcomm_nb"}},
      {"scatterv", {"allcomm_linear", "allcomm_nb"}}};
  return table;
}

constexpr std::string_view mpich_parameter_table[] = {"k",
                                                      "tree_type",
                                                      "chunk_size",
                                                      "is_non_blocking",
                                                      "scatterv_k",
                                                      "allgatherv_k",
                                                      "recv_pre_posted",
                                                      "buffer_per_child",
                                                      "batch_size",
                                                      "bblock",
                                                      "topo_overhead",
                                                      "topo_diff_groups",
                                                      "ccl",
                                                      "topo_diff_switches",
                                                      "topo_same_switches",
                                                      "single_phase_recv"};

constexpr SameAlgorithm same_table[] = {
    {"bcast", "binomial", "binomial", ""},
    {"bcast", "scatter_allgather", "scatter_recursive_doubling_allgather", ""},
    {"bcast", "scatter_allgather_ring", "scatter_ring_allgather", ""},
    {"bcast", "pipeline", "", "ring"},
    {"allreduce", "recursive_doubling", "recursive_doubling", ""},
    {"allreduce", "rabenseifner", "reduce_scatter_allgather", ""},
    {"allreduce", "ring", "ring", "ring"},
    {"allgather", "bruck", "brucks", ""},
    {"allgather", "recursive_doubling", "recursive_doubling", ""},
    {"allgather", "ring", "ring", "ring"},
    {"allgatherv", "bruck", "brucks", ""},
    {"allgatherv", "ring", "ring", ""},
    {"alltoall", "modified_bruck", "brucks", ""},
    {"alltoall", "pairwise", "pairwise", ""},
    {"alltoall", "linear_sync", "scattered", ""},
    {"reduce", "binomial", "binomial", ""},
    {"reduce", "rabenseifner", "reduce_scatter_gather", ""},
    {"reduce", "pipeline", "", "ring"},
    {"reduce_scatter", "recursive_halving", "recursive_halving", ""},
    {"reduce_scatter_block", "recursive_halving", "recursive_halving", ""},
    {"reduce_scatter_block", "recursive_doubling", "recursive_doubling", ""},
    {"gather", "binomial", "binomial", ""},
    {"scatter", "binomial", "binomial", ""},
    {"scan", "recursive_doubling", "recursive_doubling", ""},
    {"exscan", "recursive_doubling", "recursive_doubling", ""},
    {"barrier", "bruck", "k_dissemination", ""}};

std::string_view usual_name(std::string_view collective, std::string_view name) {
  for (const OtherName& each : other_names)
    if (each.collective == collective && each.name == name) return each.usual;
  return name;
}

}  // namespace

const std::vector<FormatFacts>& formats() {
  static const std::vector<FormatFacts> table{
      {Format::ompi_classic,
       "ompi-classic",
       "Open MPI's dynamic rules, classic",
       {ompi_41, ompi_31, ompi_50, ompi_6},
       "--mca coll_tuned_use_dynamic_rules 1 --mca coll_tuned_dynamic_rules_filename FILE"},
      {Format::ompi_classic_2,
       "ompi-classic-2",
       "Open MPI's dynamic rules, classic version 2",
       {ompi_50, ompi_6},
       "--mca coll_tuned_use_dynamic_rules 1 --mca coll_tuned_dynamic_rules_filename FILE"},
      {Format::ompi_json,
       "ompi-json",
       "Open MPI's dynamic rules, JSON",
       {ompi_6},
       "--mca coll_tuned_use_dynamic_rules 1 --mca coll_tuned_dynamic_rules_filename FILE"},
      {Format::han,
       "han",
       "rules of Open MPI's component han",
       {ompi_50, ompi_6},
       "--mca coll_han_use_dynamic_file_rules 1 --mca coll_han_dynamic_rules_filename FILE"},
      {Format::mpich_json,
       "mpich-json",
       "MPICH's selection tree",
       {mpich_4},
       "MPIR_CVAR_COLL_SELECTION_TUNING_JSON_FILE=FILE"},
      {Format::nccl,
       "nccl",
       "CSV of NCCL's example tuner plugin",
       {Library::nccl},
       "NCCL_TUNER_PLUGIN=libnccl-tuner-example.so NCCL_TUNER_CONFIG_FILE=FILE"}};
  return table;
}

const FormatFacts& facts_of(Format format) {
  return *std::ranges::find(formats(), format, &FormatFacts::format);
}

std::optional<Format> format_named(std::string_view name) {
  const auto found = std::ranges::find(formats(), name, &FormatFacts::name);
  return found == formats().end() ? std::nullopt : std::optional(found->format);
}

std::span<const LibraryFacts> libraries() { return library_table; }

std::string_view name_of(Library library) {
  return std::ranges::find(library_table, library, &LibraryFacts::library)->name;
}

std::string_view title_of(Library library) {
  return std::ranges::find(library_table, library, &LibraryFacts::library)->title;
}

std::optional<Library> library_named(std::string_view name) {
  const auto* found = std::ranges::find(library_table, name, &LibraryFacts::name);
  return found == std::end(library_table) ? std::nullopt : std::optional(found->library);
}

std::string_view open_mpi_collective(std::int64_t number) {
  if (const auto usual = selection::collective_numbered(number)) return *usual;
  if (number < selection::most_numbered || number >= most_collectives) return {};
  return neighborhood_collectives[static_cast<std::size_t>(number - selection::most_numbered)];
}

std::optional<int> open_mpi_number(std::string_view collective) {
  for (int number = 0; number < most_collectives; ++number)
    if (open_mpi_collective(number) == collective) return number;
  return std::nullopt;
}

bool tuned_applies(std::string_view collective, Library library) {
  return !tuned_algorithms(collective, library).empty();
}

std::vector<TunedAlgorithm> tuned_algorithms(std::string_view collective, Library library) {
  std::vector<TunedAlgorithm> all;
  if (!selection::applies_rules_file(collective)) return all;
  for (const Algorithm* each : algorithms_of(collective))
    if (each->id > 0 && selection::is_in_set(name_of(library), *each))
      all.push_back({each->id, each->name});
  std::ranges::sort(all, {}, &TunedAlgorithm::id);
  return all;
}

std::optional<int> tuned_id(std::string_view collective, std::string_view name, Library library) {
  if (name == "ignore") return 0;
  const auto all = tuned_algorithms(collective, library);
  const auto found = std::ranges::find(all, usual_name(collective, name), &TunedAlgorithm::name);
  return found == all.end() ? std::nullopt : std::optional(found->id);
}

std::string_view tuned_name(std::string_view collective, std::int64_t id, Library library) {
  if (id == 0) return "ignore";
  const auto all = tuned_algorithms(collective, library);
  const auto found = std::ranges::find(all, id, &TunedAlgorithm::id);
  if (found == all.end()) return {};
  for (const OtherName& each : other_names)
    if (each.collective == collective && each.usual == found->name && each.library == library)
      return each.name;
  return found->name;
}

std::span<const std::string_view> han_algorithms(std::string_view collective) {
  const auto found = std::ranges::find(han_table(), collective, &HanAlgorithms::collective);
  if (found == han_table().end()) return {};
  return found->names;
}

std::span<const MpichKey> mpich_keys() { return key_table; }
std::span<const std::string_view> mpich_collectives() { return mpich_collective_table; }
std::span<const std::string_view> mpich_parameters() { return mpich_parameter_table; }

std::span<const std::string_view> mpich_algorithms(std::string_view collective) {
  const auto found = std::ranges::find(mpich_table(), collective, &MpichAlgorithms::collective);
  if (found == mpich_table().end()) return {};
  return found->names;
}

std::string_view nccl_collective_here(std::string_view name) {
  if (name == "broadcast") return "bcast";
  if (name == "reducescatter") return "reduce_scatter_block";
  return is_one_of(name, nccl_collectives) ? name : std::string_view();
}

std::span<const SameAlgorithm> same_algorithms() { return same_table; }

}  // namespace tutti::algorithms::rules_files
