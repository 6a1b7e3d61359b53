// SPDX-License-Identifier: BSD-3-Clause
#include <ranges>

#include "algorithms/collective.hpp"
#include "sim/select/report/reports.hpp"

namespace tutti::reports {
namespace {

using studies::select::ProcsRules;
using studies::select::Rule;
using studies::select::RuleSet;
using studies::select::TimeTable;

constexpr std::string_view beginning = R"(#pragma once

#include <cstdint>

namespace tutti_rules {

struct Choice {
  const char* algorithm;        // Open MPI's name, or Tutti's: "hierarchical:..."; "": not decided
  int id;                       // Open MPI's number; 0: no number
  std::uint64_t segment_bytes;  // 0: unsegmented
  int fanout;                   // 0: no fan-out, or the algorithm's default
  int max_requests;             // concurrent requests; 0: no limit
};

inline constexpr Choice undecided{"", 0, 0, 0, 0};
)";

std::string render(const TimeTable& table, const Rule& rule) {
  if (!rule.choice) return "undecided";
  const auto& candidate = table.candidates[*rule.choice];
  return fmt::format(R"(Choice{{"{}", {}, {}, {}, {}}})", candidate.algorithm, candidate.id,
                     candidate.segment_bytes, candidate.fanout, candidate.max_requests);
}

// From the largest size down, so that the first true condition decides.
std::string render(const TimeTable& table, const ProcsRules& of_procs) {
  std::string text;
  if (of_procs.from_procs > 1) text += fmt::format("  if (procs >= {}) {{\n", of_procs.from_procs);
  const std::string indent(of_procs.from_procs > 1 ? 4 : 2, ' ');
  for (const Rule& rule : std::views::reverse(of_procs.rules)) {
    const std::string condition =
        rule.from_bytes > 0 ? fmt::format("if (bytes >= {}) ", rule.from_bytes) : "";
    text += fmt::format("{}{}return {};\n", indent, condition, render(table, rule));
  }
  return of_procs.from_procs > 1 ? text + "  }\n" : text;
}

std::string render(const TimeTable& table, const std::string& name, const RuleSet& rules) {
  std::string text = fmt::format(
      "inline Choice {}([[maybe_unused]] int procs, [[maybe_unused]] std::uint64_t bytes) {{\n",
      name);
  for (const auto& of_procs : std::views::reverse(rules)) text += render(table, of_procs);
  return text + "}\n";
}

// A function for each class of placements, and one that chooses among them.
std::string by_nodes(const DecidedCollective& decided) {
  const auto& table = *decided.table;
  std::string functions, choosing;
  const auto function_name = [&](int least_ppn) {
    return table.collective + (least_ppn == 0 ? "_one_node" : fmt::format("_ppn_{}", least_ppn));
  };
  for (const auto* selected : decided.rules) {
    const int least_ppn = selected->spec.placement.least_ppn;
    functions += render(table, function_name(least_ppn), selected->rules);
    if (least_ppn > 1)
      choosing = fmt::format("  if (ppn >= {}) return {}(procs, bytes);\n", least_ppn,
                             function_name(least_ppn)) +
                 choosing;
  }
  return functions + fmt::format(R"(inline Choice {0}(int procs, int nodes, std::uint64_t bytes) {{
  if (nodes <= 1) return {1}(procs, bytes);
  [[maybe_unused]] const int ppn = (procs + nodes - 1) / nodes;
{2}  return {3}(procs, bytes);
}}
)",
                                 table.collective, function_name(0), choosing, function_name(1));
}

std::string render(const DecidedCollective& decided) {
  const auto& table = *decided.table;
  const auto& collective = *algorithms::find_collective(table.collective);
  const auto head = fmt::format("\n// bytes: {}.\n", !collective.has_message ? "not used"
                                                     : collective.in_blocks  ? "one rank's block"
                                                                             : "the whole vector");
  const auto& rules = decided.rules;
  return head + (rules.size() == 1 ? render(table, table.collective, rules.front()->rules)
                                   : by_nodes(decided));
}

}  // namespace

std::string decision_functions(const std::vector<DecidedCollective>& collectives,
                               const std::vector<std::string>& head) {
  std::string text;
  for (const auto& line : head) text += "// " + line + '\n';
  text += beginning;
  for (const auto& decided : collectives) text += render(decided);
  return text + "\n}  // namespace tutti_rules\n";
}

}  // namespace tutti::reports
