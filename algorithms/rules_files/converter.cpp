// SPDX-License-Identifier: BSD-3-Clause
#include "algorithms/rules_files/converter.hpp"

#include "algorithms/rules_files/mpich_default.hpp"
#include "algorithms/rules_files/mpich_names.hpp"

namespace tutti::algorithms::rules_files {

Cells Converter::cells_of(const CollectiveRules& collective, std::string_view scope) {
  std::vector<Cell> cells;
  for (const GridCell& cell : grid_of(collective, file_.format, scope)) {
    Cell& made = cells.emplace_back(Cell{cell.procs, cell.bytes, std::nullopt});
    if (cell.rule == nullptr) continue;
    made.rule = translated(collective.collective, cell);
    if (cell.nccl != nullptr) made.nccl = *cell.nccl;
    made_.rules += made.rule.has_value();
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
  made_.omissions.push_back(
      {collective, cell.procs, cell.bytes, std::move(what), std::string(why), line});
}

bool Converter::takes(const CollectiveRules& collective) {
  if (tuned_applies(collective.collective, library_)) return true;
  omit(collective.collective, {}, "all rules",
       fmt::format("{} does not apply rules to it", title_of(library_)), collective.line);
  return false;
}

std::optional<SizeRule> Converter::translated(const std::string& collective, const GridCell& cell) {
  const SizeRule& rule = *cell.rule;
  const auto unknown = [&](std::string_view why) -> std::optional<SizeRule> {
    omit(collective, cell,
         rule.algorithm.empty() ? fmt::format("algorithm {}", rule.id)
                                : "algorithm " + rule.algorithm,
         why, rule.line);
    return std::nullopt;
  };
  if (rule.algorithm.empty())
    return unknown(fmt::format("{} does not have it", title_of(file_.library)));
  if (to_ == Format::mpich_json) return to_mpich(collective, cell);
  if (file_.format == Format::nccl && to_ != Format::nccl) return from_nccl(collective, cell);
  if (to_ == Format::nccl) return to_nccl(collective, cell);
  const auto id = tuned_id(collective, rule.algorithm, library_);
  if (!id) return unknown(fmt::format("{} does not have it", title_of(library_)));
  SizeRule made = rule;
  made.id = *id;
  if (to_ == Format::ompi_classic && made.max_requests.value_or(0) > 0) {
    omit(collective, cell, fmt::format("limit of {} requests", *made.max_requests),
         "the format omits it: use ompi-classic-2", rule.line);
    made.max_requests.reset();
  }
  return made;
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
    SizeRule made = rule;
    made.algorithm = same.open_mpi;
    made.id = tuned_id(collective, same.open_mpi, library_).value_or(0);
    return made;
  }
  omit(collective, cell, "algorithm " + rule.algorithm, "Open MPI has no such algorithm",
       rule.line);
  return std::nullopt;
}

// The rule names the registry's algorithm.
std::optional<SizeRule> Converter::to_mpich(const std::string& collective, const GridCell& cell) {
  SizeRule made = *cell.rule;
  if (file_.format == Format::nccl) {
    const auto usual = from_nccl(collective, cell);
    if (!usual) return std::nullopt;
    made = *usual;
  }
  const Algorithm* here = find_algorithm(collective, made.algorithm);
  const Algorithm* there = here == nullptr ? nullptr : in_mpich(*here);
  if (there == nullptr || !is_in_mpich_40(*there)) {
    omit(collective, cell, "algorithm " + made.algorithm, "MPICH 4.0 does not have it", made.line);
    return std::nullopt;
  }
  if (made.segment_bytes > 0 && here->segmented)
    omit(collective, cell, fmt::format("segments of {} B", made.segment_bytes),
         "MPICH 4.0's algorithm does not have them", made.line);
  made.algorithm = there->name;
  return made;
}

std::optional<SizeRule> Converter::to_nccl(const std::string& collective, const GridCell& cell) {
  const SizeRule& rule = *cell.rule;
  for (const SameAlgorithm& same : same_algorithms()) {
    if (same.collective != collective || same.open_mpi != rule.algorithm) continue;
    if (cell.procs.min > 2 && cell.procs.min != cell.procs.max) break;
    SizeRule made = rule;
    made.algorithm = same.nccl;
    return made;
  }
  const bool is_range = cell.procs.min > 2 && cell.procs.min != cell.procs.max;
  omit(collective, cell, "algorithm " + rule.algorithm,
       is_range ? "a row is for one number of ranks, or for all"
                : "NCCL has no such algorithm of it",
       rule.line);
  return std::nullopt;
}

}  // namespace tutti::algorithms::rules_files
