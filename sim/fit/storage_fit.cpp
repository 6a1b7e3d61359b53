// SPDX-License-Identifier: BSD-3-Clause
#include "sim/fit/storage_fit.hpp"

#include <numbers>

#include "sim/base/quantile.hpp"
#include "sim/fit/fitted_parameters.hpp"
#include "sim/fit/storage_search.hpp"

namespace tutti::studies {
namespace {

using enum StorageNumber;

// By number, of --storage.
constexpr std::string_view keys_of_numbers[] = {"bandwidth", "read_bandwidth", "request", "network",
                                                "network_latency"};

constexpr const char* inseparable_note = "the measurements do not separate it from the bandwidths";

std::string key_of(StorageNumber number) {
  return std::string(keys_of_numbers[static_cast<std::size_t>(number)]);
}

bool is_rate(StorageNumber number) {
  return number == write || number == read || number == network;
}

const char* unit_of(StorageNumber number) { return is_rate(number) ? "B/s" : "s"; }

double four_digits(double value) { return parse_number(fmt::format("{:.4g}", value)).value(); }

// Measurements, grouped by job.
struct MeasuredJobs {
  std::vector<StorageMeasurement> distinct;  // with the median bandwidth
  std::vector<std::size_t> of_row;
  // Standard deviation of the logarithm of a job's bandwidth, from the repetitions of all jobs; 0:
  // no repetitions.
  double sigma = 0;
};

// Variance of the median of `count` values relative to theirs: that of the mean up to two, above
// at most pi / 2 times as much, that of many values with a normal distribution.
double variance_of_median(std::size_t count) {
  return (count > 2 ? std::numbers::pi / 2 : 1) / static_cast<double>(count);
}

// The defaults of `given` apply to measurements without a value.
MeasuredJobs jobs_in(std::vector<StorageMeasurement> measured, const StorageJobs& given) {
  MeasuredJobs jobs;
  for (auto& measurement : measured) {
    measurement.ppn = measurement.ppn.value_or(given.ppn);
    measurement.targets = measurement.targets.value_or(given.layout.targets);
  }
  std::map<decltype(StorageMeasurement().job_key()), std::size_t> known;
  std::vector<std::vector<double>> logs;
  for (const auto& row : measured) {
    const auto [at, is_new] = known.try_emplace(row.job_key(), jobs.distinct.size());
    jobs.of_row.push_back(at->second);
    if (is_new) {
      jobs.distinct.push_back(row);
      logs.emplace_back();
    }
    logs[at->second].push_back(std::log(row.Bps));
  }
  double squares = 0, freedom = 0, shares = 0;
  for (std::size_t i = 0; i < logs.size(); ++i) {
    const auto count = static_cast<double>(logs[i].size());
    const double mean = std::accumulate(logs[i].begin(), logs[i].end(), 0.0) / count;
    for (const double log : logs[i]) squares += (log - mean) * (log - mean);
    freedom += count - 1;
    shares += variance_of_median(logs[i].size());
    jobs.distinct[i].Bps = std::exp(median_of(logs[i]));
  }
  if (freedom > 0)
    jobs.sigma = std::sqrt(squares / freedom * shares / static_cast<double>(logs.size()));
  return jobs;
}

class StorageFitter {
 public:
  // `sigma`: of the bandwidths of the repetitions.
  StorageFitter(const std::vector<StorageMeasurement>& measured, double sigma,
                const StorageJobs& jobs, const StoragePrediction& prediction,
                const std::function<void(const std::string&)>& progress)
      : measured_(measured),
        sigma_(std::max(least_sigma, sigma)),
        jobs_(jobs),
        prediction_(prediction),
        search_(measured, prediction, jobs.layout),
        progress_(progress) {}

  Result<StorageFit> fit() {
    best_ = TUTTI_TRY(search_.from(simplest()));
    report("bandwidths", best_);
    while (TUTTI_TRY(add_number())) report("with " + names(best_), best_);
    reference_ = best_;
    TUTTI_TRY(lower_to_bounds());
    StorageNumbers rounded = best_.numbers;
    for (const auto number : rounded.fitted()) rounded.set(number, four_digits(rounded.of(number)));
    best_ = TUTTI_TRY(search_.at(rounded));
    StorageFit fit;
    fit.storage = rounded.in(jobs_.layout);
    fit.parameters = TUTTI_TRY(parameters());
    fit.predicted_Bps = TUTTI_TRY(prediction_.Bps(fit.storage));
    return fit;
  }

 private:
  static constexpr double least_sigma = 2e-3;

  void report(const std::string& what, const StorageTrial& trial) const {
    if (progress_)
      progress_(fmt::format("{}: median error {:.1f} %", what,
                            100 * median_of(absolute(trial.residuals))));
  }
  void report_bounds(StorageNumber number) const {
    if (progress_) progress_("bounds of " + key_of(number));
  }

  static std::string names(const StorageTrial& trial) {
    std::string list;
    for (const auto number : trial.numbers.fitted())
      list += (list.empty() ? "" : ", ") + key_of(number);
    return list;
  }

  static std::vector<double> absolute(const std::vector<double>& residuals) {
    std::vector<double> errors;
    for (const double r : residuals) errors.push_back(std::abs(std::expm1(r)));
    return errors;
  }

  bool has_remote() const {
    return std::ranges::any_of(measured_,
                               [](const auto& measurement) { return !measurement.is_local; });
  }

  // The rate per target is at least the largest measured one.
  StorageNumbers simplest() const {
    StorageNumbers numbers;
    for (std::size_t i = 0; i < measured_.size(); ++i) {
      const auto number = measured_[i].writes ? write : read;
      const double rate_Bps = measured_[i].Bps / prediction_.targets(i);
      numbers.set(number, std::max(numbers.of(number), rate_Bps));
    }
    return numbers;
  }

  double bottleneck_Bps() const {
    double most = 0;
    for (std::size_t i = 0; i < measured_.size(); ++i)
      if (!measured_[i].is_local)
        most = std::max(
            most, measured_[i].Bps / std::min(jobs_.layout.server_count(), prediction_.targets(i)));
    return most;
  }

  // Time that a request takes on a disk, as far as the bandwidths explain it.
  Seconds typical_request_s() const {
    std::vector<double> times;
    for (std::size_t i = 0; i < measured_.size(); ++i)
      times.push_back(static_cast<double>(prediction_.request_bytes(i)) /
                      best_.numbers.of(measured_[i].writes ? write : read));
    return median_of(times);
  }

  StorageNumbers faster_disks(double factor) const {
    StorageNumbers numbers = best_.numbers;
    for (const auto number : {write, read})
      if (numbers.has(number)) numbers.set(number, numbers.of(number) * factor);
    return numbers;
  }

  std::vector<StorageNumbers> starts_with(StorageNumber number) const {
    std::vector<StorageNumbers> starts;
    const auto add = [&](double value, double factor) {
      starts.push_back(faster_disks(factor));
      starts.back().set(number, value);
    };
    if (number == request) {
      add(0.3 * typical_request_s(), 1.3);
      add(3 * typical_request_s(), 3);
    } else if (number == network) {
      add(bottleneck_Bps(), 3);
      add(1.5 * bottleneck_Bps(), 1.2);
    } else {
      add(0.1 * typical_request_s(), 1);
      add(typical_request_s(), 1.5);
    }
    return starts;
  }

  // Adds the parameter that explains most of the residuals, if it does so clearly.
  Result<bool> add_number() {
    if (best_.numbers.fitted().size() + 2 > measured_.size() || best_.is_exact()) return false;
    std::optional<StorageTrial> found;
    for (const auto number : {request, network, latency}) {
      if (best_.numbers.has(number) || (number != request && !has_remote())) continue;
      for (const auto& start : starts_with(number)) {
        auto trial = TUTTI_TRY(search_.from(start, few_storage_steps));
        report("trying " + key_of(number), trial);
        if (!found || trial.score() < found->score()) found = std::move(trial);
      }
    }
    if (!found) return false;
    found = TUTTI_TRY(search_.from(found->numbers));
    if (found->score() > best_.score() - clear_score) return false;
    best_ = *std::move(found);
    return true;
  }

  // Whether these values predict as well as the best ones, also each measurement by itself.
  Result<bool> is_as_good(const StorageNumbers& numbers) const {
    constexpr double least = 0.01, most = 0.05;
    const auto trial = TUTTI_TRY(search_.at(numbers));
    const double scatter = median_of(absolute(reference_.residuals));
    double worse = -1;
    for (std::size_t i = 0; i < trial.residuals.size(); ++i)
      worse = std::max(worse, std::abs(trial.residuals[i]) - std::abs(reference_.residuals[i]));
    return trial.score() <= reference_.score() + clear_score &&
           worse <= std::clamp(scatter, least, most);
  }

  // Searches for the value farthest from `good` in the direction of `bad` that predicts as well.
  Result<double> last_good(StorageNumbers numbers, StorageNumber number, double good,
                           double bad) const {
    constexpr double near = 0.01;
    while (std::abs(std::log(good / bad)) > near) {
      const double middle = std::sqrt(good * bad);
      numbers.set(number, middle);
      (TUTTI_TRY(is_as_good(numbers)) ? good : bad) = middle;
    }
    return good;
  }

  // A rate whose double predicts as well has only a lower bound: it is set to that.
  Result<bool> lower_to_bounds() {
    for (const auto number : best_.numbers.fitted()) {
      if (!is_rate(number)) continue;
      report_bounds(number);
      StorageNumbers numbers = best_.numbers;
      numbers.set(number, 2 * best_.numbers.of(number));
      if (!TUTTI_TRY(is_as_good(numbers))) continue;
      const double least =
          TUTTI_TRY(last_good(numbers, number, numbers.of(number), numbers.of(number) / 1024));
      is_bound_[static_cast<std::size_t>(number)] = true;
      numbers.set(number, least);
      best_ = TUTTI_TRY(search_.at(numbers));
    }
    return true;
  }

  // Whether disks that are twice as fast behind slower links predict as well.
  Result<bool> may_be_links(double least_Bps) const {
    StorageNumbers numbers = faster_disks(2);
    numbers.set(network, least_Bps);
    return is_as_good(numbers);
  }

  Result<std::vector<FittedParameter>> parameters() const {
    std::vector<FittedParameter> all;
    const auto half = TUTTI_TRY(search_.half_intervals(best_, sigma_));
    const auto fitted = best_.numbers.fitted();
    for (const auto number : storage_numbers) {
      if (number != request && !is_rate(number) && !has_remote()) continue;
      if (number == network && !has_remote()) continue;
      const auto at = static_cast<std::size_t>(std::ranges::find(fitted, number) - fitted.begin());
      if (!best_.numbers.has(number)) report_bounds(number);
      if (best_.numbers.has(number))
        all.push_back(fitted_parameter(number, half[at]));
      else
        all.push_back(TUTTI_TRY(open_parameter(number)));
    }
    return TUTTI_TRY(with_notes(std::move(all)));
  }

  FittedParameter fitted_parameter(StorageNumber number, double half) const {
    constexpr double any = std::numeric_limits<double>::infinity();
    const double value = best_.numbers.of(number);
    if (!is_bound_[static_cast<std::size_t>(number)])
      return reported_by_times(key_of(number), unit_of(number), value, half, any);
    return {.name = key_of(number),
            .unit = unit_of(number),
            .value = value,
            .low = value,
            .status = ParameterStatus::not_determined,
            .note = "never the bottleneck: the least value that predicts as well"};
  }

  // A parameter that is not part of the fit.
  Result<FittedParameter> open_parameter(StorageNumber number) const {
    FittedParameter open{
        .name = key_of(number), .unit = unit_of(number), .status = ParameterStatus::not_determined};
    if (number == write || number == read) {
      const bool writes = number == write;
      open.value = best_.numbers.of(writes ? read : write);
      open.status = ParameterStatus::assumed;
      open.note = fmt::format("no {} measured: that of {}", writes ? "writes" : "reads",
                              writes ? "reads" : "writes");
    } else if (number == network) {
      TUTTI_TRY(bound_network(open));
    } else {
      TUTTI_TRY(bound_from_above(number, open));
    }
    return open;
  }

  Result<bool> bound_network(FittedParameter& open) const {
    constexpr double much = 8;
    const double as_node_Bps = node_link().bandwidth_Bps;
    if (!(as_node_Bps > 0)) return false;
    open.low = TUTTI_TRY(last_good(best_.numbers, network, as_node_Bps, as_node_Bps / 1024));
    StorageNumbers faster = best_.numbers;
    faster.set(network, much * as_node_Bps);
    if (!TUTTI_TRY(is_as_good(faster)))
      open.high = TUTTI_TRY(last_good(best_.numbers, network, as_node_Bps, much * as_node_Bps));
    const bool has_both = open.low && open.high;
    if (has_both) {
      constexpr double narrow = 0.05;
      open.value = as_node_Bps;
      open.status = std::log(*open.high / *open.low) <= 2 * narrow ? ParameterStatus::fitted
                                                                   : ParameterStatus::uncertain;
    }
    open.note = has_both ? "as a node's link"
                         : fmt::format("never clearly the bottleneck: as a node's link, {}",
                                       format_rate(as_node_Bps));
    return true;
  }

  // The upper end of the interval of a time that is not part of the fit, with the fitted values
  // adapted.
  Result<bool> bound_from_above(StorageNumber number, FittedParameter& open) const {
    constexpr double small = 0.02, much = 1;
    const Seconds step_s = small * typical_request_s();
    const Seconds from_s = number == latency ? node_link().latency_s : 0;
    StorageNumbers numbers = best_.numbers;
    numbers.set(number, from_s + step_s);
    const auto there = TUTTI_TRY(search_.at(numbers));
    std::vector<double> slope;
    for (std::size_t i = 0; i < there.residuals.size(); ++i)
      slope.push_back((there.residuals[i] - best_.residuals[i]) / small);
    const double half = TUTTI_TRY(search_.half_intervals(best_, sigma_, slope)).back();
    const bool is_open = half > much;
    if (!is_open) open.high = from_s + half * typical_request_s();
    open.note = is_open             ? inseparable_note
                : number == request ? "none visible: 0"
                                    : "not visible: as a node's";
    return true;
  }

  // The first link from a node.
  platforms::Link node_link() const {
    std::vector<platforms::LinkId> route;
    const auto& topology = *jobs_.machine->topology;
    topology.route(0, topology.host_count() > 1 ? 1 : 0, route);
    return route.empty() ? platforms::Link{} : topology.link(route.front());
  }

  Result<std::vector<FittedParameter>> with_notes(std::vector<FittedParameter> all) const {
    const auto open = std::ranges::find(all, key_of(network), &FittedParameter::name);
    const bool has_open_link = open != all.end() && !open->value && open->low;
    const bool may_be = has_open_link && TUTTI_TRY(may_be_links(*open->low));
    const bool has_no_request = std::ranges::any_of(all, [](const auto& parameter) {
      return parameter.name == key_of(request) && parameter.note == inseparable_note;
    });
    for (auto& parameter : all) {
      const bool is_disk = parameter.name == key_of(write) || parameter.name == key_of(read);
      const bool is_open = may_be || has_no_request;
      if (!is_open || !is_disk || parameter.status == ParameterStatus::assumed) continue;
      parameter.note = may_be ? fmt::format("or more, behind links of {}", format_rate(*open->low))
                              : "includes the time of a request of the measured size";
      parameter.status = ParameterStatus::uncertain;
      parameter.high = std::nullopt;
    }
    return all;
  }

  const std::vector<StorageMeasurement>& measured_;  // each job once
  double sigma_;
  const StorageJobs& jobs_;
  const StoragePrediction& prediction_;
  StorageSearch search_;
  const std::function<void(const std::string&)>& progress_;
  StorageTrial best_;
  StorageTrial reference_;  // the best one before rates are set to their bounds
  std::array<bool, storage_numbers.size()> is_bound_{};  // has only a lower bound
};

}  // namespace

Result<StorageFit> fit_storage(const std::vector<StorageMeasurement>& measured,
                               const StorageJobs& jobs,
                               const std::function<void(const std::string&)>& progress) {
  constexpr std::size_t least = 3;
  const auto found = jobs_in(measured, jobs);
  if (found.distinct.size() < least)
    return make_error(ErrorKind::input, measured.empty() ? "" : measured.front().file,
                      fmt::format("{} measured, at least {} are required (repetitions count once)",
                                  counted(found.distinct.size(), "different job"), least),
                      "measure several transfer sizes and numbers of processes");
  const auto prediction = TUTTI_TRY(StoragePrediction::of(found.distinct, jobs));
  auto fit =
      TUTTI_TRY(StorageFitter(found.distinct, found.sigma, jobs, prediction, progress).fit());
  std::vector<double> of_rows;
  for (const auto job : found.of_row) of_rows.push_back(fit.predicted_Bps[job]);
  fit.predicted_Bps = std::move(of_rows);
  fit.jobs = found.distinct.size();
  return fit;
}

}  // namespace tutti::studies
