// SPDX-License-Identifier: BSD-3-Clause
// What a replay is asked for: the traces, what is changed, the model.
#pragma once

#include "sim/base/common.hpp"
#include "sim/options/option_table.hpp"
#include "sim/options/shared_options.hpp"
#include "sim/replay/on_platform.hpp"
#include "sim/replay/trace_options.hpp"
#include "workloads/selection_spec.hpp"

namespace tutti::studies {

// By which model `sim replay` and its subcommands replay a trace, and the machine of the model
// `platform`.

namespace replay_option {
inline constexpr std::string_view how = "How it is replayed";
inline constexpr options::OptionSpec model = options::taking(
    "recorded loggp platform",
    {how, "--model", "NAME",
     "recorded (default): calls end as long after what they depend on as in the trace; loggp: "
     "after L, o, G and a constant for each collective; both without contention; platform: "
     "messages and collectives are simulated on a machine"});
inline constexpr options::OptionSpec loggp{
    how, "--loggp", "FILE", "TOML: [loggp] L, o, G, call_gap; [collective] default, bcast, ..."};
inline constexpr std::string_view machine = "The machine of --model platform";
inline constexpr options::OptionSpec platform = options::taking(
    options::platform_names,
    {machine, "-p,--platform", "NAME", "a SimGrid XML file, or a name of `sim list platforms`"});
inline constexpr options::OptionSpec set{machine, "--set", "KEY=VALUE",
                                         "overrides a parameter: mpi/eager_limit=12KiB", true};
inline constexpr options::OptionSpec ppn{machine, "--ppn", "N",
                                         "ranks per node; default: the platform's, else all cores"};
inline constexpr options::OptionSpec map =
    options::taking(options::shared::map_words,
                    {machine, "--map", "HOW", "block (default), round-robin, file:PATH"});
inline constexpr options::OptionSpec oversubscribe{machine, "--oversubscribe", "",
                                                   "allow more ranks than cores"};
inline constexpr options::OptionSpec selection = options::taking(
    options::shared::selection_words,
    {machine, "--selection", "HOW",
     "who chooses the algorithms: auto (default: Open MPI 4.1), auto:ompi-3.1, auto:rules=FILE; "
     "then hardware, COLLECTIVE=ALGORITHM"});
inline constexpr options::OptionSpec contention = options::taking(
    options::shared::contention_words,
    {machine, "--contention", "WHEN", "on (default), off, private, pooled, as for `sim run`"});
}  // namespace replay_option

struct ReplayModelRequest {
  std::string name = "recorded";
  std::optional<replay::LogGP> loggp;
  options::MachineRequest machine;  // of `platform`
  platforms::PlacementRequest placement;
  std::string selection = "auto";
  engines::Contention contention = engines::Contention::on;
};

// A model that is ready.
class ReplayModel {
 public:
  // `ranks`: of the trace. Errors: the machine, or that the ranks have no place there.
  static Result<ReplayModel> make(const ReplayModelRequest& request, std::size_t ranks);

  // What is worth a word of the machine and of the selection of algorithms.
  const std::vector<std::string>& warnings() const { return warnings_; }

  Result<replay::ReplayResult> run(const workloads::traces::Trace& trace, replay::ReplayArgs args,
                                   replay::ReplaySink* sink = nullptr) const;
  // The trace and this outlive it.
  replay::Replayer replayer(const workloads::traces::Trace& trace) const {
    return [this, &trace](const replay::ReplayArgs& args, replay::ReplaySink* sink) {
      return run(trace, args, sink);
    };
  }
  // "recorded", "loggp", "platform juqueen, 16 ranks on a node".
  std::string name() const;

 private:
  struct Simulated {
    platforms::Machine machine;
    platforms::Placement placement;
    workloads::SelectionSpec selection;
    engines::Contention contention;
  };
  std::vector<std::string> warnings_;
  std::optional<replay::LogGP> loggp_;
  std::shared_ptr<const Simulated> simulated_;  // null: another model
};

// The ranks of a trace, which says how many there are.
Result<platforms::Placement> place_ranks(const platforms::Machine& machine,
                                         platforms::PlacementRequest requested, std::size_t ranks);

namespace replay_option {
inline constexpr std::string_view changed = "What is changed";
inline constexpr options::OptionSpec hypothesis{
    changed, "--hypothesis", "FILE",
    "TOML: [[scale]], [[balance]], [[cut]], [[replace]]; or a configuration of SILAS; default: "
    "nothing, and every time stays"};
inline constexpr options::OptionSpec cpu_factor{
    changed, "--cpu-factor", "FACTOR",
    "of all computation; default: 1"
    "\nof all computation, at most 1e9. What goes beyond 2^61 ticks of the trace's clock is an "
    "error."};
}  // namespace replay_option

struct ReplayRequest {
  std::vector<TraceRequest> traces;
  std::string hypothesis_path;
  replay::ReplayArgs args;
  ReplayModelRequest model;
};

using ReplayOptions = options::OptionTable<ReplayRequest>;

// How `count` traces are read, and the words that name them, as `example` does; none of their files
// is written.
ReplayOptions trace_options(std::size_t count, std::string example);
ReplayOptions change_options();
// Traces without times want a model that knows what calls take.
const ReplayOptions& model_options();

// For what traces without times cannot be asked.
void need_times(options::OptionReader& reader, const ReplayRequest& request,
                std::string_view option, const std::string& message, const std::string& hint);

}  // namespace tutti::studies
