// SPDX-License-Identifier: BSD-3-Clause
// sim rules: rules files of MPI libraries. This header declares what the subcommands share.
#pragma once

#include "algorithms/rules_files/rules_file.hpp"
#include "sim/base/common.hpp"
#include "sim/commands/command.hpp"
#include "sim/commands/job_request.hpp"
#include "sim/commands/output.hpp"

namespace tutti::commands {

extern const Subcommand rules_lint;
extern const Subcommand rules_convert;
extern const Subcommand rules_diff;

// The file of the command, and how to read it.
struct RulesFileRequest {
  std::string path;
  algorithms::rules_files::RulesFile rules;

  std::optional<algorithms::rules_files::Format> format;    // unset: recognized
  std::optional<algorithms::rules_files::Library> library;  // unset: the default of the format
};
options::OptionTable<RulesFileRequest> rules_file_options();

}  // namespace tutti::commands
