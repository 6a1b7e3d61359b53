// SPDX-License-Identifier: BSD-3-Clause
#include "sim/validate/error_cause.hpp"

#include "sim/base/quantile.hpp"

namespace tutti::studies {
namespace {

bool is_same_curve(const MeasuredCollective& a, const MeasuredCollective& b) {
  return a.collective == b.collective && a.measured_as == b.measured_as && a.procs == b.procs &&
         a.ppn == b.ppn && a.torus == b.torus;
}

double log_error(const ScoredTime& time) {
  return std::log(time.predicted.simulated_s / time.measured.time_s);
}

// What remains of the error without each cause, as a logarithm; unset where a cause does not apply.
class RemainingErrors {
 public:
  RemainingErrors(const std::vector<ScoredTime>& times, const ScoredTime& time)
      : times_(times), time_(time) {}

  std::optional<double> of_other_runs() const {
    return median_where(1, [&](const ScoredTime& other) -> std::optional<double> {
      const auto& row = other.measured;
      if (row.run == measured().run || !is_same_curve(row, measured()) ||
          row.message_bytes != measured().message_bytes)
        return std::nullopt;
      return error_against(row.time_s);
    });
  }

  std::optional<double> of_interpolated() const {
    const MeasuredCollective *smaller = nullptr, *larger = nullptr;
    for (const auto& other : times_) {
      const auto& row = other.measured;
      if (row.run != measured().run || !is_same_curve(row, measured())) continue;
      if (row.message_bytes < measured().message_bytes &&
          (smaller == nullptr || row.message_bytes > smaller->message_bytes))
        smaller = &row;
      if (row.message_bytes > measured().message_bytes &&
          (larger == nullptr || row.message_bytes < larger->message_bytes))
        larger = &row;
    }
    if (smaller == nullptr || larger == nullptr || smaller->message_bytes == 0) return std::nullopt;
    const auto log_size = [](const MeasuredCollective& row) {
      return std::log(static_cast<double>(row.message_bytes));
    };
    const double part =
        (log_size(measured()) - log_size(*smaller)) / (log_size(*larger) - log_size(*smaller));
    return error_against(smaller->time_s * std::pow(larger->time_s / smaller->time_s, part));
  }

  std::optional<double> of_contention() const {
    std::optional<double> least;
    for (const auto& time_s : {time_.predicted.alone_s, time_.predicted.uncontended_s})
      if (time_s && *time_s > 0)
        if (const double rest = std::log(*time_s / measured().time_s);
            !least || std::abs(rest) < std::abs(*least))
          least = rest;
    return least;
  }

  std::optional<double> of_run() const {
    return without_median_of([&](const MeasuredCollective& row) {
      return !row.run.empty() && row.run == measured().run;
    });
  }

  std::optional<double> of_algorithm() const {
    constexpr Bytes similar = 16;
    return without_median_of([&](const MeasuredCollective& row) {
      return row.collective == measured().collective && row.measured_as == measured().measured_as &&
             row.message_bytes <= similar * measured().message_bytes &&
             measured().message_bytes <= similar * row.message_bytes;
    });
  }

 private:
  const MeasuredCollective& measured() const { return time_.measured; }
  double error_against(Seconds time_s) const {
    return std::log(time_.predicted.simulated_s / time_s);
  }

  // The median of the values of other times; unset if there are too few.
  template <class Value>
  std::optional<double> median_where(std::size_t least, const Value& value) const {
    std::vector<double> values;
    for (const auto& other : times_)
      if (&other != &time_)
        if (const auto found = value(other)) values.push_back(*found);
    if (values.size() < least) return std::nullopt;
    return median_of(std::move(values));
  }

  template <class Is>
  std::optional<double> without_median_of(const Is& is) const {
    constexpr std::size_t least = 4;
    const auto median = median_where(least, [&](const ScoredTime& other) {
      return is(other.measured) ? std::optional(log_error(other)) : std::nullopt;
    });
    return median ? std::optional(log_error(time_) - *median) : std::nullopt;
  }

  const std::vector<ScoredTime>& times_;
  const ScoredTime& time_;
};

struct NamedCause {
  const char* name;
  std::optional<double> (RemainingErrors::*remaining)() const;
};
constexpr NamedCause named_causes[] = {{"runs differ", &RemainingErrors::of_other_runs},
                                       {"outlier", &RemainingErrors::of_interpolated},
                                       {"contention", &RemainingErrors::of_contention},
                                       {"whole run", &RemainingErrors::of_run},
                                       {"algorithm", &RemainingErrors::of_algorithm}};

}  // namespace

std::string error_cause(const std::vector<ScoredTime>& times, const FoundSimilar& similar,
                        std::size_t index) {
  if (similar.rows[index]) return "other algorithm";
  const RemainingErrors remaining(times, times[index]);
  const double explained = std::abs(log_error(times[index])) / 2;
  for (const auto& cause : named_causes) {
    const auto rest = (remaining.*cause.remaining)();
    if (rest && std::abs(*rest) < explained) return cause.name;
  }
  return "unknown";
}

}  // namespace tutti::studies
