// SPDX-License-Identifier: BSD-3-Clause
#include "sim/replay/trace_options.hpp"

#include "sim/base/output_file.hpp"
#include "sim/replay/clock_alignment.hpp"
#include "sim/replay/foreign_traces.hpp"
#include "sim/replay/ti_export.hpp"
#include "workloads/traces/otf2_new.hpp"
#include "workloads/traces/otf2_output.hpp"

namespace tutti::studies {
namespace {

namespace traces = workloads::traces;
using traces::NewTimes;
using traces::Ticks;
using traces::TraceRank;

constexpr const char* window_hint = "expected FROM:TO, for example 2s:5s, :800ms or 1.5s:";

// Empty if this side is open.
Result<std::optional<Seconds>> side_of(const std::string& text, const std::string& option) {
  if (text.empty()) return std::optional<Seconds>();
  const auto seconds = parse_seconds(text);
  if (!seconds) return usage_error(option, seconds.error().message, window_hint);
  return std::optional(*seconds);
}

Result<TraceRequest::Window> window_of(const options::OptionValues& parsed) {
  const auto name = trace_option::window.name();
  const std::string& text = parsed.value(name);
  const std::string option = parsed.typed(name);
  const std::size_t colon = text.find(':');
  if (colon == std::string::npos || text.size() == 1)
    return usage_error(option, "invalid window '" + text + "'", window_hint);
  const auto from = TUTTI_TRY(side_of(text.substr(0, colon), option));
  const auto to = TUTTI_TRY(side_of(text.substr(colon + 1), option));
  const TraceRequest::Window window{from.value_or(0), to};
  if (window.to_s && *window.to_s <= window.from_s)
    return usage_error(option, "the window ends before it begins", window_hint);
  return window;
}

// "2.5Gf".
Result<double> flops_of(const options::OptionValues& parsed) {
  constexpr std::string_view prefixes = "kMGTPE";
  std::string_view number = parsed.value(trace_option::flop_rate.name());
  double factor = 1;
  if (number.ends_with('f')) {
    number.remove_suffix(1);
    const auto prefix = number.empty() ? std::string_view::npos : prefixes.find(number.back());
    if (prefix != std::string_view::npos) {
      number.remove_suffix(1);
      factor = std::pow(1000.0, static_cast<double>(prefix + 1));
    }
  }
  const auto value = parse_number(number);
  if (!value || *value <= 0)
    return usage_error(parsed.typed(trace_option::flop_rate.name()), "must be a rate above 0",
                       "for example 1e9 or 2.5Gf (flop/s)");
  return *value * factor;
}

// Options that require a trace with times.
std::vector<Error> problems_of_ti(const options::OptionValues& parsed) {
  std::vector<Error> problems;
  for (const options::OptionSpec& option : {trace_option::align_clocks, trace_option::window})
    if (parsed.has(option.name()))
      problems.push_back(usage_error(parsed.typed(option.name()),
                                     "a time-independent trace has no times",
                                     "omit it: such traces are always replayed as a whole"));
  return problems;
}

void align_clocks(ReadTrace& read) {
  auto alignment = replay::align_clocks(read.trace);
  read.clocks = alignment.clocks;
  read.trace.events.correct(std::move(alignment.clocks));
  read.trace.notes.insert(read.trace.notes.end(), alignment.notes.begin(), alignment.notes.end());
}

// Limited to the latest valid time.
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
        fmt::format("the trace ends {} after its start", format_seconds(definitions.seconds(end))),
        "give an earlier time");
  auto cut = replay::cut_window(read.trace, {ticks.from, std::min(ticks.to, end)});
  read.trace = std::move(cut.trace);
  read.kept = std::move(cut.kept);
  return std::nullopt;
}

// The window on the clocks of the archive, by rank.
std::vector<NewTimes::Span> spans_of(const ReadTrace& read) {
  const Ticks first = read.trace.before->first;  // of the archive
  const NewTimes::Span span{read.trace.first, read.trace.first + replay::end_of(read.trace)};
  std::vector<NewTimes::Span> spans(read.kept.size(), span);
  for (std::size_t rank = 0; rank < read.clocks.size(); ++rank)
    spans[rank] = {first + read.clocks[rank].before(span.from - first),
                   first + read.clocks[rank].before(span.to - first)};
  return spans;
}

// The file list in a folder that `--ti` wrote.
std::optional<std::string> list_in(const std::string& folder) {
  namespace fs = std::filesystem;
  std::error_code ignored;
  const fs::path list = fs::path(folder) / "list.txt";
  if (!fs::is_directory(folder, ignored) || !fs::exists(list, ignored)) return std::nullopt;
  return list.string();
}

std::optional<Error> write_ti_files(replay::TiExport& ti, std::size_t ranks,
                                    const std::string& folder) {
  std::string list;
  for (TraceRank rank = 0; rank < ranks; ++rank) {
    const std::string path = fmt::format("{}/rank-{}.txt", folder, rank);
    OutputFileStream file(path);
    ti.write(rank, file);
    if (auto error = file.close()) return error;
    list += path + '\n';
  }
  return write_file(folder + "/list.txt", list);
}

}  // namespace

Result<TraceRequest> trace_request(std::string path, const options::OptionValues& parsed) {
  TraceRequest request{.path = list_in(path).value_or(std::move(path)),
                       .aligns_clocks = parsed.has(trace_option::align_clocks.name()),
                       .window = std::nullopt};
  if (auto error = replay::foreign_trace(request.path)) return *std::move(error);
  request.format = &traces::trace_format_of(request.path);
  request.is_ti = !request.format->has_times;
  if (request.is_ti)
    if (auto problems = problems_of_ti(parsed); !problems.empty()) return problems;
  if (parsed.has(trace_option::window.name())) {
    request.window = TUTTI_TRY(window_of(parsed));
  }
  if (parsed.has(trace_option::flop_rate.name())) {
    const auto flops_per_s = TUTTI_TRY(flops_of(parsed));
    if (!request.is_ti && !parsed.has(trace_option::ti.name()))
      return usage_error(parsed.typed(trace_option::flop_rate.name()),
                         "has no effect: the trace has times, and --ti is not given",
                         "omit it; --cpu-factor scales computation");
    request.flops_per_s = flops_per_s;
  }
  return request;
}

std::vector<std::string> files_of(const TraceRequest& request) {
  std::vector<std::string> files = request.format->files(request.path);
  files.insert(files.begin(), request.path);
  return files;
}

Result<ReadTrace> read_trace(const TraceRequest& request, const CoreSpeedsOf& speeds) {
  traces::TraceArgs args;
  if (speeds)
    args.core_speeds = [&](std::size_t ranks) -> Result<std::vector<double>> {
      return TUTTI_TRY(speeds(ranks)).flops_per_s;
    };
  auto trace = TUTTI_TRY(request.format->read(request.path, args));
  ReadTrace read{.trace = std::move(trace), .clocks = {}, .kept = {}};
  if (request.aligns_clocks) align_clocks(read);
  if (request.window)
    if (auto error = cut_window(read, *request.window)) return *std::move(error);
  return read;
}

std::optional<Error> write_trace(const TraceRequest& request, const ReadTrace& read,
                                 const std::string& folder, NewTimes& times) {
  if (!request.format->is_otf2) return traces::write_otf2(read.trace, folder, &times);
  if (read.kept.empty()) return traces::rewrite_otf2(request.path, folder, times);
  replay::WindowTimes inside(read.kept, times, spans_of(read));
  return traces::rewrite_otf2(request.path, folder, inside);
}

Result<std::vector<std::string>> write_ti(const traces::Trace& trace, const CoreSpeeds& speeds,
                                          const std::string& folder, NewTimes& times) {
  if (auto error = traces::make_output_folder(folder)) return *std::move(error);
  replay::TiExport ti(trace, times, speeds.flops_per_s);
  if (auto error = write_ti_files(ti, trace.definitions.ranks.size(), folder)) {
    std::error_code ignored;
    for (const auto& entry : std::filesystem::directory_iterator(folder, ignored))
      std::filesystem::remove(entry.path(), ignored);  // the folder was empty
    return *std::move(error);
  }
  auto notes = ti.notes();
  const auto [slowest, fastest] = std::ranges::minmax(speeds.flops_per_s);
  notes.push_back(fmt::format(
      "the time-independent trace is in {0}: `smpirun -replay {0}/list.txt`, with {1}", folder,
      slowest == fastest ? fmt::format("hosts of {:g} flop/s", fastest)
                         : std::string("the hosts of the platform in this order of the ranks")));
  return notes;
}

}  // namespace tutti::studies
