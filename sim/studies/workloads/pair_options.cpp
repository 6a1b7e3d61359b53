// SPDX-License-Identifier: BSD-3-Clause
#include "sim/studies/workloads/pair_options.hpp"

#include "sim/options/shared_options.hpp"
#include "sim/studies/workloads/pair_options.help.hpp"

namespace tutti::studies {
namespace {

namespace shared = options::shared;
using options::bytes_axis;
using options::OptionReader;
using options::under;

constexpr std::int64_t most_window = 1'000'000;
constexpr options::AxisKind window_axis{parse_integer, 1, most_window};

void paths(OptionReader& read, std::string_view option, PingPongRequest& request) {
  request.sweep.paths = read_paths(read, option);
}

constexpr auto pair_swept = under(&PingPongRequest::sweep);

const options::OptionTable<PingPongRequest> ping_pong_table{
    shared::platforms,
    shared::set,
    shared::background,
    {pair_option::between, options::text(pair_swept(&PingPongSweep::between))},
    {shared::machine, "--path", "NAMES", texts::pair_options["--path"],
     options::takes("inter intra"), paths},
    {pair_option::engine, pair_option::timed_engine(pair_swept(&PingPongSweep::engine))},
    {pair_option::messages, "--pattern", "NAMES", texts::pair_options["--pattern"],
     options::takes("pingpong bidirectional stream all")},
    {pair_option::messages, "--message-size", "SIZES", "Message sizes; default: 1:1MiB",
     options::list(bytes_axis, pair_swept(&PingPongSweep::sizes))},
    {pair_option::messages, "--perturbation", "SIZE", texts::pair_options["--perturbation"],
     options::number(bytes_axis, pair_swept(&PingPongSweep::perturbation))},
    {pair_option::messages, "--window", "N",
     "Number of messages of a stream in flight at once; default: 64",
     options::list(window_axis, pair_swept(&PingPongSweep::windows))},
};

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

std::vector<std::string> read_paths(OptionReader& read, std::string_view option) {
  return read.names_of(option, "", {std::string(inter_path), std::string(intra_path)});
}

const options::OptionTable<PingPongRequest>& ping_pong_options() { return ping_pong_table; }

void read_ping_pong(OptionReader& reader, PingPongRequest& request) {
  request.sweep.sizes = pair_sizes();
  request.sweep.windows = {workloads::PingPong{}.window};
  reader.reject_more_words();
  reader.read_machine(request);
  ping_pong_table.read(reader, request);
  read_patterns(reader, request.sweep);
}

}  // namespace tutti::studies
