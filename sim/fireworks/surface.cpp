// SPDX-License-Identifier: BSD-3-Clause
#include "sim/fireworks/surface.hpp"

#include "platforms/job_links.hpp"
#include "sim/studies/run_point.hpp"

namespace tutti::studies::fireworks {
namespace {

using platforms::LinkId;
using platforms::Machine;
using workloads::Exchanged;

void add_points(const SurfaceWish& wish, Fireworks asked, std::vector<Fireworks>& points) {
  for (const auto inter : wish.inter_pairs)
    for (const auto intra : wish.intra_pairs) {
      if (intra + inter == 0) continue;
      asked.intra_pairs = static_cast<int>(intra);
      asked.inter_pairs = static_cast<int>(inter);
      asked.exchanged = Exchanged::both;
      points.push_back(asked);
      if (intra > 0 && inter > 0) continue;
      for (const auto one_way : {Exchanged::receives, Exchanged::sends}) {
        asked.exchanged = one_way;
        points.push_back(asked);
      }
    }
}

// By rank: who sends to whom.
template <class Visit>
void each_message(const Fireworks& asked, const Visit& visit) {
  for (int rank = asked.hot_spots; rank < asked.procs(); ++rank) {
    const int hot_spot = workloads::hot_spot_of(asked, rank);
    if (asked.exchanged != Exchanged::sends) visit(rank, hot_spot);
    if (asked.exchanged != Exchanged::receives) visit(hot_spot, rank);
  }
}

}  // namespace

std::vector<Fireworks> surface_points(const SurfaceWish& wish) {
  std::vector<Fireworks> points;
  for (const Bytes bytes : wish.message_bytes)
    for (const auto hot_spots : wish.hot_spots)
      for (const auto order : wish.orders)
        add_points(
            wish,
            {.hot_spots = static_cast<int>(hot_spots), .order = order, .message_bytes = bytes},
            points);
  return points;
}

std::vector<std::int64_t> grid_values(std::int64_t most, std::int64_t samples) {
  TUTTI_CHECK(samples >= 2, "both ends");
  std::vector<std::int64_t> values;
  for (std::int64_t i = 0; i < samples; ++i) {
    const std::int64_t value = (i * most + (samples - 1) / 2) / (samples - 1);
    if (values.empty() || value > values.back()) values.push_back(value);
  }
  return values;
}

int most_intra_pairs(const Machine& machine, int hot_spots) {
  return std::max(0, machine.cores_per_host - hot_spots);
}

int most_inter_pairs(const Machine& machine) {
  constexpr auto most = static_cast<platforms::HostId>(std::numeric_limits<int>::max());
  return static_cast<int>(std::min(machine.host_count() - 1, most));
}

Result<Seconds> time_of(const Fireworks& asked, const Machine& machine,
                        engines::EngineKind engine) {
  const auto placement = workloads::fireworks_placement(asked);
  const auto outcome = engines::run(
      engine,
      {.machine = machine, .placement = placement, .program = workloads::fireworks_program(asked)});
  if (!outcome.problems.empty()) return errors_of(outcome.problems);
  return *std::ranges::max_element(outcome.end_s);
}

BusyLink busiest_link(const Fireworks& asked, const Machine& machine, Seconds time_s) {
  const auto placement = workloads::fireworks_placement(asked);
  const platforms::JobLinks links(machine, placement);
  std::vector<std::pair<LinkId, double>> bytes;
  std::vector<LinkId> route;
  each_message(asked, [&](int from, int to) {
    links.route(from, to, route);
    for (const LinkId link : route)
      bytes.emplace_back(link, static_cast<double>(asked.message_bytes));
  });
  std::ranges::sort(bytes);
  BusyLink busiest;
  for (std::size_t i = 0, end = 0; i < bytes.size(); i = end) {
    const LinkId id = bytes[i].first;
    double sum = 0;
    for (end = i; end < bytes.size() && bytes[end].first == id; ++end) sum += bytes[end].second;
    const auto link = links.link(id);
    const double busy_part = sum / link.bandwidth_Bps / time_s;
    if (link.sharing == platforms::LinkSharing::shared && busy_part > busiest.busy_part)
      busiest = {links.name(id), busy_part};
  }
  return busiest;
}

}  // namespace tutti::studies::fireworks
