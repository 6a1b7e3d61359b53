// SPDX-License-Identifier: BSD-3-Clause
#include "platforms/reader.hpp"

#include <chrono>
#include <cstdlib>

#include "platforms/parameters/devices.hpp"
#include "platforms/parameters/keys.hpp"
#include "platforms/parameters/messages.hpp"
#include "platforms/parameters/models.hpp"
#include "platforms/parameters/routing.hpp"
#include "platforms/parameters/simgrid_keys.hpp"
#include "platforms/topologies/zone_tree.hpp"
#include "platforms/xml/cluster.hpp"
#include "platforms/xml/document.hpp"
#include "platforms/xml/parse.hpp"
#include "platforms/xml/zones.hpp"
#include "sim/base/hash.hpp"
#include "sim/base/program_files.hpp"
#include "sim/base/text_file.hpp"

namespace tutti::platforms {
namespace {

std::string content_hash(std::string_view xml, const std::vector<Override>& overrides) {
  auto hash = fnv1a(xml);
  // A file cannot contain a zero byte, so no file has the hash input of another file plus an
  // override.
  for (const auto& [key, value] : overrides)
    hash = fnv1a(std::string(1, '\0') + key + "=" + value, hash);
  return hex16(hash);
}

void add_overrides(const std::vector<Override>& overrides, Settings& settings) {
  for (const auto& [key, value] : overrides) {
    Error where = make_error(ErrorKind::usage, "--set", "");
    where.subject = key;
    settings.add_override({key, value, std::move(where)});
  }
}

std::vector<GivenParameter> given_parameters(const Settings& settings) {
  std::vector<GivenParameter> given;
  for (const auto* tier : {&settings.overrides(), &settings.file()})
    for (const auto& [key, setting] : *tier)
      given.push_back({key, setting.value, setting.where.line});
  for (const auto& [key, setting] : settings.defaults())
    if (settings.find(key)->is_default) given.push_back({key, setting.value, -1});
  return given;
}

std::vector<std::string> report_warnings(const Settings& settings, const std::string& file,
                                         const std::vector<std::string>& ignored) {
  constexpr std::size_t most_named = 10;
  std::vector<std::string> warnings;
  std::vector<std::string> of_replays;
  for (const auto& parameter : given_parameters(settings))
    if (is_for_replays(parameter.key)) of_replays.push_back(parameter.key);
  if (!of_replays.empty())
    warnings.push_back(fmt::format("{}: only replays of time-independent traces follow {}",
                                   printable(file), fmt::join(of_replays, ", ")));
  if (!ignored.empty()) {
    const auto named = std::min(ignored.size(), most_named);
    std::vector<std::string> names;
    for (std::size_t i = 0; i < named; ++i) names.push_back(in_quotes(ignored[i]));
    const auto more =
        ignored.size() > named ? fmt::format(" and {} more", ignored.size() - named) : "";
    warnings.push_back(fmt::format("{}: unknown keys are ignored: {}{}", printable(file),
                                   fmt::join(names, ", "), more));
  }
  for (const auto& reported : {absent_parameters(settings), free_isends(settings)})
    if (reported) warnings.push_back(fmt::format("{}: {}", printable(file), *reported));
  for (const auto& remark : smpi_remarks(settings))
    warnings.push_back(fmt::format("{}: {}", printable(file), remark));
  return warnings;
}

// Returns the errors in file order, then the errors of --set.
std::vector<Error> sorted(const ErrorList& list) {
  auto errors = list.errors();
  const auto place = [](const Error& e) { return std::tuple(e.line == 0, e.line, e.column); };
  std::stable_sort(errors.begin(), errors.end(),
                   [&](const auto& a, const auto& b) { return place(a) < place(b); });
  return errors;
}

// The hosts and links of a file with a single cluster, or with zones. The two need the settings at
// different times.
class Hardware {
 public:
  Hardware(const XmlSource& source, const Document& document,
           const std::vector<Override>& overrides, ErrorList& errors)
      : source_(source), document_(document), errors_(errors) {
    if (!document.only_cluster && errors.empty()) {
      zones_ = read_zones(source, document, errors);
      if (errors.empty()) settings_ = zone_settings(document, zones_.spec, errors);
    } else {
      settings_ = cluster_settings(document);
    }
    add_overrides(overrides, settings_);
    add_smpi_defaults(settings_);
    if (!document.only_cluster) reject_link_settings(settings_, errors);
  }

  const Settings& settings() const { return settings_; }
  const std::vector<std::string>& warnings() const { return warnings_; }

  // Adds an error if a cluster is invalid.
  void build(Machine& machine) {
    if (document_.only_cluster)
      build_cluster(machine);
    else
      build_zones(machine);
  }

 private:
  void build_cluster(Machine& machine) {
    CountedClusters none;
    auto cluster = read_cluster(source_, document_.only_cluster, settings_, none, errors_);
    warnings_ = std::move(cluster.warnings);
    machine.topology = std::move(cluster.topology);
    machine.cores_per_host = cluster.cores_per_host;
    if (cluster.core_flops_per_s > 0) machine.core_flops_per_s = {cluster.core_flops_per_s};
    if (cluster.loopback) machine.bus = *cluster.loopback;
  }

  void build_zones(Machine& machine) {
    warnings_ = std::move(zones_.warnings);
    apply_loopback(settings_, zones_.spec);
    machine.topology = make_zone_tree(std::move(zones_.spec));
    auto& cores = zones_.host_cores;
    const auto [least, most] = std::minmax_element(cores.begin(), cores.end());
    machine.cores_per_host = *most;
    if (*least != *most) machine.host_cores = std::move(cores);
    auto& speeds = zones_.core_flops_per_s;
    const auto [slowest, fastest] = std::minmax_element(speeds.begin(), speeds.end());
    if (*slowest == *fastest) speeds.resize(*fastest > 0 ? 1 : 0);
    machine.core_flops_per_s = std::move(speeds);
    if (zones_.bus) machine.bus = *zones_.bus;
  }

  const XmlSource& source_;
  const Document& document_;
  ErrorList& errors_;
  Settings settings_;
  ZonesDescription zones_;
  std::vector<std::string> warnings_;
};

// The hash of the machine includes the loads, which may come from another file.
void add_background(const Settings& settings, std::string_view xml,
                    const std::vector<Override>& overrides, TrafficOfJobs jobs, Machine& machine,
                    ErrorList& errors) {
  const auto* given = settings.find("mpi/background");
  if (given == nullptr) return;
  auto background = read_background(given->value, machine, jobs);
  if (!background) {
    for (auto wrong : background.errors()) {
      if (wrong.place.empty())
        wrong = given->error(wrong.message, wrong.hint);
      else if (wrong.hint.empty())
        wrong.hint = "the key mpi/background names this file";
      errors.add(std::move(wrong));
    }
    return;
  }
  auto& loads = background->load_Bps;
  std::string hashed(xml);
  hashed.append(reinterpret_cast<const char*>(loads.data()), loads.size() * sizeof(double));
  machine.content_hash = content_hash(hashed, overrides);
  machine.background_Bps = std::make_shared<const std::vector<double>>(std::move(loads));
  machine.background_nodes = std::move(background->nodes);
}

}  // namespace

Result<Machine> read_machine(std::string_view xml, const std::string& file,
                             const std::vector<Override>& overrides, TrafficOfJobs jobs) {
  const XmlSource source(xml, file);
  ErrorList errors;
  pugi::xml_document tree;
  if (!parse_xml(source, tree, errors)) return sorted(errors);
  const auto document = read_document(source, tree, errors);
  Hardware hardware(source, document, overrides, errors);
  const auto ignored = check_settings(hardware.settings(), errors);
  Machine machine;
  if (errors.empty() || document.only_cluster) hardware.build(machine);
  if (!errors.empty()) return sorted(errors);

  machine.name = std::filesystem::path(file).stem().string();
  machine.file = file;
  machine.content_hash = content_hash(xml, overrides);
  const Settings& settings = hardware.settings();
  read_message_parameters(settings, machine, errors);
  if (errors.empty()) read_routing_parameters(settings, machine, errors);
  if (errors.empty()) read_device_parameters(settings, machine, errors);
  if (errors.empty()) read_model_parameters(settings, machine, errors);
  if (errors.empty()) add_background(settings, xml, overrides, jobs, machine, errors);
  if (!errors.empty()) return sorted(errors);
  machine.given = given_parameters(settings);
  machine.warnings = report_warnings(settings, file, ignored);
  for (const auto& warning : hardware.warnings())
    machine.warnings.push_back(fmt::format("{}: {}", printable(file), warning));
  return machine;
}

// Location of the bundled catalog.

namespace {

namespace fs = std::filesystem;

// Null if not set.
const char* chosen_directory() {
  const char* chosen = std::getenv("TUTTI_CATALOG");
  return chosen != nullptr && *chosen != '\0' ? chosen : nullptr;
}

fs::path catalog_directory() {
  if (const char* chosen = chosen_directory()) return chosen;
  return program_file("share/tutti/catalog");
}

}  // namespace

Result<std::string> find_machine(const std::string& name) {
  std::error_code ignored;
  const bool directory = std::filesystem::is_directory(name, ignored);
  if (!directory && std::filesystem::exists(name, ignored)) return name;
  const auto wanted = name.ends_with(".xml") ? name.substr(0, name.size() - 4) : name;
  if (const auto path = catalog_directory() / (wanted + ".xml");
      wanted == path.stem() && std::filesystem::is_regular_file(path, ignored))
    return path.string();
  std::vector<std::string> names;
  for (const auto& entry : TUTTI_TRY(catalog())) names.push_back(entry.name);
  const auto listed = names.empty()
                          ? "the catalog is empty: set TUTTI_CATALOG to its directory"
                          : printable(fmt::format("the catalog has: {}", fmt::join(names, ", ")));
  if (name.empty()) return make_error(ErrorKind::usage, "", "the platform name is empty", listed);
  const auto* message = directory ? "this is a directory, not a platform file"
                                  : "unknown platform: no such file, no catalog entry";
  return make_error(ErrorKind::input, name, message, did_you_mean(wanted, names, listed));
}

Result<Machine> load_machine(const std::string& name, const std::vector<Override>& overrides,
                             TrafficOfJobs jobs) {
  using Clock = std::chrono::steady_clock;
  const auto start = Clock::now();
  const auto path = TUTTI_TRY(find_machine(name));
  const auto xml = TUTTI_TRY(read_text_file(path));
  auto machine = read_machine(xml, path, overrides, jobs);
  if (machine) machine->read_wall_s = std::chrono::duration<double>(Clock::now() - start).count();
  return machine;
}

Result<std::vector<CatalogEntry>> catalog() {
  std::error_code error;
  fs::directory_iterator it(catalog_directory(), error);
  if (const char* chosen = chosen_directory(); error && chosen != nullptr)
    return make_error(ErrorKind::usage, "TUTTI_CATALOG",
                      fmt::format("{} is not a directory that can be read: {}", in_quotes(chosen),
                                  error.message()),
                      "unset it to use the bundled catalog");
  std::vector<CatalogEntry> entries;
  for (const fs::directory_iterator end; !error && it != end; it.increment(error))
    if (std::error_code ignored; it->path().extension() == ".xml" && it->is_regular_file(ignored))
      entries.push_back({it->path().stem().string(), it->path().string()});
  std::sort(entries.begin(), entries.end(),
            [](const auto& a, const auto& b) { return a.name < b.name; });
  return entries;
}

}  // namespace tutti::platforms
