// SPDX-License-Identifier: BSD-3-Clause
#include "algorithms/selection/nccl_tuning.hpp"

#include <toml++/toml.h>

#include "algorithms/selection/nccl_versions.texts.hpp"
#include "sim/base/text_file.hpp"

namespace tutti::algorithms::selection {
namespace {

double read_number(const toml::node& node) {
  if (const auto flag = node.value<bool>(); node.is_boolean()) return *flag ? 1 : 0;
  const auto number = node.value<double>();
  TUTTI_CHECK(number, "NCCL's facts: expected a number");
  return *number;
}

NcclTuning::Row read_row(const toml::array& array) {
  NcclTuning::Row row;
  for (const toml::node& value : array) row.push_back(read_number(value));
  return row;
}

NcclTuning::Rows read_rows(const toml::node& node) {
  const toml::array* array = node.as_array();
  if (array == nullptr) return {{read_number(node)}};
  if (!array->front().is_array()) return {read_row(*array)};
  NcclTuning::Rows rows;
  for (const toml::node& row : *array) rows.push_back(read_row(*row.as_array()));
  return rows;
}

}  // namespace

NcclTuning::NcclTuning(std::string_view name) : name_(name) { read(name); }

void NcclTuning::read(std::string_view name) {
  const auto& texts = texts::nccl_versions.all;
  const auto text = std::ranges::find(texts, name, &HelpText::key);
  TUTTI_CHECK(text != std::end(texts), "there are no facts of " + std::string(name));
  const toml::table facts = toml::parse(text->text);
  if (const auto base = facts["extends"].value<std::string>()) read(*base);
  aliases_.clear();
  for (const auto& [key, value] : facts) {
    if (key.str() == "title") {
      title_ = value.value_or(std::string());
    } else if (key.str() == "aliases") {
      for (const toml::node& alias : *value.as_array()) aliases_.push_back(alias.value_or(""));
    } else if (key.str() != "extends") {
      tables_.insert_or_assign(std::string(key.str()), read_rows(value));
    }
  }
}

const std::deque<NcclTuning>& NcclTuning::all() {
  static const std::deque<NcclTuning> versions = [] {
    std::deque<NcclTuning> all;
    for (const HelpText& text : texts::nccl_versions.all) all.emplace_back(text.key);
    std::ranges::sort(all, {}, [](const NcclTuning& one) { return -one.integer("minor"); });
    return all;
  }();
  return versions;
}

const NcclTuning* NcclTuning::find(std::string_view name) {
  for (const NcclTuning& version : all())
    if (version.name_ == name ||
        std::ranges::find(version.aliases_, name) != version.aliases_.end())
      return &version;
  return nullptr;
}

std::string NcclTuning::of_library(std::string_view library) {
  constexpr std::string_view major = " 2.";
  const auto at = library.find(major);
  if (at == library.npos) return "nccl";
  const auto minor = library.substr(at + major.size());
  const auto wanted = parse_integer(minor.substr(0, minor.find_first_not_of("0123456789")));
  if (!wanted) return "nccl";
  for (const NcclTuning& version : all())
    if (version.integer("minor") <= *wanted) return version.name_;
  return all().back().name_;
}

double NcclTuning::number(std::string_view key) const { return list(key).front(); }

bool NcclTuning::has(std::string_view key) const {
  return tables_.contains(key) && number(key) != 0;
}

const NcclTuning::Rows& NcclTuning::table(std::string_view key) const {
  const auto found = tables_.find(key);
  TUTTI_CHECK(found != tables_.end(), "NCCL's facts have no " + std::string(key));
  return found->second;
}

}  // namespace tutti::algorithms::selection
