// SPDX-License-Identifier: BSD-3-Clause
#include "algorithms/rules_files/converter.hpp"

#include "algorithms/rules_files/mpich_default.hpp"
#include "algorithms/rules_files/mpich_names.hpp"

namespace tutti::algorithms::rules_files {

Cells Converter::convert_cells(const CollectiveRules& collective, std::string_view scope) {
  std::vector<Cell> cells;
  for (const GridCell& cell : make_grid(collective, file_.format, scope)) {
    Cell& converted = cells.emplace_back(Cell{cell.procs, cell.bytes, std::nullopt});
    if (cell.rule == nullptr) continue;
    converted.rule = translate(collective.collective, cell);
    conversion_.rules += converted.rule.has_value();
  }
  return cells;
}

void Converter::omit_scopes(const CollectiveRules& collective) {
  for (const ProcsRules& procs : collective.procs)
    if (!procs.scope.empty())
      omit(collective.collective, {procs.procs, {}}, "rules for " + procs.scope,
           "the format has no such condition", procs.line);
}

void Converter::omit(const std::string& collective, const GridCell& cell, std::string what,
                     std::string_view why, int line) {
  conversion_.omissions.push_back(
      {collective, cell.procs, cell.bytes, std::move(what), std::string(why), line});
}

void Converter::omit_all(const CollectiveRules& collective, std::string_view why) {
  omit(collective.collective, {}, "all rules", why, collective.line);
}

std::nullopt_t Converter::omit_rule(const std::string& collective, const GridCell& cell,
                                    std::string_view why) {
  const SizeRule& rule = *cell.rule;
  omit(
      collective, cell,
      rule.algorithm.empty() ? fmt::format("algorithm {}", rule.id) : "algorithm " + rule.algorithm,
      why, rule.line);
  return std::nullopt;
}

bool Converter::takes(const CollectiveRules& collective) {
  if (tuned_applies(collective.collective, library_)) return true;
  omit_all(collective, fmt::format("{} does not apply rules to it", library_title(library_)));
  return false;
}

std::optional<SizeRule> Converter::translate(const std::string& collective, const GridCell& cell) {
  const SizeRule& rule = *cell.rule;
  const auto lacks = [](Library library) {
    return fmt::format("{} does not have it", library_title(library));
  };
  if (rule.algorithm.empty()) return omit_rule(collective, cell, lacks(file_.library));
  if (to_ == Format::mpich_json) return to_mpich(collective, cell);
  if (file_.format == Format::nccl && to_ != Format::nccl) return from_nccl(collective, cell);
  if (to_ == Format::nccl) return to_nccl(collective, cell);
  const auto id = tuned_id(collective, rule.algorithm, library_);
  if (!id) return omit_rule(collective, cell, lacks(library_));
  SizeRule converted = rule;
  converted.id = *id;
  if (to_ == Format::ompi_classic && converted.max_requests.value_or(0) > 0) {
    omit(collective, cell, fmt::format("limit of {} requests", *converted.max_requests),
         "the format omits it: use ompi-classic-2", rule.line);
    converted.max_requests.reset();
  }
  return converted;
}

std::optional<SizeRule> Converter::from_nccl(const std::string& collective, const GridCell& cell) {
  const SizeRule& rule = *cell.rule;
  for (const SameAlgorithm& same : same_algorithms()) {
    if (same.collective != collective || same.nccl != rule.algorithm) continue;
    const auto& nccl = *cell.nccl;
    if (nccl.channels > 0 || nccl.protocol != "simple")
      omit(collective, cell,
           nccl.channels > 0 ? fmt::format("protocol {}, {} channels", nccl.protocol, nccl.channels)
                             : fmt::format("protocol {}", nccl.protocol),
           "Open MPI chooses protocols by the message size", rule.line);
    SizeRule converted = rule;
    converted.algorithm = same.open_mpi;
    converted.id = tuned_id(collective, same.open_mpi, library_).value_or(0);
    return converted;
  }
  return omit_rule(collective, cell, "Open MPI has no such algorithm");
}

// The rule names the registry's algorithm.
std::optional<SizeRule> Converter::to_mpich(const std::string& collective, const GridCell& cell) {
  SizeRule converted = *cell.rule;
  if (file_.format == Format::nccl) {
    const auto usual = from_nccl(collective, cell);
    if (!usual) return std::nullopt;
    converted = *usual;
  }
  const Algorithm* here = find_algorithm(collective, converted.algorithm);
  const Algorithm* there = here == nullptr ? nullptr : in_mpich(*here);
  if (there == nullptr || !is_in_mpich_40(*there))
    return omit_rule(collective, {cell.procs, cell.bytes, &converted},
                     "MPICH 4.0 does not have it");
  if (converted.segment_bytes > 0 && here->segmented)
    omit(collective, cell, fmt::format("segments of {} B", converted.segment_bytes),
         "MPICH 4.0's algorithm does not have them", converted.line);
  converted.algorithm = there->name;
  return converted;
}

std::optional<SizeRule> Converter::to_nccl(const std::string& collective, const GridCell& cell) {
  const SizeRule& rule = *cell.rule;
  for (const SameAlgorithm& same : same_algorithms()) {
    if (same.collective != collective || same.open_mpi != rule.algorithm) continue;
    if (cell.procs.min > 2 && cell.procs.min != cell.procs.max) break;
    SizeRule converted = rule;
    converted.algorithm = same.nccl;
    return converted;
  }
  const bool is_range = cell.procs.min > 2 && cell.procs.min != cell.procs.max;
  return omit_rule(collective, cell,
                   is_range ? "a row is for one number of ranks, or for all"
                            : "NCCL has no such algorithm of it");
}

}  // namespace tutti::algorithms::rules_files
