// SPDX-License-Identifier: BSD-3-Clause
#include "platforms/parameters/messages.hpp"

#include "platforms/parameters/keys.hpp"
#include "platforms/parameters/simgrid_keys.hpp"

namespace tutti::platforms {
namespace {

// Finds a protocol parameter by its short name: "send_overhead" is mpi/send_overhead or SMPI's
// smpi/os between nodes, and mpi/intra_send_overhead inside a node.
class ProtocolKeys {
 public:
  enum class Where : std::uint8_t { between_nodes, inside_node, inside_node_overrides_only };

  ProtocolKeys(const Settings& settings, Where where) : settings_(&settings), where_(where) {}

  const Setting* find(const std::string& name) const {
    switch (where_) {
      case Where::between_nodes:
        return find_between(name);
      case Where::inside_node:
        return settings_->find("mpi/intra_" + name);
      case Where::inside_node_overrides_only:
        break;
    }
    return settings_->find_override("mpi/intra_" + name);
  }
  // Tutti's key of the parameter.
  std::string name(std::string_view parameter) const {
    return fmt::format("mpi/{}{}", where_ == Where::between_nodes ? "" : "intra_", parameter);
  }
  // In SMPI, a blocking send costs smpi/os and an isend smpi/ois, or nothing if that is not set.
  bool isend_follows(const Setting& send) const { return send.key != "smpi/os"; }

 private:
  // SMPI ignores the factors of SimGrid's other network models. mpi/bandwidth_factor replaces
  // SimGrid's factors of bandwidth.
  const Setting* find_between(const std::string& name) const {
    const std::string key = "mpi/" + name;
    const SimgridNames* names = simgrid_names(name);
    if (names == nullptr) return settings_->find(key);
    const bool by_smpi = !names->smpi.empty() && follows_smpi(*settings_);
    const std::string_view network = by_smpi ? std::string_view() : names->network;
    if (name != "efficiency") return settings_->find({key, names->smpi, network});
    const auto* found = settings_->find({key, "mpi/bandwidth_factor", names->smpi, network});
    return found != nullptr && found->key == "mpi/bandwidth_factor" ? nullptr : found;
  }

  const Settings* settings_;
  Where where_;
};

// A NIC time per byte implies that messages are sent one after the other (fifo).
void read_nic(const ProtocolKeys& keys, MessageProtocol& protocol, ErrorList& errors) {
  const auto* gap_per_byte = keys.find("gap_per_byte");
  const auto* order = keys.find("nic_order");
  if (gap_per_byte != nullptr && order != nullptr && order->is_default) order = nullptr;
  set_if_given(keys.find("gap"), protocol.gap);
  if (gap_per_byte != nullptr) {
    protocol.gap_per_byte = value_of<double>(*gap_per_byte);
    protocol.nic_order = NicOrder::fifo;
  }
  if (order == nullptr) return;
  protocol.nic_order = value_of<NicOrder>(*order);
  if (protocol.nic_order == NicOrder::fifo) return;
  protocol.gap_per_byte.reset();
  if (gap_per_byte != nullptr)
    errors.add(order->error(
        fmt::format("{} contradicts {} = {}", gap_per_byte->key, order->key, order->value),
        fmt::format("remove one of them, or set {} = fifo", keys.name("nic_order"))));
}

void read_overheads(const ProtocolKeys& keys, MessageProtocol& protocol) {
  const auto* send = keys.find("send_overhead");
  if (send != nullptr) {
    protocol.send_overhead = value_of<Piecewise>(*send);
    if (keys.isend_follows(*send)) protocol.isend_overhead = protocol.send_overhead;
  }
  const auto* isend = keys.find("isend_overhead");
  if (isend != nullptr && !(isend->is_default && send != nullptr && keys.isend_follows(*send)))
    protocol.isend_overhead = value_of<Piecewise>(*isend);
  const auto* recv = keys.find("recv_overhead");
  set_if_given(recv, protocol.recv_overhead);
  set_if_given(keys.find("rendezvous"), protocol.rendezvous);
  // In SMPI, neither a blocking send that waits for its receive nor this receive has an overhead.
  const Bytes without_wait = std::max(protocol.eager_max, protocol.detached_max);
  if (protocol.rendezvous == Rendezvous::direct) {
    if (send != nullptr && send->key == "smpi/os")
      protocol.send_overhead = protocol.send_overhead.up_to(without_wait);
    if (recv != nullptr && recv->key == "smpi/or")
      protocol.recv_overhead = protocol.recv_overhead.up_to(without_wait);
  }
  set_if_given(keys.find("extra_latency"), protocol.extra_latency);
  set_if_given(keys.find("scale_latency"), protocol.scale_latency);
  set_if_given(keys.find("rendezvous_overhead"), protocol.rendezvous_overhead);
}

// Without fragments, a depth or an overhead would silently have no effect.
void read_fragments(const ProtocolKeys& keys, MessageProtocol& protocol, ErrorList& errors) {
  const auto* size = keys.find("fragment_size");
  const auto* depth = keys.find("pipeline_depth");
  const auto* overhead = keys.find("fragment_overhead");
  set_if_given(size, protocol.fragment_max);
  set_if_given(depth, protocol.pipeline_depth);
  set_if_given(overhead, protocol.fragment_overhead);
  if (size != nullptr || protocol.fragment_max >= 0) return;
  for (const auto* useless : {depth, overhead})
    if (useless != nullptr)
      errors.add(useless->error("messages are not split into fragments",
                                fmt::format("also set {}", keys.name("fragment_size"))));
}

// `protocol` contains the defaults.
void read_protocol(const ProtocolKeys& keys, MessageProtocol& protocol, ErrorList& errors) {
  set_if_given(keys.find("eager_limit"), protocol.eager_max);
  set_if_given(keys.find("detached_limit"), protocol.detached_max);
  read_overheads(keys, protocol);
  read_nic(keys, protocol, errors);
  set_if_given(keys.find("latency_factor"), protocol.latency_factor);
  set_if_given(keys.find("bandwidth_factor"), protocol.bandwidth_factor);
  set_if_given(keys.find("efficiency"), protocol.efficiency);
  set_if_given(keys.find("envelope"), protocol.envelope);
  set_if_given(keys.find("window"), protocol.window);
  set_if_given(keys.find("copy_bandwidth"), protocol.copy_Bps);
  set_if_given(keys.find("copy_limit"), protocol.copy_max);
  set_if_given(keys.find("eager_credits"), protocol.eager_credits);
  read_fragments(keys, protocol, errors);
}

void read_bus_bandwidth(const Setting& bandwidth, Machine& machine, ErrorList& errors) {
  const auto by_working_set = value_of<Piecewise>(bandwidth);
  if (std::isinf(by_working_set.greatest()))
    return errors.add(bandwidth.error("the memory bus needs a bandwidth", "name a rate"));
  machine.bus = {.bandwidth_Bps = by_working_set(0), .sharing = LinkSharing::shared};
  if (by_working_set.varies()) machine.bus_Bps = by_working_set;
}

void read_bus(const Settings& settings, Machine& machine, ErrorList& errors) {
  if (const auto* bandwidth = settings.find("mpi/bus_bandwidth"))
    read_bus_bandwidth(*bandwidth, machine, errors);
  const bool has_bus = machine.bus.bandwidth_Bps > 0;
  if (const auto* latency = settings.find("mpi/bus_latency")) {
    machine.bus.latency_s = value_of<double>(*latency);
    if (!has_bus)
      errors.add(latency->error("the platform has no memory bus", "also set mpi/bus_bandwidth"));
  }
  if (const auto* limit = settings.find("mpi/bus_limit")) {
    machine.bus_max = value_of<Bytes>(*limit);
    if (!has_bus)
      errors.add(limit->error("the platform has no memory bus", "also set mpi/bus_bandwidth"));
  }
  machine.intra_node = has_bus ? IntraNode::bus : IntraNode::network;
  const auto* requested = settings.find("mpi/intra_node");
  if (requested == nullptr) return;
  machine.intra_node = value_of<IntraNode>(*requested);
  if (machine.intra_node == IntraNode::bus && !has_bus)
    errors.add(requested->error("the memory bus has no bandwidth", "also set mpi/bus_bandwidth"));
}

// mpi/intra_* of a file describe the path that the file selects. If an override moves messages from
// the bus to the network, they travel as between nodes.
ProtocolKeys::Where intra_keys(const Settings& settings) {
  const auto* override_mode = settings.find_override("mpi/intra_node");
  const auto* file_mode = settings.find_in_file("mpi/intra_node");
  const bool to_network =
      override_mode != nullptr && value_of<IntraNode>(*override_mode) == IntraNode::network;
  const bool was_network =
      file_mode != nullptr && value_of<IntraNode>(*file_mode) == IntraNode::network;
  return to_network && !was_network ? ProtocolKeys::Where::inside_node_overrides_only
                                    : ProtocolKeys::Where::inside_node;
}

// Resets the parameters of the network and its NICs, which do not apply to a memory bus. Those that
// are SMPI's apply to all paths.
void forget_network(const Settings& settings, MessageProtocol& protocol) {
  const MessageProtocol between = protocol;
  protocol.latency_factor = Piecewise(1.0);
  protocol.bandwidth_factor = Piecewise(1.0);
  protocol.extra_latency = Piecewise();
  protocol.scale_latency = Piecewise();
  protocol.rendezvous = Rendezvous::put;
  protocol.eager_credits = 0;
  protocol.fragment_max = -1;
  protocol.pipeline_depth = 0;
  protocol.fragment_overhead.reset();
  protocol.efficiency = Piecewise(1.0);
  protocol.window = -1;
  if (!follows_smpi(settings)) return;
  protocol.rendezvous = between.rendezvous;
  protocol.window = between.window;
  const ProtocolKeys keys(settings, ProtocolKeys::Where::between_nodes);
  const auto is_smpis = [&](const char* name) {
    const auto* found = keys.find(name);
    return found != nullptr && found->key.starts_with("smpi/");
  };
  if (is_smpis("latency_factor")) protocol.latency_factor = between.latency_factor;
  if (is_smpis("efficiency")) protocol.efficiency = between.efficiency;
}

// SMPI ends with an error if a message is sent early whose sender waits for its receive.
void check_limits(const Settings& settings, ErrorList& errors) {
  const ProtocolKeys keys(settings, ProtocolKeys::Where::between_nodes);
  const auto* eager = keys.find("eager_limit");
  const auto* detached = keys.find("detached_limit");
  if (eager == nullptr || detached == nullptr || eager->key != "smpi/async-small-thresh" ||
      detached->key != "smpi/send-is-detached-thresh")
    return;
  if (value_of<Bytes>(*eager) <= value_of<Bytes>(*detached)) return;
  const auto* given = eager->is_default ? detached : eager;
  errors.add(
      given->error(fmt::format("{} is above smpi/send-is-detached-thresh = {}{}", eager->value,
                               detached->value, detached->is_default ? " (SMPI's default)" : ""),
                   "SMPI accepts no larger value; also set smpi/send-is-detached-thresh"));
}

void read_intra(const Settings& settings, Machine& machine, ErrorList& errors) {
  machine.intra = machine.inter;
  if (machine.intra_node == IntraNode::bus) forget_network(settings, machine.intra);
  const ProtocolKeys keys(settings, intra_keys(settings));
  read_protocol(keys, machine.intra, errors);
  set_if_given(keys.find("bandwidth"), machine.rank_Bps);
}

void read_hardware(const Settings& settings, Machine& machine, ErrorList& errors) {
  const auto* names = settings.find("mpi/hardware_collectives");
  if (names == nullptr) return;
  const auto* latency = settings.find("mpi/hardware_latency");
  const auto* bandwidth = settings.find("mpi/hardware_bandwidth");
  if (latency == nullptr || bandwidth == nullptr)
    return errors.add(names->error("collectives in hardware need a latency and a bandwidth",
                                   "set mpi/hardware_latency and mpi/hardware_bandwidth, and "
                                   "optionally mpi/hardware_barrier"));
  const auto* barrier = settings.find("mpi/hardware_barrier");
  machine.hardware = {.names = value_of<std::vector<std::string>>(*names),
                      .latency_s = value_of<double>(*latency),
                      .bandwidth_Bps = value_of<double>(*bandwidth),
                      .barrier_s = value_of<double>(barrier != nullptr ? *barrier : *latency)};
}

}  // namespace

void read_message_parameters(const Settings& settings, Machine& machine, ErrorList& errors) {
  machine.follows_smpi = follows_smpi(settings);
  set_if_given(settings.find("network/crosstraffic"), machine.cross_traffic);
  check_limits(settings, errors);
  read_protocol(ProtocolKeys(settings, ProtocolKeys::Where::between_nodes), machine.inter, errors);
  read_bus(settings, machine, errors);
  if (!errors.empty()) return;  // a path without bandwidth has no factors
  read_intra(settings, machine, errors);
  read_hardware(settings, machine, errors);
  set_if_given(settings.find("mpi/rank_bandwidth"), machine.rank_send_Bps);
  machine.rank_receive_Bps = machine.rank_send_Bps;
  set_if_given(settings.find("mpi/rank_receive_bandwidth"), machine.rank_receive_Bps);
  set_if_given(settings.find("mpi/combine_bandwidth"), machine.combine_Bps);
  set_if_given(settings.find("mpi/local_copy_bandwidth"), machine.local_copy_Bps);
  if (!machine.local_copy_Bps && machine.inter.copy_Bps)
    machine.local_copy_Bps = Piecewise(*machine.inter.copy_Bps);
  set_if_given(settings.find("mpi/arrival_skew"), machine.arrival_skew_s);
  set_if_given(settings.find("mpi/allocation_bandwidth"), machine.allocation_Bps);
  set_if_given(settings.find("mpi/memory_bandwidth"), machine.memory_Bps);
  set_if_given(settings.find("mpi/piece_overhead"), machine.piece_overhead_s);
  for (const auto& key : accuracy_keys())
    if (const auto* factor = settings.find(key))
      machine.accuracy.factors.emplace(key.substr(key.rfind('/') + 1),
                                       value_of<Piecewise>(*factor));
  set_if_given(settings.find("accuracy/nodes"), machine.accuracy.nodes);
  set_if_given(settings.find("accuracy/ppn"), machine.accuracy.ppn);
  set_if_given(settings.find("accuracy/runs"), machine.accuracy.runs);
  set_if_given(settings.find("accuracy/message_size"), machine.accuracy.message_bytes);
  if (const auto* ppn = settings.find("mpi/ppn")) {
    machine.default_ppn = value_of<int>(*ppn);
    if (*machine.default_ppn > machine.cores_per_host)
      errors.add(ppn->error(fmt::format("{} processes do not fit on the {} core(s) of a host",
                                        *machine.default_ppn, machine.cores_per_host),
                            "the attribute 'core' of the cluster is the number of cores per host"));
  }
}

std::optional<std::string> absent_parameters(const Settings& settings) {
  std::vector<std::string> absent;
  const auto expect = [&](const Setting* found, std::string_view name, std::string_view taken) {
    if (found == nullptr) absent.push_back(fmt::format("{} ({})", name, taken));
  };
  const ProtocolKeys keys(settings, ProtocolKeys::Where::between_nodes);
  expect(keys.find("eager_limit"), "eager limit", "64 KiB");
  expect(keys.find("send_overhead"), "send overhead", "0");
  expect(keys.find("recv_overhead"), "receive overhead", "0");
  if (absent.empty()) return std::nullopt;
  expect(keys.find("latency_factor"), "latency factor", "1");
  const auto* efficiency = keys.find("efficiency");
  expect(efficiency != nullptr ? efficiency : keys.find("bandwidth_factor"), "bandwidth factor",
         "1");
  return fmt::format("the platform lacks message parameters, defaults are used: {}",
                     fmt::join(absent, ", "));
}

std::optional<std::string> free_isends(const Settings& settings) {
  const ProtocolKeys keys(settings, ProtocolKeys::Where::between_nodes);
  const auto* send = keys.find("send_overhead");
  if (send == nullptr || send->is_default || keys.isend_follows(*send)) return std::nullopt;
  const auto* isend = keys.find("isend_overhead");
  if (isend != nullptr && !isend->is_default) return std::nullopt;
  return "smpi/os without smpi/ois: non-blocking sends cost nothing, as in SMPI";
}

std::vector<std::string> spellings(std::string_view name) {
  std::vector<std::string> keys{fmt::format("mpi/{}", name)};
  if (const SimgridNames* known = simgrid_names(name))
    for (const auto key : {known->smpi, known->network})
      if (!key.empty()) keys.emplace_back(key);
  return keys;
}

}  // namespace tutti::platforms
