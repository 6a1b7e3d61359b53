// SPDX-License-Identifier: BSD-3-Clause
#include "platforms/xml/machine_props.hpp"

#include <fmt/format.h>

#include <map>

#include "platforms/parameters/keys.hpp"
#include "sim/base/quote.hpp"

namespace tutti::platforms {
namespace {

constexpr const char* whole_machine =
    "it holds for the whole machine: give it in <config> or the outermost zone";

class Gathering {
 public:
  Gathering(const ZoneTreeSpec& zones, ErrorList& errors) : zones_(zones), errors_(errors) {}

  Settings take() {
    for (const auto& [key, hosts] : hosts_)
      if (hosts.count < all())
        errors_.add(settings_.find_in_file(key)->error("given for a part of the hosts only",
                                                       whole_machine));
    return std::move(settings_);
  }

  void add(const ZoneProp& prop) {
    const auto& key = prop.setting.key;
    const HostId first = prop.zone == no_zone ? 0 : zones_.zones[prop.zone].first_host;
    const HostId end = prop.zone == no_zone ? all() : zones_.zones[prop.zone].end_host;
    if (!kind_of(key)) return settings_.add_from_file(prop.setting);
    if (end - first == all()) {
      hosts_[key] = {all(), all()};
      return settings_.add_from_file(prop.setting);
    }
    if (first == end) return;
    const auto* known = settings_.find_in_file(key);
    if (known == nullptr)
      settings_.add_from_file(prop.setting);
    else if (known->value != prop.setting.value)
      errors_.add(
          prop.setting.error(fmt::format("{} here, but {} for other hosts",
                                         in_quotes(prop.setting.value), in_quotes(known->value)),
                             whole_machine));
    cover(hosts_[key], first, end);
  }

 private:
  // Zones come in the order of their hosts; those of a zone within another one are counted already.
  struct Hosts {
    HostId count = 0;
    HostId end = 0;
  };
  static void cover(Hosts& hosts, HostId first, HostId end) {
    first = std::max(first, hosts.end);
    if (end <= first) return;
    hosts.count += end - first;
    hosts.end = end;
  }

  HostId all() const { return zones_.zones.front().end_host; }

  const ZoneTreeSpec& zones_;
  ErrorList& errors_;
  Settings settings_;
  std::map<std::string, Hosts> hosts_;  // that have a key
};

}  // namespace

Settings cluster_settings(const Document& document) {
  Settings settings;
  for (const auto& prop : document.props) settings.add_from_file(prop.setting);
  return settings;
}

Settings zone_settings(const Document& document, const ZoneTreeSpec& zones, ErrorList& errors) {
  Gathering gathering(zones, errors);
  for (const auto& prop : document.props) gathering.add(prop);
  return gathering.take();
}

void refuse_link_settings(const Settings& settings, ErrorList& errors) {
  for (const auto* tier : {&settings.file(), &settings.overrides()})
    for (const auto& [key, setting] : *tier)
      if (key.starts_with("link/") || key.starts_with("backbone/"))
        errors.add(setting.error("this platform is not a single <cluster>",
                                 "the elements of the file say what its links are"));
}

}  // namespace tutti::platforms
