// SPDX-License-Identifier: BSD-3-Clause
#include "sim/fireworks/surface.hpp"

#include "sim/fireworks/node_load.hpp"
#include "sim/jobs/run_point.hpp"

namespace tutti::studies::fireworks {
namespace {

using platforms::Machine;
using workloads::Exchanged;

constexpr std::int64_t paper_pairs = 7;
constexpr std::int64_t least_pairs = 3;  // of both kinds together: planes have three coefficients

void add_points(const SurfaceSpec& spec, Fireworks requested, std::vector<Fireworks>& points) {
  for (const auto inter : spec.inter_pairs)
    for (const auto intra : spec.intra_pairs) {
      if (intra + inter == 0) continue;
      requested.intra_pairs = static_cast<int>(intra);
      requested.inter_pairs = static_cast<int>(inter);
      requested.exchanged = Exchanged::both;
      points.push_back(requested);
      if (intra > 0 && inter > 0) continue;
      for (const auto one_way : {Exchanged::receives, Exchanged::sends}) {
        requested.exchanged = one_way;
        points.push_back(requested);
      }
    }
}

std::vector<RankMessage> rank_messages(const Fireworks& requested) {
  std::vector<RankMessage> messages;
  for (int rank = requested.hot_spots; rank < requested.procs(); ++rank) {
    const int hot_spot = workloads::hot_spot_of(requested, rank);
    if (requested.exchanged != Exchanged::sends)
      messages.push_back({rank, hot_spot, requested.message_bytes});
    if (requested.exchanged != Exchanged::receives)
      messages.push_back({hot_spot, rank, requested.message_bytes});
  }
  return messages;
}

using ModelKey = std::tuple<Bytes, int, workloads::PostingOrder>;

std::vector<std::pair<ModelKey, std::vector<Sample>>> samples_by_model(
    const std::vector<MeasuredRound>& rounds) {
  std::vector<std::pair<ModelKey, std::vector<Sample>>> groups;
  for (const auto& [requested, time_s, busiest] : rounds) {
    const ModelKey key{requested.message_bytes, requested.hot_spots, requested.order};
    if (groups.empty() || groups.back().first != key) groups.push_back({key, {}});
    auto load = requested_load(requested);
    load.busy_s = busiest.busy_s;
    groups.back().second.push_back(
        {.load = load, .time_s = time_s, .both_ways = requested.exchanged == Exchanged::both});
  }
  return groups;
}

void fit(MeasuredCosts& measured, const Machine& machine) {
  for (const auto& [key, samples] : samples_by_model(measured.rounds)) {
    if (!determine_costs(samples)) {
      measured.warnings.push_back(
          fmt::format("too few rounds of {} to fit costs", format_bytes(std::get<0>(key))));
      continue;
    }
    auto model = fit_cost_model(samples);
    std::tie(model.message_bytes, model.hot_spots, model.order) = key;
    measured.printed.push_back(beside_printed_costs(machine.name, model, samples));
    measured.costs.models.push_back(model);
  }
}

std::string round_name(const Fireworks& requested) {
  return fmt::format("{} pairs inside, {} with others, {}", requested.intra_pairs,
                     requested.inter_pairs, format_bytes(requested.message_bytes));
}

}  // namespace

std::vector<Fireworks> surface_points(const SurfaceSpec& spec) {
  std::vector<Fireworks> points;
  for (const Bytes bytes : spec.message_bytes)
    for (const auto hot_spots : spec.hot_spots)
      for (const auto order : spec.orders)
        add_points(
            spec,
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

Result<std::string> set_pairs(SurfaceSpec& spec, const PairsSpec& pairs, const Machine& machine) {
  const auto most_hot = spec.hot_spots.back();
  const std::int64_t intra = std::max<std::int64_t>(0, machine.cores_per_host - most_hot);
  const std::int64_t inter = static_cast<std::int64_t>(machine.host_count()) - 1;
  const std::int64_t inside = pairs.most_inside.value_or(std::min(paper_pairs, intra));
  const std::int64_t outside = pairs.most_outside.value_or(std::min(paper_pairs, inter));
  const bool is_full = intra < 1 && most_hot > 1;
  if (intra < 1 || inter < 1)
    return usage_error(
        is_full ? "--hot-spots" : "--platform",
        fmt::format("{} for partners: {} has {} per node and {}",
                    is_full ? "no core left" : "too small", machine.name,
                    counted(machine.cores_per_host, "core"), counted(machine.host_count(), "node")),
        "the costs can be separated only with partners inside the node and on other nodes");
  if (inside > intra || outside > inter)
    return usage_error("--max-pairs",
                       fmt::format("room for only {} inside a node and {} on other nodes",
                                   counted(intra, "partner"), inter),
                       fmt::format("use --max-pairs {}x{}, or fewer --hot-spots",
                                   std::min(inside, intra), std::min(outside, inter)));
  if (inside + outside < least_pairs)
    return usage_error(pairs.most_inside ? "--max-pairs" : "--platform",
                       "one partner of each kind is not enough to fit costs",
                       "at least two partners of one kind are required");
  const auto values = [&](std::int64_t most) {
    return grid_values(most, std::min(pairs.samples.value_or(most + 1), most + 1));
  };
  spec.intra_pairs = values(inside);
  spec.inter_pairs = values(outside);
  if (pairs.most_inside || std::min(inside, outside) == paper_pairs) return std::string();
  return fmt::format("measuring with only {} inside a node and {} on other nodes",
                     counted(inside, "partner"), outside);
}

Result<Seconds> simulate_round(const Fireworks& requested, const Machine& machine,
                               engines::EngineKind engine) {
  const auto placement = workloads::fireworks_placement(requested);
  const auto outcome = engines::run(engine, {.machine = machine,
                                             .placement = placement,
                                             .program = workloads::fireworks_program(requested)});
  if (!outcome.problems.empty()) return errors_of(outcome.problems);
  return *std::ranges::max_element(outcome.end_s);
}

BusyLink busiest_link(const Fireworks& requested, const Machine& machine) {
  const auto placement = workloads::fireworks_placement(requested);
  const platforms::JobLinks links(machine, placement);
  const auto busy = busy_links(links, rank_messages(requested));
  if (!busy.busiest) return {};
  return {links.name(*busy.busiest), busy.busiest_s};
}

MeasuredCosts measure_costs(const SurfaceSpec& spec, engines::EngineKind engine,
                            const Machine& machine, const RunPoints& run) {
  const auto requested = surface_points(spec);
  std::vector<StudyPoint> points;
  for (const Fireworks& round : requested)
    points.push_back(
        timed_point(round_name(round), [&] { return simulate_round(round, machine, engine); }));
  MeasuredCosts measured;
  measured.costs.platform_hash = machine.content_hash;
  measured.run = run(points);
  for (std::size_t i = 0; i < requested.size(); ++i) {
    if (!measured.run.answers[i]) continue;
    const Seconds time_s = time_in(*measured.run.answers[i]);
    measured.rounds.push_back({requested[i], time_s, busiest_link(requested[i], machine)});
  }
  fit(measured, machine);
  return measured;
}

}  // namespace tutti::studies::fireworks
