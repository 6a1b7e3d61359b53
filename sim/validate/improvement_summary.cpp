// SPDX-License-Identifier: BSD-3-Clause
#include "sim/validate/improvement_summary.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <tuple>

#include "sim/studies/column.hpp"

namespace tutti::studies {
namespace {

constexpr double improvement_rounding = 1e-9;

// A time before and after.
using Times = ModelGain;

Cell improvement_cell(const std::optional<Times>& times) {
  return times ? cell(improvement_of(times->untuned_s, times->tuned_s)) : Cell();
}

// "any" where all are as good.
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

// The change that makes the call fastest, and slowest.
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

// What an expectation is measured by.
std::optional<Times> simulated_for(Affected affected, const ImprovedCall& call,
                                   const MessageTuning& tuning) {
  if (tuning.is_given) return simulated(call, static_cast<std::size_t>(realised_by(affected)));
  return simulated(call, ends_of(call, tuning.best_of(call.size)).best);
}

std::optional<Times> expected(Affected affected, const ImprovedCall& call, double improvement,
                              const MessageTuning& tuning) {
  return expected_gain(affected, *call.algorithm, call.args, improvement, tuning.parameters);
}

// Collective, algorithm, processes, nodes, processes of a node, placement.
std::vector<Cell> words_of(const ImprovedCall& call) {
  return {std::string(call.algorithm->collective),
          std::string(call.algorithm->name),
          std::int64_t{call.args.procs},
          call.nodes,
          call.ppn,
          call.map};
}
const std::vector<std::string> call_columns = {"collective", "algorithm", "procs",
                                               "nodes",      "ppn",       "map"};

std::vector<std::string> columns_with(std::vector<std::string> first,
                                      const std::vector<std::string>& others) {
  first.insert(first.end(), others.begin(), others.end());
  return first;
}

// Calls that differ in their message alone, in the order of the first ones.
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

struct PointRow {
  std::string source;
  std::optional<Times> times = {};
  std::optional<double> improvement = {};  // where there are no times
  std::optional<double> tuned_parameter = {};
  std::string change = {};
  std::optional<Times> worst = {};
};

class PointRows {
 public:
  explicit PointRows(const MessageTuning& tuning) : tuning_(tuning) {}

  void add(const ImprovedCall& call) {
    add_message(call);
    add_simulated(call);
    for (const Affected affected : all_affected) {
      const double improvement = tuning_.improvement_of(call.size);
      const MessageGain gain{tuning_.gains[call.size].message_bytes, improvement};
      add(call, {.source = std::string(name_of(affected)),
                 .times = expected(affected, call, improvement, tuning_),
                 .tuned_parameter = tuned_value(affected, gain, tuning_.parameters)});
    }
  }

  Table table{.columns = columns_with(call_columns, {"message_bytes", "source", "improvement",
                                                     "worst_improvement", "gain_ratio", "untuned_s",
                                                     "tuned_s", "tuned_parameter", "best_change"}),
              .rows = {}};

 private:
  void add_message(const ImprovedCall& call) {
    const auto& gain = tuning_.gains[call.size];
    const auto best = tuning_.best_of(call.size);
    PointRow row{.source = "netpipe", .change = words_of(best, tuning_)};
    if (tuning_.is_given)
      row.improvement = tuning_.improvement_of(call.size);
    else
      row.times = Times{gain.untuned_s, gain.changed_s[best.front()]};
    add(call, row);
  }

  void add_simulated(const ImprovedCall& call) {
    if (tuning_.is_given) {
      for (const Realised realised : all_realised)
        add(call, {.source = fmt::format("simulated({})", name_of(realised)),
                   .times = simulated(call, static_cast<std::size_t>(realised))});
      return;
    }
    const Ends ends = ends_of(call, tuning_.best_of(call.size));
    add(call, {.source = "simulated",
               .times = simulated(call, ends.best),
               .change = ends.best ? tuning_.changes[*ends.best] : "",
               .worst = simulated(call, ends.worst)});
  }

  void add(const ImprovedCall& call, const PointRow& row) {
    const double of_message = tuning_.improvement_of(call.size);
    const Cell improvement = row.improvement ? Cell(*row.improvement) : improvement_cell(row.times);
    const auto number = number_of(improvement);
    auto cells = words_of(call);
    cells.insert(cells.end(), {tuning_.gains[call.size].message_bytes, row.source, improvement,
                               improvement_cell(row.worst),
                               number && of_message != 0 ? Cell(*number / of_message) : Cell(),
                               row.times ? Cell(row.times->untuned_s) : Cell(),
                               row.times ? Cell(row.times->tuned_s) : Cell(),
                               cell(row.tuned_parameter), cell(row.change)});
    table.rows.push_back(std::move(cells));
  }

  const MessageTuning& tuning_;
};

// ---- errors ----

std::optional<double> number_of_times(const std::optional<Times>& times) {
  return times ? improvement_of(times->untuned_s, times->tuned_s) : std::nullopt;
}

// Of one size.
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
    const auto model = number_of_times(expected(affected, *call, of_message, tuning));
    const auto seen = number_of_times(simulated_for(affected, *call, tuning));
    answers.push_back(model && seen ? SizeAnswer({*model, *seen}) : std::nullopt);
  }
  return answers;
}

// What is nothing but rounding is 0.
double mean_square(double sum, std::size_t count) {
  const double mean = sum / static_cast<double>(count);
  return mean < improvement_rounding * improvement_rounding ? 0 : mean;
}

// The errors of a group's models, all over the same sizes: those that any model answers for. A
// model that lacks one of them has no error. Where all models expect nothing at all of these sizes,
// as the null model "gain 0" does, nothing is compared.
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
  // Of the null model, by what that model is measured by.
  std::optional<double> null_mse(std::size_t model) const {
    return mean_of(model, [](const ExpectedAndSeen& each) { return each.seen * each.seen; });
  }

  // The first of those that are as good as the best.
  std::optional<std::size_t> best() const {
    std::optional<std::size_t> best;
    for (std::size_t i = 0; i < answers_.size(); ++i)
      if (const auto error = mse(i); error && (!best || *error < *mse(*best))) best = i;
    return best;
  }

  // The letters of those that are as good as the best.
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
  std::vector<std::size_t> sizes_;  // that are compared
  bool is_compared_ = false;
};

// 1 - MSE / MSE of the null model (Murphy 1988): above 0 where the model expects better than "gain
// 0" does; nothing where there is no gain to expect.
std::optional<double> skill_of(std::optional<double> mse, std::optional<double> null_mse) {
  if (!mse || !null_mse || *null_mse == 0) return std::nullopt;
  return 1 - *mse / *null_mse;
}

// The greatest simulated improvement, and the least one of changes that are as good for messages.
struct Peak {
  std::optional<double> improvement, least;
  Bytes message_bytes = 0;
};
Peak peak_of(const std::vector<const ImprovedCall*>& group, const MessageTuning& tuning) {
  Peak peak;
  for (const auto* call : group)
    for (const Affected affected : all_affected) {
      const auto seen = number_of_times(simulated_for(affected, *call, tuning));
      if (!seen || (peak.improvement && *seen <= *peak.improvement + improvement_rounding))
        continue;
      peak = {seen, {}, tuning.gains[call->size].message_bytes};
    }
  for (const auto* call : group) {
    const auto worst = simulated(*call, ends_of(*call, tuning.best_of(call->size)).worst);
    const auto seen = number_of_times(worst);
    if (seen) peak.least = std::min(*seen, peak.least.value_or(*seen));
  }
  return peak;
}

std::vector<Cell> row_of_errors(const std::vector<const ImprovedCall*>& group,
                                const MessageTuning& tuning) {
  auto row = words_of(*group.front());
  const GroupErrors errors(group, tuning);
  row.emplace_back(errors.sizes());
  for (std::size_t i = 0; i < all_affected.size(); ++i) row.push_back(cell(errors.mse(i)));
  for (std::size_t i = 0; i < all_affected.size(); ++i) row.emplace_back(errors.sizes_of(i));
  const auto best = errors.best();
  const auto null_mse = errors.null_mse(best.value_or(0));
  row.push_back(best ? cell(errors.best_models()) : Cell());
  row.push_back(best ? cell(errors.mse(*best)) : Cell());
  row.push_back(cell(null_mse));
  row.push_back(best ? cell(skill_of(errors.mse(*best), null_mse)) : Cell());
  const Peak peak = peak_of(group, tuning);
  row.push_back(cell(peak.improvement));
  row.push_back(peak.improvement.value_or(0) > improvement_rounding ? Cell(peak.message_bytes)
                                                                    : Cell());
  row.push_back(cell(peak.least));
  return row;
}

// ---- weights ----

void add_times(double weight, const std::optional<Times>& times, std::optional<Times>& sum) {
  if (!sum || !times) {
    sum.reset();  // one is missing
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

// The best of the changes, for the whole group.
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

std::vector<Cell> weighted_row(const std::vector<const ImprovedCall*>& group,
                               const MessageTuning& tuning) {
  auto row = words_of(*group.front());
  if (tuning.is_given) {
    for (const Realised realised : all_realised)
      row.push_back(improvement_cell(weighted(group, tuning, [&](const ImprovedCall& call) {
        return simulated(call, static_cast<std::size_t>(realised));
      })));
  } else {
    const Chosen chosen = best_for_all(group, tuning);
    const auto messages = weighted(group, tuning, [&](const ImprovedCall& call) {
      const auto& gain = tuning.gains[call.size];
      return std::optional(Times{gain.untuned_s, gain.changed_s[tuning.best_of_all().front()]});
    });
    row.push_back(chosen.change ? cell(tuning.changes[*chosen.change]) : Cell());
    row.push_back(improvement_cell(messages));
    row.push_back(chosen.times ? Cell(chosen.times->untuned_s) : Cell());
    row.push_back(chosen.times ? Cell(chosen.times->tuned_s) : Cell());
    row.push_back(improvement_cell(chosen.times));
  }
  for (const Affected affected : all_affected)
    row.push_back(improvement_cell(weighted_model(affected, group, tuning)));
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

Table improvement_points(const MessageTuning& tuning, const std::vector<ImprovedCall>& calls) {
  PointRows rows(tuning);
  for (const auto& call : calls) rows.add(call);
  return std::move(rows.table);
}

Table improvement_errors(const MessageTuning& tuning, const std::vector<ImprovedCall>& calls) {
  Table table{
      .columns = columns_with(
          call_columns, {"sizes", "hockney_l_mse", "hockney_b_mse", "loggp_o_mse", "loggp_G_mse",
                         "hockney_l_sizes", "hockney_b_sizes", "loggp_o_sizes", "loggp_G_sizes",
                         "best_model", "best_mse", "null_mse", "best_skill", "peak_improvement",
                         "peak_bytes", "least_improvement"}),
      .rows = {}};
  for (const auto& group : by_algorithm(calls)) table.rows.push_back(row_of_errors(group, tuning));
  return table;
}

Table improvement_parameters(const MessageTuning& tuning) {
  Table table{.columns = {"message_bytes", "untuned_s", "tuned_s", "improvement", "best_change",
                          "hockney_l_s", "hockney_b_Bps", "loggp_o_s", "loggp_G_s_per_B", "l_ratio",
                          "b_ratio", "o_ratio", "G_ratio"},
              .rows = {}};
  const auto& p = tuning.parameters;
  const std::array untuned = {p.hockney.l_s, p.hockney.b_Bps, p.loggp.o_s, p.loggp.G_s_per_B};
  for (std::size_t size = 0; size < tuning.gains.size(); ++size) {
    const auto& measured = tuning.gains[size];
    const auto best = tuning.best_of(size);
    const MessageGain gain{measured.message_bytes, tuning.improvement_of(size)};
    const Seconds tuned_s = tuning.is_given ? (1 - gain.improvement) * measured.untuned_s
                                            : measured.changed_s[best.front()];
    std::vector<Cell> row{gain.message_bytes, measured.untuned_s, tuned_s, gain.improvement,
                          cell(words_of(best, tuning))};
    std::vector<Cell> ratios;
    for (std::size_t i = 0; i < all_affected.size(); ++i) {
      const auto value = tuned_value(all_affected[i], gain, p);
      row.push_back(cell(value));
      ratios.push_back(value && untuned[i] > 0 ? Cell(*value / untuned[i]) : Cell());
    }
    row.insert(row.end(), ratios.begin(), ratios.end());
    table.rows.push_back(std::move(row));
  }
  return table;
}

Table improvement_weighted(const MessageTuning& tuning, const std::vector<ImprovedCall>& calls) {
  std::vector<std::string> simulated_columns = {"best_change", "netpipe_improvement", "untuned_s",
                                                "tuned_s", "simulated_improvement"};
  if (tuning.is_given)
    simulated_columns = {"overheads_improvement", "start_improvement", "bytes_improvement"};
  Table table{.columns = columns_with(columns_with(call_columns, simulated_columns),
                                      {"hockney_l_improvement", "hockney_b_improvement",
                                       "loggp_o_improvement", "loggp_G_improvement"}),
              .rows = {}};
  for (const auto& group : by_algorithm(calls)) table.rows.push_back(weighted_row(group, tuning));
  return table;
}

}  // namespace tutti::studies
