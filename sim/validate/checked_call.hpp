// SPDX-License-Identifier: BSD-3-Clause
// Compares a collective call's times by formulas with simulations.
#pragma once

#include "sim/base/common.hpp"
#include "sim/jobs/point.hpp"
#include "sim/validate/model_parameters.hpp"

namespace tutti::studies {

// The error of a formula, divided into the effects that the formula neglects. The effects are
// switched off in turn, each in addition to those before it, so that the parts add up to the error:
//   links     links between the ends of routes are shared    contention on   -> off
//   nics      the ends of routes are shared: the NIC of a    contention off  -> private (or pooled)
//             node by its ranks; on a torus, where these are
//             links of the network, also by others' messages
//   nodes     messages inside a node use another path        private, and the network everywhere
//   protocol  eager limits, handshakes, copies               the same, and all messages eager
//   formula   everything else that the formula neglects      that            -> formula, with
//             parameters derived from the message protocol (platforms/parameters/models.hpp)
//   parameters  the given parameters instead                 that            -> formula

// The simulations to run for each point.
struct ModelCheckOptions {
  bool with_contention = true;
  bool without_contention = true;
  bool parts = true;  // needs both
};

struct ModelTimes {
  std::optional<Seconds> time_s{};             // all links are shared
  std::optional<Seconds> contention_free_s{};  // --contention off
  // The other simulations of the list above; unset without `parts`.
  std::optional<Seconds> private_s{};
  std::optional<Seconds> one_rank_nodes_s{};
  std::optional<Seconds> eager_s{};
};

struct ModelError {
  std::optional<double> error;                  // (formula - time_s) / time_s
  std::optional<double> contention_free_error;  // the same against contention_free_s
  // The signed contribution of each effect to `error`.
  std::optional<double> links, nics, nodes, protocol, formula, parameters;
};

// Simulates with engine `flow`, in this process. `apart` and `eager` are the machine without nodes,
// and without nodes and protocol (platforms/changed_machine.hpp).
struct SimplifiedMachines {
  explicit SimplifiedMachines(const platforms::Machine& machine);
  const platforms::Machine& full;
  platforms::Machine apart;
  platforms::Machine eager;
};
Result<ModelTimes> model_times(const Point& point, const SimplifiedMachines& machines,
                               const ModelCheckOptions& options);

struct FormulaTimes {
  Seconds given_s = 0;    // with the parameters that are checked
  Seconds derived_s = 0;  // with those derived from the message protocol
};
// Errors are unset for a simulated time of 0.
ModelError model_error(const ModelTimes& times, const FormulaTimes& formula);

struct Formula {
  std::string model;  // "hockney", "loggp"
  std::string set;    // name of the parameter set
  FormulaTimes times;

  Seconds time_s() const { return times.given_s; }
};

struct CheckedCall {
  std::string collective;
  std::string algorithm;  // with its segment size or fan-out if these are not the default
  std::int64_t procs = 0;
  std::int64_t nodes = 0;
  std::int64_t ppn = 0;
  std::string map;
  Bytes message_bytes = 0;
  ModelTimes times;
  std::vector<Formula> formulas;

  // The time that formulas are compared with: with contention if that was simulated, else without.
  Seconds simulated_s() const {
    return times.time_s ? *times.time_s : times.contention_free_s.value_or(0);
  }
};

// Fills everything but the simulated times. `models` contains "hockney", "loggp". The algorithm
// must have a formula, and the job must fit on the machine.
CheckedCall make_checked_call(const Point& point, const platforms::Machine& machine,
                              const std::vector<std::string>& models,
                              const ModelParameters& parameters);

// Conversion to and from the row that a child process returns.
Row make_row(const ModelTimes& times);
ModelTimes read_times(const Row& row);

// The number of formulas whose absolute error exceeds `most_error`, and the worst one. Errors are
// relative to the simulation with contention, or without if only that was run.
struct FarOff {
  std::size_t above = 0;
  std::size_t all = 0;
  const CheckedCall* worst = nullptr;
  std::string worst_model;
  double worst_error = 0;
};
FarOff far_off(const std::vector<CheckedCall>& calls, double most_error);

}  // namespace tutti::studies
