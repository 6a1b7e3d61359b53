// SPDX-License-Identifier: BSD-3-Clause
#include "platforms/parameters/models.hpp"

#include "platforms/parameters/keys.hpp"

namespace tutti::platforms {
namespace {

// The path of a message between two nodes: latency of an empty message, bandwidth of a very large
// one.
struct Wire {
  const MessageProtocol& protocol;
  Seconds latency_s = 0;
  double bandwidth_Bps = 0;
};

Wire wire(const Machine& machine, HostId from, HostId to) {
  const HostId last = machine.host_count() - 1;
  const auto path = machine.path(std::min(from, last), std::min(to, last));
  const auto& protocol = machine.protocol(path.intra_node);
  constexpr auto very_many = std::numeric_limits<Bytes>::max() / 2;
  return {.protocol = protocol,
          .latency_s = protocol.latency_s(path.latency_s, 0),
          .bandwidth_Bps =
              std::min(path.bandwidth_Bps * std::min(1.0, protocol.bandwidth_factor(very_many)),
                       protocol.window_Bps(path.latency_s)) *
              protocol.efficiency(very_many)};
}

}  // namespace

HockneyParameters derived_hockney(const Machine& machine, HostId from, HostId to) {
  const Wire crossed = wire(machine, from, to);
  const MessageProtocol& protocol = crossed.protocol;
  return {.set = derived_set,
          .l_s = protocol.send_overhead(0) + crossed.latency_s + protocol.recv_overhead(0),
          .b_Bps = crossed.bandwidth_Bps};
}

LogGPParameters derived_loggp(const Machine& machine, HostId from, HostId to) {
  const Wire crossed = wire(machine, from, to);
  const MessageProtocol& protocol = crossed.protocol;
  return {.set = derived_set,
          .L_s = crossed.latency_s,
          .o_s = (protocol.isend_overhead(0) + protocol.recv_overhead(0)) / 2,
          .g_s = protocol.gap,
          .G_s_per_B = 1 / crossed.bandwidth_Bps};
}

namespace {

void read_hockney(const Settings& settings, Machine& machine, ErrorList& errors) {
  const auto* latency = settings.find("model/hockney/latency");
  const auto* bandwidth = settings.find("model/hockney/bandwidth");
  machine.hockney = derived_hockney(machine);
  if (latency == nullptr && bandwidth == nullptr) return;
  if (bandwidth == nullptr)
    return errors.add(
        latency->error("the parameter set is incomplete", "also set model/hockney/bandwidth"));
  if (latency == nullptr)
    return errors.add(
        bandwidth->error("the parameter set is incomplete", "also set model/hockney/latency"));
  machine.hockney = {machine.name + ":hockney", value_of<double>(*latency),
                     value_of<double>(*bandwidth)};
}

// `given` is any setting of the set; errors about the set are reported at its place.
void read_loggp_set(const Settings& settings, const std::string& set, const Setting& given,
                    Machine& machine, ErrorList& errors) {
  const auto find = [&](const char* parameter) {
    return settings.find(fmt::format("model/loggp/{}/{}", set, parameter));
  };
  std::vector<std::string> missing;
  for (const char* parameter : {"L", "o", "g", "G"})
    if (find(parameter) == nullptr)
      missing.push_back(fmt::format("model/loggp/{}/{}", printable(set), parameter));
  if (!missing.empty())
    return errors.add(given.error("the parameter set is incomplete",
                                  fmt::format("also set {}", fmt::join(missing, ", "))));
  machine.loggp_sets[set] = {.set = fmt::format("{}:loggp/{}", machine.name, set),
                             .L_s = value_of<double>(*find("L")),
                             .o_s = value_of<double>(*find("o")),
                             .g_s = value_of<Piecewise>(*find("g")),
                             .G_s_per_B = value_of<double>(*find("G"))};
}

void read_loggp_sets(const Settings& settings, Machine& machine, ErrorList& errors) {
  std::map<std::string, const Setting*> given;
  for (const auto* tier : {&settings.file(), &settings.overrides()})
    for (const auto& [key, setting] : *tier)
      if (const auto found = loggp_key(key)) given.try_emplace(std::string(found->set), &setting);
  for (const auto& [set, setting] : given) read_loggp_set(settings, set, *setting, machine, errors);
}

}  // namespace

void read_model_parameters(const Settings& settings, Machine& machine, ErrorList& errors) {
  read_hockney(settings, machine, errors);
  read_loggp_sets(settings, machine, errors);
  machine.loggp = derived_loggp(machine);
  const auto* requested = settings.find("model/loggp");
  const auto chosen =
      machine.loggp_sets.find(requested != nullptr ? requested->value : "collective");
  if (chosen != machine.loggp_sets.end()) {
    machine.loggp = chosen->second;
  } else if (requested != nullptr) {
    std::vector<std::string> sets;
    for (const auto& [name, parameters] : machine.loggp_sets) sets.push_back(name);
    const auto listed = sets.empty() ? "the platform has no LogGP sets"
                                     : printable(fmt::format("sets: {}", fmt::join(sets, ", ")));
    errors.add(
        requested->error(fmt::format("there is no LogGP set {}", in_quotes(requested->value)),
                         did_you_mean(requested->value, sets, listed)));
  }
}

}  // namespace tutti::platforms
