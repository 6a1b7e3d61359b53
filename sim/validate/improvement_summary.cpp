// SPDX-License-Identifier: BSD-3-Clause
#include "sim/validate/improvement_summary.hpp"

#include "sim/studies/field.hpp"

namespace tutti::studies {
namespace {

constexpr double improvement_rounding = 1e-9;

// Times before and after the change.
using Times = ModelGain;

std::optional<double> improvement_in(const std::optional<Times>& times) {
  return times ? improvement_of(times->untuned_s, times->tuned_s) : std::nullopt;
}

// "any" if all changes are equally good.
std::string words_of(const std::vector<std::size_t>& changes, const MessageTuning& tuning) {
  if (tuning.is_given) return {};
  if (changes.size() == tuning.changes.size() && changes.size() > 1) return "any";
  std::vector<std::string> words;
  for (const std::size_t change : changes) words.push_back(tuning.changes[change]);
  return fmt::format("{}", fmt::join(words, ", "));
}

std::optional<Seconds> tuned_time(const ImprovedCall& call, std::size_t change) {
  const auto found = call.tuned_s.find(change);
  return found == call.tuned_s.end() ? std::nullopt : std::optional(found->second);
}

// The changes that make the call fastest and slowest.
struct Ends {
  std::optional<std::size_t> best, worst;
};
Ends ends_of(const ImprovedCall& call, const std::vector<std::size_t>& changes) {
  Ends ends;
  for (const std::size_t change : changes) {
    const auto time_s = tuned_time(call, change);
    if (!time_s) continue;
    if (!ends.best || *time_s < *tuned_time(call, *ends.best)) ends.best = change;
    if (!ends.worst || *time_s > *tuned_time(call, *ends.worst)) ends.worst = change;
  }
  return ends;
}

std::optional<Times> simulated(const ImprovedCall& call, std::optional<std::size_t> change) {
  if (!change) return std::nullopt;
  const auto time_s = tuned_time(call, *change);
  return time_s ? std::optional(Times{call.untuned_s, *time_s}) : std::nullopt;
}

// The simulated times that a model's expectation is compared with.
std::optional<Times> simulated_for(Affected affected, const ImprovedCall& call,
                                   const MessageTuning& tuning) {
  if (tuning.is_given) return simulated(call, static_cast<std::size_t>(realised_by(affected)));
  return simulated(call, ends_of(call, tuning.best_of(call.size)).best);
}

std::optional<Times> expected(Affected affected, const ImprovedCall& call, double improvement,
                              const MessageTuning& tuning) {
  return expected_gain(affected, *call.algorithm, call.args, improvement, tuning.parameters);
}

// Groups calls that differ only in message size, in the order of their first calls.
std::vector<std::vector<const ImprovedCall*>> by_algorithm(const std::vector<ImprovedCall>& calls) {
  std::vector<std::vector<const ImprovedCall*>> groups;
  const auto key = [](const ImprovedCall& call) {
    return std::tuple(call.algorithm, call.args.procs, call.ppn, std::string_view(call.map));
  };
  std::map<decltype(key(calls.front())), std::size_t> numbers;
  for (const auto& call : calls) {
    const auto [found, is_new] = numbers.try_emplace(key(call), groups.size());
    if (is_new) groups.emplace_back();
    groups[found->second].push_back(&call);
  }
  return groups;
}

// ---- points ----

CallGain message_gain(const ImprovedCall& call, const MessageTuning& tuning) {
  const auto& gain = tuning.gains[call.size];
  const auto best = tuning.best_of(call.size);
  CallGain row{.call = &call, .source = "netpipe", .change = words_of(best, tuning)};
  if (tuning.is_given) {
    row.improvement = tuning.improvement_of(call.size);
  } else {
    row.times = Times{gain.untuned_s, gain.changed_s[best.front()]};
    row.improvement = improvement_in(row.times);
  }
  return row;
}

void add(CallGain row, std::vector<CallGain>& rows) {
  row.improvement = improvement_in(row.times);
  rows.push_back(std::move(row));
}

void add_simulated(const ImprovedCall& call, const MessageTuning& tuning,
                   std::vector<CallGain>& rows) {
  if (tuning.is_given) {
    for (const Realised realised : all_realised)
      add({.call = &call,
           .source = fmt::format("simulated({})", name_of(realised)),
           .times = simulated(call, static_cast<std::size_t>(realised))},
          rows);
    return;
  }
  const Ends ends = ends_of(call, tuning.best_of(call.size));
  add({.call = &call,
       .source = "simulated",
       .times = simulated(call, ends.best),
       .worst = improvement_in(simulated(call, ends.worst)),
       .change = ends.best ? tuning.changes[*ends.best] : ""},
      rows);
}

void add_expected(const ImprovedCall& call, const MessageTuning& tuning,
                  std::vector<CallGain>& rows) {
  const double improvement = tuning.improvement_of(call.size);
  const MessageGain gain{tuning.gains[call.size].message_bytes, improvement};
  for (const Affected affected : all_affected)
    add({.call = &call,
         .source = std::string(name_of(affected)),
         .times = expected(affected, call, improvement, tuning),
         .tuned_parameter = tuned_value(affected, gain, tuning.parameters)},
        rows);
}

// ---- errors ----

// Improvements for one size.
struct ExpectedAndSeen {
  double expected = 0;
  double seen = 0;
};
using SizeAnswer = std::optional<ExpectedAndSeen>;

// By size, in the group's order.
std::vector<SizeAnswer> answers_of(Affected affected, const std::vector<const ImprovedCall*>& group,
                                   const MessageTuning& tuning) {
  std::vector<SizeAnswer> answers;
  for (const auto* call : group) {
    const double of_message = tuning.improvement_of(call->size);
    const auto model = improvement_in(expected(affected, *call, of_message, tuning));
    const auto seen = improvement_in(simulated_for(affected, *call, tuning));
    answers.push_back(model && seen ? SizeAnswer({*model, *seen}) : std::nullopt);
  }
  return answers;
}

// Returns 0 for a mean that is only rounding.
double mean_square(double sum, std::size_t count) {
  const double mean = sum / static_cast<double>(count);
  return mean < improvement_rounding * improvement_rounding ? 0 : mean;
}

// The errors of all models over the same sizes of a group: those for which any model has an
// expectation. A model without an expectation for one of them has no error. If all models expect no
// gain, as the null model "gain 0" does, nothing is compared.
class GroupErrors {
 public:
  GroupErrors(const std::vector<const ImprovedCall*>& group, const MessageTuning& tuning) {
    for (std::size_t i = 0; i < answers_.size(); ++i)
      answers_[i] = answers_of(all_affected[i], group, tuning);
    for (std::size_t size = 0; size < group.size(); ++size)
      if (std::ranges::any_of(answers_, [&](const auto& each) { return each[size].has_value(); }))
        sizes_.push_back(size);
    const auto expects = [&](std::size_t size) {
      return std::ranges::any_of(answers_, [&](const auto& each) {
        return each[size] && std::abs(each[size]->expected) > improvement_rounding;
      });
    };
    is_compared_ = std::ranges::any_of(sizes_, expects);
  }

  std::int64_t sizes() const { return is_compared_ ? std::ssize(sizes_) : 0; }
  std::int64_t sizes_of(std::size_t model) const {
    return std::ranges::count_if(answers_[model], &SizeAnswer::has_value);
  }
  std::optional<double> mse(std::size_t model) const {
    return is_compared_
               ? mean_of(model,
                         [](const ExpectedAndSeen& each) {
                           return (each.expected - each.seen) * (each.expected - each.seen);
                         })
               : std::nullopt;
  }
  // Error of the null model, compared with the same simulated times as `model`.
  std::optional<double> null_mse(std::size_t model) const {
    return mean_of(model, [](const ExpectedAndSeen& each) { return each.seen * each.seen; });
  }

  // The first of the best models.
  std::optional<std::size_t> best() const {
    std::optional<std::size_t> best;
    for (std::size_t i = 0; i < answers_.size(); ++i)
      if (const auto error = mse(i); error && (!best || *error < *mse(*best))) best = i;
    return best;
  }

  // The letters of all models that are equally good as the best.
  std::string best_models() const {
    constexpr std::array letters = {"l", "b", "o", "G"};
    std::vector<std::string_view> names;
    for (std::size_t i = 0; i < answers_.size(); ++i)
      if (const auto error = mse(i); error && *error - *mse(*best()) <= improvement_rounding)
        names.emplace_back(letters[i]);
    return names.size() == answers_.size() ? "all" : fmt::format("{}", fmt::join(names, ","));
  }

 private:
  template <class Square>
  std::optional<double> mean_of(std::size_t model, const Square& square) const {
    double sum = 0;
    for (const std::size_t size : sizes_) {
      if (!answers_[model][size]) return std::nullopt;
      sum += square(*answers_[model][size]);
    }
    return sizes_.empty() ? std::nullopt : std::optional(mean_square(sum, sizes_.size()));
  }

  std::array<std::vector<SizeAnswer>, all_affected.size()> answers_;
  std::vector<std::size_t> sizes_;  // the sizes that are compared
  bool is_compared_ = false;
};

// 1 - MSE / MSE of the null model (Murphy 1988): above 0 if the model is better than "gain 0";
// unset if there is no gain.
std::optional<double> skill_of(std::optional<double> mse, std::optional<double> null_mse) {
  if (!mse || !null_mse || *null_mse == 0) return std::nullopt;
  return 1 - *mse / *null_mse;
}

// The largest simulated improvement, and the smallest by changes that are equally good for
// messages.
struct Peak {
  std::optional<double> improvement, least;
  Bytes message_bytes = 0;
};
Peak peak_of(const std::vector<const ImprovedCall*>& group, const MessageTuning& tuning) {
  Peak peak;
  for (const auto* call : group)
    for (const Affected affected : all_affected) {
      const auto seen = improvement_in(simulated_for(affected, *call, tuning));
      if (!seen || (peak.improvement && *seen <= *peak.improvement + improvement_rounding))
        continue;
      peak = {seen, {}, tuning.gains[call->size].message_bytes};
    }
  for (const auto* call : group) {
    const auto worst = simulated(*call, ends_of(*call, tuning.best_of(call->size)).worst);
    const auto seen = improvement_in(worst);
    if (seen) peak.least = std::min(*seen, peak.least.value_or(*seen));
  }
  return peak;
}

ImprovementErrors errors_of(const std::vector<const ImprovedCall*>& group,
                            const MessageTuning& tuning) {
  const GroupErrors errors(group, tuning);
  ImprovementErrors row{.call = group.front(), .sizes = errors.sizes()};
  for (std::size_t i = 0; i < all_affected.size(); ++i) {
    row.mse[i] = errors.mse(i);
    row.sizes_of[i] = errors.sizes_of(i);
  }
  const auto best = errors.best();
  row.null_mse = errors.null_mse(best.value_or(0));
  if (best) {
    row.best_models = errors.best_models();
    row.best_mse = errors.mse(*best);
    row.skill = skill_of(row.best_mse, row.null_mse);
  }
  const Peak peak = peak_of(group, tuning);
  row.peak = peak.improvement;
  if (peak.improvement.value_or(0) > improvement_rounding) row.peak_bytes = peak.message_bytes;
  row.least = peak.least;
  return row;
}

// ---- weights ----

void add_times(double weight, const std::optional<Times>& times, std::optional<Times>& sum) {
  if (!sum || !times) {
    sum.reset();  // the time of a size is missing
    return;
  }
  sum->untuned_s += weight * times->untuned_s;
  sum->tuned_s += weight * times->tuned_s;
}

template <class TimesOf>
std::optional<Times> weighted(const std::vector<const ImprovedCall*>& group,
                              const MessageTuning& tuning, const TimesOf& times_of) {
  std::optional<Times> sum = Times{};
  for (const auto* call : group)
    if (const double weight = tuning.weights[call->size]; weight > 0)
      add_times(weight, times_of(*call), sum);
  return sum;
}

// The best change for the whole group.
struct Chosen {
  std::optional<std::size_t> change;
  std::optional<Times> times;
};
Chosen best_for_all(const std::vector<const ImprovedCall*>& group, const MessageTuning& tuning) {
  Chosen chosen;
  for (const std::size_t change : tuning.best_of_all()) {
    const auto sum =
        weighted(group, tuning, [&](const auto& call) { return simulated(call, change); });
    if (sum && (!chosen.times || sum->tuned_s < chosen.times->tuned_s)) chosen = {change, sum};
  }
  return chosen;
}

std::optional<Times> weighted_model(Affected affected,
                                    const std::vector<const ImprovedCall*>& group,
                                    const MessageTuning& tuning) {
  return weighted(group, tuning, [&](const ImprovedCall& call) {
    const double improvement =
        tuning.is_given ? tuning.improvement_of(call.size)
                        : tuning.gains[call.size].improvement(tuning.best_of_all().front());
    return expected(affected, call, improvement, tuning);
  });
}

// Adds the gains under the best change for the group.
void add_best_change(const std::vector<const ImprovedCall*>& group, const MessageTuning& tuning,
                     WeightedGains& row) {
  const Chosen chosen = best_for_all(group, tuning);
  if (chosen.change) row.change = tuning.changes[*chosen.change];
  row.messages = improvement_in(weighted(group, tuning, [&](const ImprovedCall& call) {
    const auto& gain = tuning.gains[call.size];
    return std::optional(Times{gain.untuned_s, gain.changed_s[tuning.best_of_all().front()]});
  }));
  row.times = chosen.times;
  row.simulated = improvement_in(chosen.times);
}

WeightedGains weighted_gains(const std::vector<const ImprovedCall*>& group,
                             const MessageTuning& tuning) {
  WeightedGains row{.call = group.front()};
  if (tuning.is_given)
    for (std::size_t i = 0; i < all_realised.size(); ++i)
      row.realised[i] = improvement_in(
          weighted(group, tuning, [&](const ImprovedCall& call) { return simulated(call, i); }));
  else
    add_best_change(group, tuning, row);
  for (std::size_t i = 0; i < all_affected.size(); ++i)
    row.expected[i] = improvement_in(weighted_model(all_affected[i], group, tuning));
  return row;
}

}  // namespace

std::optional<Seconds> best_time(const ImprovedCall& call,
                                 const std::vector<std::size_t>& changes) {
  const auto best = ends_of(call, changes).best;
  return best ? tuned_time(call, *best) : std::nullopt;
}

std::vector<std::size_t> MessageTuning::best_of(std::size_t size) const {
  if (!is_given) return best_changes({gains[size]}, {1});
  std::vector<std::size_t> all(all_realised.size());
  std::iota(all.begin(), all.end(), std::size_t{0});
  return all;
}

std::vector<std::size_t> MessageTuning::best_of_all() const { return best_changes(gains, weights); }

double MessageTuning::improvement_of(std::size_t size) const {
  return is_given ? given[size].improvement : gains[size].improvement(best_of(size).front());
}

std::vector<CallGain> improvement_points(const MessageTuning& tuning,
                                         const std::vector<ImprovedCall>& calls) {
  std::vector<CallGain> rows;
  for (const auto& call : calls) {
    rows.push_back(message_gain(call, tuning));
    add_simulated(call, tuning, rows);
    add_expected(call, tuning, rows);
  }
  return rows;
}

std::vector<ImprovementErrors> improvement_errors(const MessageTuning& tuning,
                                                  const std::vector<ImprovedCall>& calls) {
  std::vector<ImprovementErrors> rows;
  for (const auto& group : by_algorithm(calls)) rows.push_back(errors_of(group, tuning));
  return rows;
}

std::vector<SizeParameters> improvement_parameters(const MessageTuning& tuning) {
  const auto& p = tuning.parameters;
  const std::array untuned = {p.hockney.l_s, p.hockney.b_Bps, p.loggp.o_s, p.loggp.G_s_per_B};
  std::vector<SizeParameters> rows;
  for (std::size_t size = 0; size < tuning.gains.size(); ++size) {
    const auto& measured = tuning.gains[size];
    const auto best = tuning.best_of(size);
    const MessageGain gain{measured.message_bytes, tuning.improvement_of(size)};
    SizeParameters row{.gain = gain,
                       .untuned_s = measured.untuned_s,
                       .tuned_s = tuning.is_given ? (1 - gain.improvement) * measured.untuned_s
                                                  : measured.changed_s[best.front()],
                       .changes = words_of(best, tuning),
                       .tuned = {},
                       .ratios = {}};
    for (std::size_t i = 0; i < all_affected.size(); ++i) {
      row.tuned[i] = tuned_value(all_affected[i], gain, p);
      if (row.tuned[i] && untuned[i] > 0) row.ratios[i] = *row.tuned[i] / untuned[i];
    }
    rows.push_back(std::move(row));
  }
  return rows;
}

std::vector<WeightedGains> improvement_weighted(const MessageTuning& tuning,
                                                const std::vector<ImprovedCall>& calls) {
  std::vector<WeightedGains> rows;
  for (const auto& group : by_algorithm(calls)) rows.push_back(weighted_gains(group, tuning));
  return rows;
}

}  // namespace tutti::studies
