// SPDX-License-Identifier: BSD-3-Clause
#include "sim/params/categories.hpp"

#include <algorithm>

#include "sim/params/mca_names.hpp"
#include "sim/params/our_parameters.hpp"

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

std::optional<Category> category_of(std::string_view parameter) {
  return looks_like_mca(parameter) ? mca_category(parameter) : our_category(parameter);
}

std::vector<store::NamedText> of_categories(const std::vector<store::NamedText>& parameters,
                                            const std::vector<Category>& categories) {
  std::vector<store::NamedText> kept;
  std::ranges::copy_if(parameters, std::back_inserter(kept), [&](const store::NamedText& each) {
    const auto category = category_of(each.name);
    return category && std::ranges::find(categories, *category) != categories.end();
  });
  return kept;
}

}  // namespace tutti::studies::tuning
