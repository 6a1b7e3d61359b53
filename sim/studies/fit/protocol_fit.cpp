// SPDX-License-Identifier: BSD-3-Clause
#include "sim/studies/fit/protocol_fit.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>

#include "sim/base/error_list.hpp"
#include "sim/studies/fit/huber.hpp"
#include "sim/studies/fit/regression.hpp"

namespace tutti::studies {
namespace {

using platforms::Protocol;

std::vector<SizedTime> one_way_times(const std::vector<PairMeasurement>& measurements) {
  std::vector<SizedTime> times;
  for (const auto& each : measurements)
    if (each.quantity == PairQuantity::one_way) times.push_back({each.bytes, each.time_s});
  std::ranges::sort(times, {}, [](const SizedTime& t) { return std::pair(t.bytes, t.time_s); });
  return times;
}

std::optional<Error> refusal(const std::vector<PairMeasurement>& measurements,
                             const std::vector<SizedTime>& one_way) {
  for (const auto& each : measurements)
    if (!(each.time_s > 0) || !std::isfinite(each.time_s) || each.bytes < 0)
      return make_error(
          ErrorKind::input, "",
          fmt::format("{} s for {} bytes is no time of a message", each.time_s, each.bytes));
  std::size_t sizes = 0;
  for (std::size_t i = 0; i < one_way.size(); ++i)
    sizes += i == 0 || one_way[i].bytes != one_way[i - 1].bytes;
  if (sizes >= 3) return std::nullopt;
  return make_error(ErrorKind::input, "",
                    fmt::format("one-way times of {} message size(s): too few for a fit", sizes),
                    "ping-pong of at least three sizes, better of twenty from 1 B to 4 MiB");
}

// The number of the first section from `least` on where the time of a message of no bytes rises
// most, as a part of the time there.
std::optional<std::size_t> greatest_rise(const std::vector<TimeSection>& sections, Bytes least) {
  constexpr double least_rise = 0.03;
  std::optional<std::size_t> found;
  double greatest = least_rise;
  for (std::size_t i = 1; i < sections.size(); ++i) {
    const double rise_s = sections[i].at_0_s - sections[i - 1].at_0_s;
    const double part = rise_s / sections[i](sections[i].first);
    if (sections[i].first <= least || part <= greatest) continue;
    greatest = part;
    found = i;
  }
  return found;
}

// The first rendezvous section. Times of small messages also rise where data are not inlined any
// more, or fill a packet: no library's default limit is below 2 KiB.
std::optional<std::size_t> rendezvous_begin(const std::vector<TimeSection>& sections) {
  constexpr Bytes least_limit = 2048;
  const auto usual = greatest_rise(sections, least_limit);
  return usual ? usual : greatest_rise(sections, 0);
}

// Between two neighbouring sizes: the power of two among them, which limits mostly are, else the
// smaller one.
Bytes likely_limit(Bytes last, Bytes next) {
  const auto power = static_cast<Bytes>(std::bit_floor(static_cast<std::uint64_t>(next - 1)));
  return power >= last ? power : last;
}

struct EagerLimit {
  Bytes value = 0;
  Bytes low = 0;
  Bytes high = 0;
  ParameterStatus status = ParameterStatus::fitted;
  std::string note;
};

class Fitting {
 public:
  Fitting(const std::vector<PairMeasurement>& measurements, std::vector<SizedTime> one_way,
          const ProtocolFitOptions& options)
      : measurements_(measurements), one_way_(std::move(one_way)), options_(options) {}

  ProtocolFit run() {
    find();
    RegressionModel model{.sections = protocols_, .measurements = measurements_};
    const Regression regression = solve(model);
    fit_ = regression.fit;
    fit_.eager_max = limit_.value;
    tell(regression);
    return std::move(fit_);
  }

 private:
  std::vector<TimeSection> sections(std::optional<Bytes> end) const {
    return find_sections(one_way_, {.most_sections = options_.most_sections, .end = end});
  }

  void find() {
    auto found = sections(options_.eager_limit);
    if (options_.eager_limit) {
      limit_ = {
          .value = *options_.eager_limit, .status = ParameterStatus::assumed, .note = "as given"};
      limit_.low = limit_.high = limit_.value;
    } else if (const auto begin = rendezvous_begin(found)) {
      limit_.value = likely_limit(found[*begin - 1].last, found[*begin].first);
      const auto range = possible_ends(one_way_, found, *begin - 1);
      limit_.low = range.first;
      limit_.high = range.second - 1;
    } else {
      limit_ = {.value = 64 * 1024,
                .status = ParameterStatus::assumed,
                .note = "no handshake shows in the times: 64 KiB are taken"};
      found = sections(limit_.value);
    }
    for (const auto& section : found) {
      const bool eager = section.first <= limit_.value;
      protocols_.push_back({.above = above(section, protocols_.size()),
                            .protocol = eager ? Protocol::eager : Protocol::rendezvous});
      last_sizes_.push_back(section.last);
    }
  }

  // Where a section begins: the eager limit, or the last size before it.
  Bytes above(const TimeSection& section, std::size_t number) const {
    if (number == 0) return -1;
    const bool first_rendezvous =
        section.first > limit_.value && protocols_.back().protocol == Protocol::eager;
    if (first_rendezvous) return limit_.value;
    return likely_limit(last_sizes_.back(), section.first);
  }

  FittedParameter parameter(std::string name, std::string unit) const {
    return {.name = std::move(name), .unit = std::move(unit)};
  }

  // A sum of coefficients, with its interval; `inverse`: one over it.
  FittedParameter told(const Regression& regression, std::string name, std::string unit,
                       const Eigen::VectorXd& combination, bool inverse = false) const {
    constexpr double narrow = 0.05;
    FittedParameter told = parameter(std::move(name), std::move(unit));
    if (!regression.data.determines(combination)) {
      told.status = ParameterStatus::not_determined;
      return told;
    }
    const double value = regression.data.value(combination);
    const double half = regression.data.half_width(combination);
    const auto shown = [&](double x) { return inverse ? 1 / x : x; };
    if (!inverse || value > 0) told.value = shown(value);
    const double low = inverse ? value + half : value - half;
    const double high = inverse ? value - half : value + half;
    if (low > 0 || !inverse) told.low = shown(low);
    if (high > 0 || !inverse) told.high = shown(high);
    told.status =
        half <= narrow * std::abs(value) ? ParameterStatus::fitted : ParameterStatus::uncertain;
    return told;
  }

  void add(FittedParameter told, std::optional<double> assumed = {}, std::string note = {}) {
    if (told.status == ParameterStatus::not_determined && assumed) {
      told.status = ParameterStatus::assumed;
      told.value = assumed;
      told.note = std::move(note);
    }
    fit_.parameters.push_back(std::move(told));
  }

  void tell(const Regression& r) {
    const Columns& columns = r.columns;
    const auto unit = [&](std::size_t column) { return columns.unit(column); };
    const std::string half = "half of latency + overheads", quarter = "a quarter of these";
    add(told(r, "latency_and_overheads", "s", columns.latency_and_overheads()));
    add(told(r, "latency", "s", unit(columns.latency)), fit_.latency_s, half);
    add(told(r, "send_overhead", "s", unit(columns.send)), fit_.send_overhead_s, quarter);
    add(told(r, "recv_overhead", "s", unit(columns.recv)), fit_.recv_overhead_s, quarter);
    add(columns.gap ? told(r, "gap", "s", unit(*columns.gap)) : undetermined("gap", "s"));
    fit_.parameters.push_back({.name = "eager_limit",
                               .unit = "B",
                               .value = static_cast<double>(limit_.value),
                               .low = static_cast<double>(limit_.low),
                               .high = static_cast<double>(limit_.high),
                               .status = limit_.status,
                               .note = limit_.note});
    for (std::size_t i = 0; i < protocols_.size(); ++i) {
      add(told(r, "bandwidth", "B/s", columns.per_byte(i), true));
      fit_.parameters.back().above = std::max<Bytes>(0, protocols_[i].above);
    }
    tell_copies(r);
    tell_rendezvous(r);
  }

  FittedParameter undetermined(std::string name, std::string unit) const {
    FittedParameter told = parameter(std::move(name), std::move(unit));
    told.status = ParameterStatus::not_determined;
    return told;
  }

  void tell_copies(const Regression& r) {
    const double copy = fit_.recv_s_per_B;
    const bool apart = std::ranges::any_of(measurements_, [](const PairMeasurement& each) {
      return each.quantity == PairQuantity::recv_overhead;
    });
    const auto told_copy = apart && r.columns.copy ? told(r, "copy_bandwidth", "B/s",
                                                          r.columns.unit(*r.columns.copy), true)
                                                   : undetermined("copy_bandwidth", "B/s");
    add(told_copy, copy > 0 ? std::optional(1 / copy) : std::nullopt,
        "what eager bytes take beyond the wire");
  }

  void tell_rendezvous(const Regression& r) {
    if (const auto cost = r.columns.rendezvous_cost()) {
      add(told(r, "rendezvous_cost", "s", *cost));
      const std::size_t first = *r.columns.first_rendezvous();
      add(told(r, "rendezvous_overhead", "s", r.columns.unit(*r.columns.extra[first])),
          fit_.sections[first].extra_s, "the rendezvous cost less 2 latencies");
    } else {
      add(undetermined("rendezvous_cost", "s"));
    }
  }

  const std::vector<PairMeasurement>& measurements_;
  std::vector<SizedTime> one_way_;
  const ProtocolFitOptions& options_;
  EagerLimit limit_;
  std::vector<FittedSection> protocols_;
  std::vector<Bytes> last_sizes_;
  ProtocolFit fit_;
};

}  // namespace

std::string_view status_name(ParameterStatus status) {
  switch (status) {
    case ParameterStatus::fitted:
      return "fitted";
    case ParameterStatus::uncertain:
      return "uncertain";
    case ParameterStatus::assumed:
      return "assumed";
    case ParameterStatus::not_determined:
      break;
  }
  return "not determined";
}

const FittedSection& ProtocolFit::section_of(Bytes bytes) const {
  const FittedSection* found = &sections.front();
  for (const auto& section : sections)
    if (bytes > section.above) found = &section;
  return *found;
}

double ProtocolFit::wire_s_per_B() const {
  double least = sections.back().wire_s_per_B;
  for (const auto& section : sections)
    if (section.wire_s_per_B > 0) least = std::min(least, section.wire_s_per_B);
  return least;
}

Seconds ProtocolFit::one_way_s(Bytes bytes) const {
  const FittedSection& section = section_of(bytes);
  const bool eager = section.protocol == Protocol::eager;
  const double per_byte_s = section.wire_s_per_B + (eager ? send_s_per_B + recv_s_per_B : 0);
  return (eager ? 1 : 3) * latency_s + section.extra_s + section.send_extra_s + send_overhead_s +
         recv_overhead_s + static_cast<double>(bytes) * per_byte_s;
}

Result<ProtocolFit> fit_protocol(std::vector<PairMeasurement> measurements,
                                 const ProtocolFitOptions& options) {
  auto one_way = one_way_times(measurements);
  if (auto error = refusal(measurements, one_way)) return *std::move(error);
  ProtocolFit fit = Fitting(measurements, std::move(one_way), options).run();
  constexpr double greatest_Bps = 1e15;
  const bool grows = std::ranges::all_of(fit.sections, [](const FittedSection& section) {
    return section.wire_s_per_B > 1 / greatest_Bps;
  });
  if (grows) return fit;
  return make_error(ErrorKind::input, "",
                    "the times do not grow with the message size: they show no bandwidth",
                    "measure larger messages, 1 MiB and more");
}

}  // namespace tutti::studies
