// SPDX-License-Identifier: BSD-3-Clause
#include "sim/params/category.hpp"

#include <algorithm>

namespace tutti::studies::tuning {
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
