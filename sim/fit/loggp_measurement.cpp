// SPDX-License-Identifier: BSD-3-Clause
#include "sim/fit/loggp_measurement.hpp"

#include "sim/fit/line_fits.hpp"
#include "workloads/ping_pong.hpp"

namespace tutti::studies {
namespace {

using platforms::Machine;

// Times below this fraction are rounding; differences of round trips are accurate to about 1e-13.
constexpr double time_rounding = 1e-9;

class Probe {
 public:
  Probe(const Machine& machine, const PairJob& job) : machine_(machine), job_(job) {}

  Result<MeasuredMessage> measure(Bytes bytes) const {
    MeasuredMessage message{.bytes = bytes};
    const auto once = TUTTI_TRY(round_trip({1, 0, bytes}));
    const auto at_once = TUTTI_TRY(round_trip({round_trip_messages, 0, bytes}));
    message.interval_s = per_message(at_once - once);
    // Longer than a round trip, and than the NIC is busy with a message.
    const Seconds delay_s = 2 * std::max(once, message.interval_s);
    const auto delayed = TUTTI_TRY(round_trip({round_trip_messages, delay_s, bytes}));
    message.round_trip_s = once;
    message.o_send_s = above_rounding(per_message(delayed - once) - delay_s, delay_s);
    const auto late = TUTTI_TRY(time_of(machine_, job_, [&](Seconds& time_s) {
      return workloads::late_receive_program(bytes, delay_s, time_s);
    }));
    message.o_recv_s = above_rounding(late, delay_s);
    return message;
  }

 private:
  static Seconds above_rounding(Seconds time_s, Seconds whole_s) {
    return time_s > time_rounding * whole_s ? time_s : 0;
  }
  static Seconds per_message(Seconds difference_s) {
    return difference_s / (round_trip_messages - 1);
  }
  Result<Seconds> round_trip(const workloads::RoundTrip& measured) const {
    return time_of(machine_, job_, [&](Seconds& time_s) {
      return workloads::round_trip_program(measured, time_s);
    });
  }

  const Machine& machine_;
  const PairJob& job_;
};

double gaps_between_bytes(Bytes bytes) {
  return static_cast<double>(std::max<Bytes>(0, bytes - 1));
}

// All measured sizes, including those between which the protocol changes.
class Curve {
 public:
  using Messages = std::map<Bytes, MeasuredMessage>;

  std::vector<Error> measure(const Probe& probe, const std::vector<Bytes>& sizes) {
    for (const Bytes size : sizes)
      if (auto errors = add(probe, size); !errors.empty()) return errors;
    return find_limits(probe);
  }
  const Messages& messages() const { return messages_; }

 private:
  std::vector<Error> add(const Probe& probe, Bytes size) {
    if (messages_.contains(size)) return {};
    messages_.emplace(size, TUTTI_TRY(probe.measure(size)));
    return {};
  }

  // Halves every gap between sizes of different protocols until they are one byte apart.
  std::vector<Error> find_limits(const Probe& probe) {
    for (auto upper = std::next(messages_.begin()); upper != messages_.end();) {
      const auto lower = std::prev(upper);
      const bool is_open =
          lower->second.protocol() != upper->second.protocol() && upper->first - lower->first > 1;
      if (!is_open) {
        ++upper;
        continue;
      }
      const Bytes middle = lower->first + (upper->first - lower->first) / 2;
      if (auto errors = add(probe, middle); !errors.empty()) return errors;
      upper = messages_.find(middle);
    }
    return {};
  }

  Messages messages_;
};

// ---- fits ----

// The slope at the largest sizes. If no three points lie on a line, there is a change of behavior
// among them; for the last range, the last two points are assumed to be beyond it.
template <class TimeOf>
std::optional<double> slope_at_end(const std::vector<MeasuredMessage>& messages, bool is_last,
                                   const TimeOf& time_of_message) {
  std::vector<DataPoint> points;
  for (const MeasuredMessage& each : messages)
    points.push_back({static_cast<double>(each.bytes), time_of_message(each)});
  const auto line = line_at_end(points);
  if (!line && (!is_last || points.size() < 3)) return std::nullopt;
  const DataPoint& last = points.back();
  const DataPoint& first = points[points.size() - (line ? line->points : 2)];
  const double slope = line ? line->slope : (last.y - first.y) / (last.x - first.x);
  if (slope * (last.x - first.x) <= time_rounding * last.y) return std::nullopt;  // flat
  return slope;
}

ProtocolRange range_of(const std::vector<MeasuredMessage>& messages, bool is_last) {
  return {.protocol = messages.front().protocol(),
          .first = messages.front().bytes,
          .last = messages.back().bytes,
          .G_s_per_B =
              slope_at_end(messages, is_last, [](const auto& each) { return each.interval_s; }),
          .one_way_s_per_B =
              slope_at_end(messages, is_last, [](const auto& m) { return m.one_way_s(); }),
          .transit_s_per_B =
              slope_at_end(messages, is_last, [](const auto& m) { return m.transit_s(); })};
}

std::vector<ProtocolRange> ranges_of(const Curve::Messages& all) {
  std::vector<ProtocolRange> ranges;
  std::vector<MeasuredMessage> similar;
  for (const auto& [bytes, message] : all) {
    if (!similar.empty() && similar.back().protocol() != message.protocol()) {
      ranges.push_back(range_of(similar, false));
      similar.clear();
    }
    similar.push_back(message);
  }
  ranges.push_back(range_of(similar, true));
  return ranges;
}

// The member of the range with the largest sizes that has it.
std::optional<double> last_of(const std::vector<ProtocolRange>& ranges,
                              std::optional<double> ProtocolRange::*member) {
  for (auto range = ranges.rbegin(); range != ranges.rend(); ++range)
    if ((*range).*member) return (*range).*member;
  return std::nullopt;
}

// Subtracts the time of the message's bytes, by the slope of its own protocol, or of another one if
// that changes the time by at most 1 %. Unset if unknown.
std::optional<Seconds> without_bytes(Seconds time_s, Bytes bytes, std::optional<double> own_s_per_B,
                                     std::optional<double> other_s_per_B) {
  if (bytes == 0) return time_s;
  const auto s_per_B = own_s_per_B ? own_s_per_B : other_s_per_B;
  if (!s_per_B) return std::nullopt;
  const Seconds bytes_s = static_cast<double>(bytes) * *s_per_B;
  if (!own_s_per_B && bytes_s > 0.01 * time_s) return std::nullopt;
  return time_s - bytes_s;
}

std::optional<Seconds> latency_of(const MeasuredMessage& message, const ProtocolRange& range,
                                  std::optional<double> other_s_per_B) {
  if (message.protocol() != ProtocolSeen::eager) return std::nullopt;
  const auto L_s =
      without_bytes(message.transit_s(), message.bytes, range.transit_s_per_B, other_s_per_B);
  const Seconds nothing_s = time_rounding * message.one_way_s();
  if (!L_s || *L_s < -nothing_s) return std::nullopt;
  return *L_s > nothing_s ? *L_s : 0;
}

Seconds gap_of(const MeasuredMessage& message, double G_s_per_B) {
  return std::max(0.0, message.interval_s - gaps_between_bytes(message.bytes) * G_s_per_B);
}

constexpr double interval_tolerance = 0.02;

bool gives_back(Seconds gap_s, double G_s_per_B, const MeasuredMessage& message) {
  const Seconds reported_s = gap_s + gaps_between_bytes(message.bytes) * G_s_per_B;
  return std::abs(reported_s - message.interval_s) <= interval_tolerance * message.interval_s;
}

// Sections of g such that each reproduces the intervals of its sizes. Empty if the bytes alone take
// longer than an interval, so that a single G does not describe all sizes.
std::vector<platforms::Piecewise::Section> gap_sections(
    const std::vector<MeasuredMessage>& messages, double G_s_per_B) {
  std::vector<platforms::Piecewise::Section> sections;
  Bytes before = 0;
  for (const MeasuredMessage& each : messages) {
    if (sections.empty() || !gives_back(sections.back().a, G_s_per_B, each))
      sections.push_back({.above = before, .a = gap_of(each, G_s_per_B)});
    if (!gives_back(sections.back().a, G_s_per_B, each)) return {};
    before = each.bytes;
  }
  return sections;
}

// The requested sizes and those where the protocol changes.
std::vector<MeasuredMessage> reported_messages(const std::vector<LogGPRow>& rows,
                                               const std::vector<ProtocolRange>& ranges,
                                               const Curve::Messages& all) {
  std::map<Bytes, MeasuredMessage> telling;
  for (const LogGPRow& row : rows) telling.emplace(row.message.bytes, row.message);
  for (const ProtocolRange& range : ranges)
    for (const Bytes size : {range.first, range.last}) telling.emplace(size, all.at(size));
  std::vector<MeasuredMessage> messages;
  for (const auto& [bytes, message] : telling) messages.push_back(message);
  return messages;
}

const ProtocolRange& range_with(const std::vector<ProtocolRange>& ranges, Bytes bytes) {
  return *std::ranges::find_if(ranges, [&](const auto& range) { return bytes <= range.last; });
}

// The slope of the intervals; 0 if the difference is only rounding.
double slope_between(const MeasuredMessage& a, const MeasuredMessage& b) {
  const Seconds rise_s = b.interval_s - a.interval_s;
  if (std::abs(rise_s) <= time_rounding * b.interval_s) return 0;
  return rise_s / static_cast<double>(b.bytes - a.bytes);
}

std::vector<LogGPRow> rows_of(const std::vector<Bytes>& sizes, const Curve::Messages& all,
                              const std::vector<ProtocolRange>& ranges,
                              std::optional<double> G_s_per_B) {
  std::vector<LogGPRow> rows;
  for (const Bytes size : sizes) {
    const MeasuredMessage& message = all.at(size);
    LogGPRow row{.message = message,
                 .L_s = latency_of(message, range_with(ranges, size),
                                   last_of(ranges, &ProtocolRange::one_way_s_per_B))};
    if (message.interval_of() == IntervalOf::network && G_s_per_B)
      row.g_s = gap_of(message, *G_s_per_B);
    if (!rows.empty() && rows.back().message.protocol() == message.protocol())
      row.G_s_per_B = slope_between(rows.back().message, message);
    rows.push_back(row);
  }
  return rows;
}

MeasuredSet set_of(const LogGPMeasurement& measured, const Curve::Messages& all) {
  const LogGPRow& smallest = measured.rows.front();
  MeasuredSet set{.L_s = smallest.L_s,
                  .o_send_s = smallest.message.o_send_s,
                  .o_recv_s = smallest.message.o_recv_s,
                  .g_is = smallest.message.interval_of(),
                  .g = {},
                  .G_s_per_B = last_of(measured.ranges, &ProtocolRange::G_s_per_B),
                  .l_s = without_bytes(smallest.message.one_way_s(), smallest.message.bytes,
                                       measured.ranges.front().one_way_s_per_B,
                                       last_of(measured.ranges, &ProtocolRange::one_way_s_per_B)),
                  .b_Bps = {}};
  if (set.G_s_per_B)
    set.g = gap_sections(reported_messages(measured.rows, measured.ranges, all), *set.G_s_per_B);
  if (set.g.empty()) set.G_s_per_B.reset();
  if (const auto s_per_B = last_of(measured.ranges, &ProtocolRange::one_way_s_per_B))
    set.b_Bps = 1 / *s_per_B;
  return set;
}

Error undetermined(const char* what) {
  return make_error(ErrorKind::run, "", fmt::format("{} is not determined by these sizes", what),
                    "measure more sizes, for example 1:1MiB");
}

std::string set_name(const LogGPMeasurement& measured) {
  return fmt::format("measured: {} to {}", measured.from, measured.to);
}

}  // namespace

std::string_view protocol_name(ProtocolSeen protocol) {
  constexpr std::string_view names[] = {"eager", "detached", "rendezvous"};
  return names[static_cast<std::size_t>(protocol)];
}

std::string_view interval_name(IntervalOf interval) {
  constexpr std::string_view names[] = {"network", "o_send", "o_recv"};
  return names[static_cast<std::size_t>(interval)];
}

ProtocolSeen MeasuredMessage::protocol() const {
  const Seconds nothing_s = time_rounding * one_way_s();
  if (transit_s() > nothing_s) return ProtocolSeen::eager;
  return transit_s() >= -nothing_s ? ProtocolSeen::detached : ProtocolSeen::rendezvous;
}

IntervalOf MeasuredMessage::interval_of() const {
  const double longer = 1 + 1e-6;
  if (interval_s <= longer * o_send_s) return IntervalOf::send_overhead;
  return interval_s <= longer * o_recv_s ? IntervalOf::recv_overhead : IntervalOf::network;
}

Result<MeasuredMessage> measure_message(const Machine& machine, const PairJob& job, Bytes bytes) {
  return Probe(machine, job).measure(bytes);
}

Result<LogGPMeasurement> measure_loggp(const Machine& machine, const PairJob& job,
                                       std::vector<Bytes> sizes) {
  TUTTI_CHECK(!sizes.empty(), "a measurement needs at least one size");
  std::ranges::sort(sizes);
  sizes.erase(std::ranges::unique(sizes).begin(), sizes.end());
  Curve curve;
  if (auto errors = curve.measure(Probe(machine, job), sizes); !errors.empty()) return errors;
  LogGPMeasurement measured{.from = machine.topology->host_name(job.nodes.from),
                            .to = machine.topology->host_name(job.nodes.to),
                            .rows = {},
                            .ranges = ranges_of(curve.messages()),
                            .set = {}};
  const auto G_s_per_B = last_of(measured.ranges, &ProtocolRange::G_s_per_B);
  measured.rows = rows_of(sizes, curve.messages(), measured.ranges, G_s_per_B);
  measured.set = set_of(measured, curve.messages());
  return measured;
}

Result<platforms::LogGPParameters> loggp_of(const LogGPMeasurement& measured) {
  const MeasuredSet& set = measured.set;
  if (!set.L_s) return undetermined("L");
  if (!set.G_s_per_B) return undetermined("G");
  return platforms::LogGPParameters{.set = set_name(measured),
                                    .L_s = *set.L_s,
                                    .o_s = set.o_s(),
                                    .g_s = platforms::Piecewise(set.g.front(), set.g),
                                    .G_s_per_B = *set.G_s_per_B};
}

Result<platforms::HockneyParameters> hockney_of(const LogGPMeasurement& measured) {
  const MeasuredSet& set = measured.set;
  if (!set.l_s) return undetermined("Hockney's l");
  if (!set.b_Bps) return undetermined("Hockney's b");
  return platforms::HockneyParameters{
      .set = set_name(measured), .l_s = *set.l_s, .b_Bps = *set.b_Bps};
}

}  // namespace tutti::studies
