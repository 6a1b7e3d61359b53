// SPDX-License-Identifier: BSD-3-Clause
#include "sim/studies/workloads/pair_options.hpp"

#include "sim/options/shared_options.hpp"
#include "sim/studies/loggp_measurement.hpp"

namespace tutti::studies {
namespace {

namespace shared = options::shared;
using engines::EngineKind;
using options::bytes_axis;
using options::OptionReader;
using options::under;
using options::within;

constexpr std::string_view messages_group = "The messages";
constexpr std::int64_t most_window = 1'000'000;
constexpr options::AxisKind window_axis{parse_integer, 1, most_window};

constexpr options::OptionSpec between_option{
    shared::machine, "--between", "A,B",
    "Two nodes by name or number (from 0); the same node twice: inside it"};
constexpr options::OptionSpec engine_option = options::taking(
    "auto flow simgrid",
    {shared::machine, "--engine", "NAME",
     "Simulation engine: flow (default, also auto) or simgrid; both give the same times"});

// Reads a timed engine into `place`, an EngineKind of the request.
template <class Place>
auto timed_engine(Place place) {
  return [place](OptionReader& read, std::string_view option, auto& request) {
    const auto kind = read.read_engine_name().value_or(EngineKind::flow);
    if (kind == EngineKind::ideal)
      read.wrong(std::string(option), "engine ideal is untimed", "use engine flow or simgrid");
    std::invoke(place, request) = kind;
  };
}

// Reads names of paths without duplicates.
std::vector<std::string> paths_of(OptionReader& read, std::string_view option) {
  return read.names_of(option, "", {std::string(inter_path), std::string(intra_path)});
}

void paths(OptionReader& read, std::string_view option, PingPongRequest& request) {
  request.sweep.paths = paths_of(read, option);
}

void one_path(OptionReader& read, std::string_view option, LogGPRequest& request) {
  const auto names = paths_of(read, option);
  if (names.size() > 1)
    read.wrong(std::string(option), "expected a single value",
               fmt::format("use one of {}", fmt::join(names, ", ")));
  if (!names.empty()) request.nodes.path = names.front();
}

constexpr auto pair_swept = under(&PingPongRequest::sweep);

const options::OptionTable<PingPongRequest> ping_pong_table{
    shared::platforms,
    shared::set,
    shared::background,
    {between_option, options::text(pair_swept(&PingPongSweep::between))},
    {shared::machine, "--path", "NAMES",
     "Paths: inter (default, between the first two nodes), intra (between two processes of the "
     "first node)"
     "\n`inter`, the default, uses the first two nodes, `intra` two processes of the first; "
     "`pingpong` accepts both.",
     options::takes("inter intra"), paths},
    {engine_option, timed_engine(pair_swept(&PingPongSweep::engine))},
    {messages_group, "--pattern", "NAMES",
     "Patterns: pingpong (default, half a round trip), bidirectional (both send at once), stream "
     "(a window of messages, then a reply), all"
     "\n`pingpong`, the default: half of the round trip of a message, as in NetPIPE and "
     "osu_latency. `bidirectional`: both send at once (MPI_Sendrecv), until both have received; "
     "the bandwidth counts both directions. `stream`: a window of non-blocking sends and a reply "
     "of 4 bytes, as in osu_bw; the time per message. `all`: all patterns.",
     options::takes("pingpong bidirectional stream all")},
    {messages_group, "--message-size", "SIZES", "Message sizes; default: 1:1MiB",
     options::list(bytes_axis, pair_swept(&PingPongSweep::sizes))},
    {messages_group, "--perturbation", "SIZE",
     "Also measure each message size minus and plus this size, as NetPIPE does (with 3 bytes by "
     "default)"
     "\nAlso measure each message size minus and plus this size, as NetPIPE does with 3 bytes.",
     options::one(bytes_axis, pair_swept(&PingPongSweep::perturbation))},
    {messages_group, "--window", "N",
     "Number of messages of a stream in flight at once; default: 64",
     options::list(window_axis, pair_swept(&PingPongSweep::windows))},
};

const options::OptionTable<LogGPRequest> loggp_table{
    shared::platform,
    shared::set,
    shared::background,
    {between_option, options::text(within(&LogGPRequest::nodes, &PairRequest::between))},
    {shared::machine, "--path", "NAME",
     "Path: inter (default, between the first two nodes), intra (between two processes of the "
     "first node)",
     options::takes("inter intra"), one_path},
    {engine_option, timed_engine(&LogGPRequest::engine)},
    {messages_group, "--message-size", "SIZES", "Message sizes; default: 1:1MiB",
     options::list(bytes_axis, &LogGPRequest::sizes)},
};

void one_workload(OptionReader& read) {
  const auto& words = read.values().arguments;
  if (words.size() > 1)
    read.wrong("", fmt::format("unexpected argument {}", in_quotes(words[1])),
               "name one workload only");
}

void read_patterns(OptionReader& read, PingPongSweep& sweep) {
  using workloads::PingPongPattern;
  const auto& names = workloads::ping_pong_patterns;
  for (const auto& name :
       read.names_of("--pattern", "pingpong", {names.begin(), names.end()}, true))
    sweep.patterns.push_back(*workloads::ping_pong_pattern(name));
  if (read.values().has("--window") &&
      std::ranges::find(sweep.patterns, PingPongPattern::stream) == sweep.patterns.end())
    read.wrong("--window", "applies to pattern stream only", "add --pattern stream");
}

}  // namespace

const options::OptionTable<PingPongRequest>& ping_pong_options() { return ping_pong_table; }
const options::OptionTable<LogGPRequest>& loggp_options() { return loggp_table; }

void read_ping_pong(OptionReader& reader, PingPongRequest& request) {
  request.sweep.sizes = loggp_sizes();
  request.sweep.windows = {workloads::PingPong{}.window};
  one_workload(reader);
  reader.read_machine(request);
  ping_pong_table.read(reader, request);
  read_patterns(reader, request.sweep);
}

void read_loggp(OptionReader& reader, LogGPRequest& request) {
  request.sizes = loggp_sizes();
  one_workload(reader);
  reader.read_machine(request);
  loggp_table.read(reader, request);
}

}  // namespace tutti::studies
