// SPDX-License-Identifier: BSD-3-Clause
#include "sim/studies/fit/collective_fit.hpp"

#include <fmt/format.h>

#include <Eigen/Dense>
#include <algorithm>
#include <bit>
#include <cmath>
#include <set>

#include "sim/base/error_list.hpp"
#include "sim/studies/fit/simulated_fit.hpp"

namespace tutti::studies {
namespace {

using Eigen::Index;
using Eigen::VectorXd;
using platforms::Protocol;

// What is moved, as logarithms, and where it begins: a network of about 2020.
struct Start {
  const char* name;
  const char* unit;
  double value;
};
enum Number : std::uint8_t {
  latency,
  send_overhead,
  recv_overhead,
  wire,          // s/B
  copy,          // s/B, of the receiver
  send_copy,     // s/B, of the sender
  registration,  // R
  send_registration,
  extra  // latency of the second eager section
};
constexpr Start starts[] = {{"latency", "s", 1e-6},
                            {"send_overhead", "s", 0.2e-6},
                            {"recv_overhead", "s", 0.2e-6},
                            {"bandwidth", "B/s", 1e-10},
                            {"copy_bandwidth", "B/s", 1e-10},
                            {"send_copy_bandwidth", "B/s", 1e-11},
                            {"rendezvous_overhead", "s", 2e-6},
                            {"rendezvous_send_overhead", "s", 2e-6},
                            {"latency_rise", "s", 0.2e-6}};

struct Ends {
  Bytes eager = 0;
  Bytes first = -1;  // of the first eager section; -1: there is one
};

ProtocolFit protocol_of(const VectorXd& logs, const Ends& ends) {
  const auto value = [&](Number number) { return std::exp(logs[number]); };
  ProtocolFit fit;
  fit.eager_max = ends.eager;
  fit.latency_s = value(latency);
  fit.send_overhead_s = value(send_overhead);
  fit.recv_overhead_s = value(recv_overhead);
  fit.recv_s_per_B = value(copy);
  fit.send_s_per_B = value(send_copy);
  fit.sections.push_back({.wire_s_per_B = value(wire)});
  if (ends.first >= 0)
    fit.sections.push_back(
        {.above = ends.first, .extra_s = value(extra), .wire_s_per_B = value(wire)});
  fit.sections.push_back({.above = ends.eager,
                          .protocol = Protocol::rendezvous,
                          .extra_s = value(registration),
                          .send_extra_s = value(send_registration),
                          .wire_s_per_B = value(wire)});
  return fit;
}

struct Solution {
  Ends ends;
  SimulatedFit fit;
};

class CollectiveFitting {
 public:
  CollectiveFitting(const std::vector<MeasuredCollective>& measured, const MachineOf& machine_of)
      : measured_(measured), machine_of_(machine_of) {}

  Result<ProtocolFit> run() {
    std::set<Bytes> sizes;
    for (const auto& each : measured_) sizes.insert(each.message_bytes);
    const std::vector<Bytes> ascending(sizes.begin(), sizes.end());
    std::optional<Solution> best;
    for (std::size_t i = 0; i + 1 < ascending.size(); ++i)
      take(best, {.eager = between(ascending[i], ascending[i + 1])});
    if (best)
      for (std::size_t i = 0; i + 1 < ascending.size() && ascending[i + 1] <= best->ends.eager; ++i)
        take(best, {.eager = best->ends.eager, .first = between(ascending[i], ascending[i + 1])});
    if (error_) return *error_;
    if (!best) return make_error(ErrorKind::input, "", "collectives of one message size only");
    return told(*best, ascending);
  }

 private:
  // The greatest power of two from which on the smaller one is meant, below the larger one.
  static Bytes between(Bytes smaller, Bytes larger) {
    const double middle =
        std::sqrt(static_cast<double>(std::max<Bytes>(1, smaller)) * static_cast<double>(larger));
    const auto power = static_cast<Bytes>(std::bit_floor(static_cast<std::uint64_t>(middle)));
    return std::max(power, smaller);
  }

  Index count(const Ends& ends) const { return ends.first < 0 ? extra : extra + 1; }

  // Equal overheads are preferred.
  SimulatedModel model(const Ends& ends) const {
    return {
        measured_, [=, this](const VectorXd& logs) { return machine_of_(protocol_of(logs, ends)); },
        [](const VectorXd& logs) {
          constexpr double preference = 0.01;
          return VectorXd::Constant(1, preference * (logs[send_overhead] - logs[recv_overhead]));
        }};
  }

  std::optional<Solution> solve(const Ends& ends) {
    VectorXd start(count(ends));
    for (Index i = 0; i < start.size(); ++i) start[i] = std::log(starts[i].value);
    auto fit = fit_by_simulation(model(ends), std::move(start));
    if (fit) return Solution{ends, *std::move(fit)};
    if (!error_) error_ = fit.errors();
    return std::nullopt;
  }

  // One more number must be worth it (BIC).
  void take(std::optional<Solution>& best, const Ends& ends) {
    auto found = solve(ends);
    if (!found) return;
    const double price = 2 * std::log(static_cast<double>(measured_.size()));
    if (ends.first >= 0) found->fit.loss += price / 2;
    if (!best || found->fit.loss < best->fit.loss) best = std::move(found);
  }

  // ---- what is told ----

  Result<ProtocolFit> told(const Solution& best, const std::vector<Bytes>& sizes) {
    const VectorXd& logs = best.fit.numbers;
    ProtocolFit fit = protocol_of(logs, best.ends);
    const auto sensitivity = Sensitivity::of(model(best.ends), best.fit);
    if (!sensitivity) return sensitivity.errors();
    fit.condition = sensitivity->condition();
    fit.samples = measured_.size();
    for (Index i = 0; i < logs.size(); ++i)
      fit.parameters.push_back(
          parameter(i, logs[i], sensitivity->half_width(VectorXd::Unit(logs.size(), i))));
    const auto above = std::ranges::lower_bound(sizes, best.ends.eager + 1);
    fit.parameters.push_back({.name = "eager_limit",
                              .unit = "B",
                              .value = static_cast<double>(best.ends.eager),
                              .low = static_cast<double>(*std::prev(above)),
                              .high = static_cast<double>(*above - 1)});
    return fit;
  }

  static FittedParameter parameter(Index i, double log, double half) {
    const bool inverse = std::string_view(starts[i].unit) == "B/s";
    return told_by_times(starts[i].name, starts[i].unit, std::exp(inverse ? -log : log), half);
  }

  const std::vector<MeasuredCollective>& measured_;
  const MachineOf& machine_of_;
  std::optional<std::vector<Error>> error_;
};

}  // namespace

Result<ProtocolFit> fit_protocol_to_collectives(const std::vector<MeasuredCollective>& measured,
                                                const MachineOf& machine_of) {
  constexpr std::size_t least = 8;
  if (measured.size() < least)
    return make_error(ErrorKind::input, "",
                      fmt::format("{} times of collectives: too few for a fit", measured.size()),
                      "eight or more, of small and large messages");
  return CollectiveFitting(measured, machine_of).run();
}

}  // namespace tutti::studies
