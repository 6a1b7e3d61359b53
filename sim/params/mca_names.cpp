// SPDX-License-Identifier: BSD-3-Clause
// Reads mca_names.toml once. It is part of the program, so an error in it is a broken invariant.

#include "sim/params/mca_names.hpp"

#include <toml++/toml.h>

#include "algorithms/collective.hpp"
#include "algorithms/selection/algorithm_sets.hpp"
#include "algorithms/selection/selection.hpp"
#include "algorithms/selection/write_rules.hpp"
#include "sim/base/text_file.hpp"
#include "sim/params/mca_names.texts.hpp"

namespace tutti::studies::tuning {
namespace {

template <class T>
using EachVersion = std::array<T, std::size(open_mpi_versions)>;
constexpr EachVersion<std::string_view> version_names{"1.8", "4.1", "5.0"};

std::size_t index(OpenMpi version) { return static_cast<std::size_t>(version); }

struct Version {
  std::vector<std::string> networks;
  std::string romio;
  std::vector<std::string> names;  // sorted
};

// A parameter that Tutti and Open MPI have in common. "{net}" represents the BTL component between
// nodes; an empty name means that the version does not have the parameter.
struct Mapping {
  std::string ours;
  EachVersion<std::string> theirs;
  std::string on_tcp;  // used instead if the component is tcp
};

// A parameter of every collective, and the suffixes after coll_tuned_COLLECTIVE_algorithm.
struct CollectiveMapping {
  std::string ours;
  std::vector<std::string> endings;
};

struct McaTable {
  EachVersion<Version> versions;
  std::map<std::string, Category, std::less<>> categories;
  std::map<std::string, std::string, std::less<>> abbreviations;
  std::vector<Mapping> mappings;
  std::vector<CollectiveMapping> collective_mappings;
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
  for (const auto& text : *array) texts.push_back(read_text(TableNode(text)));
  return texts;
}

template <class Read>
void read_sections(const toml::table& file, std::string_view key, const Read& read) {
  const auto* sections = file.get_as<toml::array>(key);
  TUTTI_CHECK(sections != nullptr, "mca_names.toml: no sections " + std::string(key));
  for (const auto& section : *sections) read(TableNode(section));
}

Category read_category(const toml::node& node) {
  const auto category = parse_category(read_text(TableNode(node)));
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
      table.versions[index(parse_version(version).value())].names.push_back(
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
  const auto file = toml::parse(texts::mca_names["mca_names"]);
  McaTable table;
  for (std::size_t i = 0; i < version_names.size(); ++i) {
    const auto version = TableNode(file["versions"][version_names[i]]);
    table.versions[i] = {read_texts(version["networks"]), read_text(version["romio"]), {}};
  }
  for (const auto& [framework, category] : *file["categories"].as_table())
    table.categories.emplace(framework.str(), read_category(category));
  for (const auto& [name, whole] : *file["abbreviations"].as_table())
    table.abbreviations.emplace(name.str(), read_text(TableNode(whole)));
  read_sections(file, "ours",
                [&](const TableNode& section) { table.mappings.push_back(read_mapping(section)); });
  read_sections(file, "of_collectives", [&](const TableNode& section) {
    table.collective_mappings.push_back(
        {read_text(section["name"]), read_texts(section["endings"])});
  });
  read_sections(file, "names", [&](const TableNode& section) { read_names(section, table); });
  for (auto& version : table.versions) std::ranges::sort(version.names);
  return table;
}

const McaTable& mca_table() {
  static const McaTable table = read_mca_table();
  return table;
}
const Version& find_version(OpenMpi version) { return mca_table().versions[index(version)]; }

std::string mapped_name(const Mapping& mapping, OpenMpi version, std::string_view network) {
  constexpr std::string_view place = "{net}";
  if (network == "tcp" && !mapping.on_tcp.empty()) return mapping.on_tcp;
  std::string text = mapping.theirs[index(version)];
  if (const auto at = text.find(place); at != text.npos) text.replace(at, place.size(), network);
  return text;
}

}  // namespace

std::string_view version_name(OpenMpi version) { return version_names[index(version)]; }

std::optional<OpenMpi> parse_version(std::string_view name) {
  for (const auto version : open_mpi_versions)
    if (version_name(version) == name) return version;
  return std::nullopt;
}

const std::vector<std::string>& network_components(OpenMpi version) {
  return find_version(version).networks;
}
const std::vector<std::string>& mca_names(OpenMpi version) { return find_version(version).names; }

bool is_mca_name(OpenMpi version, std::string_view name) {
  return std::ranges::binary_search(mca_names(version), name);
}
bool is_mca_name(std::string_view name) {
  return std::ranges::any_of(open_mpi_versions,
                             [&](OpenMpi version) { return is_mca_name(version, name); });
}

std::optional<Category> mca_category(std::string_view name) {
  const auto& categories = mca_table().categories;
  const auto framework = categories.find(name.substr(0, name.find('_')));
  return framework == categories.end() ? std::nullopt : std::optional(framework->second);
}

std::string whole_mca_name(const std::string& name) {
  const auto& abbreviations = mca_table().abbreviations;
  const auto abbreviation = abbreviations.find(name);
  return abbreviation == abbreviations.end() ? name : abbreviation->second;
}

std::optional<std::string> mca_name(std::string_view ours, OpenMpi version,
                                    std::string_view network) {
  const auto& mappings = mca_table().mappings;
  const auto mapping = std::ranges::find(mappings, ours, &Mapping::ours);
  if (mapping == mappings.end()) return std::nullopt;
  return mapped_name(*mapping, version, network);
}

std::optional<std::string> our_name(std::string_view mca_name) {
  for (const auto& mapping : mca_table().mappings)
    for (const auto version : open_mpi_versions)
      for (const auto& network : network_components(version))
        if (mapped_name(mapping, version, network) == mca_name) return mapping.ours;
  constexpr std::string_view prefix = "coll_tuned_", algorithm = "_algorithm";
  if (!mca_name.starts_with(prefix)) return std::nullopt;
  mca_name.remove_prefix(prefix.size());
  const auto at = mca_name.find(algorithm);
  if (at == mca_name.npos) return std::nullopt;
  for (const auto& mapping : mca_table().collective_mappings)
    if (std::ranges::count(mapping.endings, mca_name.substr(at + algorithm.size())) > 0)
      return fmt::format("{}/{}", mca_name.substr(0, at), mapping.ours);
  return std::nullopt;
}

std::vector<MappedName> mapped_names() {
  std::vector<MappedName> all;
  for (const auto& mapping : mca_table().mappings) {
    MappedName name{mapping.ours, {}};
    for (const auto version : open_mpi_versions) {
      auto theirs = mapped_name(mapping, version, network_components(version).front());
      name.theirs.push_back(is_mca_name(version, theirs) ? std::move(theirs) : "");
    }
    all.push_back(std::move(name));
  }
  for (const auto& [ours, endings] : mca_table().collective_mappings)
    all.push_back({fmt::format("COLLECTIVE/{}", ours),
                   std::vector<std::string>(
                       std::size(open_mpi_versions),
                       fmt::format("coll_tuned_COLLECTIVE_algorithm{}", endings.front()))});
  return all;
}

}  // namespace tutti::studies::tuning

namespace tutti::studies::params {

std::string mca_file_text(const std::vector<store::NamedText>& settings,
                          const std::vector<std::string>& comments) {
  std::string text;
  for (const auto& comment : comments) text += fmt::format("# {}\n", comment);
  for (const auto& [name, value] : settings) text += fmt::format("{} = {}\n", name, value);
  return text;
}

Result<std::vector<store::NamedText>> read_mca_file(std::string_view text, std::string_view file) {
  std::vector<store::NamedText> settings;
  LineReader lines(text, file);
  while (const auto line = lines.next()) {
    const auto equals = line->find('=');
    const auto name = trim(line->substr(0, equals));
    if (equals == line->npos || name.empty() || name.find_first_of(" \t") != name.npos) {
      lines.reject("expected NAME = VALUE", "for example btl_openib_eager_limit = 12288");
      continue;
    }
    store::set_text(settings, {std::string(name), std::string(trim(line->substr(equals + 1)))});
  }
  if (!lines.errors().empty()) return lines.errors().errors();
  if (settings.empty())
    return make_error(ErrorKind::input, std::string(file), "contains no parameters",
                      "expected lines NAME = VALUE");
  return settings;
}

std::string mca_variable(const std::string& name) { return "OMPI_MCA_" + name; }

}  // namespace tutti::studies::params

namespace tutti::studies::tuning {
namespace {

class Exporter {
 public:
  Exporter(const std::vector<NamedText>& parameters, OpenMpi version, std::string_view network)
      : parameters_(parameters), version_(version), network_(network) {}

  McaExport run() {
    // Open MPI's own names take precedence over Tutti's.
    for (const auto& parameter : parameters_)
      if (looks_like_mca(parameter.name)) add_mca(parameter);
    for (const auto& parameter : parameters_)
      if (!looks_like_mca(parameter.name)) add_ours(parameter);
    if (forces_algorithms_) add("coll_tuned_use_dynamic_rules", "1");
    note_han();
    return std::move(export_);
  }

 private:
  void note_han() {
    const auto is_of_tuned = [](const NamedText& setting) {
      return setting.name.starts_with("coll_tuned_");
    };
    if (version_ == OpenMpi::v5_0 && std::ranges::any_of(export_.settings, is_of_tuned))
      export_.notes.emplace_back(algorithms::selection::han_goes_first);
  }

  void omit(const NamedText& parameter, std::string why) {
    export_.omitted.push_back({parameter.name, std::move(why)});
  }
  std::string unknown() const {
    return fmt::format("Open MPI {} has no such parameter", version_name(version_));
  }

  void add(const std::string& name, const std::string& value) {
    TUTTI_CHECK(is_mca_name(version_, name), name.c_str());
    const auto* same = store::find_text(export_.settings, name);
    if (same == nullptr) return export_.settings.push_back({name, value});
    if (*same != value)
      export_.notes.push_back(
          fmt::format("{} is set twice; {} is used, {} is ignored", name, *same, value));
  }
  void add_if_known(const NamedText& parameter, const std::string& name, const std::string& value) {
    if (is_mca_name(version_, name)) return add(name, value);
    omit(parameter, unknown());
  }

  void add_mca(const NamedText& parameter) {
    std::string name = whole_mca_name(parameter.name);
    if (!is_mca_name(version_, name)) name = name_in_this_version(name);
    if (name.empty()) return omit(parameter, unknown());
    if (name != parameter.name)
      export_.notes.push_back(
          fmt::format("{} is written as {}, its name in this version", parameter.name, name));
    forces_algorithms_ |= name.starts_with("coll_tuned_") && name.ends_with("_algorithm");
    if (name != "btl") return add(name, mca_value(parameter.value));
    const auto list = components(parameter.value);
    if (list.empty() || list == "^")
      return omit(parameter,
                  fmt::format("Open MPI {} does not have its components", version_name(version_)));
    add(name, list);
  }

  // The shared-memory component is sm in 1.8, vader in 4.1, and sm again in 5.0. 5.0 has no openib.
  std::string components(const std::string& list) {
    std::vector<std::string> kept;
    const bool excludes = list.starts_with('^');
    for (const auto word : split(std::string_view(list).substr(excludes ? 1 : 0), ',')) {
      const auto name = component(std::string(trim(word)));
      if (!name.empty() && std::ranges::find(kept, name) == kept.end()) kept.push_back(name);
    }
    return fmt::format("{}{}", excludes ? "^" : "", fmt::join(kept, ","));
  }
  std::string component(const std::string& name) {
    std::string here = name;
    if (name == "vader" && version_ == OpenMpi::v5_0) here = "sm";
    if (name == "sm" && version_ == OpenMpi::v4_1) here = "vader";
    if (name == "openib" && version_ == OpenMpi::v5_0) here.clear();
    if (here.empty())
      export_.notes.push_back(
          fmt::format("btl: Open MPI {} has no component {}", version_name(version_), name));
    else if (here != name)
      export_.notes.push_back(
          fmt::format("btl: {} is written as {}, its name in this version", name, here));
    return here;
  }

  // Translates the name of a parameter in another version; empty if this version does not have it.
  std::string name_in_this_version(const std::string& name) const {
    const auto ours = our_name(name);
    if (!ours || *ours == "implementation") return {};
    auto here = mca_name(*ours, version_, network_);
    return here && is_mca_name(version_, *here) ? *std::move(here) : std::string();
  }

  void add_ours(const NamedText& parameter) {
    if (parameter.value == "none")
      return omit(parameter, "Open MPI cannot express \"no limit\"; use a large size");
    const auto slash = parameter.name.find('/');
    const std::string collective = parameter.name.substr(0, slash);
    if (slash != std::string::npos && algorithms::find_collective(collective) != nullptr)
      return add_collective(parameter, collective, parameter.name.substr(slash + 1));
    if (parameter.name == "implementation") return add_implementation(parameter);
    if (parameter.name == "map") return add_map(parameter);
    if (const auto name = mca_name(parameter.name, version_, network_))
      return add_if_known(parameter, *name, mca_value(parameter.value));
    omit(parameter, "Open MPI has no such parameter");
  }

  void add_implementation(const NamedText& parameter) {
    if (parameter.value == "romio") return add("io", find_version(version_).romio);
    if (!is_mca_name(version_, fmt::format("fcoll_{}_priority", parameter.value)))
      return omit(parameter, fmt::format("Open MPI {} has no fcoll component {}",
                                         version_name(version_), parameter.value));
    add("io", "ompio");
    add("fcoll", parameter.value);
  }

  void add_map(const NamedText& parameter) {
    if (parameter.value != "block" && parameter.value != "round-robin")
      return omit(parameter, "not a mapping policy of Open MPI");
    if (version_ == OpenMpi::v5_0)
      return omit(parameter, "PRRTE maps processes in Open MPI 5.0; use mpirun --map-by");
    add("rmaps_base_mapping_policy", parameter.value == "block" ? "slot" : "node");
  }

  void add_collective(const NamedText& parameter, const std::string& collective,
                      std::string_view option) {
    const std::string forced = fmt::format("coll_tuned_{}_algorithm", collective);
    if (option == "algorithm") return add_algorithm(parameter, collective, forced);
    const auto* algorithm = store::find_text(parameters_, collective + "/algorithm");
    if (algorithm == nullptr)
      return omit(parameter, fmt::format("{}/algorithm is missing, so Open MPI's own rules choose",
                                         collective));
    if (!is_known(*algorithm, collective))
      return omit(parameter, fmt::format("it belongs to the omitted algorithm {}", *algorithm));
    if (option == "segment_size")
      add_if_known(parameter, forced + "_segmentsize", mca_value(parameter.value));
    else if (option == "max_requests")
      add_if_known(parameter, forced + "_max_requests", parameter.value);
    else if (*algorithm == "knomial")
      add_if_known(parameter, forced + "_knomial_radix", parameter.value);
    else
      add_if_known(parameter, forced + "_chain_fanout", parameter.value);
  }

  // Open MPI 1.8 has the algorithms of 3.1.
  bool is_known(const std::string& name, const std::string& collective) const {
    const auto* algorithm = algorithms::find_algorithm(collective, name);
    const std::string_view set = version_ == OpenMpi::v1_8   ? "ompi-3.1"
                                 : version_ == OpenMpi::v4_1 ? "ompi-4.1"
                                                             : "ompi-5.0";
    return algorithm != nullptr && algorithm->id > 0 &&
           algorithms::selection::is_in_set(set, *algorithm);
  }

  void add_algorithm(const NamedText& parameter, const std::string& collective,
                     const std::string& forced) {
    if (!is_mca_name(version_, forced)) return omit(parameter, unknown());
    if (parameter.value == own_choice) return add(forced, "0");
    if (!is_known(parameter.value, collective))
      return omit(parameter, fmt::format("Open MPI {} has no algorithm {}", version_name(version_),
                                         parameter.value));
    add(forced, std::to_string(algorithms::find_algorithm(collective, parameter.value)->id));
    forces_algorithms_ = true;
  }

  const std::vector<NamedText>& parameters_;
  OpenMpi version_;
  std::string_view network_;
  bool forces_algorithms_ = false;
  McaExport export_;
};

}  // namespace

std::string mca_value(const std::string& value) {
  const auto digits = value.find_first_not_of("0123456789.");
  if (digits == 0 || digits == value.npos) return value;
  const auto bytes = parse_bytes(value);
  return bytes ? std::to_string(*bytes) : value;
}

McaExport mca_settings(const std::vector<NamedText>& parameters, OpenMpi version,
                       std::string_view network) {
  return Exporter(parameters, version, network).run();
}

}  // namespace tutti::studies::tuning
