// SPDX-License-Identifier: BSD-3-Clause
// The output formats of commands. The words of the option --format are the formats of a command;
// the first word is the default.
#pragma once

#include "sim/base/common.hpp"
#include "sim/commands/options.hpp"
#include "sim/reports/report.hpp"

namespace tutti::commands {

// Formats of every report. Some commands support more: osu, Open MPI's rules.
inline constexpr OptionSpec document_format = taking(
    "text csv json jsonl md",
    job_option::output_row("--format", "FORMAT", "Format: text (default), csv, json, jsonl, md"));
inline constexpr OptionSpec osu_format =
    taking("text csv json jsonl md osu",
           job_option::output_row("--format", "FORMAT",
                                  "Format: text (default), csv, json, jsonl, md, osu"));
// Formats of commands that write data for other programs.
inline constexpr OptionSpec export_format = taking(
    "csv text json jsonl md",
    job_option::output_row("--format", "FORMAT", "Format: csv (default), text, json, jsonl, md"));

// The format given by --format, otherwise by the extension of --output, otherwise the default.
// Errors: a format that the row does not contain.
Result<std::string> chosen_format(const OptionValues& parsed, const OptionSpec& row);

}  // namespace tutti::commands
