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
    {"allreduce", "rabenseifner", "redscat_allgather", ompi_6},
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

constexpr std::string_view mpich_parameter_words =
    "k tree_type chunk_size is_non_blocking scatterv_k allgatherv_k recv_pre_posted "
    "buffer_per_child batch_size bblock topo_overhead topo_diff_groups ccl topo_diff_switches "
    "topo_same_switches single_phase_recv";

constexpr SameAlgorithm same_table[] = {{"bcast", "pipeline", "ring"},
                                        {"allreduce", "ring", "ring"},
                                        {"allgather", "ring", "ring"},
                                        {"reduce", "pipeline", "ring"}};

std::string_view usual_name(std::string_view collective, std::string_view name) {
  for (const OtherName& other : other_names)
    if (other.collective == collective && other.name == name) return other.usual;
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

const FormatFacts& format_facts(Format format) {
  return *std::ranges::find(formats(), format, &FormatFacts::format);
}

std::span<const LibraryFacts> libraries() { return library_table; }

std::string_view library_name(Library library) {
  return std::ranges::find(library_table, library, &LibraryFacts::library)->name;
}

std::string_view library_title(Library library) {
  return std::ranges::find(library_table, library, &LibraryFacts::library)->title;
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

const std::vector<TunedAlgorithm>& tuned_algorithms(std::string_view collective, Library library) {
  using Key = std::pair<Library, std::string_view>;
  static const auto table = [] {
    std::map<Key, std::vector<TunedAlgorithm>> by_version;
    for (const Library version : {ompi_31, ompi_41, ompi_50, ompi_6})
      for (const Algorithm& algorithm : all_algorithms())
        if (algorithm.id > 0 && selection::applies_rules_file(algorithm.collective) &&
            selection::is_in_set(library_name(version), algorithm))
          by_version[{version, algorithm.collective}].push_back({algorithm.id, algorithm.name});
    for (auto& [key, all] : by_version) std::ranges::sort(all, {}, &TunedAlgorithm::id);
    return by_version;
  }();
  static const std::vector<TunedAlgorithm> none;
  const auto algorithms = table.find(Key(library, collective));
  return algorithms == table.end() ? none : algorithms->second;
}

std::optional<int> tuned_id(std::string_view collective, std::string_view name, Library library) {
  if (name == "ignore") return 0;
  const auto& all = tuned_algorithms(collective, library);
  for (const std::string_view word : {name, usual_name(collective, name)})
    if (const auto algorithm = std::ranges::find(all, word, &TunedAlgorithm::name);
        algorithm != all.end())
      return algorithm->id;
  return std::nullopt;
}

std::string_view tuned_name(std::string_view collective, std::int64_t id, Library library) {
  if (id == 0) return "ignore";
  const auto& all = tuned_algorithms(collective, library);
  const auto algorithm = std::ranges::find(all, id, &TunedAlgorithm::id);
  if (algorithm == all.end()) return {};
  for (const OtherName& other : other_names)
    if (other.collective == collective && other.usual == algorithm->name &&
        other.library == library)
      return other.name;
  return algorithm->name;
}

std::span<const std::string_view> han_algorithms(std::string_view collective) {
  const auto row = std::ranges::find(han_table(), collective, &HanAlgorithms::collective);
  if (row == han_table().end()) return {};
  return row->names;
}

std::span<const MpichKey> mpich_keys() { return key_table; }
std::span<const std::string_view> mpich_collectives() {
  static const auto texts = [] {
    std::vector<std::string> all;
    for (const char* start : {"", "i"})
      for (std::int64_t number = 0; number < most_collectives; ++number)
        all.push_back(fmt::format("{}{}", start, open_mpi_collective(number)));
    return all;
  }();
  static const std::vector<std::string_view> names(texts.begin(), texts.end());
  return names;
}

std::span<const std::string_view> mpich_parameters() {
  static const std::vector<std::string_view> names = split(mpich_parameter_words, ' ');
  return names;
}

std::string_view nccl_collective_here(std::string_view name) {
  if (name == "broadcast") return "bcast";
  if (name == "reducescatter") return "reduce_scatter_block";
  return is_one_of(name, nccl_collectives) ? name : std::string_view();
}

std::span<const SameAlgorithm> same_algorithms() { return same_table; }

}  // namespace tutti::algorithms::rules_files
