// SPDX-License-Identifier: BSD-3-Clause
// Reads mca_names.toml once. What is wrong with it is our fault: a broken invariant.
#include "sim/params/mca_names.hpp"

#include <fmt/format.h>
#include <toml++/toml.h>

#include <algorithm>
#include <array>
#include <map>

#include "sim/base/check.hpp"
#include "sim/base/split.hpp"

namespace tutti::studies::tuning {
namespace {

template <class T>
using EachVersion = std::array<T, std::size(open_mpi_versions)>;
constexpr EachVersion<std::string_view> version_names{"1.8", "4.1", "5.0"};

std::size_t index_of(OpenMpi version) { return static_cast<std::size_t>(version); }

struct Version {
  std::vector<std::string> networks;
  std::string romio;
  std::vector<std::string> names;  // sorted
};

// A parameter that both have. "{net}" is the component between nodes; an empty name: none.
struct Mapping {
  std::string ours;
  EachVersion<std::string> theirs;
  std::string on_tcp;  // instead, where that is tcp
};

// A parameter that each collective has, and what follows coll_tuned_COLLECTIVE_algorithm.
struct CollectiveMapping {
  std::string ours;
  std::vector<std::string> endings;
};

struct McaTable {
  EachVersion<Version> versions;
  std::map<std::string, Category, std::less<>> categories;
  std::map<std::string, std::string, std::less<>> abbreviations;
  std::vector<Mapping> mappings;
  std::vector<CollectiveMapping> of_collectives;
};

using TableNode = toml::node_view<const toml::node>;

std::string read_text(const TableNode& node) {
  const auto text = node.value<std::string>();
  TUTTI_CHECK(text.has_value(), "mca_names.toml: a text is missing");
  return *text;
}

std::vector<std::string> read_texts(const TableNode& node) {
  const auto* array = node.as_array();
  TUTTI_CHECK(array != nullptr, "mca_names.toml: a list is missing");
  std::vector<std::string> texts;
  for (const auto& each : *array) texts.push_back(read_text(TableNode(each)));
  return texts;
}

template <class Read>
void each_section(const toml::table& file, std::string_view key, const Read& read) {
  const auto* sections = file.get_as<toml::array>(key);
  TUTTI_CHECK(sections != nullptr, "mca_names.toml: no sections " + std::string(key));
  for (const auto& each : *sections) read(TableNode(each));
}

Category read_category(const toml::node& node) {
  const auto category = category_named(read_text(TableNode(node)));
  TUTTI_CHECK(category.has_value(), "mca_names.toml: an unknown category");
  return *category;
}

void read_names(const TableNode& section, McaTable& table) {
  const auto prefix = read_text(section["prefix"]);
  std::string endings = read_text(section["endings"]);
  std::ranges::replace(endings, '\n', ' ');
  const auto versions = section["versions"]
                            ? read_texts(section["versions"])
                            : std::vector<std::string>(version_names.begin(), version_names.end());
  for (const auto& version : versions)
    for (const auto ending : split(endings, ' '))
      table.versions[index_of(version_of(version).value())].names.push_back(
          fmt::format("{}{}", prefix, ending == "=" ? std::string_view() : ending));
}

Mapping read_mapping(const TableNode& section) {
  Mapping mapping{read_text(section["name"]), {}, section["tcp"].value_or(std::string())};
  const auto mca = section["mca"];
  for (std::size_t i = 0; i < version_names.size(); ++i)
    mapping.theirs[i] =
        mca.is_table() ? mca[version_names[i]].value_or(std::string()) : read_text(mca);
  return mapping;
}

McaTable read_mca_table() {
  const auto file = toml::parse(mca_names_toml());
  McaTable table;
  for (std::size_t i = 0; i < version_names.size(); ++i) {
    const auto version = TableNode(file["versions"][version_names[i]]);
    table.versions[i] = {read_texts(version["networks"]), read_text(version["romio"]), {}};
  }
  for (const auto& [framework, category] : *file["categories"].as_table())
    table.categories.emplace(framework.str(), read_category(category));
  for (const auto& [name, whole] : *file["abbreviations"].as_table())
    table.abbreviations.emplace(name.str(), read_text(TableNode(whole)));
  each_section(file, "ours",
               [&](const TableNode& section) { table.mappings.push_back(read_mapping(section)); });
  each_section(file, "of_collectives", [&](const TableNode& section) {
    table.of_collectives.push_back({read_text(section["name"]), read_texts(section["endings"])});
  });
  each_section(file, "names", [&](const TableNode& section) { read_names(section, table); });
  for (auto& version : table.versions) std::ranges::sort(version.names);
  return table;
}

const McaTable& mca_table() {
  static const McaTable table = read_mca_table();
  return table;
}
const Version& of_version(OpenMpi version) { return mca_table().versions[index_of(version)]; }

std::string name_of(const Mapping& mapping, OpenMpi version, std::string_view network) {
  constexpr std::string_view place = "{net}";
  if (network == "tcp" && !mapping.on_tcp.empty()) return mapping.on_tcp;
  std::string text = mapping.theirs[index_of(version)];
  if (const auto at = text.find(place); at != text.npos) text.replace(at, place.size(), network);
  return text;
}

}  // namespace

std::string_view version_name(OpenMpi version) { return version_names[index_of(version)]; }

std::optional<OpenMpi> version_of(std::string_view name) {
  for (const auto version : open_mpi_versions)
    if (version_name(version) == name) return version;
  return std::nullopt;
}

const std::vector<std::string>& networks_of(OpenMpi version) {
  return of_version(version).networks;
}
const std::string& romio_of(OpenMpi version) { return of_version(version).romio; }
const std::vector<std::string>& mca_names(OpenMpi version) { return of_version(version).names; }

bool is_mca_name(OpenMpi version, std::string_view name) {
  return std::ranges::binary_search(mca_names(version), name);
}
bool is_mca_name(std::string_view name) {
  return std::ranges::any_of(open_mpi_versions,
                             [&](OpenMpi version) { return is_mca_name(version, name); });
}

std::optional<Category> mca_category(std::string_view name) {
  const auto& categories = mca_table().categories;
  const auto found = categories.find(name.substr(0, name.find('_')));
  return found == categories.end() ? std::nullopt : std::optional(found->second);
}

std::string whole_mca_name(const std::string& name) {
  const auto& abbreviations = mca_table().abbreviations;
  const auto found = abbreviations.find(name);
  return found == abbreviations.end() ? name : found->second;
}

std::optional<std::string> mca_name(std::string_view ours, OpenMpi version,
                                    std::string_view network) {
  const auto& mappings = mca_table().mappings;
  const auto found = std::ranges::find(mappings, ours, &Mapping::ours);
  if (found == mappings.end()) return std::nullopt;
  return name_of(*found, version, network);
}

std::optional<std::string> our_name(std::string_view mca_name) {
  for (const auto& mapping : mca_table().mappings)
    for (const auto version : open_mpi_versions)
      for (const auto& network : networks_of(version))
        if (name_of(mapping, version, network) == mca_name) return mapping.ours;
  constexpr std::string_view prefix = "coll_tuned_", algorithm = "_algorithm";
  if (!mca_name.starts_with(prefix)) return std::nullopt;
  mca_name.remove_prefix(prefix.size());
  const auto at = mca_name.find(algorithm);
  if (at == mca_name.npos) return std::nullopt;
  for (const auto& mapping : mca_table().of_collectives)
    if (std::ranges::count(mapping.endings, mca_name.substr(at + algorithm.size())) > 0)
      return fmt::format("{}/{}", mca_name.substr(0, at), mapping.ours);
  return std::nullopt;
}

std::vector<MappedName> mapped_names() {
  std::vector<MappedName> all;
  for (const auto& mapping : mca_table().mappings) {
    MappedName name{mapping.ours, {}};
    for (const auto version : open_mpi_versions) {
      auto its = name_of(mapping, version, networks_of(version).front());
      name.theirs.push_back(is_mca_name(version, its) ? std::move(its) : "");
    }
    all.push_back(std::move(name));
  }
  for (const auto& [ours, endings] : mca_table().of_collectives)
    all.push_back({fmt::format("COLLECTIVE/{}", ours),
                   std::vector<std::string>(
                       std::size(open_mpi_versions),
                       fmt::format("coll_tuned_COLLECTIVE_algorithm{}", endings.front()))});
  return all;
}

}  // namespace tutti::studies::tuning
