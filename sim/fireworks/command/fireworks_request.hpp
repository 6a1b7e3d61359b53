// SPDX-License-Identifier: BSD-3-Clause
// What `sim fireworks predict` and `check` share: the costs, and the exchange that they are for.
#pragma once

#include "sim/base/common.hpp"
#include "sim/commands/job_request.hpp"
#include "sim/commands/options.hpp"
#include "sim/commands/output.hpp"
#include "sim/commands/picture_output.hpp"
#include "sim/commands/point_run.hpp"
#include "sim/fireworks/node_load.hpp"
#include "sim/options/shared_options.hpp"

namespace tutti::commands {

namespace fireworks_option {
inline constexpr std::string_view costs = "What messages cost";
inline constexpr std::string_view exchange = "What is exchanged";
inline constexpr options::AxisKind seed_axis{parse_integer, 0, INT64_MAX};
}  // namespace fireworks_option

inline constexpr const char* platform_hint =
    "another machine is --platform NAME; `sim platform show NAME` tells what it has";

struct FireworksRequest : JobRequest {
  std::string model_path;
  studies::fireworks::CostFile costs;
  workloads::PostingOrder order = workloads::PostingOrder::intra_first;
  int hot_spots = 1;
  std::optional<studies::fireworks::Form> form;  // unset: the best
  Bytes buffer_bytes = Bytes{16} << 20;
  const io_models::Implementation* implementation = io_models::find_implementation("romio");
  bool with_setup = true;
  int jobs = default_jobs();
  std::optional<PictureOutput> plot;
  DocumentOutput document;

  // Reading has seen that there is one.
  studies::fireworks::CostFunction cost() const;
  studies::fireworks::CostFunction cost(studies::fireworks::Form of) const;
};

// What subcommands with costs have, in the order of their help; their own stand between.
options::OptionTable<FireworksRequest> cost_options();
options::OptionTable<FireworksRequest> exchange_options();
// `parts`: the report's tables.
options::OptionTable<FireworksRequest> fireworks_output_options(
    std::vector<std::string> (*parts)());

// Whose messages are simulated. Errors tell where a platform came from that the command line does
// not name.
Result<platforms::Machine> machine_of(const FireworksRequest& request, const OptionValues& parsed);

// That its messages can be looked at one by one.
std::optional<Error> too_large(const studies::fireworks::ExchangeJob& job);

// That the machine is the one whose messages were measured; a warning where it is another.
std::optional<std::string> other_machine(const FireworksRequest& request,
                                         const platforms::Machine& machine);

}  // namespace tutti::commands
