// SPDX-License-Identifier: BSD-3-Clause
#include "sim/params/parameter_names.hpp"

#include "algorithms/collective.hpp"
#include "platforms/tunables.hpp"
#include "sim/params/mca_names.hpp"
#include "sim/params/our_parameters.hpp"

namespace tutti::studies::tuning {
namespace {

std::optional<std::string> reason_without_effect(const std::string& mca_name) {
  for (const auto& each : platforms::open_mpi_parameters)
    if (each.name == mca_name && each.key.empty()) return std::string(each.reason);
  if (is_mca_name(mca_name)) return "the simulation has no such parameter";
  return std::nullopt;
}

// Of an option that only one collective is to have.
KnownParameter of_one_workload(const std::string& name) {
  const auto slash = name.find('/');
  const std::string group = name.substr(0, slash);
  if (slash == name.npos || algorithms::find_collective(group) == nullptr) return {name, "", ""};
  return {name.substr(slash + 1), group, ""};
}

Result<std::string> algorithm_of(const std::string& collective, const std::string& value) {
  const auto number = parse_integer(value);
  if (!number) return value;
  if (*number == 0) return std::string(own_choice);
  for (const auto* each : algorithms::algorithms_of(collective))
    if (each->id == *number) return std::string(each->name);
  return usage_error("",
                     fmt::format("Open MPI's {} has no algorithm {}", collective, in_quotes(value)),
                     "`sim list algorithms` has the numbers");
}

}  // namespace

KnownParameter known_parameter(const std::string& name) {
  const std::string mca_name = whole_mca_name(name);
  if (const auto ours = our_name(mca_name)) return of_one_workload(*ours);
  if (auto reason = reason_without_effect(mca_name)) return {"", "", *std::move(reason)};
  return of_one_workload(name);
}

Result<std::string> our_value(const std::string& mca_name, const std::string& value) {
  const auto ours = our_name(whole_mca_name(mca_name));
  if (!ours) return value;
  if (*ours == "map")
    return value == "slot" || value == "core" ? "block" : value == "node" ? "round-robin" : value;
  const auto slash = ours->find('/');
  if (ours->substr(slash + 1) == "algorithm") return algorithm_of(ours->substr(0, slash), value);
  return value;
}

std::optional<double> mca_number(const std::string& mca_name, const Cell& value) {
  const auto ours = our_name(whole_mca_name(mca_name));
  const auto slash = ours ? ours->find('/') : std::string::npos;
  if (slash == std::string::npos || ours->substr(slash + 1) != "algorithm") return number_of(value);
  const auto text = to_text(value);
  if (text == own_choice) return 0;
  const auto* algorithm = algorithms::find_algorithm(ours->substr(0, slash), text);
  return algorithm == nullptr ? number_of(value) : std::optional<double>(algorithm->id);
}

namespace {

struct NamedCategory {
  Category category;
  std::string_view name;
};
constexpr NamedCategory all_categories[] = {{Category::network, "network"},
                                            {Category::collective, "collective"},
                                            {Category::io, "io"},
                                            {Category::placement, "placement"}};

}  // namespace

std::vector<std::string> category_names() {
  std::vector<std::string> names;
  for (const auto& each : all_categories) names.emplace_back(each.name);
  return names;
}

std::string_view category_name(Category category) {
  return std::ranges::find(all_categories, category, &NamedCategory::category)->name;
}

std::optional<Category> category_named(std::string_view name) {
  const auto* found = std::ranges::find(all_categories, name, &NamedCategory::name);
  return found == std::end(all_categories) ? std::nullopt : std::optional(found->category);
}

}  // namespace tutti::studies::tuning
