// SPDX-License-Identifier: BSD-3-Clause
// What `sim fit platform` reads: files of measured times.
#pragma once

#include <string>
#include <vector>

#include "sim/commands/diagnostics.hpp"
#include "sim/commands/options.hpp"
#include "sim/reports/fit_check_report.hpp"
#include "sim/studies/fit/collective_table.hpp"
#include "sim/studies/fit/pair_table.hpp"
#include "sim/studies/fit/sharing.hpp"

namespace tutti::commands {

// The option --only.
Result<studies::OnlyRows> only_rows(const Parsed& parsed);

// The file's name before errors that have none.
std::vector<Error> in_file(std::vector<Error> errors, const std::string& file);

Result<std::vector<studies::PairMeasurement>> pairs_in(const std::vector<std::string>& files,
                                                       const studies::OnlyRows& only);
Result<std::vector<studies::MeasuredCollective>> collectives_in(
    const std::vector<std::string>& files, const studies::OnlyRows& only);

Result<std::vector<studies::SharedTime>> shared_in(const std::vector<std::string>& files,
                                                   const studies::OnlyRows& only);

// Beside what the machine makes of them.
Result<std::vector<reports::CheckedTime>> checked_collectives(
    const std::vector<studies::MeasuredCollective>& measured, const platforms::Machine& machine);

// `sim fit platform --check`.
int run_fit_check(const Parsed& parsed, const Diagnostics& diagnostics);

}  // namespace tutti::commands
