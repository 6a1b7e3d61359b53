// SPDX-License-Identifier: BSD-3-Clause
// What commands that simulate on one machine have in common.
#pragma once

#include <string>
#include <utility>

#include "sim/options/machine_request.hpp"
#include "sim/options/option_table.hpp"
#include "sim/options/shared_options.hpp"

namespace tutti::commands {

struct JobRequest : options::MachineRequest {
  bool force = false;   // memory and limits are not looked at
  std::string command;  // reproduces the result
};

// --platform and --set.
inline options::OptionTable<options::MachineRequest> machine_options() {
  using Table = options::OptionTable<options::MachineRequest>;
  return Table{{options::shared::platform}, {options::shared::set}}.then(
      &options::OptionReader::read_machine);
}

// What is given for the options of a command that has no arguments; `request` has the defaults.
template <class Request>
Result<Request> request_of(const options::OptionValues& parsed,
                           const options::OptionTable<Request>& table, const std::string& command,
                           Request request = {}) {
  options::OptionReader reader(parsed);
  reader.refuse_arguments();
  table.read(reader, request);
  if (!reader.errors().empty()) return reader.errors().errors();
  request.command = "sim " + command + reproducing_options(table, parsed);
  return request;
}

}  // namespace tutti::commands
