// SPDX-License-Identifier: BSD-3-Clause
#include "sim/validate/improvement.hpp"

#include "algorithms/models/message_cost.hpp"

namespace tutti::studies {
namespace {

// Small, so that no tuned value falls below 0; not so small that rounding shows.
constexpr double small_improvement = 1e-6;

// What one message gains, equations 4.11 and 4.15.
Seconds gained_s(Affected affected, const MessageGain& gain, const ModelParameters& p) {
  using namespace algorithms::models;
  const Seconds untuned_s = is_hockney(affected) ? HockneyCost(p.hockney, 1).hop(gain.message_bytes)
                                                 : LogGPCost(p.loggp, 1).hop(gain.message_bytes);
  return gain.improvement * untuned_s;
}

double& parameter_of(Affected affected, ModelParameters& p) {
  switch (affected) {
    case Affected::l:
      return p.hockney.l_s;
    case Affected::b:
      return p.hockney.b_Bps;
    case Affected::o:
      return p.loggp.o_s;
    case Affected::G:
      break;
  }
  return p.loggp.G_s_per_B;
}

// As the formulas give it, possible or not.
double formula_value(Affected affected, const MessageGain& gain, const ModelParameters& p) {
  const double m = static_cast<double>(gain.message_bytes);
  const Seconds less_s = gained_s(affected, gain, p);
  switch (affected) {
    case Affected::l:
      return p.hockney.l_s - less_s;
    case Affected::b:
      return m / (m / p.hockney.b_Bps - less_s);
    case Affected::o:
      return p.loggp.o_s - less_s / 2;
    case Affected::G:
      break;
  }
  return p.loggp.G_s_per_B - less_s / (m - 1);
}

// Bytes that a message of this size must have for the parameter to matter.
Bytes least_bytes(Affected affected) { return affected == Affected::b ? 1 : 2; }

}  // namespace

std::string_view name_of(Affected affected) {
  constexpr std::array<std::string_view, 4> names = {"hockney(l)", "hockney(b)", "loggp(o)",
                                                     "loggp(G)"};
  return names[static_cast<std::size_t>(affected)];
}

bool is_hockney(Affected affected) { return affected == Affected::l || affected == Affected::b; }

std::optional<double> improvement_of(Seconds untuned_s, Seconds tuned_s) {
  if (untuned_s <= 0) return std::nullopt;
  return (untuned_s - tuned_s) / untuned_s;
}

std::optional<double> tuned_value(Affected affected, const MessageGain& gain,
                                  const ModelParameters& untuned) {
  ModelParameters parameters = untuned;
  if (gain.improvement == 0) return parameter_of(affected, parameters);
  const bool is_per_byte = affected == Affected::b || affected == Affected::G;
  if (is_per_byte && gain.message_bytes < least_bytes(affected)) return std::nullopt;
  const double value = formula_value(affected, gain, untuned);
  const bool is_possible = affected == Affected::b ? value > 0 && value < 1e300 : value >= 0;
  return is_possible ? std::optional(value) : std::nullopt;
}

std::optional<ModelParameters> tuned_parameters(Affected affected, const MessageGain& gain,
                                                const ModelParameters& untuned) {
  const auto value = tuned_value(affected, gain, untuned);
  if (!value) return std::nullopt;
  ModelParameters tuned = untuned;
  parameter_of(affected, tuned) = *value;
  return tuned;
}

Seconds model_time(Affected affected, const algorithms::Algorithm& algorithm,
                   const algorithms::ModelArgs& args, const ModelParameters& parameters) {
  return is_hockney(affected) ? algorithms::models::hockney(algorithm, args, parameters.hockney)
                              : algorithms::models::loggp(algorithm, args, parameters.loggp);
}

std::optional<ModelGain> expected_gain(Affected affected, const algorithms::Algorithm& algorithm,
                                       const algorithms::ModelArgs& args, double improvement,
                                       const ModelParameters& untuned) {
  const auto tuned = tuned_parameters(
      affected, {.message_bytes = args.call.message_bytes, .improvement = improvement}, untuned);
  if (!tuned) return std::nullopt;
  return ModelGain{model_time(affected, algorithm, args, untuned),
                   model_time(affected, algorithm, args, *tuned)};
}

std::optional<double> gain_ratio(Affected affected, const algorithms::Algorithm& algorithm,
                                 const algorithms::ModelArgs& args,
                                 const ModelParameters& untuned) {
  const auto gain = expected_gain(affected, algorithm, args, small_improvement, untuned);
  if (!gain) return std::nullopt;
  const auto improvement = improvement_of(gain->untuned_s, gain->tuned_s);
  if (!improvement) return std::nullopt;
  return *improvement / small_improvement;
}

}  // namespace tutti::studies
