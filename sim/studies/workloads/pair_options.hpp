// SPDX-License-Identifier: BSD-3-Clause
// The request of `sim run pingpong`, and options of all measurements between two nodes.
#pragma once

#include "sim/base/common.hpp"
#include "sim/jobs/ping_pong_record.hpp"
#include "sim/options/option_table.hpp"
#include "sim/options/shared_options.hpp"

namespace tutti::studies {

struct PingPongRequest : options::MachineRequest {
  PingPongSweep sweep;
};

// Each row of the table declares an option and binds it to the request.
const options::OptionTable<PingPongRequest>& ping_pong_options();

// Reports all errors to the reader.
void read_ping_pong(options::OptionReader& reader, PingPongRequest& request);

// Reads the names of --path without duplicates.
std::vector<std::string> read_paths(options::OptionReader& read, std::string_view option);

}  // namespace tutti::studies

namespace tutti::studies::pair_option {

inline constexpr std::string_view messages = "The messages";

inline constexpr options::OptionSpec between{
    options::shared::machine, "--between", "A,B",
    "Two nodes by name or number (from 0); the same node twice: inside it"};
inline constexpr options::OptionSpec engine = options::taking(
    "auto flow simgrid",
    {options::shared::machine, "--engine", "NAME",
     "Simulation engine: flow (default, also auto) or simgrid; both give the same times"});

// Reads a timed engine into `place`, an EngineKind of the request.
template <class Place>
auto timed_engine(Place place) {
  return [place](options::OptionReader& read, std::string_view option, auto& request) {
    const auto kind = read.read_engine_name().value_or(engines::EngineKind::flow);
    if (kind == engines::EngineKind::ideal)
      read.wrong(std::string(option), "engine ideal is untimed", "use engine flow or simgrid");
    std::invoke(place, request) = kind;
  };
}

}  // namespace tutti::studies::pair_option
