// SPDX-License-Identifier: BSD-3-Clause
#include "sim/commands/pair_options.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "sim/base/quote.hpp"
#include "sim/base/suggest.hpp"
#include "sim/commands/job_options.hpp"
#include "sim/commands/job_specs.hpp"
#include "sim/studies/loggp_measurement.hpp"

namespace tutti::commands {
namespace {

using engines::EngineKind;
using job_option::output_row;

constexpr std::string_view messages_group = "The messages";
constexpr std::int64_t most_window = 1'000'000;
constexpr studies::AxisKind window_axis{parse_integer, 1, most_window};

constexpr OptionSpec between_option{
    job_option::machine, "--between", "A,B",
    "two nodes, by name or number (from 0); the same twice: inside it"};
constexpr OptionSpec engine_option{job_option::machine, "--engine", "NAME",
                                   "flow (default, as is auto), or simgrid: the same times"};

constexpr OptionSpec of_ping_pong[] = {
    job_option::platform,
    job_option::set,
    between_option,
    {job_option::machine, "--path", "NAMES",
     "inter (default): the first two nodes; intra: two processes of the first node"},
    engine_option,
    {messages_group, "--pattern", "NAMES",
     "pingpong (default): half of a round trip; bidirectional: both send at once; stream: a window "
     "of messages, then an answer; all"},
    {messages_group, "--message-size", "SIZES", "default: 1:1MiB"},
    {messages_group, "--perturbation", "SIZE",
     "also messages that are so much smaller and larger, as NetPIPE does (its default is 3)"},
    {messages_group, "--window", "N",
     "messages of a stream that are on their way at once; default: 64"},
    output_row("--format", "FORMAT", "text (default), csv, json, jsonl, osu, md"),
    job_option::output_file,
    job_option::no_cost,
    job_option::color,
    job_option::quiet,
    job_option::help,
};

constexpr OptionSpec of_loggp[] = {
    job_option::platform,
    job_option::set,
    between_option,
    {job_option::machine, "--path", "NAME",
     "inter (default): the first two nodes; intra: two processes of the first node"},
    engine_option,
    {messages_group, "--message-size", "SIZES", "default: 1:1MiB"},
    output_row("--format", "FORMAT",
               "text (default), csv, json, jsonl, md; props: the measured set as <prop> lines of a "
               "platform file; options: as --set options"),
    job_option::output_file,
    job_option::no_cost,
    job_option::color,
    job_option::quiet,
    job_option::help,
};

class PairReading : protected JobReading {
 protected:
  using JobReading::JobReading;

  void read_common(JobRequest& request) {
    if (parsed_.arguments.size() > 1)
      wrong("",
            fmt::format("one workload at a time: what is {}?", in_quotes(parsed_.arguments[1])));
    read_machine(request);
    read_output_files(request);
  }

  std::optional<std::string> read_between() const {
    return parsed_.has("--between") ? std::optional(parsed_.value("--between")) : std::nullopt;
  }

  std::vector<std::string> read_paths() {
    if (!parsed_.has("--path")) return {};
    return names_of("--path", "",
                    {std::string(studies::inter_path), std::string(studies::intra_path)});
  }

  std::vector<Bytes> read_sizes() {
    std::vector<Bytes> sizes = studies::loggp_sizes();
    read_axis("--message-size", bytes_axis, sizes);
    return sizes;
  }

  EngineKind read_engine() {
    const auto kind = read_engine_name().value_or(EngineKind::flow);
    if (kind == EngineKind::ideal)
      wrong("--engine", "ideal has no time", "take engine flow or simgrid");
    return kind;
  }
};

class PingPongReading : private PairReading {
 public:
  explicit PingPongReading(const Parsed& parsed) : PairReading(parsed) {}

  Result<PingPongRequest> read() {
    studies::PingPongSweep& sweep = request_.sweep;
    read_common(request_);
    sweep.between = read_between();
    sweep.paths = read_paths();
    sweep.engine = read_engine();
    sweep.sizes = read_sizes();
    read_patterns();
    std::vector<std::int64_t> perturbation{0};
    read_axis("--perturbation", bytes_axis, perturbation);
    if (perturbation.size() > 1) wrong("--perturbation", "takes one value");
    sweep.perturbation = perturbation.front();
    request_.format = read_format(request_.output);
    if (!errors_.empty()) return errors_.errors();
    request_.command =
        fmt::format("sim run pingpong{}", reproducing_options(ping_pong_specs(), parsed_));
    return std::move(request_);
  }

 private:
  void read_patterns() {
    using workloads::PingPongPattern;
    studies::PingPongSweep& sweep = request_.sweep;
    const auto& names = workloads::ping_pong_patterns;
    for (const auto& name : names_of("--pattern", "pingpong", {names.begin(), names.end()}, true))
      sweep.patterns.push_back(*workloads::ping_pong_pattern(name));
    if (parsed_.has("--window") &&
        std::ranges::find(sweep.patterns, PingPongPattern::stream) == sweep.patterns.end())
      wrong("--window", "is for streams", "add --pattern stream");
    sweep.windows = {workloads::PingPong{}.window};
    read_axis("--window", window_axis, sweep.windows);
  }

  PingPongRequest request_;
};

class LogGPReading : private PairReading {
 public:
  explicit LogGPReading(const Parsed& parsed) : PairReading(parsed) {}

  Result<LogGPRequest> read() {
    read_common(request_);
    request_.nodes.between = read_between();
    const auto paths = read_paths();
    if (paths.size() > 1) wrong("--path", "takes one value");
    if (!paths.empty()) request_.nodes.path = paths.front();
    request_.engine = read_engine();
    request_.sizes = read_sizes();
    read_form();
    if (!errors_.empty()) return errors_.errors();
    request_.command = fmt::format("sim run loggp{}", reproducing_options(loggp_specs(), parsed_));
    return std::move(request_);
  }

 private:
  void read_form() {
    const std::string form = value_of("--format", "");
    if (form == "props" || form == "options") {
      request_.set_as = form == "props" ? LogGPRequest::SetAs::props : LogGPRequest::SetAs::options;
      return;
    }
    request_.format = read_format(request_.output);
    if (request_.format == reports::Format::osu)
      wrong("--format", "osu prints latencies of messages",
            "take --format csv, or sim run pingpong");
  }

  LogGPRequest request_;
};

}  // namespace

std::span<const OptionSpec> ping_pong_specs() { return of_ping_pong; }
std::span<const OptionSpec> loggp_specs() { return of_loggp; }

Result<PingPongRequest> read_ping_pong(const Parsed& parsed) {
  return PingPongReading(parsed).read();
}

Result<LogGPRequest> read_loggp(const Parsed& parsed) { return LogGPReading(parsed).read(); }

}  // namespace tutti::commands
