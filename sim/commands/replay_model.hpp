// SPDX-License-Identifier: BSD-3-Clause
// By which model `sim replay` and its subcommands replay a trace, and the machine of the model
// `platform`.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "sim/commands/diagnostics.hpp"
#include "sim/commands/job_options.hpp"
#include "sim/commands/job_specs.hpp"
#include "sim/replay/on_platform.hpp"
#include "workloads/selection_spec.hpp"

namespace tutti::commands {

namespace replay_option {
inline constexpr std::string_view how = "How it is replayed";
inline constexpr OptionSpec model{
    how, "--model", "NAME",
    "recorded (default): calls end as long after what they depend on as in the trace; loggp: after "
    "L, o, G and a constant for each collective; both without contention; platform: messages and "
    "collectives are simulated on a machine"};
inline constexpr OptionSpec loggp{
    how, "--loggp", "FILE", "TOML: [loggp] L, o, G, call_gap; [collective] default, bcast, ..."};
inline constexpr std::string_view machine = "The machine of --model platform";
inline constexpr OptionSpec platform{machine, "--platform", "NAME",
                                     "a SimGrid XML file, or a name of `sim list platforms`"};
inline constexpr OptionSpec set{machine, "--set", "KEY=VALUE",
                                "overrides a parameter: mpi/eager_limit=12KiB", true};
inline constexpr OptionSpec ppn{machine, "--ppn", "N",
                                "ranks per node; default: the platform's, else all cores"};
inline constexpr OptionSpec map{machine, "--map", "HOW", "block (default), round-robin, file:PATH"};
inline constexpr OptionSpec oversubscribe{machine, "--oversubscribe", "",
                                          "allow more ranks than cores"};
inline constexpr OptionSpec selection{
    machine, "--selection", "HOW",
    "who chooses the algorithms: auto (default: Open MPI 4.1), auto:ompi-3.1, auto:rules=FILE; "
    "then hardware, COLLECTIVE=ALGORITHM"};
inline constexpr OptionSpec contention{machine, "--contention", "WHEN",
                                       "on (default), off, private, pooled, as for `sim run`"};

inline constexpr std::array of_model{model, loggp,         platform,  set,       ppn,
                                     map,   oversubscribe, selection, contention};
}  // namespace replay_option

struct ReplayModelRequest {
  std::string name = "recorded";
  std::optional<studies::replay::LogGP> loggp;
  JobRequest job;  // of `platform`: the machine
  platforms::PlacementRequest placement;
  std::string selection = "auto";
  engines::Contention contention = engines::Contention::on;
};

// A model that is ready.
class ReplayModel {
 public:
  // `ranks`: of the trace. Errors: the machine, or that the ranks have no place there.
  static Result<ReplayModel> make(const ReplayModelRequest& request, std::size_t ranks,
                                  const Diagnostics& diagnostics);

  Result<studies::replay::ReplayResult> run(const workloads::traces::Trace& trace,
                                            studies::replay::ReplayArgs args,
                                            studies::replay::ReplaySink* sink = nullptr) const;
  // The trace and this outlive it.
  studies::replay::Replayer replayer(const workloads::traces::Trace& trace) const {
    return [this, &trace](const studies::replay::ReplayArgs& args,
                          studies::replay::ReplaySink* sink) { return run(trace, args, sink); };
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
  std::optional<studies::replay::LogGP> loggp_;
  std::shared_ptr<const Simulated> simulated_;  // null: another model
};

class ReplayModelReading : protected JobReading {
 protected:
  using JobReading::JobReading;
  void read_model(ReplayModelRequest& request);

 private:
  void read_loggp(ReplayModelRequest& request);
  void read_platform(ReplayModelRequest& request);
};

}  // namespace tutti::commands
