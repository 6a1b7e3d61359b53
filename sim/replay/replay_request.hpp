// SPDX-License-Identifier: BSD-3-Clause
// The options of a replay: the traces, the changes, the model.
#pragma once

#include "sim/base/common.hpp"
#include "sim/options/option_table.hpp"
#include "sim/options/shared_options.hpp"
#include "sim/replay/on_platform.hpp"
#include "sim/replay/trace_options.hpp"

namespace tutti::studies {

// The model with which `sim replay` and its subcommands replay a trace, and the machine of the
// model `platform`.

namespace replay_option {
inline constexpr std::string_view how = "Replay model";
inline constexpr options::OptionSpec model = options::taking(
    "recorded loggp platform",
    {how, "--model", "NAME",
     "Replay model: recorded (default): calls end as long after their causes as in the trace; "
     "loggp: times from --loggp; platform: simulated on --platform"
     "\nReplay model. recorded (default): calls end as long after their latest cause as in the "
     "trace. loggp: times from L, o, G and a constant per collective. Both ignore contention. "
     "platform: messages and collectives are simulated on a machine."});
inline constexpr options::OptionSpec loggp{
    how, "--loggp", "FILE",
    "LogGP parameters (TOML): [loggp] L, o, G, call_gap; [collective] default, bcast, ..."};
inline constexpr std::string_view machine = "Machine of --model platform";
inline constexpr options::OptionSpec platform = options::taking(
    options::platform_names,
    {machine, "-p,--platform", "NAME", "A SimGrid XML file, or a name from `sim list platforms`"});
inline constexpr options::OptionSpec set{machine, "--set", "KEY=VALUE",
                                         "Override a parameter, as in mpi/eager_limit=12KiB", true};
inline constexpr options::OptionSpec background = options::taking(
    options::shared::background_words,
    {machine, "--background", "TRAFFIC", "Traffic of other jobs, as for `sim run`"});
inline constexpr options::OptionSpec ppn{machine, "--ppn", "N",
                                         "Ranks per node; default: the platform's, else all cores"};
inline constexpr options::OptionSpec map = options::shared::in_group(machine, options::shared::map);
inline constexpr options::OptionSpec nodes =
    options::shared::in_group(machine, options::shared::nodes);
inline constexpr options::OptionSpec allocation =
    options::shared::in_group(machine, options::shared::allocation);
inline constexpr options::OptionSpec oversubscribe{machine, "--oversubscribe", "",
                                                   "Allow more ranks than cores"};
inline constexpr options::OptionSpec selection = options::taking(
    options::shared::selection_words,
    {machine, "--selection", "HOW",
     "Algorithm selection: auto (Open MPI 4.1), auto:ompi-3.1, auto:rules=FILE, smpi; then "
     "hardware, COLLECTIVE=ALGORITHM"
     "\nAlgorithm selection: auto (default: Open MPI 4.1), auto:ompi-3.1, auto:rules=FILE, or smpi "
     "(default for time-independent traces on platforms of SMPI: its default algorithms, or those "
     "that the platform's keys smpi/coll-selector and smpi/COLLECTIVE name); then hardware, "
     "COLLECTIVE=ALGORITHM."});
inline constexpr options::OptionSpec contention =
    options::taking(options::shared::contention_words,
                    {machine, "--contention", "WHEN",
                     "Contention: on (default), off, private, pooled, as for `sim run`"});
}  // namespace replay_option

struct ReplayModelRequest {
  std::string name = "recorded";
  std::optional<replay::LogGP> loggp;
  options::MachineRequest machine;  // of the model `platform`
  platforms::PlacementRequest placement;
  std::string selection;     // empty: the default
  bool is_ti_trace = false;  // replayed as by SMPI on its platforms
  engines::Contention contention = engines::Contention::on;
};

// The machine that the model `platform` simulates. For a time-independent trace on a platform of
// SMPI, message parameters that the platform lacks are SMPI's.
struct ReplayMachine {
  std::shared_ptr<const platforms::Machine> machine;
  platforms::Placement placement;
  replay::ReplaySelection selection;
  std::vector<std::string> warnings;
};
using replay::MachineLoader;
// Prepares the machine for a trace of `ranks` ranks.
Result<ReplayMachine> prepare_machine(const ReplayModelRequest& request, std::size_t ranks,
                                      const MachineLoader& load);

// A model that is ready to replay traces.
class ReplayModel {
 public:
  // `ranks` is the number of ranks of the trace. Errors: an invalid machine, or one that the ranks
  // do not fit on.
  static Result<ReplayModel> make(const ReplayModelRequest& request, std::size_t ranks);

  // Warnings about the machine and the algorithm selection.
  std::vector<std::string> warnings() const {
    return simulated_ ? simulated_->warnings : std::vector<std::string>();
  }

  // The speed of each rank's core: `given`, otherwise that of its host; 1 Gf if there is neither.
  CoreSpeeds core_speeds(std::optional<double> given, std::size_t ranks) const;

  Result<replay::ReplayResult> run(const workloads::traces::Trace& trace, replay::ReplayArgs args,
                                   replay::ReplaySink* sink = nullptr) const;
  // The trace and this model must outlive the result.
  replay::Replayer replayer(const workloads::traces::Trace& trace) const {
    return [this, &trace](const replay::ReplayArgs& args, replay::ReplaySink* sink) {
      return run(trace, args, sink);
    };
  }
  // "recorded", "loggp", "platform juqueen, 16 ranks per node".
  std::string name() const;

 private:
  std::optional<replay::LogGP> loggp_;
  engines::Contention contention_ = engines::Contention::on;
  std::optional<ReplayMachine> simulated_;  // unset: another model
};

// The speeds of the ranks' cores on a machine; see ReplayModel::core_speeds.
CoreSpeeds core_speeds(const platforms::Machine& machine, const platforms::Placement& placement);

namespace replay_option {
inline constexpr std::string_view changed = "Changes";
inline constexpr options::OptionSpec hypothesis{
    changed, "--hypothesis", "FILE",
    "Changes (TOML): [[scale]], [[balance]], [[cut]], [[replace]]; or a SILAS configuration; "
    "default: none, all times stay"};
inline constexpr options::OptionSpec cpu_factor{
    changed, "--cpu-factor", "FACTOR",
    "Multiply all computation by FACTOR; default: 1"
    "\nMultiply all computation by FACTOR, at most 1e9. A replay that exceeds 2^61 ticks of the "
    "trace's clock is an error."};
}  // namespace replay_option

struct ReplayRequest {
  std::vector<TraceRequest> traces;
  std::string hypothesis_path;
  replay::ReplayArgs args;
  ReplayModelRequest model;
};

using ReplayOptions = options::OptionTable<ReplayRequest>;

// The arguments that name `count` traces, and the options for reading them. `example` is the hint
// of the error if traces are missing. The files of the traces are protected from being overwritten.
ReplayOptions trace_options(std::size_t count, std::string example);
ReplayOptions change_options();
// The options of the model. Traces without times require a model that computes the times of calls.
const ReplayOptions& model_options();

// Adds an error if one of the traces has no times.
void need_times(options::OptionReader& reader, const ReplayRequest& request,
                std::string_view option, const std::string& message, const std::string& hint);

}  // namespace tutti::studies
