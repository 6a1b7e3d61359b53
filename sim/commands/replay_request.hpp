// SPDX-License-Identifier: BSD-3-Clause
// What `sim replay` and its subcommands share: the traces, what is changed, the model, the report.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "sim/commands/job_options.hpp"
#include "sim/commands/job_specs.hpp"
#include "sim/commands/report_output.hpp"
#include "sim/commands/trace_options.hpp"
#include "sim/studies/replay/replay.hpp"

namespace tutti::commands {

namespace replay_option {
inline constexpr std::string_view changed = "What is changed";
inline constexpr std::string_view how = "How it is replayed";
inline constexpr OptionSpec hypothesis{
    changed, "--hypothesis", "FILE",
    "TOML: [[scale]], [[balance]], [[cut]]; default: nothing, and every time stays"};
inline constexpr OptionSpec cpu_factor{changed, "--cpu-factor", "FACTOR",
                                       "of all computation; default: 1"};
inline constexpr OptionSpec model{
    how, "--model", "NAME",
    "recorded (default): calls end as long after what they depend on as in the trace; loggp: "
    "after L, o, G and a constant for each collective. Both without contention"};
inline constexpr OptionSpec loggp{
    how, "--loggp", "FILE", "TOML: [loggp] L, o, G, call_gap; [collective] default, bcast, ..."};

inline constexpr std::array of_change{hypothesis, cpu_factor};
inline constexpr std::array of_model{model, loggp};
inline constexpr std::array of_report{report_option,     part_option,       document_format,
                                      job_option::color, job_option::quiet, job_option::help};
}  // namespace replay_option

struct ReplayRequest {
  std::vector<TraceRequest> traces;
  std::string hypothesis_path;
  studies::replay::ReplayArgs args;
  std::string model = "recorded";
  ReportOutputs outputs;
  std::string command;
};

class ReplayReading : protected JobReading {
 protected:
  ReplayReading(const Parsed& parsed, ReplayRequest& request)
      : JobReading(parsed), common_(request) {}

  // As many as `example` names.
  void read_traces(std::size_t count, const std::string& example);
  void read_change();
  void read_model();
  void read_report(const std::vector<std::string>& parts);
  // `command`: "sim replay".
  void set_command(const std::string& command, std::span<const OptionSpec> specs);

 private:
  ReplayRequest& common_;
};

}  // namespace tutti::commands
