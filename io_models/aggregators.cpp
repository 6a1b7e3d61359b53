// SPDX-License-Identifier: BSD-3-Clause
#include "io_models/aggregators.hpp"

#include <iterator>

namespace tutti::io_models {

using runtime::RankId;

namespace {

// Orders ranks by their index within their node, then by rank.
std::vector<RankId> over_nodes(int aggregators, const platforms::Placement& placement) {
  const auto& host_of = placement.host_of;
  std::vector<int> seen(host_of.empty() ? 0 : *std::ranges::max_element(host_of) + 1);
  std::vector<int> turn;
  for (const auto host : host_of) turn.push_back(seen[host]++);
  std::vector<RankId> ranks(host_of.size());
  std::iota(ranks.begin(), ranks.end(), 0);
  std::ranges::stable_sort(ranks, {}, [&](RankId rank) { return turn[rank]; });
  ranks.resize(aggregators);
  return ranks;
}

}  // namespace

Result<AggregatorPlacement> parse_aggregator_placement(std::string_view word) {
  const std::vector<std::string> names(std::begin(placement_names), std::end(placement_names));
  const auto found = std::ranges::find(names, word);
  if (found != names.end()) return static_cast<AggregatorPlacement>(found - names.begin());
  return usage_error(
      "", fmt::format("unknown placement {}", in_quotes(word)),
      did_you_mean(word, names, fmt::format("placements: {}, file:PATH", fmt::join(names, ", "))));
}

std::vector<RankId> place_aggregators(AggregatorPlacement how, int aggregators,
                                      const platforms::Placement& placement) {
  if (how == AggregatorPlacement::nodes) return over_nodes(aggregators, placement);
  const auto procs = static_cast<std::int64_t>(placement.host_of.size());
  std::vector<RankId> ranks;
  for (std::int64_t i = 0; i < aggregators; ++i) {
    std::int64_t rank = i;
    if (how == AggregatorPlacement::spread) rank = i * procs / aggregators;
    if (how == AggregatorPlacement::groups)
      rank = RankGroups(static_cast<int>(procs), aggregators).begin(static_cast<int>(i));
    ranks.push_back(static_cast<RankId>(rank));
  }
  return ranks;
}

namespace {

using Args = AutomaticAggregatorsArgs;

constexpr Seconds least_gain_s = 1e-3;

std::optional<Error> wrong(const Args& args) {
  if (args.procs < 1)
    return usage_error("--procs", fmt::format("{} processes: must be at least 1", args.procs));
  if (args.buffer_bytes < 1)
    return usage_error("--buffer-size",
                       fmt::format("{} bytes: must be at least 1", args.buffer_bytes));
  const Bytes largest = std::numeric_limits<Bytes>::max() / args.procs;
  if (args.piece_bytes < 1 || args.piece_bytes > largest)
    return usage_error("--bytes-per-proc",
                       fmt::format("pieces of {} bytes: expected 1 to {} for {} processes",
                                   args.piece_bytes, largest, args.procs));
  if (args.buffer_bytes > largest)
    return usage_error("--buffer-size", fmt::format("{} bytes: at most {} for {} processes",
                                                    args.buffer_bytes, largest, args.procs));
  if (args.max_ratio < 1 || args.cutoff_percent < 0)
    return usage_error("--aggregators",
                       "auto: the ratio must be at least 1, the threshold at least 0");
  return std::nullopt;
}

int increment(int procs) {
  if (procs < 16) return 2;
  if (procs < 128) return 4;
  return procs < 4096 ? 16 : 32;
}

// Symbols of Jha's dissertation, section 5.1, as real numbers; d_p is a piece here.
struct Messages {
  double n_as = 1;
  double n_ar = 1;
  double m_s = 0;
};

Messages messages_1d(const Args& args) {
  const auto d_p = static_cast<double>(args.piece_bytes);
  const auto b_c = static_cast<double>(args.buffer_bytes);
  return {1, d_p > b_c ? 1 : b_c / d_p, std::min(d_p, b_c)};
}

Messages messages_2d(const Args& args, std::int64_t P_a) {
  const auto side = static_cast<double>(static_cast<int>(std::sqrt(args.procs)));  // P_x = P_y
  const auto d_p = static_cast<double>(args.piece_bytes);
  const bool exceeds_buffers = args.piece_bytes > P_a * args.buffer_bytes / args.procs;
  const double part = exceeds_buffers ? static_cast<double>(args.buffer_bytes) / side
                                      : d_p * side / static_cast<double>(P_a);
  return {static_cast<double>(P_a) / side, side, std::min(part, d_p)};
}

Seconds cost_s(const Args& args, std::int64_t P_a) {
  constexpr Seconds L = 1.84e-6, o = 1.49e-6, G = 0.67e-9;
  const bool one_d = args.layout == Layout::one_d;
  const auto [n_as, n_ar, m_s] = one_d ? messages_1d(args) : messages_2d(args, P_a);
  const Seconds g = m_s < 33554432 ? 1.08e-6 : 11.9e-6;
  const double n_s = static_cast<double>(args.piece_bytes) / (n_as * m_s);
  const double n_r = static_cast<double>(args.procs * args.piece_bytes / P_a) /
                     static_cast<double>(args.buffer_bytes);
  const Seconds sent = n_s * (L + 2 * o + (n_as - 1) * g + (m_s - 1) * n_as * G);
  const Seconds received = n_r * (L + 2 * o + (n_ar - 1) * g + (m_s - 1) * n_ar * G);
  return sent + received;
}

// The last number of aggregators with a sufficient gain.
std::int64_t worthwhile(const Args& args) {
  const int step = increment(args.procs);
  std::int64_t best = 1;
  Seconds best_s = cost_s(args, best);
  double last_gain = 0;
  for (std::int64_t P_a = step; P_a <= args.procs; P_a += step) {
    const Seconds now_s = cost_s(args, P_a);
    const double gain = (best_s - now_s) / best_s;
    const double change = P_a == step ? gain : last_gain - gain;
    if (change < args.cutoff_percent / 100.0 || best_s - now_s < least_gain_s) break;
    best = P_a;
    best_s = now_s;
    last_gain = gain;
  }
  return best;
}

}  // namespace

Result<int> automatic_aggregators(const Args& args) {
  if (auto error = wrong(args)) return *std::move(error);
  const std::int64_t most = std::max(1, args.procs / args.max_ratio);
  return static_cast<int>(std::min(worthwhile(args), most));
}

int lustre_aggregators(int requested, int stripes, int per_target) {
  if (requested >= stripes) return stripes * std::min(requested / stripes, per_target);
  int found = 1;
  for (int divisor = 2; divisor <= stripes / divisor; ++divisor) {
    if (stripes % divisor != 0) continue;
    if (stripes / divisor <= requested) return stripes / divisor;
    if (divisor <= requested) found = divisor;
  }
  return found;
}

}  // namespace tutti::io_models
