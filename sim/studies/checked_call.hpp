// SPDX-License-Identifier: BSD-3-Clause
// A collective call, what the formulas say of it, and what simulations do.
#pragma once

#include "sim/base/common.hpp"
#include "sim/studies/model_parameters.hpp"
#include "sim/studies/point.hpp"

namespace tutti::studies {

// A collective call beside its formulas: how far they are off, and which of the things that they
// leave out that is. Each of these is switched off in turn, beside those before it, so that the
// parts sum up to the error of the formula:
//   links     links between the ends of routes are shared    contention on   -> off
//   cards     the ends of routes are shared: the card of a   contention off  -> private (or pooled)
//             node by its ranks; on a torus, where these are
//             links of the network, also by others' messages
//   nodes     messages inside a node go another way          private, and the network everywhere
//   protocol  eager limits, handshakes, copies               the same, and all messages eager
//   formula   what the formula leaves out beside these       that            -> formula, with
//             parameters derived from the message protocol (platforms/parameters/models.hpp)
//   parameters  the given ones in their place                that            -> formula

// Which simulations are run of each point.
struct ModelCheckOptions {
  bool with_contention = true;
  bool without_contention = true;
  bool parts = true;  // needs both
};

struct ModelTimes {
  std::optional<Seconds> time_s{};             // all links are shared
  std::optional<Seconds> contention_free_s{};  // --contention off
  // The others of the list above; unset without `parts`.
  std::optional<Seconds> private_s{};
  std::optional<Seconds> one_rank_nodes_s{};
  std::optional<Seconds> eager_s{};
};

struct ModelError {
  std::optional<double> error;                  // (formula - time_s) / time_s
  std::optional<double> contention_free_error;  // the same against contention_free_s
  // What each makes of `error`, with its sign.
  std::optional<double> links, nics, nodes, protocol, formula, parameters;
};

// Simulates with engine `flow`, in this process. `apart` and `eager` are the machine without nodes,
// and without nodes and protocol (platforms/simplified.hpp).
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
  Seconds derived_s = 0;  // with those that are derived from the message protocol
};
// Nothing is told of a time of 0.
ModelError model_error(const ModelTimes& times, const FormulaTimes& formula);

struct Formula {
  std::string model;  // "hockney", "loggp"
  std::string set;    // whose parameters
  FormulaTimes times;

  Seconds time_s() const { return times.given_s; }
};

struct CheckedCall {
  std::string collective;
  std::string algorithm;  // with its segment size or fan-out where these are not the default
  std::int64_t procs = 0;
  std::int64_t nodes = 0;
  std::int64_t ppn = 0;
  std::string map;
  Bytes message_bytes = 0;
  ModelTimes times;
  std::vector<Formula> formulas;

  // What a formula is measured by: with contention, where that was simulated.
  Seconds simulated_s() const {
    return times.time_s ? *times.time_s : times.contention_free_s.value_or(0);
  }
};

// All but the times. `models`: of "hockney", "loggp". The algorithm has a cost and the job fits.
CheckedCall checked_call(const Point& point, const platforms::Machine& machine,
                         const std::vector<std::string>& models, const ModelParameters& parameters);

// How times travel from a child process.
Row row_of(const ModelTimes& times);
ModelTimes times_in(const Row& row);

// How many formulas are farther off than `most_error`, and which is the worst. Errors are against
// the simulation with contention, or without where that alone was run.
struct FarOff {
  std::size_t above = 0;
  std::size_t all = 0;
  const CheckedCall* worst = nullptr;
  std::string worst_model;
  double worst_error = 0;
};
FarOff far_off(const std::vector<CheckedCall>& calls, double most_error);

}  // namespace tutti::studies
