// SPDX-License-Identifier: BSD-3-Clause
// sim replay: what if the program of a trace were changed?
#include <fmt/format.h>

#include "sim/base/quote.hpp"
#include "sim/base/text_file.hpp"
#include "sim/commands/check_run.hpp"
#include "sim/commands/commands.hpp"
#include "sim/commands/job_options.hpp"
#include "sim/commands/subcommand.hpp"
#include "sim/reports/replay_report.hpp"
#include "sim/reports/wrap.hpp"
#include "sim/studies/replay/hypothesis_file.hpp"
#include "sim/studies/replay/time_spool.hpp"
#include "workloads/traces/otf2_reader.hpp"

namespace tutti::commands {
namespace {

namespace replay = studies::replay;
namespace traces = workloads::traces;

constexpr std::string_view changed = "What is changed";
constexpr std::string_view model = "How it is replayed";

constexpr OptionSpec specs[] = {
    {changed, "--hypothesis", "FILE",
     "TOML: [[scale]], [[balance]], [[cut]]; default: nothing, and every time stays"},
    {changed, "--cpu-factor", "FACTOR", "of all computation; default: 1"},
    {model, "--model", "NAME",
     "recorded (default): calls end as long after what they depend on as in the trace; loggp: "
     "after L, o, G and a constant for each collective. Both without contention"},
    {model, "--loggp", "FILE", "TOML: [loggp] L, o, G, call_gap; [collective] default, bcast, ..."},
    {job_option::output, "--trace", "DIR", "writes the new trace there: an empty folder", false,
     false},
    part_option,
    document_format,
    job_option::output_file,
    job_option::color,
    job_option::quiet,
    job_option::help,
};

struct Request {
  std::string trace;
  std::string hypothesis_path;
  replay::ReplayArgs args;
  std::optional<std::string> to;
  DocumentOutput document;
  std::string command;
};

class Reading : private JobReading {
 public:
  explicit Reading(const Parsed& parsed) : JobReading(parsed) {}

  Result<Request> read() {
    if (parsed_.arguments.size() != 1)
      wrong("", parsed_.arguments.empty() ? "which trace?" : "takes one trace",
            "`sim replay traces.otf2`");
    else
      request_.trace = parsed_.arguments.front();
    read_hypothesis();
    read_model();
    if (parsed_.has("--trace")) request_.to = parsed_.value("--trace");
    if (auto output = document_output(parsed_, reports::replay_document_parts()))
      request_.document = *std::move(output);
    else
      add(output.errors());
    if (!errors_.empty()) return errors_.errors();
    request_.command = fmt::format("sim replay {}{}", shell_quoted(request_.trace),
                                   reproducing_options(specs, parsed_));
    return std::move(request_);
  }

 private:
  void read_hypothesis() {
    if (parsed_.has("--cpu-factor")) {
      const auto factor = parse_number(parsed_.value("--cpu-factor"));
      if (!factor || *factor < 0)
        wrong("--cpu-factor", "is a number from 0 on", "as in 0.5: twice as fast");
      else
        request_.args.cpu_factor = *factor;
    }
    if (!parsed_.has("--hypothesis")) return;
    request_.hypothesis_path = parsed_.value("--hypothesis");
    const auto text = read_text_file(request_.hypothesis_path);
    if (!text) return add(text.errors());
    auto hypothesis = replay::read_hypothesis(*text, request_.hypothesis_path);
    if (!hypothesis) return add(hypothesis.errors());
    request_.args.hypothesis = *std::move(hypothesis);
  }

  void read_model() {
    const auto name = choice_of(parsed_, "--model", {"recorded", "loggp"});
    if (!name) return add(name.errors());
    if ((*name == "loggp") != parsed_.has("--loggp"))
      return wrong("--loggp", *name == "loggp" ? "is required" : "is for --model loggp",
                   "the parameters, as TOML");
    if (*name != "loggp") return;
    const std::string& path = parsed_.value("--loggp");
    const auto text = read_text_file(path);
    if (!text) return add(text.errors());
    auto loggp = replay::read_loggp(*text, path);
    if (!loggp) return add(loggp.errors());
    request_.args.loggp = *loggp;
  }

  Request request_;
};

// The replay, and the new trace where one is wanted.
Result<replay::ReplayResult> replayed(const Request& request, const traces::Trace& trace) {
  if (!request.to) return replay::replay(trace, request.args);
  replay::TimeSpool times(trace.definitions.ranks.size(), trace.first);
  auto result = replay::replay(trace, request.args, &times);
  if (auto error = traces::rewrite_otf2(request.trace, *request.to, times))
    return {*std::move(error)};
  return result;
}

int run(const Request& request, const Diagnostics& diagnostics) {
  const auto trace = traces::read_otf2(request.trace);
  if (!trace) return diagnostics.fail(trace.errors());
  const auto result = replayed(request, *trace);
  if (!result) return diagnostics.fail(result.errors());
  reports::ReplayReport report;
  report.provenance = reports::plain_provenance(request.command);
  report.trace = request.trace;
  report.hypothesis = request.hypothesis_path;
  report.model = request.args.loggp ? "loggp" : "recorded";
  report.notes = trace->notes;
  report.written = request.to.value_or("");
  return write_document(reports::replay_document(report, trace->definitions, *result),
                        request.document, diagnostics);
}

}  // namespace

std::string replay_help() {
  std::string text = "Usage: sim replay TRACE [OPTION]...\n\n";
  for (const auto& line : reports::wrap(
           "Replays the trace of a parallel program (OTF2: of Score-P, EZTrace, ...), changed as "
           "an "
           "optimisation would change it, and tells what that would bring: the end, wait states by "
           "call path as Scalasca defines them, before and after, and the new trace.",
           reports::page_width))
    text += line + '\n';
  return text + options_help(specs);
}

int replay_command(const Arguments& arguments, Diagnostics& diagnostics) {
  const auto parsed = parse_options(specs, arguments);
  if (!parsed) return diagnostics.fail(parsed.errors());
  if (parsed->has("--help")) return print(replay_help(), diagnostics);
  if (parsed->has("--quiet")) diagnostics.be_quiet();
  const auto request = Reading(*parsed).read();
  if (!request) return diagnostics.fail(request.errors());
  return run(*request, diagnostics);
}

}  // namespace tutti::commands
