// SPDX-License-Identifier: BSD-3-Clause
// What `sim replay` and its subcommands share: the traces, what is changed, the model, the report.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "sim/commands/replay_model.hpp"
#include "sim/commands/report_output.hpp"
#include "sim/commands/trace_options.hpp"

namespace tutti::commands {

namespace replay_option {
inline constexpr std::string_view changed = "What is changed";
inline constexpr OptionSpec hypothesis{
    changed, "--hypothesis", "FILE",
    "TOML: [[scale]], [[balance]], [[cut]], [[replace]]; or a configuration "
    "of SILAS; default: nothing, and every "
    "time stays"};
inline constexpr OptionSpec cpu_factor{changed, "--cpu-factor", "FACTOR",
                                       "of all computation; default: 1"};
inline constexpr OptionSpec causes{
    "What is looked at", "--causes", "",
    "also the critical path, and what waits cost by whose delays they come from; slower"};
inline constexpr std::array of_change{hypothesis, cpu_factor};
inline constexpr std::array of_report{report_option,     part_option,       document_format,
                                      job_option::color, job_option::quiet, job_option::help};
}  // namespace replay_option

struct ReplayRequest {
  std::vector<TraceRequest> traces;
  std::string hypothesis_path;
  studies::replay::ReplayArgs args;
  ReplayModelRequest model;
  ReportOutputs outputs;
  std::string command;
};

class ReplayReading : protected ReplayModelReading {
 protected:
  ReplayReading(const Parsed& parsed, ReplayRequest& request)
      : ReplayModelReading(parsed), common_(request) {}

  // As many as `example` names; none of their files is written.
  void read_traces(std::size_t count, const std::string& example);
  void read_change();
  // Traces without times want a model that knows what calls take.
  void read_model();
  // For what such traces cannot be asked.
  void refuse_without_times(const std::string& option, const std::string& message,
                            const std::string& hint);
  void read_report(const std::vector<std::string>& parts);
  // `command`: "sim replay".
  void set_command(const std::string& command, std::span<const OptionSpec> specs);

 private:
  ReplayRequest& common_;
};

}  // namespace tutti::commands
