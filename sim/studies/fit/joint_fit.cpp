// SPDX-License-Identifier: BSD-3-Clause
#include "sim/studies/fit/joint_fit.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <map>

#include "sim/base/counted.hpp"
#include "sim/base/error_list.hpp"
#include "sim/studies/fit/cross_validation.hpp"
#include "sim/studies/fit/fit_numbers.hpp"

namespace tutti::studies {
namespace {

using Eigen::VectorXd;

using Measured = std::vector<MeasuredCollective>;

SimulatedModel model_of(const FitNumbers& numbers, const Measured& measured,
                        const JointMachineOf& machine_of, const JointFitOptions& options,
                        double scatter = borne_scatter) {
  return {.measured = measured,
          .machine_of = [&](const VectorXd& x,
                            const std::string& torus) { return machine_of(numbers.at(x), torus); },
          .preferences = [&](const VectorXd& x) { return numbers.preferences(x); },
          .scatter = scatter,
          .jobs = options.jobs,
          .progress = options.progress};
}

// ---- what is reported ----

void replace(std::vector<FittedParameter>& parameters, FittedParameter parameter) {
  const auto at = std::ranges::find_if(parameters, [&](const FittedParameter& each) {
    return each.name == parameter.name && each.above == parameter.above;
  });
  if (at == parameters.end())
    parameters.push_back(std::move(parameter));
  else
    *at = std::move(parameter);
}

// Values that no number moves stay as they were.
std::vector<FittedParameter> reported(const FitNumbers& numbers, const SimulatedFit& found,
                                      std::size_t times, double scatter = borne_scatter) {
  const Posterior posterior(found, static_cast<Eigen::Index>(times), scatter);
  const auto slopes = numbers.gradients(found.numbers);
  const auto values = numbers.values(numbers.at(found.numbers));
  std::vector<FittedParameter> all;
  for (std::size_t k = 0; k < values.size(); ++k) {
    if (!values[k].value || slopes[k].norm() == 0) continue;
    const double prior_half = values[k].has_prior ? posterior.prior_half_width(slopes[k])
                                                  : std::numeric_limits<double>::infinity();
    all.push_back(told_by_times(values[k].name, values[k].unit, *values[k].value,
                                posterior.half_width(slopes[k]), prior_half));
    all.back().above = values[k].above;
  }
  return all;
}

// A gap is between messages that one process sends, to whomever: its overhead keeps them as far
// apart. What a receiver pays does not.
bool gap_is_hidden(const ProtocolFit& fit) {
  constexpr double nearly = 1.05;
  return *fit.gap_s <= nearly * fit.send_overhead_s;
}

struct Attempt {
  JointFit fit;
  std::string no_gap = {};  // why the times tell none, though one was tried
};

void tell(Attempt& attempt, std::vector<FittedParameter> all) {
  ProtocolFit& inter = attempt.fit.inter;
  for (auto& each : all) {
    const bool known =
        each.status == ParameterStatus::fitted || each.status == ParameterStatus::uncertain;
    if (each.name == "gap" && gap_is_hidden(inter)) attempt.no_gap = "hidden by the overheads";
    if (each.name == "gap" && !known && attempt.no_gap.empty())
      attempt.no_gap = "the collectives do not show it";
    if (known) each.note = from_collectives;
    replace(inter.parameters, std::move(each));
  }
}

Result<Attempt> attempted(const JointFit& messages, const Measured& measured,
                          const JointMachineOf& machine_of, const JointFitOptions& options,
                          bool with_gap) {
  const auto numbers = FitNumbers::beside_messages(messages, options.hardware, with_gap);
  if (numbers.start().size() == 0) return Attempt{messages};
  const auto model = model_of(numbers, measured, machine_of, options);
  const auto found = fit_by_simulation(model, numbers.start());
  if (!found) return found.errors();
  Attempt attempt{numbers.at(found->numbers)};
  tell(attempt, reported(numbers, *found, measured.size()));
  if (attempt.no_gap.empty() && options.cross_validate) {
    auto validation = cross_validated(model, *found);
    if (!validation) return validation.errors();
    attempt.fit.validation = *std::move(validation);
  }
  return attempt;
}

// ---- collectives alone ----

// What is chosen, not moved.
struct Choice {
  Bytes eager_max = 0;
  platforms::Rendezvous rendezvous = platforms::Rendezvous::get;
  friend bool operator==(const Choice&, const Choice&) = default;
};

struct Chosen {
  Choice choice;
  SimulatedFit fit;
  double scatter = borne_scatter;
};

class CollectivesAlone {
 public:
  CollectivesAlone(const Measured& measured, const JointMachineOf& machine_of,
                   const JointFitOptions& options)
      : measured_(measured), machine_of_(machine_of), options_(options) {}

  Result<JointFit> run() {
    const Choice first{options_.eager_limit.value_or(options_.hardware.eager_max),
                       options_.hardware.rendezvous};
    auto found = solve(first, {});
    if (!found) return found.errors();
    Chosen best{first, *std::move(found)};
    if (!options_.hardware.protocol_known)
      if (const auto done = try_others(best); !done) return done.errors();
    if (const auto done = trust_times(best); !done) return done.errors();
    return fit_of(best);
  }

 private:
  FitNumbers numbers_of(const Choice& choice) const {
    auto system = movable_system(options_.hardware, measured_);
    system.rendezvous = choice.rendezvous;
    return FitNumbers::of_all(system, options_, choice.eager_max);
  }

  // From `near`, of another choice: without a Jacobian of its own at first.
  Result<SimulatedFit> solve(const Choice& choice, const SimulatedFit* near) const {
    const auto numbers = numbers_of(choice);
    const auto model = model_of(numbers, measured_, machine_of_, options_);
    if (near == nullptr) return fit_by_simulation(model, numbers.start());
    auto roughly = fit_by_simulation(model, near->numbers, near->jacobian, 0);
    if (!roughly || roughly->loss > near->loss + hopeless) return roughly;
    return fit_by_simulation(model, roughly->numbers, roughly->jacobian);
  }

  // The neighbours of the best choice, until none is clearly better.
  Result<bool> try_others(Chosen& best) const {
    std::vector<Choice> tried{best.choice};
    for (bool improves = true; improves;) {
      improves = false;
      for (const Choice& other : others(best.choice)) {
        if (std::ranges::find(tried, other) != tried.end()) continue;
        tried.push_back(other);
        auto found = solve(other, &best.fit);
        if (!found) return found.errors();
        if (found->loss + clearly > best.fit.loss) continue;
        best = {other, *std::move(found), borne_scatter};
        improves = true;
        break;
      }
    }
    return true;
  }

  // Times that scatter less than is borne count more against the priors.
  Result<bool> trust_times(Chosen& best) const {
    constexpr double least = 0.01, clearly_less = 0.8;
    constexpr int most_rounds = 6;
    const auto times = static_cast<Eigen::Index>(measured_.size());
    for (int round = 0; round < most_rounds; ++round) {
      const double scatter = std::max(least, Posterior(best.fit, times, best.scatter).scatter());
      if (scatter > clearly_less * best.scatter) break;
      auto jacobian = best.fit.jacobian;
      jacobian.bottomRows(jacobian.rows() - times) *= scatter / best.scatter;
      best.scatter = scatter;
      const auto numbers = numbers_of(best.choice);
      auto again = fit_by_simulation(model_of(numbers, measured_, machine_of_, options_, scatter),
                                     best.fit.numbers, jacobian);
      if (!again) return again.errors();
      best.fit = *std::move(again);
    }
    return true;
  }

  std::vector<Choice> others(const Choice& choice) const {
    constexpr Bytes smallest = 1 << 10, largest = 1 << 20;
    std::vector<Choice> all;
    if (!options_.eager_limit) {
      if (choice.eager_max > smallest) all.push_back({choice.eager_max / 2, choice.rendezvous});
      if (choice.eager_max < largest) all.push_back({choice.eager_max * 2, choice.rendezvous});
    }
    using enum platforms::Rendezvous;
    all.push_back({choice.eager_max, choice.rendezvous == get ? put : get});
    return all;
  }

  Result<JointFit> fit_of(const Chosen& best) const {
    const auto numbers = numbers_of(best.choice);
    JointFit joint = numbers.at(best.fit.numbers);
    joint.inter.samples = measured_.size();
    joint.inter.condition =
        Posterior(best.fit, static_cast<Eigen::Index>(measured_.size()), best.scatter).condition();
    joint.inter.parameters = reported(numbers, best.fit, measured_.size(), best.scatter);
    for (auto& each : joint.inter.parameters)
      if (each.status == ParameterStatus::prior) each.note = options_.hardware.name;
    joint.inter.parameters.push_back(eager_limit(best.choice));
    if (!options_.cross_validate) return joint;
    auto validation = cross_validated(
        model_of(numbers, measured_, machine_of_, options_, best.scatter), best.fit);
    if (!validation) return validation.errors();
    joint.validation = *std::move(validation);
    return joint;
  }

  FittedParameter eager_limit(const Choice& choice) const {
    FittedParameter limit{.name = "eager_limit",
                          .unit = "B",
                          .value = static_cast<double>(choice.eager_max),
                          .status = ParameterStatus::prior,
                          .note = options_.hardware.name};
    if (options_.eager_limit) {
      limit.status = ParameterStatus::fitted;
      limit.note = "given";
    } else if (!options_.hardware.protocol_known) {
      limit.status = ParameterStatus::uncertain;
      limit.note = "the best of powers of two nearby";
    }
    return limit;
  }

  // Differences of losses: of one choice more (half of the 95 % quantile of chi square), and of a
  // rough fit that a good one cannot make up for.
  static constexpr double clearly = 1.92, hopeless = 20;

  const Measured& measured_;
  const JointMachineOf& machine_of_;
  const JointFitOptions& options_;
};

std::string call_text(const MeasuredCollective& one) {
  return fmt::format("{} {} of {}, {}, {}", one.collective, one.algorithm,
                     counted(one.procs, "process"), format_bytes(one.message_bytes),
                     format_seconds(one.time_s));
}

}  // namespace

Result<JointFit> fit_open_parameters(const JointFit& messages, const Measured& measured,
                                     const JointMachineOf& machine_of,
                                     const JointFitOptions& options) {
  constexpr std::size_t least = 3;
  if (measured.size() < least)
    return make_error(ErrorKind::input, "",
                      counted(measured.size(), "time") + " of collectives: too few for a fit",
                      "three or more, beside times of messages");
  auto attempt = attempted(messages, measured, machine_of, options, true);
  if (!attempt) return attempt.errors();
  if (attempt->no_gap.empty()) return std::move(attempt->fit);
  // The others were fitted beside a gap that is not kept.
  auto without = attempted(messages, measured, machine_of, options, false);
  if (!without) return without.errors();
  replace(without->fit.inter.parameters, {.name = "gap",
                                          .unit = "s",
                                          .status = ParameterStatus::not_determined,
                                          .note = attempt->no_gap});
  return std::move(without->fit);
}

Result<JointFit> fit_to_collectives(const Measured& measured, const JointMachineOf& machine_of,
                                    const JointFitOptions& options) {
  constexpr std::size_t least = 8;
  if (measured.size() < least)
    return make_error(ErrorKind::input, "",
                      counted(measured.size(), "time") + " of collectives: too few for a fit",
                      "eight or more, of small and large messages");
  const auto& first = measured.front();
  if (std::ranges::all_of(
          measured, [&](const auto& each) { return each.message_bytes == first.message_bytes; }))
    return make_error(ErrorKind::input, "", "collectives of one message size only",
                      "add times of small and of large messages");
  return CollectivesAlone(measured, machine_of, options).run();
}

SystemParameters movable_system(const HardwareClass& hardware, const Measured& measured) {
  SystemParameters system = system_of(hardware);
  const auto shows_skew = [](const MeasuredCollective& each) {
    return each.harness != nullptr && each.harness->before_each_call;
  };
  const auto is_large = [](const MeasuredCollective& each) {
    return (each.procs + each.ppn - 1) / each.ppn > scale_latency_nodes;
  };
  if (std::ranges::none_of(measured, shows_skew)) system.arrival_skew_s.reset();
  if (!hardware.has_scale_latency && std::ranges::none_of(measured, is_large))
    system.scale_latency_s.reset();
  return system;
}

std::optional<Error> contradiction(const Measured& measured) {
  constexpr double too_much = 50;
  std::map<CallKey, const MeasuredCollective*> known;
  for (const auto& each : measured) {
    const auto [at, is_new] = known.try_emplace(call_key(each), &each);
    if (is_new) continue;
    const auto& before = *at->second;
    const double ratio = each.time_s / before.time_s;
    if (ratio < too_much && ratio > 1 / too_much) continue;
    Error error = make_error(ErrorKind::input, each.file,
                             fmt::format("{} contradicts {} in line {} of {}", call_text(each),
                                         format_seconds(before.time_s), before.line, before.file),
                             "times are in s; leave one of the two out, by --only or in the file");
    error.line = each.line;
    return error;
  }
  return std::nullopt;
}

}  // namespace tutti::studies
