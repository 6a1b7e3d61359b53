// SPDX-License-Identifier: BSD-3-Clause
#include "sim/fit/node_fit.hpp"

#include "sim/base/quantile.hpp"
#include "sim/fit/precise_time.hpp"

namespace tutti::studies {
namespace {

using platforms::GivenParameter;

constexpr Bytes least_large = 256 << 10;  // the bandwidth determines the times of such messages
constexpr Bytes most_small = 4 << 10;

double bytes_per_s(const PairMeasurement& stream) {
  const int directions = stream.both_ways ? 2 : 1;
  return directions * stream.pairs * static_cast<double>(stream.bytes) / stream.time_s;
}

// Rates of large messages of all pairs together, by number of pairs.
std::map<int, std::vector<double>> large_rates(const std::vector<PairMeasurement>& streams,
                                               bool both_ways) {
  std::map<int, std::vector<double>> rates;
  for (const auto& stream : streams)
    if (stream.window > 0 && stream.both_ways == both_ways && stream.bytes >= least_large)
      rates[stream.pairs].push_back(bytes_per_s(stream));
  return rates;
}

double greatest_median(const std::map<int, std::vector<double>>& rates) {
  double greatest = 0;
  for (const auto& [pairs, all] : rates) greatest = std::max(greatest, median_of(all));
  return greatest;
}

// The least interval between messages of this size of a single pair; unset: not measured.
std::optional<Seconds> interval_of_one(const std::vector<PairMeasurement>& streams, Bytes bytes) {
  std::vector<double> times_s;
  for (const auto& stream : streams)
    if (stream.pairs == 1 && !stream.both_ways && stream.window > 0 && stream.bytes == bytes)
      times_s.push_back(stream.time_s);
  return times_s.empty() ? std::nullopt : std::optional(median_of(times_s));
}

// Bytes beyond the data by which small messages of the most pairs occupy the NIC, of those streams
// that the NIC limits, and not the ranks.
std::vector<double> bytes_beyond_data(const std::vector<PairMeasurement>& streams, int pairs,
                                      double bandwidth_Bps) {
  constexpr double limited = 0.8;
  std::vector<double> beyond;
  for (const auto& stream : streams) {
    if (stream.pairs != pairs || stream.both_ways || stream.bytes == 0) continue;
    const auto one_s = interval_of_one(streams, stream.bytes);
    if (stream.bytes > most_small || !one_s || *one_s > limited * stream.time_s) continue;
    beyond.push_back(
        std::max(0.0, bandwidth_Bps * stream.time_s / pairs - static_cast<double>(stream.bytes)));
  }
  return beyond;
}

// Half of the 95 % interval of the median of values with independent normal errors; unset for a
// single value.
std::optional<double> half_interval(const std::vector<double>& values) {
  const auto count = static_cast<double>(values.size());
  if (count < 2) return std::nullopt;
  const double mean = std::reduce(values.begin(), values.end()) / count;
  double squares = 0;
  for (const double value : values) squares += (value - mean) * (value - mean);
  // The variance of a median is pi / 2 times that of a mean.
  const double error = std::sqrt(std::numbers::pi / 2 * squares / (count - 1) / count);
  return student_t_95(count - 1) * error;
}

FittedParameter measured(std::string name, std::string unit, const std::vector<double>& values,
                         std::string note) {
  FittedParameter parameter{.name = std::move(name), .unit = std::move(unit)};
  parameter.value = median_of(values);
  const auto half = half_interval(values);
  if (half) {
    parameter.low = std::max(0.0, *parameter.value - *half);
    parameter.high = *parameter.value + *half;
  }
  constexpr double narrow = 0.05;
  if (!half || *half > narrow * *parameter.value) parameter.status = ParameterStatus::uncertain;
  parameter.note = std::move(note);
  return parameter;
}

std::string rate(double Bps) { return fmt::format("{:.4g}GBps", Bps / 1e9); }

}  // namespace

std::optional<NicFit> fit_nic(const std::vector<PairMeasurement>& streams) {
  const auto rates = large_rates(streams, false);
  if (rates.empty() || rates.rbegin()->first == 1) return std::nullopt;
  const auto fastest = std::ranges::max_element(
      rates, {}, [](const auto& of_pairs) { return median_of(of_pairs.second); });
  NicFit fit{.bandwidth_Bps = median_of(fastest->second), .pairs = rates.rbegin()->first};
  fit.parameters.push_back(
      measured("nic_bandwidth", "B/s", fastest->second,
               fmt::format("{} at once, large messages", counted(fastest->first, "pair"))));
  if (const auto one = rates.find(1); one != rates.end()) {
    constexpr double clearly = 1.1;
    const double rank_Bps = median_of(one->second);
    if (clearly * rank_Bps < fit.bandwidth_Bps) {
      fit.rank_Bps = rank_Bps;
      fit.parameters.push_back(measured("rank_bandwidth", "B/s", one->second, "one pair"));
    }
  }
  if (const auto beyond = bytes_beyond_data(streams, fit.pairs, fit.bandwidth_Bps);
      !beyond.empty()) {
    fit.message_bytes = std::llround(median_of(beyond));
    fit.parameters.push_back(
        measured("bytes_per_message", "B", beyond,
                 fmt::format("of the NIC, beyond the data; {} pairs at once", fit.pairs)));
  }
  if (const auto two_way = large_rates(streams, true); !two_way.empty()) {
    constexpr double half_way = 1.5;  // between the rates of half and of full duplex
    fit.half_duplex = greatest_median(two_way) < half_way * fit.bandwidth_Bps;
  }
  return fit;
}

TypicalNode typical_node(int cores) {
  // Of all ranks together, per core: in caches, and in memory.
  constexpr double cached_Bps = 0.85e9, memory_Bps = 0.46e9;
  constexpr Bytes cache_bytes = 3 << 19;  // per core
  constexpr double spread = 2;            // of nodes of several makes
  TypicalNode node;
  const auto add = [&](std::string key, std::string value) {
    node.given.push_back({.key = "mpi/" + std::move(key), .value = std::move(value), .line = 0});
  };
  const auto report = [&](std::string name, std::string unit, double value) {
    node.parameters.push_back({.name = std::move(name),
                               .unit = std::move(unit),
                               .value = value,
                               .low = value / spread,
                               .high = value * spread,
                               .status = ParameterStatus::prior,
                               .note = "typical of nodes with two sockets"});
  };
  add("intra_node", "bus");
  add("bus_bandwidth", fmt::format("0:{};{}:{}", rate(cores * cached_Bps), cores * cache_bytes,
                                   rate(cores * memory_Bps)));
  add("bus_latency", "0.3us");
  add("intra_bandwidth", "8GBps");
  add("intra_eager_limit", "8KiB");
  add("intra_send_overhead", "0.25us");
  add("intra_recv_overhead", "0.25us");
  add("intra_gap", "0");
  add("intra_rendezvous_overhead", "0");
  add("intra_copy_bandwidth", "none");
  add("intra_envelope", "0");
  add("intra_extra_latency", "0:0;16:0;128:0.25us");
  add("intra_efficiency", "128KiB:1.6");
  add("combine_bandwidth", "0:5GBps;32MiB:2GBps");
  add("local_copy_bandwidth", "0:18GBps;32MiB:10GBps");
  add("piece_overhead", "0.1us");
  report("latency_and_overheads", "s", 0.8e-6);
  report("bus_bandwidth", "B/s", cores * cached_Bps);
  report("bus_bandwidth_of_memory", "B/s", cores * memory_Bps);
  report("combine_bandwidth", "B/s", 5e9);
  return node;
}

}  // namespace tutti::studies
