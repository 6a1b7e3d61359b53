// SPDX-License-Identifier: BSD-3-Clause
#include "sim/fit/joint_fit.hpp"

#include <iterator>

#include "sim/base/quantile.hpp"
#include "sim/fit/cross_validation.hpp"
#include "sim/fit/fit_numbers.hpp"
#include "sim/fit/fitted_parameters.hpp"
#include "sim/fit/message_rows.hpp"
#include "sim/fit/run_effects.hpp"

namespace tutti::studies {
namespace {

using Eigen::VectorXd;
using Measured = std::vector<MeasuredCollective>;

// Values that no number varies are omitted.
std::vector<FittedParameter> reported(const FitNumbers& numbers, const SimulatedFit& found,
                                      std::size_t times, double scatter) {
  const Posterior posterior(found, static_cast<Eigen::Index>(times), scatter);
  const auto slopes = numbers.gradients(found.numbers);
  const auto values = numbers.values(numbers.at(found.numbers));
  std::vector<FittedParameter> all;
  for (std::size_t k = 0; k < values.size(); ++k) {
    if (!values[k].value || slopes[k].norm() == 0) continue;
    const double prior_half = values[k].has_prior ? posterior.prior_half_width(slopes[k])
                                                  : std::numeric_limits<double>::infinity();
    all.push_back(reported_by_times(values[k].name, values[k].unit, *values[k].value,
                                    posterior.half_width(slopes[k]), prior_half));
    all.back().above = values[k].above;
  }
  return all;
}

void replace(std::vector<FittedParameter>& parameters, FittedParameter parameter) {
  const auto at = std::ranges::find_if(parameters, [&](const FittedParameter& known) {
    return known.name == parameter.name && known.above == parameter.above;
  });
  if (at == parameters.end())
    parameters.push_back(std::move(parameter));
  else
    *at = std::move(parameter);
}

bool is_known(const FittedParameter& parameter) {
  return parameter.status == ParameterStatus::fitted ||
         parameter.status == ParameterStatus::uncertain;
}

const FittedParameter* named(const ProtocolFit& fit, std::string_view name) {
  const auto at = std::ranges::find(fit.parameters, name, &FittedParameter::name);
  return at == fit.parameters.end() ? nullptr : &*at;
}

// Whether messages between two nodes alone determine it. Their time includes the extra latency of
// the size.
bool shown_by_messages(const ProtocolFit& messages, const std::string& name) {
  const auto* parameter = named(messages, name);
  return name.starts_with("extra_latency") || (parameter != nullptr && is_known(*parameter));
}

// A gap applies between messages that one process sends to any receivers. It is hidden if the
// sender's overhead keeps them as far apart; the receiver's overhead does not.
bool gap_is_hidden(const ProtocolFit& fit) {
  constexpr double nearly = 1.05;
  return *fit.gap_s <= nearly * fit.send_overhead_s;
}

// Dependence of messages on their size beyond latency and bandwidth: a curve of extra latencies at
// given sizes, or the sections that messages between two nodes show, with their own ends. Costs
// that begin at a size, such as an old library's registration, do not form a curve.
enum class SizeModel : std::uint8_t { curve, sections };

// Discrete choices, which a fit selects instead of varying.
struct Choice {
  SizeModel sizes = SizeModel::curve;
  Bytes eager_max = 0;  // with sections: their own limit
  platforms::Rendezvous rendezvous = platforms::Rendezvous::get;
  bool with_gap = false;
  std::optional<ScaleLaw> law = {};
  friend bool operator==(const Choice&, const Choice&) = default;
};

struct Chosen {
  Choice choice;
  SimulatedFit fit;
  double scatter = borne_scatter;
  RunEffects effects = {};
  std::optional<TriedLaw> tried = {};
};

class JointFitting {
 public:
  JointFitting(const Measured& measured, const JointMachineOf& machine_of,
               const JointFitOptions& options)
      : measured_(with_messages(measured, options)),
        machine_of_(machine_of),
        options_(options),
        limit_(known_limit()),
        runs_(measured_) {}

  Result<JointFit> run() {
    auto best = TUTTI_TRY(without_idle_gap(SizeModel::curve));
    if (options_.messages) {
      auto other = TUTTI_TRY(without_idle_gap(SizeModel::sections));
      if (fits_clearly_better(other.chosen, best.chosen)) best = std::move(other);
    }
    JointFit found = std::move(best.fit);
    if (!options_.cross_validate) return found;
    const auto numbers = numbers_of(best.chosen.choice);
    found.validations = TUTTI_TRY(cross_validated(
        model_of(numbers, best.chosen.scatter, best.chosen.effects), best.chosen.fit));
    return found;
  }

 private:
  static Measured with_messages(Measured measured, const JointFitOptions& options) {
    if (options.messages)
      std::ranges::move(message_rows(options.messages->times), std::back_inserter(measured));
    return measured;
  }

  // The given limit, or the one that messages between two nodes determine without doubt.
  std::optional<FittedParameter> known_limit() const {
    if (options_.eager_limit)
      return FittedParameter{.name = "eager_limit",
                             .unit = "B",
                             .value = static_cast<double>(*options_.eager_limit),
                             .note = "given"};
    const auto* seen = options_.messages ? named(options_.messages->fit, "eager_limit") : nullptr;
    if (seen == nullptr || seen->status != ParameterStatus::fitted) return std::nullopt;
    return *seen;
  }

  struct Candidate {
    Chosen chosen;
    JointFit fit;
  };

  Result<Candidate> without_idle_gap(SizeModel sizes) const {
    auto best = TUTTI_TRY(chosen(sizes, options_.messages.has_value()));
    JointFit found = fit_of(best);
    const auto no_gap = why_no_gap(best, found.inter);
    if (no_gap.empty()) return Candidate{std::move(best), std::move(found)};
    // The other parameters were fitted together with a gap that is dropped.
    best = TUTTI_TRY(chosen(sizes, false));
    found = fit_of(best);
    replace(
        found.inter.parameters,
        {.name = "gap", .unit = "s", .status = ParameterStatus::not_determined, .note = no_gap});
    return Candidate{std::move(best), std::move(found)};
  }

  // True if the error of the collectives is far smaller, and that of the messages no larger.
  // Sections fit messages on their own, and so can fit these well and collectives badly.
  bool fits_clearly_better(const Chosen& one, const Chosen& other) const {
    constexpr double by_far = 0.5;
    return error_of(one, false) < by_far * error_of(other, false) &&
           error_of(one, true) <= error_of(other, true);
  }

  // Median error.
  double error_of(const Chosen& one, bool of_messages) const {
    std::vector<double> errors;
    for (std::size_t i = 0; i < measured_.size(); ++i)
      if (measured_[i].message.has_value() == of_messages)
        errors.push_back(std::abs(one.fit.residuals[static_cast<Eigen::Index>(i)]));
    return median_of(std::move(errors));
  }

  // At least 1 %, the accuracy that a model of a message may have.
  double scatter_of(const Chosen& one) const {
    constexpr double least = 0.01;
    const auto times = static_cast<Eigen::Index>(measured_.size());
    return std::max(least, Posterior(one.fit, times, one.scatter).scatter());
  }

  Bytes first_limit(SizeModel sizes) const {
    if (sizes == SizeModel::sections) return options_.messages->fit.eager_max;
    return limit_ ? static_cast<Bytes>(*limit_->value) : options_.hardware.eager_max;
  }

  // Libraries with costs that begin at a size are old, and their senders move the data.
  platforms::Rendezvous first_rendezvous(SizeModel sizes) const {
    const bool old = sizes == SizeModel::sections && !options_.hardware.protocol_known;
    return old ? platforms::Rendezvous::put : options_.hardware.rendezvous;
  }

  Result<Chosen> chosen(SizeModel sizes, bool with_gap) const {
    const Choice first{sizes, first_limit(sizes), first_rendezvous(sizes), with_gap};
    auto found = TUTTI_TRY(solve(first, {}));
    Chosen best{first, std::move(found), borne_scatter, first_effects(numbers_of(first))};
    if (!options_.hardware.protocol_known) TUTTI_TRY(try_others(best));
    if (sizes == SizeModel::sections) return best;
    TUTTI_TRY(trust_times(best));
    TUTTI_TRY(estimate_spread(best));
    TUTTI_TRY(try_law(best));
    if (options_.hardware.protocol_known || !options_.messages) return best;
    // Differences too small for the accepted scatter may be significant for the scatter that the
    // fit leaves.
    TUTTI_TRY(try_others(best));
    TUTTI_TRY(trust_times(best));
    return best;
  }

  RunEffects first_effects(const FitNumbers& numbers) const {
    if (numbers.is_time().empty()) return {};
    return effects_of(runs_, numbers.is_time());
  }

  // Estimates the spread of the runs and fits again with it, until it hardly changes.
  Result<bool> estimate_spread(Chosen& best) const {
    constexpr int most_rounds = 8;
    const auto times = static_cast<Eigen::Index>(measured_.size());
    for (int round = 0; round < most_rounds && best.effects.runs > 0; ++round) {
      const bool has_changed = renew_spread(best.effects, best.fit, times, best.scatter);
      if (!has_changed) break;
      const auto numbers = numbers_of(best.choice);
      best.fit = TUTTI_TRY(fit_by_simulation(model_of(numbers, best.scatter, best.effects),
                                             best.fit.numbers, best.fit.jacobian, 0));
    }
    return true;
  }

  // Fits again with the law by the size of jobs that the runs show, if they show one.
  Result<bool> try_law(Chosen& best) const {
    best.tried = clearest_scale_law(runs_in(best.fit, best.effects, runs_));
    if (!best.tried || !best.tried->rejected.empty()) return true;
    if (options_.progress)
      options_.progress(fmt::format("a latency of {}", law_text(best.tried->law)));
    Chosen other = best;
    other.choice.law = best.tried->law;
    const auto numbers = numbers_of(other.choice);
    other.effects = first_effects(numbers);
    const auto at = numbers.law_number();
    const VectorXd& known = best.fit.numbers;
    VectorXd start(known.size() + 1);
    start << known.head(at), numbers.start()[at], known.tail(known.size() - at);
    other.fit = TUTTI_TRY(
        fit_by_simulation(model_of(numbers, other.scatter, other.effects), std::move(start)));
    TUTTI_TRY(estimate_spread(other));
    best = std::move(other);
    return true;
  }

  RunSpread run_spread(const Chosen& best) const {
    RunSpread spread{.count = runs_.runs.size(), .law = best.tried};
    if (best.effects.runs == 0) return spread;
    spread.latency = best.effects.latency_sd;
    spread.byte = best.effects.byte_sd;
    spread.all = runs_in(best.fit, best.effects, runs_);
    return spread;
  }

  static VectorXd start_of(const FitNumbers& numbers, const RunEffects& effects) {
    VectorXd start(numbers.start().size() + effects.count());
    start << numbers.start(), VectorXd::Zero(effects.count());
    return start;
  }

  FitNumbers numbers_of(const Choice& choice) const {
    auto system = movable_system(options_.hardware, measured_);
    system.rendezvous = choice.rendezvous;
    system.scale_law = choice.law;
    if (choice.sizes == SizeModel::sections)
      return FitNumbers::of_sections(system, options_, choice.with_gap);
    return FitNumbers::of_all(system, options_, choice.eager_max, choice.with_gap);
  }

  SimulatedModel model_of(const FitNumbers& numbers, double scatter,
                          const RunEffects& effects) const {
    return {
        .measured = measured_,
        .machine_of = [&](const VectorXd& x,
                          const std::string& torus) { return machine_of_(numbers.at(x), torus); },
        .preferences = [&](const VectorXd& x) { return numbers.preferences(x); },
        .scatter = scatter,
        .jobs = options_.jobs,
        .progress = options_.progress,
        .effects = effects};
  }

  // Starts at `near`, a fit with another choice, and reuses its Jacobian at first.
  Result<SimulatedFit> solve(const Choice& choice, const Chosen* near) const {
    const auto numbers = numbers_of(choice);
    const auto effects = near == nullptr ? first_effects(numbers) : near->effects;
    const auto model = model_of(numbers, near == nullptr ? borne_scatter : near->scatter, effects);
    if (near == nullptr) return fit_by_simulation(model, start_of(numbers, effects));
    auto roughly = fit_by_simulation(model, near->fit.numbers, near->fit.jacobian, 0);
    if (!roughly || roughly->loss > near->fit.loss + hopeless * unit_of(*near)) return roughly;
    return fit_by_simulation(model, roughly->numbers, roughly->jacobian);
  }

  // Losses are in units of the accepted scatter.
  static double unit_of(const Chosen& one) {
    return one.scatter * one.scatter / (borne_scatter * borne_scatter);
  }

  // Tries the neighbors of the best choice until none is clearly better.
  Result<bool> try_others(Chosen& best) const {
    std::vector<Choice> tried{best.choice};
    for (bool improves = true; improves;) {
      improves = false;
      for (const Choice& other : others(best.choice)) {
        if (std::ranges::find(tried, other) != tried.end()) continue;
        tried.push_back(other);
        auto found = TUTTI_TRY(solve(other, &best));
        if (found.loss + clearly * unit_of(best) > best.fit.loss) continue;
        best = {other, std::move(found), best.scatter, best.effects, best.tried};
        improves = true;
        break;
      }
    }
    return true;
  }

  // Times with less scatter than accepted get more weight compared with the priors.
  Result<bool> trust_times(Chosen& best) const {
    constexpr double clearly_less = 0.8;
    constexpr int most_rounds = 6;
    const auto times = static_cast<Eigen::Index>(measured_.size());
    for (int round = 0; round < most_rounds; ++round) {
      const double scatter = scatter_of(best);
      if (scatter > clearly_less * best.scatter) break;
      auto jacobian = best.fit.jacobian;
      jacobian.bottomRows(jacobian.rows() - times) *= scatter / best.scatter;
      best.scatter = scatter;
      const auto numbers = numbers_of(best.choice);
      best.fit = TUTTI_TRY(
          fit_by_simulation(model_of(numbers, scatter, best.effects), best.fit.numbers, jacobian));
    }
    return true;
  }

  std::vector<Choice> others(const Choice& choice) const {
    constexpr Bytes smallest = 1 << 10, largest = 1 << 20;
    std::vector<Choice> all;
    const auto add = [&](Bytes eager_max, platforms::Rendezvous rendezvous) {
      all.push_back({choice.sizes, eager_max, rendezvous, choice.with_gap, choice.law});
    };
    if (!limit_ && choice.sizes == SizeModel::curve) {
      if (choice.eager_max > smallest) add(choice.eager_max / 2, choice.rendezvous);
      if (choice.eager_max < largest) add(choice.eager_max * 2, choice.rendezvous);
      const auto* seen = options_.messages ? named(options_.messages->fit, "eager_limit") : nullptr;
      if (seen != nullptr && is_known(*seen))
        add(static_cast<Bytes>(*seen->value), choice.rendezvous);
    }
    using enum platforms::Rendezvous;
    add(choice.eager_max, choice.rendezvous == get ? put : get);
    return all;
  }

  // Empty: the gap is kept, or none was fitted.
  std::string why_no_gap(const Chosen& best, const ProtocolFit& found) const {
    if (!best.choice.with_gap) return "";
    const bool moved =
        best.choice.sizes == SizeModel::curve || !shown_by_messages(options_.messages->fit, "gap");
    if (!moved) return "";
    if (gap_is_hidden(found)) return "hidden by the overheads";
    const auto* gap = named(found, "gap");
    return gap != nullptr && is_known(*gap) ? "" : "the times do not show it";
  }

  JointFit fit_of(const Chosen& best) const {
    const auto numbers = numbers_of(best.choice);
    JointFit joint = numbers.at(best.fit.numbers);
    joint.runs = run_spread(best);
    joint.inter.samples = options_.messages ? options_.messages->times.size() : measured_.size();
    joint.inter.condition =
        Posterior(best.fit, static_cast<Eigen::Index>(measured_.size()), best.scatter).condition();
    auto all = reported(numbers, best.fit, measured_.size(), best.scatter);
    for (auto& parameter : all) {
      if (parameter.status == ParameterStatus::prior) parameter.note = options_.hardware.name;
      if (options_.messages && is_known(parameter) &&
          !shown_by_messages(options_.messages->fit, parameter.name))
        parameter.note = from_collectives;
      replace(joint.inter.parameters, std::move(parameter));
    }
    if (best.choice.sizes == SizeModel::curve)
      joint.inter.parameters.push_back(limit_ ? *limit_ : eager_limit(best.choice));
    return joint;
  }

  FittedParameter eager_limit(const Choice& choice) const {
    FittedParameter limit{.name = "eager_limit",
                          .unit = "B",
                          .value = static_cast<double>(choice.eager_max),
                          .status = ParameterStatus::prior,
                          .note = options_.hardware.name};
    if (!options_.hardware.protocol_known) {
      limit.status = ParameterStatus::uncertain;
      limit.note = "the best power of two nearby";
    }
    return limit;
  }

  // Differences of losses: of one additional choice (half of the 95 % quantile of chi square), and
  // of a rough fit that a refined one cannot make up for.
  static constexpr double clearly = 1.92, hopeless = 20;

  Measured measured_;  // including messages
  const JointMachineOf& machine_of_;
  const JointFitOptions& options_;
  std::optional<FittedParameter> limit_;  // set if it is known
  MeasuredRuns runs_;
};

std::string call_text(const MeasuredCollective& one) {
  return fmt::format("{} {} of {}, {}, {}", one.collective, one.algorithm,
                     counted(one.procs, "process"), format_bytes(one.message_bytes),
                     format_seconds(one.time_s));
}

}  // namespace

Result<JointFit> fit_to_collectives(const Measured& measured, const JointMachineOf& machine_of,
                                    const JointFitOptions& options) {
  constexpr std::size_t least = 8, least_with_messages = 3;
  if (measured.size() < (options.messages ? least_with_messages : least))
    return make_error(ErrorKind::input, "",
                      counted(measured.size(), "time") + " of collectives: too few for a fit",
                      options.messages ? "provide at least three, with times of messages"
                                       : "provide at least eight, of small and large messages");
  const auto& first = measured.front();
  if (!options.messages && std::ranges::all_of(measured, [&](const auto& row) {
        return row.message_bytes == first.message_bytes;
      }))
    return make_error(ErrorKind::input, "", "times of collectives cover only one message size",
                      "add times of small and of large messages");
  return JointFitting(measured, machine_of, options).run();
}

SystemParameters movable_system(const HardwareClass& hardware, const Measured& measured) {
  SystemParameters system = system_of(hardware);
  const auto shows_skew = [](const MeasuredCollective& row) {
    return row.harness != nullptr && row.harness->before_each_call;
  };
  if (std::ranges::none_of(measured, shows_skew)) system.arrival_skew_s.reset();
  return system;
}

std::optional<Error> contradiction(const Measured& measured) {
  constexpr double too_much = 50;
  std::map<CallKey, const MeasuredCollective*> known;
  for (const auto& row : measured) {
    const auto [at, is_new] = known.try_emplace(call_key(row), &row);
    if (is_new) continue;
    const auto& before = *at->second;
    const double ratio = row.time_s / before.time_s;
    if (ratio < too_much && ratio > 1 / too_much) continue;
    Error error = make_error(
        ErrorKind::input, row.file,
        fmt::format("{} contradicts {} in line {} of {}", call_text(row),
                    format_seconds(before.time_s), before.line, before.file),
        "times must be in seconds; exclude one of the two with --only, or remove it from the file");
    error.line = row.line;
    return error;
  }
  return std::nullopt;
}

}  // namespace tutti::studies
