// SPDX-License-Identifier: BSD-3-Clause
#include "sim/fireworks/form_choice.hpp"

#include "sim/base/quantile.hpp"

namespace tutti::studies::fireworks {
namespace {

constexpr double least_correct = 0.95;
constexpr double widest_spread = 1.25;

// Every other time of each group.
std::vector<PredictedTime> take_half(const std::vector<PredictedTime>& times, int which) {
  std::map<std::int64_t, int> seen;
  std::vector<PredictedTime> half;
  for (const auto& time : times)
    if (seen[time.group]++ % 2 == which) half.push_back(time);
  return half;
}

TimesOfForms take_half(const TimesOfForms& times, int which) {
  TimesOfForms half;
  for (std::size_t i = 0; i < times.size(); ++i) half[i] = take_half(times[i], which);
  return half;
}

// 1 if the second time is longer by more than the fraction `clearly`, -1 if the first one is.
int longer(Seconds first_s, Seconds second_s, double clearly) {
  return (second_s > (1 + clearly) * first_s) - (first_s > (1 + clearly) * second_s);
}

// Fraction of the pairs of a group of which expected and simulated times agree which set is clearly
// faster, or that neither is. Unlike the fraction of the pairs that are ordered right, it does not
// favor a form that expects differences where there are none.
double agreed_fraction(const std::vector<PredictedTime>& times, double clearly) {
  std::int64_t pairs = 0, agreed = 0;
  for (std::size_t i = 0; i < times.size(); ++i)
    for (std::size_t j = i + 1; j < times.size(); ++j) {
      const auto& a = times[i];
      const auto& b = times[j];
      if (a.group != b.group) continue;
      ++pairs;
      agreed += longer(a.predicted_s, b.predicted_s, clearly) ==
                longer(a.simulated_s, b.simulated_s, clearly);
    }
  return pairs > 0 ? static_cast<double>(agreed) / static_cast<double>(pairs) : 1;
}

// Mean difference between expected and simulated times, as a fraction.
double mean_error(const std::vector<PredictedTime>& times) {
  double sum = 0;
  for (const auto& time : times) sum += std::abs(time.predicted_s / time.simulated_s - 1);
  return sum / static_cast<double>(times.size());
}

std::optional<Form> best_form(const TimesOfForms& times, double clearly) {
  constexpr double of_pairs = 0.01, of_time = 0.01;
  std::array<double, form_names.size()> agreement = {};
  for (std::size_t i = 0; i < times.size(); ++i)
    if (!times[i].empty()) agreement[i] = agreed_fraction(times[i], clearly);
  const double most = std::ranges::max(agreement);
  std::optional<Form> best;
  double least_error = std::numeric_limits<double>::infinity();
  for (std::size_t i = 0; i < times.size(); ++i) {
    if (times[i].empty() || agreement[i] < most - of_pairs) continue;
    const double error = mean_error(times[i]);
    if (error >= least_error - of_time) continue;
    best = static_cast<Form>(i);
    least_error = error;
  }
  return best;
}

}  // namespace

std::optional<ChosenForm> choose_form(const TimesOfForms& times, double clearly) {
  const auto best = best_form(times, clearly);
  if (!best) return std::nullopt;
  ChosenForm chosen{.form = *best, .trial = {}};
  std::vector<double> ratios;
  for (const int judged : {0, 1}) {
    const auto form = best_form(take_half(times, 1 - judged), clearly);
    if (!form) continue;
    const auto half = take_half(times[static_cast<std::size_t>(*form)], judged);
    const auto ordering = count_ordered_pairs(half, clearly);
    chosen.trial.pairs += ordering.pairs;
    chosen.trial.right += ordering.right;
    for (const auto& time : half) ratios.push_back(time.predicted_s / time.simulated_s);
  }
  if (ratios.empty()) return chosen;
  chosen.trial.low_ratio = quantile_of(ratios, 0.05);
  chosen.trial.high_ratio = quantile_of(ratios, 0.95);
  return chosen;
}

std::vector<std::string> shortcomings(Form form, const Trial& trial) {
  std::vector<std::string> warnings;
  if (trial.pairs == 0)
    warnings.push_back(
        fmt::format("form {} expects no difference between node sets: their order was not checked",
                    form_name(form)));
  else if (trial.correct_fraction() < least_correct)
    warnings.push_back(
        fmt::format("form {} orders only {:.1f} % of the pairs of node sets as the simulation "
                    "does: rely on simulated times instead of expected ones",
                    form_name(form), 100 * trial.correct_fraction()));
  if (trial.high_ratio > widest_spread * trial.low_ratio)
    warnings.push_back(
        fmt::format("form {} expects {:.2f} to {:.2f} of the simulated time, depending on the node "
                    "set: differences of this size mean nothing",
                    form_name(form), trial.low_ratio, trial.high_ratio));
  return warnings;
}

}  // namespace tutti::studies::fireworks
