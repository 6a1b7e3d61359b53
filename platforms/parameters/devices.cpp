// SPDX-License-Identifier: BSD-3-Clause
#include "platforms/parameters/devices.hpp"

#include "platforms/parameters/keys.hpp"

namespace tutti::platforms {
namespace {

constexpr std::array<std::string_view, 4> architectures = {"volta", "ampere", "hopper",
                                                           "blackwell"};

// The latencies of a ring's hop and the shares of data of NCCL's tuning model.
constexpr std::array default_costs = {
    DeviceProtocolCosts{.link_latency_s = 3.4e-6, .latency_s = 14e-6, .efficiency = 1},
    DeviceProtocolCosts{.link_latency_s = 0.6e-6, .latency_s = 2.7e-6, .efficiency = 0.5},
    DeviceProtocolCosts{.link_latency_s = 1.9e-6, .latency_s = 4e-6, .efficiency = 120.0 / 128},
};

void read_protocols(const Settings& settings, Devices& devices) {
  for (std::size_t i = 0; i < device_protocol_names.size(); ++i) {
    DeviceProtocolCosts& costs = devices.protocols.at(i) = default_costs.at(i);
    const auto find = [&](std::string_view name) {
      return settings.find(fmt::format("gpu/{}/{}", device_protocol_names.at(i), name));
    };
    set_if_given(find("link_latency"), costs.link_latency_s);
    set_if_given(find("latency"), costs.latency_s);
    set_if_given(find("efficiency"), costs.efficiency);
    set_if_given(find("channel_bandwidth"), costs.channel_Bps);
  }
}

void check_devices(const Settings& settings, const Machine& machine, const Devices& devices,
                   ErrorList& errors) {
  const Setting& count = *settings.find("gpu/count");
  if (devices.per_node > machine.cores_per_host)
    errors.add(count.error(fmt::format("{} GPUs exceed the {} of a node", devices.per_node,
                                       counted(machine.cores_per_host, "core")),
                           "each GPU needs a core for its process"));
  const auto rails = static_cast<int>(machine.topology->rails());
  if (rails > devices.per_node)
    errors.add(count.error(fmt::format("{} NICs of a node serve no GPU", rails - devices.per_node),
                           "topology/rails is the number of NICs, at most that of GPUs"));
  if (devices.domain_nodes > machine.host_count())
    errors.add(settings.find("gpu/domain_nodes")
                   ->error(fmt::format("{} nodes exceed the {} of the machine",
                                       devices.domain_nodes, machine.host_count()),
                           "it is the number of nodes whose GPUs are linked with each other"));
  const auto* architecture = settings.find("gpu/architecture");
  if (architecture != nullptr &&
      std::ranges::find(architectures, devices.architecture) == architectures.end())
    errors.add(architecture->error(
        fmt::format("unknown architecture {}", in_quotes(devices.architecture)),
        did_you_mean(devices.architecture, {architectures.begin(), architectures.end()},
                     fmt::format("expected {}", fmt::join(architectures, ", ")))));
}

}  // namespace

void read_device_parameters(const Settings& settings, Machine& machine, ErrorList& errors) {
  const auto* count = settings.find("gpu/count");
  const auto* bandwidth = settings.find("gpu/link_bandwidth");
  if (count == nullptr) {
    for (const auto* tier : {&settings.overrides(), &settings.file()})
      for (const auto& [key, setting] : *tier)
        if (key.starts_with("gpu/"))
          return errors.add(setting.error("the platform has no GPUs", "also set gpu/count"));
    return;
  }
  if (bandwidth == nullptr)
    return errors.add(count->error("the links between the GPUs have no bandwidth",
                                   "also set gpu/link_bandwidth, of one GPU in each direction"));
  Devices devices{.per_node = value_of<int>(*count),
                  .link_Bps = value_of<double>(*bandwidth),
                  .launch_s = 6e-6,
                  .channels = 16,
                  .architecture = "hopper"};
  set_if_given(settings.find("gpu/links"), devices.links);
  set_if_given(settings.find("gpu/nic_bandwidth"), devices.nic_Bps);
  if (const auto* nodes = settings.find("gpu/domain_nodes"))
    devices.domain_nodes = static_cast<std::uint32_t>(value_of<int>(*nodes));
  set_if_given(settings.find("gpu/multicast"), devices.has_multicast);
  set_if_given(settings.find("gpu/launch"), devices.launch_s);
  set_if_given(settings.find("gpu/channels"), devices.channels);
  set_if_given(settings.find("gpu/architecture"), devices.architecture);
  read_protocols(settings, devices);
  check_devices(settings, machine, devices, errors);
  machine.devices = devices;
}

}  // namespace tutti::platforms
