// SPDX-License-Identifier: BSD-3-Clause
#include "platforms/parameters/simgrid_keys.hpp"

#include "platforms/parameters/keys.hpp"

namespace tutti::platforms {
namespace {

constexpr std::array names_in_simgrid = {
    SimgridNames{"eager_limit", "smpi/async-small-thresh"},
    SimgridNames{"detached_limit", "smpi/send-is-detached-thresh"},
    SimgridNames{"send_overhead", "smpi/os"},
    SimgridNames{"isend_overhead", "smpi/ois"},
    SimgridNames{"recv_overhead", "smpi/or"},
    SimgridNames{"latency_factor", "smpi/lat-factor", "network/latency-factor"},
    SimgridNames{"efficiency", "smpi/bw-factor", "network/bandwidth-factor"},
    SimgridNames{"window", "", "network/TCP-gamma"},
};

// The message model of SMPI in SimGrid 3.32 with its default values.
struct SmpiDefault {
  const char* key;
  const char* value;
};
constexpr SmpiDefault smpi_defaults[] = {
    {"smpi/async-small-thresh", "0"},
    {"smpi/send-is-detached-thresh", "65536"},
    {"smpi/os", "0:0:0"},
    {"smpi/ois", "0:0:0"},
    {"smpi/or", "0:0:0"},
    {"smpi/lat-factor",
     "0:2.01467;257:1.95341;732:1.9503;1426:1.61075;3484:1.88101;5776:2.18796;9376:2.59299;"
     "15424:3.48845;65472:11.6436"},
    {"smpi/bw-factor",
     "0:0.812084;257:0.338112;732:0.341987;1426:0.608902;3484:0.77493;5776:1.08739;9376:0.58729;"
     "15424:0.697866;65472:0.940694"},
    {"mpi/rendezvous", "direct"},
    {"mpi/nic_order", "free"},
    {"mpi/envelope", "16"},
    {"network/TCP-gamma", "4194304"},
    {"network/crosstraffic", "yes"},
};

// The sizes in the value of one of SMPI's keys: the value itself, or the limits of its sections.
std::vector<std::string_view> sizes_of(const Setting& setting) {
  std::vector<std::string_view> sizes;
  for (const SimgridNames& names : names_in_simgrid) {
    if (names.name == "window" || (setting.key != names.smpi && setting.key != names.network))
      continue;
    if (names.name.ends_with("_limit")) return {setting.value};
    for (const std::string_view part : split(setting.value, ';'))
      if (const auto colon = part.find(':'); colon != std::string_view::npos)
        sizes.push_back(part.substr(0, colon));
  }
  return sizes;
}

// The present name of a key; empty if it is none of SimGrid's earlier names. The only present name
// with an underscore is that of a collective.
std::string present_name(std::string_view key) {
  constexpr std::array<std::string_view, 2> prefixes = {"smpi/", "network/"};
  constexpr std::array<std::pair<std::string_view, std::string_view>, 3> others = {
      {{"smpi/running-power", "smpi/host-speed"},
       {"smpi/use-shared-malloc", "smpi/shared-malloc"},
       {"smpi/privatize-global-variables", "smpi/privatization"}}};
  if (key == "smpi/reduce_scatter") return {};
  std::string name(key);
  std::ranges::replace(name, '_', '-');
  if (name.ends_with("-thres")) name += 'h';
  for (const auto& [earlier, present] : others)
    if (name == earlier) return std::string(present);
  for (const auto prefix : prefixes)
    if (key.starts_with(prefix)) return name == key ? std::string() : name;
  if (name.find('-') == std::string::npos) return {};
  for (const auto prefix : prefixes)
    if (auto full = std::string(prefix) + name; is_known_key(full)) return full;
  return {};
}

}  // namespace

const SimgridNames* simgrid_names(std::string_view name) {
  const auto found = std::ranges::find(names_in_simgrid, name, &SimgridNames::name);
  return found == names_in_simgrid.end() ? nullptr : &*found;
}

bool follows_smpi(const Settings& settings) {
  return std::ranges::any_of(names_in_simgrid, [&](const SimgridNames& names) {
    if (names.smpi.empty()) return false;
    const auto* found = settings.find(names.smpi);
    return found != nullptr && !found->is_default;
  });
}

void add_smpi_defaults(Settings& settings) {
  if (!follows_smpi(settings)) return;
  for (const auto& [key, value] : smpi_defaults)
    settings.add_default({.key = key, .value = value, .where = {}});
}

// Of a size with a unit, SimGrid takes the digits.
void check_for_simgrid(const Setting& setting, ErrorList& errors) {
  if (setting.key.starts_with("network/loopback-") && !parse_number(setting.value))
    errors.add(setting.error("SimGrid accepts no unit here",
                             "expected a number in B/s (498000000) or in seconds (0.000015)"));
  for (const std::string_view size : sizes_of(setting))
    if (const auto bytes = parse_bytes(size); bytes && !parse_integer(size))
      errors.add(setting.error(fmt::format("SMPI reads no unit in {}", in_quotes(size)),
                               fmt::format("write {}", *bytes)));
}

std::optional<Error> renamed_key(const Setting& setting) {
  const std::string present = present_name(setting.key);
  if (present.empty()) return std::nullopt;
  Error where = setting.where;
  where.is_of_key = true;
  return reported(std::move(where), fmt::format("SimGrid has renamed {}", in_quotes(setting.key)),
                  fmt::format("use {}", in_quotes(present)));
}

std::vector<std::string> smpi_remarks(const Settings& settings) {
  if (!follows_smpi(settings)) return {};
  std::vector<std::string> defaults, without_effect;
  for (const SimgridNames& names : names_in_simgrid) {
    if (names.smpi.empty()) continue;
    const auto* found = settings.find({"mpi/" + std::string(names.name), names.smpi});
    if (found->is_default) defaults.emplace_back(names.smpi);
    const auto* network = names.network.empty() ? nullptr : settings.find(names.network);
    if (network != nullptr) without_effect.emplace_back(names.network);
  }
  std::vector<std::string> remarks;
  if (!defaults.empty())
    remarks.push_back(fmt::format("messages are those of SMPI 3.32, with its defaults of {}",
                                  fmt::join(defaults, ", ")));
  if (!without_effect.empty())
    remarks.push_back(
        fmt::format("no effect in SMPI's network model: {}", fmt::join(without_effect, ", ")));
  return remarks;
}

}  // namespace tutti::platforms
