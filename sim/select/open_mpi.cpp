// SPDX-License-Identifier: BSD-3-Clause
#include "sim/select/open_mpi.hpp"

#include "algorithms/rules_files/conversion.hpp"
#include "algorithms/rules_files/facts.hpp"
#include "sim/base/common.hpp"

namespace tutti::studies::select {
namespace {

using algorithms::selection::WrittenRule;

WrittenRule file_rule(const TimeTable& table, const Rule& rule) {
  if (!rule.choice) return {.from_bytes = rule.from_bytes, .comment = "Open MPI's own rules"};
  const Candidate& candidate = table.candidates[*rule.choice];
  // Other algorithms would abort the job.
  TUTTI_CHECK(candidate.in_rules_file && candidate.id > 0, "no algorithm of a rules file");
  return {.from_bytes = rule.from_bytes,
          .algorithm = candidate.id,
          .fanout = candidate.fanout,
          .segment_bytes = candidate.segment_bytes,
          .max_requests = candidate.max_requests,
          .comment = label(candidate)};
}

namespace files = algorithms::rules_files;

bool is_for_file(const SelectedRules& selected) {
  return selected.spec.rivals == Rivals::in_rules_file;
}

// Placements without cells are left to the library, since entries for any placement would apply to
// them.
void add_entries(const TimeTable& table, const SelectedRules& selected,
                 files::CollectiveRules& into) {
  const bool is_timed = std::ranges::any_of(table.cells, selected.spec.placement.holds);
  const auto& sizes = file_rules(table, is_timed ? selected.rules : RuleSet{{1, {Rule{}}}}).sizes;
  for (std::size_t i = 0; i < sizes.size(); ++i) {
    files::ProcsRules entry{
        .procs = {sizes[i].from_procs}, .scope = selected.spec.placement.name, .rules = {}};
    if (i + 1 < sizes.size()) entry.procs.max = sizes[i + 1].from_procs - 1;
    for (const WrittenRule& rule : sizes[i].rules) {
      if (!entry.rules.empty()) entry.rules.back().bytes.max = rule.from_bytes - 1;
      const auto name = files::tuned_name(table.collective, rule.algorithm, files::Library::ompi_6);
      entry.rules.push_back({.bytes = {rule.from_bytes},
                             .algorithm = rule.algorithm == 0 ? "" : std::string(name),
                             .id = rule.algorithm,
                             .fanout = rule.fanout,
                             .segment_bytes = rule.segment_bytes,
                             .max_requests = rule.max_requests});
    }
    into.procs.push_back(std::move(entry));
  }
}

std::string json_file(const std::vector<SelectedCollective>& collectives) {
  files::RulesFile file{.format = files::Format::ompi_json, .library = files::Library::ompi_6};
  for (const auto& selected_collective : collectives) {
    auto& into = file.collectives.emplace_back();
    into.collective = selected_collective.table.collective;
    for (const auto& selected : selected_collective.rules)
      if (is_for_file(selected)) add_entries(selected_collective.table, selected, into);
  }
  return files::convert(file, files::Format::ompi_json, {}).text;
}

}  // namespace

RuleSpec spec_of_rules_file(const std::string& collective, double most_loss) {
  const auto seen = [collective](int procs, Bytes message_bytes) {
    return algorithms::selection::rules_file_bytes({.collective = collective,
                                                    .procs = procs,
                                                    .message_bytes = message_bytes,
                                                    .elements = message_bytes});
  };
  return {.most_loss = most_loss, .seen = seen, .rivals = Rivals::in_rules_file};
}

algorithms::selection::WrittenCollective file_rules(const TimeTable& table, const RuleSet& rules) {
  algorithms::selection::WrittenCollective file{table.collective, {}};
  for (const auto& of_procs : rules) {
    auto& size = file.sizes.emplace_back();
    size.from_procs = of_procs.from_procs;
    for (const auto& rule : of_procs.rules) size.rules.push_back(file_rule(table, rule));
  }
  return file;
}

std::vector<SeenPlacement> placements_of_rules_file(std::string_view library) {
  if (library != "ompi-6") return {{}};
  const auto is_disjoint = [](const TimedCell& cell) { return cell.nodes == cell.procs; };
  const auto is_one_node = [](const TimedCell& cell) { return cell.nodes == 1; };
  // A communicator of one process is in the first class.
  return {{"one-per-node", is_disjoint},
          {"single-node", [=](auto& cell) { return !is_disjoint(cell) && is_one_node(cell); }},
          {"any", [=](auto& cell) { return !is_disjoint(cell) && !is_one_node(cell); }}};
}

std::string open_mpi_file(const std::vector<SelectedCollective>& collectives,
                          std::string_view library, const std::vector<std::string>& head,
                          bool is_of_pair) {
  using algorithms::selection::RulesFormat;
  if (library == "ompi-6") return json_file(collectives);
  std::vector<algorithms::selection::WrittenCollective> rules;
  for (const auto& selected_collective : collectives)
    for (const auto& selected : selected_collective.rules)
      if (is_for_file(selected))
        rules.push_back(file_rules(selected_collective.table, selected.rules));
  return rules_file_text(
      rules, library == "ompi-5.0" ? RulesFormat::open_mpi_5_0 : RulesFormat::open_mpi_4_1, head,
      is_of_pair);
}

}  // namespace tutti::studies::select
