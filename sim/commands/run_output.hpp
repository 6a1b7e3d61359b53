// SPDX-License-Identifier: BSD-3-Clause
// What the workloads of `sim run` are asked about their output, and how points are run.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "sim/commands/point_run.hpp"
#include "sim/options/option_table.hpp"
#include "sim/reports/report.hpp"
#include "sim/studies/inside.hpp"

namespace tutti::commands {

struct RunOutput {
  reports::Format format = reports::Format::text;
  std::optional<std::string> output;  // unset: standard output
  // CSV files beside the report.
  std::optional<std::string> traffic;
  std::optional<std::string> ranks;
  std::optional<std::string> links;
  std::optional<std::string> histogram;
  std::optional<std::string> aggregator_times;
  std::optional<std::string> trace;
  std::vector<engines::RankRange> traced;  // by --trace-ranks; empty: the default
  bool critical_path = false;
  bool with_cost = true;
  bool verbose = false;
  int jobs = default_jobs();

  studies::InsideRequest inside() const;
};

// Rows of the tables of workloads, each bound to the output.
namespace run_output {
extern const options::Option<RunOutput> output_file, traffic, ranks, links, histogram,
    aggregator_times, trace, trace_ranks, critical_path, no_cost, verbose, jobs;
options::OptionSpec format(std::string_view formats);
}  // namespace run_output

// Reads the rows of `table`, then what they mean together, of jobs with these numbers of processes.
void read_run_output(options::OptionReader& reader, const options::OptionTable<RunOutput>& table,
                     const std::vector<std::int64_t>& procs, RunOutput& output);

// The first option that is for a single point; null: there is none.
const char* single_point_option(const RunOutput& output);

// What an option asks for that is for one of so many points.
std::vector<Error> single_point_only(const char* option, std::size_t points);

}  // namespace tutti::commands
