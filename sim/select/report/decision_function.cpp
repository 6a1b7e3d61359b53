// SPDX-License-Identifier: BSD-3-Clause
#include "sim/select/report/decision_function.hpp"

#include <fmt/format.h>

#include <ranges>

#include "algorithms/collective.hpp"

namespace tutti::reports {
namespace {

using studies::select::ProcsRules;
using studies::select::Rule;
using studies::select::TimeTable;

constexpr std::string_view beginning = R"(#pragma once

#include <cstdint>

namespace tutti_rules {

struct Choice {
  const char* algorithm;        // Open MPI's name, or Tutti's: "hierarchical:..."; "": not decided
  int id;                       // Open MPI's number; 0: it has none
  std::uint64_t segment_bytes;  // 0: not segmented
  int fanout;                   // 0: the algorithm has none, or its default
  int max_requests;             // under way at a time; 0: no limit
};

inline constexpr Choice undecided{"", 0, 0, 0, 0};
)";

std::string text_of(const TimeTable& table, const Rule& rule) {
  if (!rule.choice) return "undecided";
  const auto& candidate = table.candidates[*rule.choice];
  return fmt::format(R"(Choice{{"{}", {}, {}, {}, {}}})", candidate.algorithm, candidate.id,
                     candidate.segment_bytes, candidate.fanout, candidate.max_requests);
}

// The largest size first, so that the first condition that holds decides.
std::string text_of(const TimeTable& table, const ProcsRules& of_procs) {
  std::string text;
  if (of_procs.from_procs > 1) text += fmt::format("  if (procs >= {}) {{\n", of_procs.from_procs);
  const std::string indent(of_procs.from_procs > 1 ? 4 : 2, ' ');
  for (const Rule& rule : std::views::reverse(of_procs.rules)) {
    const std::string condition =
        rule.from_bytes > 0 ? fmt::format("if (bytes >= {}) ", rule.from_bytes) : "";
    text += fmt::format("{}{}return {};\n", indent, condition, text_of(table, rule));
  }
  return of_procs.from_procs > 1 ? text + "  }\n" : text;
}

std::string text_of(const DecidedCollective& decided) {
  const auto& table = *decided.table;
  const auto& collective = *algorithms::find_collective(table.collective);
  std::string text = fmt::format(
      "\n// bytes: {}.\ninline Choice {}([[maybe_unused]] int procs, "
      "[[maybe_unused]] std::uint64_t bytes) {{\n",
      !collective.has_message ? "of no meaning"
      : collective.in_blocks  ? "one rank's block"
                              : "the whole vector",
      table.collective);
  for (const auto& of_procs : std::views::reverse(decided.rules)) text += text_of(table, of_procs);
  return text + "}\n";
}

}  // namespace

std::string decision_functions(const std::vector<DecidedCollective>& collectives,
                               const std::vector<std::string>& head) {
  std::string text;
  for (const auto& line : head) text += "// " + line + '\n';
  text += beginning;
  for (const auto& each : collectives) text += text_of(each);
  return text + "\n}  // namespace tutti_rules\n";
}

}  // namespace tutti::reports
