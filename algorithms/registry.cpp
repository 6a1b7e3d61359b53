// SPDX-License-Identifier: BSD-3-Clause

#include "algorithms/algorithm.hpp"

namespace tutti::algorithms {

std::span<const Collective> all_collectives() {
  static constexpr Collective table[] = {
      {.name = "bcast", .rooted = true},
      {.name = "allgather", .in_blocks = true},
      {.name = "allgatherv", .in_blocks = true, .has_counts = true},
      {.name = "allreduce", .reduces = true},
      {.name = "alltoall", .in_blocks = true},
      {.name = "alltoallv", .in_blocks = true, .has_counts = true},
      {.name = "barrier", .has_message = false},
      {.name = "gather", .rooted = true, .in_blocks = true},
      {.name = "gatherv", .rooted = true, .in_blocks = true, .has_counts = true},
      {.name = "scatter", .rooted = true, .in_blocks = true},
      {.name = "scatterv", .rooted = true, .in_blocks = true, .has_counts = true},
      {.name = "reduce", .rooted = true, .reduces = true},
      {.name = "reduce_scatter", .reduces = true, .has_counts = true},
      {.name = "reduce_scatter_block", .in_blocks = true, .reduces = true},
      {.name = "scan", .reduces = true},
      {.name = "exscan", .reduces = true},
  };
  return table;
}

const Collective* find_collective(std::string_view name) {
  for (const Collective& collective : all_collectives())
    if (collective.name == name) return &collective;
  // What `sim run schedule` simulates: no collective of MPI, and not in any list.
  static constexpr Collective schedule{.name = "schedule", .has_message = false};
  return name == schedule.name ? &schedule : nullptr;
}

namespace {

// The rows of the catalog in the order of all_collectives().
const std::vector<const CatalogRow*>& rows() {
  static const auto sorted = [] {
    std::vector<const CatalogRow*> all;
    for (const Collective& collective : all_collectives())
      for (const CatalogRow& row : catalog)
        if (row.collective == collective.name) all.push_back(&row);
    return all;
  }();
  return sorted;
}

}  // namespace

std::span<const Algorithm> all_algorithms() {
  static const auto all = [] {
    std::vector<Algorithm> algorithms;
    for (const CatalogRow* row : rows()) {
      Algorithm& algorithm = algorithms.emplace_back(*row->entry);
      algorithm.collective = row->collective;
      algorithm.name = row->name;
      algorithm.id = row->id;
      algorithm.set = row->set;
      algorithm.summary = row->summary;
      algorithm.reference = row->reference;
    }
    return algorithms;
  }();
  return all;
}

const Algorithm& registered(const Algorithm& entry) {
  const auto row = std::ranges::find(rows(), &entry, &CatalogRow::entry);
  return all_algorithms()[static_cast<std::size_t>(row - rows().begin())];
}

std::vector<const Algorithm*> algorithms_of(std::string_view collective) {
  std::vector<const Algorithm*> chosen;
  for (const Algorithm& algorithm : all_algorithms())
    if (algorithm.collective == collective) chosen.push_back(&algorithm);
  return chosen;
}

const Algorithm* find_algorithm(std::string_view collective, std::string_view name) {
  for (const Algorithm& algorithm : all_algorithms())
    if (algorithm.collective == collective && algorithm.name == name) return &algorithm;
  return nullptr;
}

std::string runs_as(const Algorithm& algorithm, const ModelArgs& args) {
  if (algorithm.falls_back_to != nullptr)
    if (const auto name = algorithm.falls_back_to(args); !name.empty()) {
      const std::string parts = runs_as(*find_algorithm(algorithm.collective, name), args);
      return parts.empty() ? std::string(name) : std::string(name) + ": " + parts;
    }
  return algorithm.made_of == nullptr ? std::string{} : algorithm.made_of(args);
}

}  // namespace tutti::algorithms
