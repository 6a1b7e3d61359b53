// SPDX-License-Identifier: BSD-3-Clause
#include "sim/engines/inside/link_loads.hpp"

#include "sim/runtime/protocol_core.hpp"

namespace tutti::engines {

void MessageHistogram::on_send(const runtime::SentMessage& message) {
  ++counts_[{message.data.bytes, message.intra_node, message.protocol}];
}

std::vector<HistogramRow> MessageHistogram::rows() const {
  std::vector<HistogramRow> rows;
  for (const auto& [key, messages] : counts_)
    rows.push_back({std::get<0>(key), std::get<1>(key), std::get<2>(key), messages});
  return rows;
}

using platforms::LinkId;

std::vector<PathLink> path_links(const std::vector<PathStep>& steps, const LinkLoads& loads,
                                 std::size_t most) {
  std::unordered_map<LinkId, PathLink> by_link;
  std::vector<LinkId> route;
  for (const PathStep& step : steps) {
    if (step.kind != PathStep::Kind::message || step.bytes == 0) continue;
    loads.links().route(step.source, step.destination, route);
    for (const LinkId link : route) {
      PathLink& on_path = by_link[link];
      ++on_path.messages;
      on_path.flow_s += step.parts[static_cast<std::size_t>(Transit::transfer)] +
                        step.parts[static_cast<std::size_t>(Transit::sharing)];
    }
  }
  std::vector<PathLink> all;
  for (auto& [link, on_path] : by_link) {
    on_path.load = loads.of(link);
    all.push_back(on_path);
  }
  const auto full_s = [](const PathLink& link) {  // minimum time for its bytes
    return static_cast<double>(link.load.bytes) / link.load.capacity_Bps;
  };
  std::sort(all.begin(), all.end(), [&](const PathLink& a, const PathLink& b) {
    return std::pair(-full_s(a), a.load.link) < std::pair(-full_s(b), b.load.link);
  });
  all.resize(std::min(all.size(), most));
  return all;
}

using runtime::MessageId;

LinkLoads::LinkLoads(const platforms::Machine& machine, const platforms::Placement& placement,
                     Contention contention)
    : machine_(machine),
      placement_(placement),
      contention_(contention),
      job_links_(machine, placement),
      ranks_on_(machine.host_count()),
      states_(job_links_.count()) {
  for (const platforms::HostId host : placement.host_of) ++ranks_on_[host];
}

void LinkLoads::on_sent(const runtime::TimedMessage& message) {
  constexpr double most_bytes = 1e18;
  const Bytes bytes = std::llround(std::min(message.link_bytes, most_bytes));
  flows_[message.id] = {message.source, message.destination, message.bytes, bytes};
}

void LinkLoads::on_flow_start(MessageId message, Seconds date_s) {
  if (flows_[message].bytes == 0) return;
  count_starts(date_s);
  starts_.push_back({message, date_s});
}

void LinkLoads::on_flow_end(MessageId message, Seconds date_s) {
  Flow& flow = flows_[message];
  if (flow.bytes == 0) return;
  count_starts(date_s);
  if (!flow.counted) count_starts(std::numeric_limits<double>::infinity());
  for (const LinkId link : route(flow)) {
    State& state = states_[link];
    state.bytes += flow.bytes;
    if (--state.flows > 0) continue;
    state.busy_s += date_s - state.since_s;
    state.since_s = date_s;
  }
}

void LinkLoads::count_starts(Seconds before_s) {
  for (; !starts_.empty() && runtime::after_ties(starts_.front().date_s) < before_s;
       starts_.pop_front())
    count_start(starts_.front());
}

void LinkLoads::count_start(const Start& start) {
  Flow& flow = flows_[start.message];
  flow.counted = true;
  find_users(flow);
  for (const LinkId link : route(flow)) {
    State& state = states_[link];
    if (state.flows == 0) state.since_s = std::max(state.since_s, start.date_s);
    state.peak_flows = std::max(state.peak_flows, ++state.flows);
  }
}

// Finds who can use each link of a route at the same time, as Channels::share_hop does.
void LinkLoads::find_users(const Flow& flow) {
  route_.clear();
  job_links_.add_copies(flow.source, flow.destination, flow.data_bytes, route_);
  for (const LinkId bus : route_)
    if (contention_ != Contention::on) states_[bus].is_private = true;
  job_links_.route(flow.source, flow.destination, route_);
  const std::vector<LinkId>& links = route_;
  const platforms::HostId from = placement_.host_of[flow.source];
  const platforms::HostId to = placement_.host_of[flow.destination];
  const bool over_bus = from == to && machine_.intra_node == platforms::IntraNode::bus;
  const bool is_pooled = contention_ == Contention::pooled_nics;
  const auto between = job_links_.between_nodes(links);
  const std::size_t nic = machine_.topology->nic_links();
  for (const LinkId& link : links) {
    State& state = states_[link];
    const bool is_core = job_links_.is_inside_node(link);
    const bool may_be_nic = !is_core && !over_bus;
    const bool is_out = may_be_nic && &link < between.data() + nic;
    const bool is_in = may_be_nic && &link + nic >= between.data() + between.size();
    const bool is_shared =
        contention_ == Contention::on || (is_core ? over_bus || !is_pooled : is_out || is_in);
    if (!is_shared || kinds_.of(link).sharing != platforms::LinkSharing::shared)
      state.is_private = true;
    else if (is_pooled || contention_ == Contention::private_nics)
      for (const auto& [is_end, host] : {std::pair(is_out, from), std::pair(is_in, to)}) {
        if (!is_end) continue;
        // Between two nodes of a torus, each has NICs of its own.
        if (state.nics > 0 && state.nic_of != host) state.is_private = true;
        state.nic_of = host;
        state.nics = ranks_on_[host];
      }
  }
}

const std::vector<LinkId>& LinkLoads::route(const Flow& flow) {
  job_links_.route(flow.source, flow.destination, route_);
  job_links_.add_copies(flow.source, flow.destination, flow.data_bytes, route_);
  return route_;
}

LinkLoad LinkLoads::of(LinkId link) const {
  const State& state = states_[link];
  double bandwidth_Bps = job_links_.link(link).bandwidth_Bps;
  if (state.nics > 0 && contention_ == Contention::pooled_nics)
    bandwidth_Bps = pooled_Bps(machine_, bandwidth_Bps);
  const auto users = std::max(1U, state.is_private ? state.peak_flows : state.nics);
  return {link, state.peak_flows, state.bytes, state.busy_s, users * bandwidth_Bps};
}

std::vector<LinkLoad> LinkLoads::rows() const {
  std::vector<LinkLoad> rows;
  for (LinkId link = 0; link < job_links_.count(); ++link)
    if (states_[link].bytes > 0) rows.push_back(of(link));
  return rows;
}

}  // namespace tutti::engines
