// SPDX-License-Identifier: BSD-3-Clause
#include "sim/guidelines/measuring.hpp"

#include "sim/base/quantile.hpp"
#include "sim/base/random.hpp"
#include "sim/jobs/run_point.hpp"

namespace tutti::studies::guidelines {
namespace {

Seconds sum(std::span<const Seconds> values) {
  return std::accumulate(values.begin(), values.end(), 0.0);
}

bool is_below(std::span<const Seconds> latencies_s, double threshold) {
  const auto error = relative_standard_error(latencies_s);
  return error && *error < threshold;
}

Result<bool> measure(const NextLatency& next, int count, std::vector<Seconds>& latencies_s) {
  for (int i = 0; i < count; ++i) latencies_s.push_back(TUTTI_TRY(next()));
  return true;
}

// Random numbers for different purposes are independent.
enum class Purpose : std::uint64_t { measuring, settling, batches };

// Generates the latencies of a run, one after the other.
class Run {
 public:
  // `expected` is the approximate number of latencies that will be requested.
  Run(const Point& point, Measuring::Sync sync, const platforms::Machine& machine, Purpose purpose,
      int run, int expected)
      : point_(point),
        sync_(sync),
        machine_(machine),
        seed_(point.benchmark.noise.seed),
        stream_((static_cast<std::uint64_t>(purpose) << 32) | static_cast<std::uint64_t>(run)),
        expected_(expected) {
    // Other starts of a noisy call would differ less than its repetitions do.
    if (!point.benchmark.is_plain()) point_.starts.runs = 0;
  }

  Result<Seconds> next() {
    if (taken_ == latencies_s_.size()) {
      auto more = TUTTI_TRY(sync_ == Measuring::Sync::window ? one_more() : simulate(doubled(), 0));
      if (sync_ == Measuring::Sync::window)
        latencies_s_.push_back(more.front());
      else
        latencies_s_ = std::move(more);
    }
    return latencies_s_[taken_++];
  }

 private:
  // A separate job in which all ranks begin together.
  Result<std::vector<Seconds>> one_more() { return simulate(1, latencies_s_.size()); }
  // Repeats the same job with more repetitions.
  int doubled() const {
    return latencies_s_.empty() ? expected_ : 2 * static_cast<int>(latencies_s_.size());
  }

  Result<std::vector<Seconds>> simulate(int repetitions, std::size_t index) {
    point_.benchmark.repetitions = repetitions;
    point_.benchmark.noise.seed = random_bits(seed_, stream_, index);
    auto answer = TUTTI_TRY(run_point(point_, machine_));
    TUTTI_CHECK(answer.record.time_s.has_value(), "the engine does not predict times");
    if (point_.benchmark.is_plain()) return std::vector<Seconds>{*answer.record.time_s};
    return std::move(answer.latency_s);
  }

  Point point_;
  Measuring::Sync sync_;
  const platforms::Machine& machine_;
  std::uint64_t seed_;
  std::uint64_t stream_;
  int expected_;
  std::vector<Seconds> latencies_s_;
  std::size_t taken_ = 0;
};

// Steps 2 and 3 of NREP.
Result<int> estimated_repetitions(const Point& point, const Measuring& measuring,
                                  Seconds settling_s, const platforms::Machine& machine) {
  Run run(point, measuring.sync, machine, Purpose::batches, 0,
          measuring.nrep.first_batch + measuring.nrep.second_batch);
  const auto expected_s = TUTTI_TRY(expected_latency([&] { return run.next(); }, measuring.nrep));
  return repetitions_for(settling_s, expected_s, measuring.nrep);
}

}  // namespace

std::optional<double> relative_standard_error(std::span<const Seconds> latencies_s) {
  if (latencies_s.size() < 2) return std::nullopt;
  const auto count = static_cast<double>(latencies_s.size());
  const Seconds mean_s = sum(latencies_s) / count;
  double squares = 0;
  for (const Seconds each_s : latencies_s) squares += (each_s - mean_s) * (each_s - mean_s);
  if (squares == 0) return 0.0;
  return std::sqrt(squares / (count - 1) / count) / mean_s;
}

Result<Settling> settle(const NextLatency& next, const NrepRule& rule) {
  std::vector<Seconds> latencies_s;
  while (!is_below(latencies_s, rule.rse) && std::ssize(latencies_s) < rule.most)
    TUTTI_TRY(measure(next, 1, latencies_s));
  return Settling{.time_s = sum(latencies_s),
                  .repetitions = static_cast<int>(latencies_s.size()),
                  .settled = is_below(latencies_s, rule.rse)};
}

Result<Seconds> expected_latency(const NextLatency& next, const NrepRule& rule) {
  std::vector<Seconds> latencies_s;
  TUTTI_TRY(measure(next, rule.first_batch, latencies_s));
  if (!is_below(latencies_s, rule.rse_of_batch))
    TUTTI_TRY(measure(next, rule.second_batch, latencies_s));
  return std::ranges::min(latencies_s);
}

int repetitions_for(Seconds settling_s, Seconds expected_s, const NrepRule& rule) {
  const int most = std::max(rule.most, rule.least);
  if (expected_s <= 0) return rule.least;  // nothing to measure
  const double wanted = std::ceil(settling_s / expected_s);
  if (wanted >= most) return most;
  return std::max(static_cast<int>(wanted), rule.least);
}

Result<Row> settle(const Point& point, const Measuring& measuring,
                   const platforms::Machine& machine) {
  constexpr int few = 16;
  Settling longest{.settled = true};
  for (int i = 0; i < measuring.runs; ++i) {
    Run run(point, measuring.sync, machine, Purpose::settling, i, few);
    const auto settling = TUTTI_TRY(guidelines::settle([&] { return run.next(); }, measuring.nrep));
    longest.time_s = std::max(longest.time_s, settling.time_s);
    longest.repetitions = std::max(longest.repetitions, settling.repetitions);
    longest.settled &= settling.settled;
  }
  return Row{{"time_s", longest.time_s},
             {"repetitions", std::int64_t{longest.repetitions}},
             {"settled", longest.settled}};
}

Settling settling_in(const Row& row) {
  return {.time_s = std::get<double>(cell_in(row, "time_s")),
          .repetitions = static_cast<int>(std::get<std::int64_t>(cell_in(row, "repetitions"))),
          .settled = std::get<bool>(cell_in(row, "settled"))};
}

Result<Row> measure(const Point& point, const Measuring& measuring, Seconds settling_s,
                    const platforms::Machine& machine) {
  const auto repetitions = TUTTI_TRY(
      measuring.repetitions ? Result<int>(*measuring.repetitions)
                            : estimated_repetitions(point, measuring, settling_s, machine));
  Row row;
  for (int i = 0; i < measuring.runs; ++i) {
    Run run(point, measuring.sync, machine, Purpose::measuring, i, repetitions);
    for (int n = 0; n < repetitions; ++n) {
      const auto latency_s = TUTTI_TRY(run.next());
      row.push_back({fmt::format("{}", i), latency_s});
    }
  }
  return row;
}

Latencies latencies_in(const Row& row) {
  Latencies latencies_s;
  const std::string* run = nullptr;
  for (const NamedCell& cell : row) {
    if (run == nullptr || *run != cell.name) latencies_s.emplace_back();
    run = &cell.name;
    latencies_s.back().push_back(std::get<double>(cell.value));
  }
  return latencies_s;
}

std::vector<Seconds> run_medians(const Latencies& latencies_s) {
  std::vector<Seconds> medians_s;
  for (const auto& run : latencies_s) medians_s.push_back(median_of(run));
  return medians_s;
}

Seconds settling_time(const Settlings& settlings, const SettlingKey& key) {
  if (const auto settling = settlings.find(key); settling != settlings.end())
    return settling->second.time_s;
  const auto by_default = settlings.find({std::get<0>(key), std::get<1>(key), nullptr});
  return by_default == settlings.end() ? 0 : by_default->second.time_s;
}

}  // namespace tutti::studies::guidelines
