// SPDX-License-Identifier: BSD-3-Clause
// The subcommands of `sim guidelines`, which compare collectives with their mock-ups, and what they
// share: options, checks before the simulations, and profile files.
#pragma once

#include "sim/base/common.hpp"
#include "sim/commands/command.hpp"
#include "sim/commands/job_request.hpp"
#include "sim/commands/output.hpp"
#include "sim/commands/point_run.hpp"
#include "sim/guidelines/tuning.hpp"
#include "sim/options/option_table.hpp"

namespace tutti::commands {

extern const Subcommand guidelines_check;
extern const Subcommand guidelines_tune;

inline constexpr std::string_view guidelines_checked = "Guidelines";

struct GuidelinesRequest : JobRequest {
  studies::guidelines::Spec spec;  // its selection is set by checked_settings
  std::string selection = "auto";
  studies::guidelines::Thresholds thresholds;
  int jobs = default_jobs();
  std::vector<std::string> warnings = {};

  GuidelinesRequest();
};

using GuidelinesOptions = options::OptionTable<GuidelinesRequest>;

// Functions instead of objects, because tables of other files use them before main.
const GuidelinesOptions& guidelines_job_options();
GuidelinesOptions guidelines_check_options();  // which collectives, mock-ups and sizes
GuidelinesOptions check_only_options();        // of `check`: tuned profiles have chunks of 4
GuidelinesOptions replaceable_option();
const GuidelinesOptions& guidelines_measuring_options();
GuidelinesOptions guidelines_jobs_option();

// Creates a folder for profiles if it does not exist. Fails if it is not writable, or already
// contains profiles.
std::optional<Error> make_profiles_folder(const std::string& folder, const OptionValues& parsed);

// The calls to compare on this machine. Fails if none are left, or if they do not fit the machine
// or the memory. Sets the selection of `request` and adds warnings to it.
Result<std::vector<studies::guidelines::Setting>> checked_settings(
    GuidelinesRequest& request, const platforms::Machine& machine);

// Writes a file per profile, and returns their names. `make_notes` makes the comments at the head
// of each.
Result<std::vector<std::string>> write_profiles(
    studies::guidelines::Profiles profiles, const std::string& folder,
    const std::function<std::vector<std::string>(const studies::guidelines::Profile&)>& make_notes);

}  // namespace tutti::commands
