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

enum class Words : unsigned char { none, files };

// What is given to a command, into a request that has the defaults.
template <class Request>
Result<Request> request_of(const options::OptionValues& parsed,
                           const options::OptionTable<Request>& table, std::string command,
                           Words words = Words::none) {
  options::OptionReader reader(parsed);
  Request request;
  if (words == Words::none) reader.refuse_arguments();
  table.read(reader, request);
  if (!reader.errors().empty()) return reader.errors().errors();
  for (const auto& word : parsed.arguments) command += ' ' + shell_quoted(word);
  request.command = "sim " + command + reproducing_options(table, parsed);
  return request;
}

}  // namespace tutti::commands
