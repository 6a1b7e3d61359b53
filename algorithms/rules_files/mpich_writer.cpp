// SPDX-License-Identifier: BSD-3-Clause
#include "algorithms/rules_files/converter.hpp"
#include "algorithms/rules_files/mpich_default.hpp"
#include "algorithms/rules_files/mpich_names.hpp"

namespace tutti::algorithms::rules_files {
namespace {

// How MPICH sees the sizes that Open MPI's rules compare.
enum class SizeInMpich : unsigned char { none, average, total, total_of_blocks, not_at_all };

SizeInMpich size_in_mpich(std::string_view collective) {
  using enum SizeInMpich;
  constexpr std::array<std::string_view, 2> without{"alltoallv", "barrier"};
  constexpr std::array<std::string_view, 3> vectors{"allreduce", "bcast", "reduce"};
  constexpr std::array<std::string_view, 4> totals{"allgather", "alltoall", "reduce_scatter",
                                                   "reduce_scatter_block"};
  if (is_one_of(collective, without)) return none;
  if (is_one_of(collective, vectors)) return average;
  if (is_one_of(collective, totals)) return total;
  return collective == "allgatherv" ? total_of_blocks : not_at_all;
}

std::string mpich_size_problem(SizeInMpich size, const Converter::Cell& cell) {
  constexpr std::int64_t most_32_bits = std::numeric_limits<std::int32_t>::max();
  if (cell.procs.min > most_32_bits) return "limits of MPICH have 32 bits";
  const bool has_all_sizes = cell.bytes.min == 0 && cell.bytes.is_unlimited();
  if (has_all_sizes || size == SizeInMpich::none) return {};
  if (size == SizeInMpich::not_at_all) return "MPICH does not compare its size in bytes";
  if (size == SizeInMpich::total_of_blocks && cell.procs.min != cell.procs.max)
    return "MPICH compares blocks times processes, Open MPI blocks";
  return cell.bytes.min > most_32_bits ? "limits of MPICH have 32 bits" : std::string();
}

// The rules that go before MPICH's own.
std::vector<MpichRule> mpich_rules(const CollectiveRules& collective, Converter& converter,
                                   std::size_t& written) {
  const SizeInMpich size = size_in_mpich(collective.collective);
  std::vector<MpichRule> rules;
  for (const auto& cell : converter.convert_cells(collective, "")) {
    if (!cell.rule || (size == SizeInMpich::none && !cell.bytes.holds(0))) continue;
    const auto problem = mpich_size_problem(size, cell);
    if (!problem.empty()) {
      converter.omit_rule(collective.collective, {cell.procs, cell.bytes, &*cell.rule}, problem);
      --written;
      continue;
    }
    MpichRule rule{.procs = cell.procs};
    if (rule.procs.min <= 1) rule.procs.min = 0;
    const Algorithm& algorithm = *find_algorithm(collective.collective, cell.rule->algorithm);
    rule.algorithm = mpich_name(algorithm)->name;
    if (size == SizeInMpich::average) rule.average_bytes = cell.bytes;
    if (size == SizeInMpich::total) rule.total_bytes = cell.bytes;
    if (size == SizeInMpich::total_of_blocks) {
      rule.total_bytes.min = cell.bytes.min * cell.procs.min;
      if (cell.bytes.max < std::numeric_limits<std::int32_t>::max())
        rule.total_bytes.max = (cell.bytes.max + 1) * cell.procs.min - 1;
    }
    require_what_it_needs(algorithm, rule);
    rules.push_back(std::move(rule));
  }
  return rules;
}

}  // namespace

std::string mpich_text(const RulesFile& file, Converter& converter, std::size_t& written) {
  for (const CollectiveRules& rules : file.collectives) {
    if (mpich_algorithms(rules.collective).empty())
      converter.omit_all(rules, "MPICH does not choose by rules");
    converter.omit_scopes(rules);
  }
  std::vector<std::string> branches;
  for (const auto name : mpich_collectives()) {
    auto rules = mpich_default(name);
    const CollectiveRules* own = file.find(name);
    if (own != nullptr && !mpich_algorithms(name).empty()) {
      const auto first = mpich_rules(*own, converter, written);
      const bool is_any_comm = rules.inter.empty();
      if (is_any_comm && !first.empty()) rules.inter = rules.intra;
      rules.intra.insert(rules.intra.begin(), first.begin(), first.end());
    }
    branches.push_back(mpich_branch_text(name, rules));
  }
  return fmt::format("{{\n{}\n}}\n", fmt::join(branches, ",\n"));
}

}  // namespace tutti::algorithms::rules_files
