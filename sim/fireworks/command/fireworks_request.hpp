// SPDX-License-Identifier: BSD-3-Clause
// What `sim fireworks predict` and `check` share: the costs, and the exchange that they are for.
#pragma once

#include <array>
#include <optional>
#include <string>

#include "sim/commands/document_output.hpp"
#include "sim/commands/job_request.hpp"
#include "sim/commands/options.hpp"
#include "sim/commands/picture_output.hpp"
#include "sim/commands/point_run.hpp"
#include "sim/fireworks/exchange.hpp"
#include "sim/options/shared_options.hpp"

namespace tutti::commands {

namespace fireworks_option {
inline constexpr std::string_view costs = "What messages cost";
inline constexpr std::string_view exchange = "What is exchanged";
inline constexpr OptionSpec model{costs, "--model", "FILE", "of `sim fireworks` (required)"};
inline constexpr OptionSpec order{costs, "--order", "NAME",
                                  "of the model's: intra-first, inter-first; default: its first"};
inline constexpr OptionSpec hot_spots{costs, "--hot-spots", "N",
                                      "of the model's; default: its least"};
inline constexpr OptionSpec form{
    costs, "--form", "NAME",
    "linear (the paper's), huber, split, bottleneck; default: what fits best"};
inline constexpr OptionSpec platform{job_option::machine, "--platform", "NAME",
                                     "that is simulated; default: the model's"};
inline constexpr OptionSpec buffer_size{exchange, "--buffer-size", "SIZE",
                                        "of each aggregator; default: 16MiB"};
inline constexpr OptionSpec implementation{exchange, "--implementation", "NAME",
                                           "as of `sim run write`; default: romio"};
inline constexpr OptionSpec setup{exchange, "--setup", "WHEN",
                                  "on (default): the collectives before and between the messages "
                                  "are simulated, too; off"};

// What subcommands with costs have, in the order of their help; `joined` puts their own between.
inline constexpr std::array of_costs{model, order, hot_spots, form, platform, job_option::set};
inline constexpr std::array of_exchange{buffer_size, implementation, setup};
inline constexpr std::array of_output{
    jobs_option,       plot_option,       part_option,     document_format, job_option::output_file,
    job_option::color, job_option::quiet, job_option::help};
}  // namespace fireworks_option

inline constexpr const char* platform_hint =
    "another machine is --platform NAME; `sim platform show NAME` tells what it has";

struct FireworksRequest : JobRequest {
  std::string model_path;
  studies::fireworks::CostFile costs;
  workloads::PostingOrder order = workloads::PostingOrder::intra_first;
  int hot_spots = 1;
  std::optional<studies::fireworks::Form> form;  // unset: the best
  Bytes buffer_bytes = 0;
  const io_models::Implementation* implementation = nullptr;
  bool with_setup = true;
  int jobs = 1;
  std::optional<PictureOutput> plot;
  DocumentOutput document;

  // Reading has seen that there is one.
  studies::fireworks::CostFunction cost() const;
  studies::fireworks::CostFunction cost(studies::fireworks::Form of) const;
};

class FireworksReading : protected OptionReader {
 protected:
  using OptionReader::OptionReader;
  // Costs, machine, exchange.
  void read_common(FireworksRequest& request);
  // `parts`: the report's tables.
  void read_output(FireworksRequest& request, const std::vector<std::string>& parts);

 private:
  void read_costs(FireworksRequest& request);
  void read_exchange(FireworksRequest& request);
};

// Whose messages are simulated. Errors tell where a platform came from that the command line does
// not name.
Result<platforms::Machine> machine_of(const FireworksRequest& request, const OptionValues& parsed);

// That its messages can be looked at one by one.
std::optional<Error> too_large(const studies::fireworks::ExchangeJob& job);

// That the machine is the one whose messages were measured; a warning where it is another.
std::optional<std::string> other_machine(const FireworksRequest& request,
                                         const platforms::Machine& machine);

}  // namespace tutti::commands
