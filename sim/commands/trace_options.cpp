// SPDX-License-Identifier: BSD-3-Clause
#include "sim/commands/trace_options.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "sim/base/error_list.hpp"
#include "sim/studies/replay/clock_alignment.hpp"
#include "workloads/traces/otf2_reader.hpp"

namespace tutti::commands {
namespace {

namespace replay = studies::replay;
namespace traces = workloads::traces;
using traces::NewTimes;
using traces::Ticks;
using traces::TraceRank;

constexpr const char* window_hint = "FROM:TO, as in 2s:5s, :800ms or 1.5s:";

// Nothing: this side is open.
Result<std::optional<Seconds>> side_of(const std::string& text, const std::string& option) {
  if (text.empty()) return std::optional<Seconds>();
  const auto seconds = parse_seconds(text);
  if (!seconds) return usage_error(option, seconds.error().message, window_hint);
  return std::optional(*seconds);
}

Result<TraceRequest::Window> window_of(const Parsed& parsed) {
  const auto name = trace_option::window.name();
  const std::string& text = parsed.value(name);
  const std::string option = parsed.typed(name);
  const std::size_t colon = text.find(':');
  if (colon == std::string::npos || text.size() == 1)
    return usage_error(option, "'" + text + "' is no window", window_hint);
  const auto from = side_of(text.substr(0, colon), option);
  if (!from) return from.errors();
  const auto to = side_of(text.substr(colon + 1), option);
  if (!to) return to.errors();
  const TraceRequest::Window window{from->value_or(0), *to};
  if (window.to_s && *window.to_s <= window.from_s)
    return usage_error(option, "the window ends before it begins", window_hint);
  return window;
}

void align_clocks(ReadTrace& read) {
  auto found = replay::align_clocks(read.trace);
  read.shifts = found.shifts;
  read.trace.events.shift(std::move(found.shifts));
  read.trace.notes.insert(read.trace.notes.end(), found.notes.begin(), found.notes.end());
}

// At most the last time that there may be.
Ticks ticks_of(Seconds seconds, const traces::TraceDefinitions& definitions) {
  constexpr Ticks most = Ticks{1} << 62;
  const double ticks = seconds * definitions.ticks_per_s;
  return ticks < static_cast<double>(most) ? std::llround(ticks) : most;
}

std::optional<Error> cut_window(ReadTrace& read, const TraceRequest::Window& window) {
  const auto& definitions = read.trace.definitions;
  const replay::TimeWindow ticks{
      ticks_of(window.from_s, definitions),
      window.to_s ? ticks_of(*window.to_s, definitions) : replay::TimeWindow{}.to};
  const Ticks end = replay::end_of(read.trace);
  if (ticks.from >= end)
    return usage_error(
        std::string(trace_option::window.name()),
        fmt::format("the trace ends {} after its begin",
                    format_seconds(static_cast<double>(end) / definitions.ticks_per_s)),
        "name an earlier time");
  auto cut = replay::cut_window(read.trace, {ticks.from, std::min(ticks.to, end)});
  read.trace = std::move(cut.trace);
  read.kept = std::move(cut.kept);
  return std::nullopt;
}

// The window's edges, on the clocks of the archive.
std::vector<NewTimes::Span> spans_of(const ReadTrace& read) {
  std::vector<NewTimes::Span> spans(
      read.kept.size(), {read.trace.first, read.trace.first + replay::end_of(read.trace)});
  for (std::size_t rank = 0; rank < read.shifts.size(); ++rank) {
    spans[rank].from -= read.shifts[rank];
    spans[rank].to -= read.shifts[rank];
  }
  return spans;
}

}  // namespace

Result<TraceRequest> trace_request(std::string path, const Parsed& parsed) {
  TraceRequest request{.path = std::move(path),
                       .aligns_clocks = parsed.has(trace_option::align_clocks.name()),
                       .window = std::nullopt};
  if (!parsed.has(trace_option::window.name())) return request;
  const auto window = window_of(parsed);
  if (!window) return window.errors();
  request.window = *window;
  return request;
}

Result<ReadTrace> read_trace(const TraceRequest& request) {
  auto trace = traces::read_otf2(request.path);
  if (!trace) return trace.errors();
  ReadTrace read{.trace = *std::move(trace), .shifts = {}, .kept = {}};
  if (request.aligns_clocks) align_clocks(read);
  if (request.window)
    if (auto error = cut_window(read, *request.window)) return *std::move(error);
  return read;
}

std::optional<Error> write_trace(const TraceRequest& request, const ReadTrace& read,
                                 const std::string& folder, NewTimes& times) {
  if (read.kept.empty()) return traces::rewrite_otf2(request.path, folder, times);
  replay::WindowTimes inside(read.kept, times, spans_of(read));
  return traces::rewrite_otf2(request.path, folder, inside);
}

}  // namespace tutti::commands
