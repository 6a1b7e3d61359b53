// SPDX-License-Identifier: BSD-3-Clause
#include "sim/fit/protocol_fit.hpp"

#include "sim/fit/line_fits.hpp"
#include "sim/fit/regression.hpp"

namespace tutti::studies {
namespace {

using platforms::Protocol;

std::vector<SizedTime> one_way_times(const std::vector<PairMeasurement>& measurements) {
  std::vector<SizedTime> times;
  for (const auto& measurement : measurements)
    if (measurement.quantity == PairQuantity::one_way)
      times.push_back({measurement.bytes, measurement.time_s});
  std::ranges::sort(times, {}, [](const SizedTime& t) { return std::pair(t.bytes, t.time_s); });
  return times;
}

std::optional<Error> rejection(const std::vector<PairMeasurement>& measurements,
                               const std::vector<SizedTime>& one_way) {
  for (const auto& measurement : measurements)
    if (!(measurement.time_s > 0) || !std::isfinite(measurement.time_s) || measurement.bytes < 0)
      return make_error(ErrorKind::input, "",
                        fmt::format("invalid message time: {} s for {} bytes", measurement.time_s,
                                    measurement.bytes));
  std::size_t sizes = 0;
  for (std::size_t i = 0; i < one_way.size(); ++i)
    sizes += i == 0 || one_way[i].bytes != one_way[i - 1].bytes;
  if (sizes >= 3) return std::nullopt;
  return make_error(
      ErrorKind::input, "",
      fmt::format("one-way times of {}: too few for a fit", counted(sizes, "message size")),
      "measure ping-pong with at least three sizes, preferably twenty from 1 B to 4 MiB");
}

// Times of small messages also rise where data are no longer inlined, or fill a packet: no
// library's default limit is below 2 KiB.
constexpr Bytes least_usual_limit = 2048;
constexpr Bytes least_seen_limit = 512;

// Rise of the time of a zero-byte message from the section before.
double rise_s(const std::vector<TimeSection>& sections, std::size_t i) {
  return sections[i].at_0_s - sections[i - 1].at_0_s;
}

bool clearly_rises(const std::vector<TimeSection>& sections, std::size_t i) {
  constexpr double least_fraction = 0.01, errors = 3;
  const double rise = rise_s(sections, i);
  return rise >= least_fraction * sections[i](sections[i].first) &&
         rise >= errors * std::hypot(sections[i].at_0_error_s, sections[i - 1].at_0_error_s);
}

// A handshake consists of two latencies, most of a zero-byte message's time, and a registration.
// Other changes cost less, or come at larger sizes.
constexpr double likely_handshake = 0.8, possible_handshake = 0.5;

bool rises_by(const std::vector<TimeSection>& sections, std::size_t i, double empty_messages) {
  return clearly_rises(sections, i) && rise_s(sections, i) >= empty_messages * sections[0].at_0_s;
}

// Bytes become cheaper where eager copies end, but also where extra latencies stop growing.
bool gets_cheaper(const std::vector<TimeSection>& sections, std::size_t i) {
  constexpr double least_fraction = 0.1;
  return sections[i].per_byte_s < (1 - least_fraction) * sections[i - 1].per_byte_s;
}

// Index of the section, from `least` on, where the time of a zero-byte message has the largest
// relative rise.
std::optional<std::size_t> greatest_rise(const std::vector<TimeSection>& sections, Bytes least) {
  constexpr double least_rise = 0.03;
  std::optional<std::size_t> found;
  double greatest = least_rise;
  for (std::size_t i = 1; i < sections.size(); ++i) {
    const double part = rise_s(sections, i) / sections[i](sections[i].first);
    if (sections[i].first <= least || part <= greatest) continue;
    greatest = part;
    found = i;
  }
  return found;
}

// Index of the first rendezvous section.
std::optional<std::size_t> rendezvous_begin(const std::vector<TimeSection>& sections) {
  for (const double handshake : {likely_handshake, possible_handshake})
    for (std::size_t i = 1; i < sections.size(); ++i)
      if (sections[i].first > least_usual_limit && rises_by(sections, i, handshake)) return i;
  const auto usual = greatest_rise(sections, least_usual_limit);
  return usual ? usual : greatest_rise(sections, 0);
}

// Used if no handshake is visible: the size where bytes become cheaper most, because copies end.
std::optional<std::size_t> greatest_fall(const std::vector<TimeSection>& sections) {
  double greatest = 0.05;
  std::optional<std::size_t> found;
  for (std::size_t i = 1; i < sections.size(); ++i) {
    const double part = 1 - sections[i].per_byte_s / sections[i - 1].per_byte_s;
    if (sections[i].first <= least_usual_limit || !(part > greatest)) continue;
    greatest = part;
    found = i;
  }
  return found;
}

// Between two neighboring sizes: the power of two among them, the typical limit, or the smaller
// size.
Bytes likely_limit(Bytes last, Bytes next) {
  const auto power = static_cast<Bytes>(std::bit_floor(static_cast<std::uint64_t>(next - 1)));
  return power >= last ? power : last;
}

struct EagerLimit {
  Bytes value = 0;
  std::optional<Bytes> low = {};
  std::optional<Bytes> high = {};
  ParameterStatus status = ParameterStatus::fitted;
  std::string note;
};

class ProtocolFitting {
 public:
  ProtocolFitting(const std::vector<PairMeasurement>& measurements, std::vector<SizedTime> one_way,
                  const ProtocolFitOptions& options)
      : measurements_(measurements), one_way_(std::move(one_way)), options_(options) {}

  ProtocolFit run() {
    find();
    RegressionModel model{.sections = protocols_, .measurements = measurements_};
    const Regression regression = solve(model);
    fit_ = regression.fit;
    fit_.eager_max = limit_.value;
    report(regression);
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
      take_limit(found, *begin);
      doubt_limit(found, *begin);
    } else if (const auto cheaper = greatest_fall(found)) {
      take_limit(found, *cheaper);
      doubt("no handshake is visible: bytes become cheaper there");
    } else {
      assume_limit();
      found = sections(limit_.value);
    }
    for (const auto& section : found) {
      const bool eager = section.first <= limit_.value;
      protocols_.push_back({.above = above(section, protocols_.size()),
                            .protocol = eager ? Protocol::eager : Protocol::rendezvous});
      last_sizes_.push_back(section.last);
    }
  }

  // A separate rendezvous section needs sizes to fit.
  void assume_limit() {
    constexpr Bytes usual = 64 * 1024;
    constexpr std::size_t least_sizes = 3;
    std::set<Bytes> larger;
    for (const auto& [bytes, time_s] : one_way_)
      if (bytes > usual) larger.insert(bytes);
    limit_.value = larger.size() >= least_sizes ? usual : one_way_.back().bytes;
    limit_.status = ParameterStatus::assumed;
    limit_.note = fmt::format("no handshake is visible in the times: {} is assumed",
                              format_bytes(limit_.value));
  }

  void take_limit(const std::vector<TimeSection>& found, std::size_t begin) {
    limit_.value = likely_limit(found[begin - 1].last, found[begin].first);
    limit_.low = found[begin - 1].ends.first;
    limit_.high = found[begin - 1].ends.second - 1;
  }

  void doubt(std::string note) {
    limit_.status = ParameterStatus::uncertain;
    limit_.note = std::move(note);
  }

  void doubt_limit(const std::vector<TimeSection>& found, std::size_t begin) {
    constexpr double most_handshake = 20;  // times a zero-byte message
    if (!clearly_rises(found, begin)) return doubt("the handshake is hardly visible");
    if (rise_s(found, begin) > most_handshake * found[0].at_0_s)
      return doubt("times rise by more than a handshake");
    const bool likely = rises_by(found, begin, likely_handshake);
    for (std::size_t i = 1; i < found.size(); ++i) {
      if (i == begin || found[i].first <= least_seen_limit) continue;
      const bool rival = likely ? i < begin && rises_by(found, i, possible_handshake)
                                : rise_s(found, i) >= rise_s(found, begin) / 2;
      const Bytes limit = likely_limit(found[i - 1].last, found[i].first);
      if (rival) return doubt(fmt::format("or {}, where times rise as well", format_bytes(limit)));
    }
    if (limit_.low < found[begin - 1].last || limit_.high >= found[begin].first)
      return doubt("other limits fit nearly as well");
    if (sender_waits_above(found[0].at_0_s)) return;
    for (std::size_t i = 1; i < found.size(); ++i)
      if (i != begin && gets_cheaper(found, i))
        return doubt(
            fmt::format("or a latency step: bytes also become cheaper above {}, as with such steps",
                        format_bytes(likely_limit(found[i - 1].last, found[i].first))));
  }

  // True if sender overheads below and above the limit differ by a handshake: a mere latency does
  // not make a sender wait.
  bool sender_waits_above(Seconds empty_s) const {
    const PairMeasurement *below = nullptr, *above = nullptr;
    for (const auto& measurement : measurements_) {
      if (measurement.quantity != PairQuantity::send_overhead) continue;
      auto& nearest = measurement.bytes <= limit_.value ? below : above;
      const bool nearer = nearest == nullptr || (measurement.bytes <= limit_.value) ==
                                                    (measurement.bytes > nearest->bytes);
      if (nearer) nearest = &measurement;
    }
    return below != nullptr && above != nullptr &&
           above->time_s - below->time_s >= possible_handshake * empty_s;
  }

  // The size above which a section begins: the eager limit, or the last size before the section.
  Bytes above(const TimeSection& section, std::size_t number) const {
    if (number == 0) return -1;
    const bool first_rendezvous =
        section.first > limit_.value && protocols_.back().protocol == Protocol::eager;
    if (first_rendezvous) return limit_.value;
    return likely_limit(last_sizes_.back(), section.first);
  }

  // A sum of coefficients with its interval; `inverse`: its reciprocal.
  FittedParameter reported(const Regression& regression, std::string name, std::string unit,
                           const Eigen::VectorXd& combination, bool inverse = false,
                           double least_half = 0) const {
    constexpr double narrow = 0.05;
    if (!regression.data.determines(combination))
      return undetermined(std::move(name), std::move(unit));
    FittedParameter reported{.name = std::move(name), .unit = std::move(unit)};
    const double value = regression.data.value(combination);
    const double half = std::max(least_half, regression.data.half_width(combination));
    const auto shown = [&](double x) { return inverse ? 1 / x : x; };
    if (!inverse || value > 0) reported.value = shown(value);
    const double low = inverse ? value + half : value - half;
    const double high = inverse ? value - half : value + half;
    if (low > 0 || !inverse) reported.low = shown(low);
    if (high > 0 || !inverse) reported.high = shown(high);
    reported.status =
        half <= narrow * std::abs(value) ? ParameterStatus::fitted : ParameterStatus::uncertain;
    return reported;
  }

  void add(FittedParameter reported, std::optional<double> assumed = {}, std::string note = {}) {
    if (reported.status == ParameterStatus::not_determined && assumed) {
      reported.status = ParameterStatus::assumed;
      reported.value = assumed;
      reported.note = std::move(note);
    }
    fit_.parameters.push_back(std::move(reported));
  }

  void report(const Regression& r) {
    const Columns& columns = r.columns;
    const auto unit = [&](std::size_t column) { return columns.unit(column); };
    const Seconds overheads_s = fit_.send_overhead_s + fit_.recv_overhead_s;
    const bool is_half = fit_.latency_s > 0.999 * overheads_s;
    const std::string latency = r.overheads_are_gap ? "latency + overheads minus two gaps"
                                : is_half           ? "half of latency + overheads"
                                                    : "half of the rendezvous cost",
                      overhead = r.overheads_are_gap ? "the gap: consecutive messages show no more"
                                 : is_half           ? "a quarter of latency + overheads"
                                                     : "half of the remainder";
    add(reported(r, "latency_and_overheads", "s", columns.latency_and_overheads()));
    add(reported(r, "latency", "s", unit(columns.latency)), fit_.latency_s, latency);
    add(reported(r, "send_overhead", "s", unit(columns.send)), fit_.send_overhead_s, overhead);
    add(reported(r, "recv_overhead", "s", unit(columns.recv)), fit_.recv_overhead_s, overhead);
    add(columns.gap ? reported(r, "gap", "s", unit(*columns.gap)) : undetermined("gap", "s"));
    fit_.parameters.push_back({.name = "eager_limit",
                               .unit = "B",
                               .value = static_cast<double>(limit_.value),
                               .low = limit_.low,
                               .high = limit_.high,
                               .status = limit_.status,
                               .note = limit_.note});
    for (std::size_t i = 0; i < protocols_.size(); ++i) {
      add(reported(r, "bandwidth", "B/s", columns.per_byte(i), true, r.per_byte_halves[i]));
      fit_.parameters.back().above = std::max<Bytes>(0, protocols_[i].above);
    }
    report_copies(r);
    report_rendezvous(r);
  }

  FittedParameter undetermined(std::string name, std::string unit) const {
    return {.name = std::move(name),
            .unit = std::move(unit),
            .status = ParameterStatus::not_determined};
  }

  void report_copies(const Regression& r) {
    const double copy = fit_.recv_s_per_B;
    const bool apart = std::ranges::any_of(measurements_, [](const PairMeasurement& measurement) {
      return measurement.quantity == PairQuantity::recv_overhead;
    });
    const auto reported_copy =
        apart && r.columns.copy
            ? reported(r, "copy_bandwidth", "B/s", r.columns.unit(*r.columns.copy), true)
            : undetermined("copy_bandwidth", "B/s");
    add(reported_copy, copy > 0 ? std::optional(1 / copy) : std::nullopt,
        "time of eager bytes beyond the wire");
  }

  void report_rendezvous(const Regression& r) {
    const bool shows = limit_.status != ParameterStatus::assumed || options_.eager_limit;
    if (const auto cost = r.columns.rendezvous_cost(); cost && shows) {
      add(reported(r, "rendezvous_cost", "s", *cost));
      const std::size_t first = *r.columns.first_rendezvous();
      add(reported(r, "rendezvous_overhead", "s", r.columns.unit(*r.columns.extra[first])),
          fit_.sections[first].extra_s, "the rendezvous cost minus 2 latencies");
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

// A point of the line through the points; constant outside of them.
Seconds extra_s(const std::vector<std::pair<Bytes, Seconds>>& points, Bytes bytes) {
  if (points.empty()) return 0;
  if (bytes <= points.front().first) return points.front().second;
  for (std::size_t i = 1; i < points.size(); ++i) {
    const auto& [first, from_s] = points[i - 1];
    const auto& [last, to_s] = points[i];
    if (bytes <= last)
      return from_s + (to_s - from_s) * static_cast<double>(bytes - first) /
                          static_cast<double>(last - first);
  }
  return points.back().second;
}

}  // namespace

std::string_view status_name(ParameterStatus status) {
  constexpr std::string_view names[] = {"fitted", "uncertain", "prior", "assumed",
                                        "not determined"};
  return names[static_cast<std::size_t>(status)];
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
  return (eager ? extra_s(extra_latency, bytes) : 0) + (eager ? 1 : 3) * latency_s +
         section.extra_s + section.send_extra_s + send_overhead_s + recv_overhead_s +
         static_cast<double>(bytes) * per_byte_s;
}

Bytes ProtocolFit::copied_max() const {
  constexpr double clearly = 1.1;
  Bytes most = eager_max;
  for (std::size_t i = 0; i + 1 < sections.size(); ++i)
    if (sections[i].wire_s_per_B > clearly * wire_s_per_B())
      most = std::max(most, sections[i + 1].above);
  return most;
}

void limit_by_streams(const std::vector<PairMeasurement>& measurements, ProtocolFit& fit) {
  constexpr Bytes least = 1024;  // of smaller messages, the overhead is the greater part
  double most_s_per_B = std::numeric_limits<double>::infinity();
  for (const auto& row : measurements)
    if (row.window > 0 && row.bytes >= least && row.bytes <= fit.eager_max)
      most_s_per_B = std::min(most_s_per_B, row.time_s / static_cast<double>(row.bytes));
  if (std::isinf(most_s_per_B)) return;
  ProtocolFit limited = fit;
  limited.recv_s_per_B = std::min(fit.recv_s_per_B, most_s_per_B);
  for (auto& section : limited.sections)
    if (section.protocol == Protocol::eager) {
      section.wire_s_per_B = fit.wire_s_per_B();
      section.extra_s = section.send_extra_s = 0;
    }
  std::vector<Bytes> ends;
  for (std::size_t i = 0; i < fit.sections.size(); ++i) {
    if (fit.sections[i].protocol != Protocol::eager) break;
    const bool is_last = i + 1 == fit.sections.size();
    ends.push_back(is_last ? fit.eager_max : std::min(fit.eager_max, fit.sections[i + 1].above));
  }
  std::vector<std::pair<Bytes, Seconds>> points;
  Bytes first = 0;
  for (const Bytes end : ends) {
    for (const Bytes bytes : {first, end}) {
      const Seconds beyond_s = fit.one_way_s(bytes) - limited.one_way_s(bytes);
      if (points.empty() || points.back().first < bytes)
        points.emplace_back(bytes, std::max(0.0, beyond_s));
    }
    first = end + 1;
  }
  limited.extra_latency = std::move(points);
  const auto copy = std::ranges::find(limited.parameters, "copy_bandwidth", &FittedParameter::name);
  if (copy != limited.parameters.end() && limited.recv_s_per_B < fit.recv_s_per_B) {
    copy->value = 1 / limited.recv_s_per_B;
    copy->note = "that of a stream; further time of eager bytes is latency";
  }
  fit = std::move(limited);
}

Result<ProtocolFit> fit_protocol(const std::vector<PairMeasurement>& measurements,
                                 const ProtocolFitOptions& options) {
  auto one_way = one_way_times(measurements);
  if (auto error = rejection(measurements, one_way)) return *std::move(error);
  ProtocolFit fit = ProtocolFitting(measurements, std::move(one_way), options).run();
  constexpr double greatest_Bps = 1e15;
  const bool grows = std::ranges::all_of(fit.sections, [](const FittedSection& section) {
    return section.wire_s_per_B > 1 / greatest_Bps;
  });
  if (grows) return fit;
  return make_error(ErrorKind::input, "",
                    "the times do not grow with the message size and show no bandwidth",
                    "measure larger messages, of 1 MiB and more");
}

}  // namespace tutti::studies
