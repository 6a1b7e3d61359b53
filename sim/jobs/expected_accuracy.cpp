// SPDX-License-Identifier: BSD-3-Clause
#include "sim/jobs/expected_accuracy.hpp"

#include "algorithms/collective.hpp"

namespace tutti::jobs {
namespace {

// Added variances of the logarithm of measured over predicted time. Their sources are differences
// between the errors of the catalog's machines for the times of HLC-Lab/pico (platforms/README.md).
constexpr double per_doubling_of_nodes = 0.05;
constexpr double per_doubling_of_ppn = 0.07;
constexpr double per_doubling_of_size = 0.015;
constexpr double of_other_collective = 0.03;
// The same of reductions of at least 1 MiB where no reduction was measured: with LUMI's rates of
// combining and allocating instead of its own, Leonardo's reduce_scatters have a standard deviation
// of 0.61 instead of 0.27, and LUMI's reductions with Leonardo's 0.63 instead of 0.29.
constexpr double of_unmeasured_combining = 0.3;
constexpr Bytes least_combined_bytes = 1 << 20;
// The variance between runs. Errors of predictions of a run by fits without it contain it once; a
// single run may be nearer to the others than most.
constexpr double of_run = 0.0075;
// Fraction of pairs whose order the predictions do not determine at all.
constexpr double arbitrary_order = 0.04;

// 90 % of normal deviates are within this many standard deviations.
constexpr double deviations_of_90_percent = 1.645;

double sigma_of(double factor) { return std::log(factor) / deviations_of_90_percent; }

template <class Number>
double doublings(double value, const std::optional<Number>& measured) {
  if (!measured || *measured < 0 || value <= static_cast<double>(*measured)) return 0;
  return std::log2(value / std::max(1.0, static_cast<double>(*measured)));
}

bool reduces(std::string_view collective) {
  const auto* known = algorithms::find_collective(std::string(collective));
  return known != nullptr && known->reduces;
}

bool has_measured_reduction(const platforms::Accuracy& accuracy) {
  return std::ranges::any_of(accuracy.factors,
                             [](const auto& factor) { return reduces(factor.first); });
}

}  // namespace

std::optional<ExpectedAccuracy> expected_accuracy(const platforms::Machine& machine,
                                                  const PredictedCall& call) {
  const auto& accuracy = machine.accuracy;
  auto found = accuracy.factors.find(std::string(call.collective));
  const bool is_other = found == accuracy.factors.end();
  if (is_other) found = accuracy.factors.find("all");
  if (found == accuracy.factors.end()) return std::nullopt;
  const double factor = found->second(call.message_bytes);
  double added =
      per_doubling_of_nodes * doublings(static_cast<double>(call.nodes), accuracy.nodes) +
      per_doubling_of_ppn * doublings(static_cast<double>(call.ppn), accuracy.ppn) +
      per_doubling_of_size *
          doublings(static_cast<double>(call.message_bytes), accuracy.message_bytes);
  if (is_other && accuracy.is_measured) {
    const bool combines = reduces(call.collective) && call.message_bytes >= least_combined_bytes;
    added += combines && !has_measured_reduction(accuracy) ? of_unmeasured_combining
                                                           : of_other_collective;
  }
  const bool is_beyond = added > 0;
  if (accuracy.runs) added += of_run / *accuracy.runs;
  if (added == 0) return ExpectedAccuracy{factor, accuracy.is_measured ? "measured" : "assumed"};
  const double sigma = std::sqrt(sigma_of(factor) * sigma_of(factor) + added);
  return ExpectedAccuracy{std::exp(deviations_of_90_percent * sigma), !accuracy.is_measured
                                                                          ? "assumed"
                                                                      : is_beyond ? "extrapolated"
                                                                                  : "measured"};
}

// The errors of two algorithms in one run have a correlation of about 0.5, so their difference has
// the standard deviation of one of them: between 0.92 (LUMI) and 1.08 (Leonardo) times that of the
// interval.
double chance_of_order(double time_ratio, double factor) {
  constexpr double least_sigma = 1e-9;  // of a factor of 1
  const double deviations = std::log(time_ratio) / std::max(sigma_of(factor), least_sigma);
  const double chance = 0.5 * std::erfc(-deviations / std::numbers::sqrt2);
  return (1 - arbitrary_order) * chance + arbitrary_order / 2;
}

void add_slower_chances(std::vector<Record>& records) {
  const auto call_of = [](const Record& record) {
    return std::tuple(record.platform_index, record.procs, record.ppn, record.root,
                      record.message_bytes);
  };
  std::map<decltype(call_of(Record{})), const Record*> fastest;
  for (const Record& record : records) {
    if (!record.confidence_high_s) continue;
    const Record*& best = fastest.try_emplace(call_of(record), &record).first->second;
    if (*record.time_s < *best->time_s) best = &record;
  }
  for (Record& record : records) {
    if (!record.confidence_high_s) continue;
    const Record& best = *fastest[call_of(record)];
    const double ratio = *record.time_s / *best.time_s;
    if (record.algorithm == best.algorithm && ratio == 1) continue;
    record.slower_chance = chance_of_order(ratio, *record.confidence_high_s / *record.time_s);
  }
}

}  // namespace tutti::jobs
