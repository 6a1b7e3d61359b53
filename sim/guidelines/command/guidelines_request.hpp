// SPDX-License-Identifier: BSD-3-Clause
// What the subcommands of `sim guidelines` share: options, checks before they start, profiles.
#pragma once

#include "sim/base/common.hpp"
#include "sim/commands/job_request.hpp"
#include "sim/commands/output.hpp"
#include "sim/commands/point_run.hpp"
#include "sim/guidelines/tuning.hpp"
#include "sim/options/option_table.hpp"

namespace tutti::commands {

inline constexpr std::string_view guidelines_checked = "What is checked";

struct GuidelinesRequest : JobRequest {
  studies::guidelines::Spec spec;  // but the selection
  std::string selection = "auto";
  studies::guidelines::Thresholds thresholds;
  int jobs = default_jobs();
  std::vector<std::string> warnings = {};

  GuidelinesRequest();
};

using GuidelinesOptions = options::OptionTable<GuidelinesRequest>;

// Made when they are asked for: tables of other files need them before main.
const GuidelinesOptions& guidelines_job_options();
GuidelinesOptions guidelines_check_options();  // which collectives, mock-ups and sizes
GuidelinesOptions violated_option();
GuidelinesOptions replaceable_option();
const GuidelinesOptions& guidelines_measuring_options();
GuidelinesOptions guidelines_jobs_option();

// A folder of profiles, made if it is not there. Errors: it cannot be written, or has profiles.
std::optional<Error> make_profiles_folder(const std::string& folder, const OptionValues& parsed);

// What is compared on this machine. An error if nothing is left to compare, or it does not fit the
// machine or the memory. `request` gets the selection, and all warnings.
Result<std::vector<studies::guidelines::Setting>> checked_settings(
    GuidelinesRequest& request, const platforms::Machine& machine);

// The files' names. `notes_of`: what stands at the head of each.
Result<std::vector<std::string>> write_profiles(
    studies::guidelines::Profiles profiles, const std::string& folder,
    const std::function<std::vector<std::string>(const studies::guidelines::Profile&)>& notes_of);

}  // namespace tutti::commands
