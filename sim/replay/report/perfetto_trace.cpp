// SPDX-License-Identifier: BSD-3-Clause
#include "sim/replay/report/perfetto_trace.hpp"

#include <nlohmann/json.hpp>

#include "sim/reports/formats.hpp"

namespace tutti::reports {
namespace {

using studies::replay::Doing;
using studies::replay::TimelineCall;
using studies::replay::TimelineMessage;
using studies::replay::Times;

std::string json_text(const std::string& text) {
  return nlohmann::json(text).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

std::string ns_in_us(std::int64_t ns) { return fmt::format("{}.{:03}", ns / 1000, ns % 1000); }

// Process 0 is the idle process for some viewers.
std::string metadata(std::string_view name, const std::string& track, const std::string& args) {
  return fmt::format("{{\"name\":\"{}\",\"ph\":\"M\",{},\"args\":{{{}}}}}", name, track, args);
}

// The words for a kind of call, and for its wait.
struct CallWords {
  Doing doing;
  std::string_view category, wait;
};
constexpr CallWords call_words[] = {
    {Doing::point_to_point, "point-to-point", "waiting for a message"},
    {Doing::collective, "collective", "waiting in a collective"},
    {Doing::one_sided, "one-sided", "waiting for a window"},
    {Doing::threads, "threads", "waiting for threads"},
    {Doing::accelerator, "accelerator", "waiting for an accelerator"},
    {Doing::other_call, "mpi", "waiting for a message"}};

}  // namespace

PerfettoTrace::PerfettoTrace(const ReportHead& head, const workloads::traces::Trace& trace,
                             PerfettoSpec spec, Write write)
    : TimelineSink(trace, spec.ranks),
      definitions_(trace.definitions),
      spec_(std::move(spec)),
      write_(std::move(write)),
      open_(trace.definitions.locations()) {
  for (const auto& region : definitions_.regions) names_.push_back(json_text(region.name));
  std::vector<std::string> tracks;
  for (TraceRank rank = 0; rank < open_.size(); ++rank) {
    if (!spec_.ranks[rank]) continue;
    const auto name = fmt::format("\"name\":{}", json_text(definitions_.name(rank)));
    if (rank < definitions_.ranks.size())
      tracks.push_back(metadata("process_name", track(rank), name));
    tracks.push_back(metadata("thread_name", track(rank), name));
    if (rank < definitions_.ranks.size())
      tracks.push_back(
          metadata("process_sort_index", track(rank), fmt::format("\"sort_index\":{}", rank)));
  }
  const auto provenance = nlohmann::json(provenance_lines(head))
                              .dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
  write_(
      fmt::format("{{\"displayTimeUnit\":\"ns\",\"otherData\":{{\"provenance\":{}}},"
                  "\"traceEvents\":[\n{}",
                  provenance, fmt::join(tracks, ",\n")));
}

// Process 0 is the idle process for some viewers.
std::string PerfettoTrace::track(TraceRank location) const {
  return fmt::format("\"pid\":{},\"tid\":{}", definitions_.rank_of(location) + std::uint64_t{1},
                     location + std::uint64_t{1});
}

void PerfettoTrace::end() {
  for (TraceRank rank = 0; rank < open_.size(); ++rank)
    while (!open_[rank].empty()) end_region(rank, last(rank).after);
  write_("\n]}\n");
}

std::int64_t PerfettoTrace::ns(Ticks ticks) const {
  constexpr double ns_per_s = 1e9;
  if (definitions_.ticks_per_s == ns_per_s) return ticks;
  return std::llround(static_cast<double>(ticks) * (ns_per_s / definitions_.ticks_per_s));
}

// ---- regions ----

// Writes the beginning of the open regions that are in the window before `now`.
void PerfettoTrace::begin_open(TraceRank rank, Ticks now) {
  if (!is_wanted(rank) || now <= spec_.from) return;
  for (Open& region : open_[rank]) {
    if (region.is_written || region.enter >= spec_.to) continue;
    region.is_written = true;
    const auto begin = ns(std::max<Ticks>({region.enter, spec_.from, 0}));
    write_(fmt::format(",\n{{\"name\":{},\"cat\":\"region\",\"ph\":\"B\",\"ts\":{},{}}}",
                       names_[region.region], ns_in_us(begin), track(rank)));
  }
}

void PerfettoTrace::enter(TraceRank rank, std::uint32_t region, const Moment& now) {
  begin_open(rank, now.time.after);
  if (now.keeps) open_[rank].push_back({.region = region, .enter = now.time.after});
}

void PerfettoTrace::leave(TraceRank rank, const Moment& now) {
  begin_open(rank, now.time.after);
  if (now.keeps && !open_[rank].empty()) end_region(rank, now.time.after);
}

// The innermost one.
void PerfettoTrace::end_region(TraceRank rank, Ticks now) {
  if (open_[rank].back().is_written)
    write_(fmt::format(",\n{{\"ph\":\"E\",\"ts\":{},{}}}", ns_in_us(ns(std::min(now, spec_.to))),
                       track(rank)));
  open_[rank].pop_back();
}

// ---- calls ----

void PerfettoTrace::piece(TraceRank rank, const Times& from, const Times& to, const Times& waits) {
  if (waits.after == 0 || !is_wanted(rank)) return;
  begin_open(rank, to.after);
  wait("waiting for threads", rank, from.after, waits.after);
}

void PerfettoTrace::add(const TimelineCall& call) {
  begin_open(call.rank, call.leave.after);
  if (call.is_cut) return;
  const auto us = [&](Ticks ticks) { return ns_in_us(ns(ticks)); };
  const CallWords& words = *std::ranges::find(call_words, call.doing, &CallWords::doing);
  slice(names_[call.region],
        fmt::format("\"cat\":\"{}\",\"args\":{{\"wait_us\":{},\"original_us\":{},"
                    "\"original_wait_us\":{}}}",
                    words.category, us(call.waits.after), us(call.leave.before - call.enter.before),
                    us(call.waits.before)),
        call.rank, call.enter.after, call.leave.after);
  const bool awaits_message = words.wait == call_words[0].wait;
  wait(awaits_message && call.awaits_receivers ? "waiting for a receiver" : words.wait, call.rank,
       call.enter.after, call.waits.after);
}

void PerfettoTrace::wait(std::string_view name, TraceRank rank, Ticks begin, Ticks ticks) {
  if (ticks > 0)
    slice(fmt::format("\"{}\"", name), "\"cat\":\"wait\",\"cname\":\"terrible\"", rank, begin,
          begin + ticks);
}

// Nothing outside the window. Both ends are rounded, so that nested slices stay nested.
void PerfettoTrace::slice(std::string_view name, std::string_view fields, TraceRank rank,
                          Ticks begin, Ticks end) {
  if (end <= spec_.from || begin >= spec_.to) return;
  const auto first = ns(std::max<Ticks>({begin, spec_.from, 0}));
  const auto last = ns(std::min(end, spec_.to));
  write_(fmt::format(",\n{{\"name\":{},\"ph\":\"X\",\"ts\":{},\"dur\":{},{},{}}}", name,
                     ns_in_us(first), ns_in_us(last - first), track(rank), fields));
}

// ---- messages ----

// Viewers attach the end of an arrow to the slice around its time, so that it must lie strictly
// inside the call.
void PerfettoTrace::add(const TimelineMessage& message) {
  const auto inside = [&](Ticks enter, Ticks at) {
    return std::max(ns(enter) + 1, ns(std::max(enter, at)) - 1);
  };
  const auto from = inside(message.send_enter, message.sent.after);
  const auto to = inside(message.receive_enter, message.received.after);
  if (from < ns(std::max<Ticks>(0, spec_.from)) || message.received.after > spec_.to) return;
  std::string args =
      fmt::format("\"from\":{},\"to\":{},\"tag\":{}", message.from, message.to, message.tag);
  if (spec_.has_sizes) args += fmt::format(",\"bytes\":{}", message.bytes);
  const auto fields = fmt::format("\"cat\":\"message\",\"id\":{}", ++messages_);
  write_(fmt::format(
      ",\n{{\"name\":\"message\",\"ph\":\"s\",\"ts\":{},{},{},\"args\":{{{}}}}}"
      ",\n{{\"name\":\"message\",\"ph\":\"f\",\"bp\":\"e\",\"ts\":{},{},{}}}",
      ns_in_us(from), track(message.from), fields, args, ns_in_us(to), track(message.to), fields));
}

std::uint64_t perfetto_bytes(const studies::replay::ReplayResult& result) {
  constexpr std::uint64_t bytes_per_event = 60;
  constexpr std::uint64_t bytes_per_message = 250;
  return result.events * bytes_per_event + result.messages * bytes_per_message;
}

}  // namespace tutti::reports
