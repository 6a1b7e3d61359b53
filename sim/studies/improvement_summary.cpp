// SPDX-License-Identifier: BSD-3-Clause
#include "sim/studies/improvement_summary.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <tuple>

#include "sim/studies/column.hpp"
#include "sim/studies/improvement_table.hpp"

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

struct SquaredError {
  std::optional<double> mean;
  int sizes = 0;  // with an answer
};

SquaredError squared_error(Affected affected, const std::vector<const ImprovedCall*>& group,
                           const MessageTuning& tuning) {
  double sum = 0;
  int count = 0;
  for (const auto* call : group) {
    const double of_message = tuning.improvement_of(call->size);
    const auto model = number_of_times(expected(affected, *call, of_message, tuning));
    const auto seen = number_of_times(simulated_for(affected, *call, tuning));
    if (!model || !seen) continue;
    sum += (*model - *seen) * (*model - *seen);
    ++count;
  }
  if (count == 0) return {};
  return {sum / count < improvement_rounding * improvement_rounding ? 0 : sum / count, count};
}

using SquaredErrors = std::array<SquaredError, 4>;

// Only models that answer for so many are compared: others have errors of fewer, and of easier
// ones.
int most_sizes(const SquaredErrors& errors) {
  return std::ranges::max(errors, {}, &SquaredError::sizes).sizes;
}

std::optional<double> least_error(const SquaredErrors& errors) {
  std::optional<double> least;
  for (const auto& each : errors)
    if (each.mean && each.sizes == most_sizes(errors))
      least = std::min(*each.mean, least.value_or(*each.mean));
  return least;
}

// The letters of those that are as good as the best.
std::string best_models(const SquaredErrors& errors, double least) {
  constexpr std::array letters = {"l", "b", "o", "G"};
  std::vector<std::string_view> best;
  for (std::size_t i = 0; i < errors.size(); ++i)
    if (errors[i].sizes == most_sizes(errors) && *errors[i].mean - least <= improvement_rounding)
      best.emplace_back(letters[i]);
  return best.size() == errors.size() ? "all" : fmt::format("{}", fmt::join(best, ","));
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
  row.emplace_back(static_cast<std::int64_t>(group.size()));
  SquaredErrors errors;
  for (std::size_t i = 0; i < errors.size(); ++i) {
    errors[i] = squared_error(all_affected[i], group, tuning);
    row.push_back(cell(errors[i].mean));
  }
  const auto least = least_error(errors);
  row.push_back(least ? cell(best_models(errors, *least)) : Cell());
  row.push_back(cell(least));
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

// ---- signs ----

struct Ratios {
  std::optional<double> least, greatest;
  std::optional<bool> as_table;  // the closed form gives the same wherever it is meant to hold

  void add(double ratio) {
    least = std::min(ratio, least.value_or(ratio));
    greatest = std::max(ratio, greatest.value_or(ratio));
  }
};

Ratios ratios_of(const TableRatio& row, const std::vector<ImprovedCall>& calls,
                 const MessageTuning& tuning) {
  Ratios found;
  for (const auto& call : calls) {
    if (call.algorithm->collective != row.collective || call.algorithm->name != row.algorithm)
      continue;
    const auto ratio = gain_ratio(row.affected, *call.algorithm, call.args, tuning.parameters);
    if (!ratio) continue;
    found.add(*ratio);
    if (!row.holds_for(call.args.procs)) continue;
    const double closed =
        row.ratio(call.args.procs, call.args.call.message_bytes, tuning.parameters);
    found.as_table = found.as_table.value_or(true) && std::abs(closed - *ratio) < 1e-6 * *ratio;
  }
  return found;
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
  Table table{.columns = columns_with(call_columns,
                                      {"sizes", "hockney_l_mse", "hockney_b_mse", "loggp_o_mse",
                                       "loggp_G_mse", "best_model", "best_mse", "peak_improvement",
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

Table improvement_signs(const MessageTuning& tuning, const std::vector<ImprovedCall>& calls) {
  Table table{.columns = {"collective", "algorithm", "printed_as", "model", "printed_sign",
                          "true_sign", "least_ratio", "greatest_ratio", "as_table", "note"},
              .rows = {}};
  for (const auto& row : table_4_2()) {
    const Ratios ratios = ratios_of(row, calls, tuning);
    if (!ratios.least) continue;
    table.rows.push_back({row.collective, row.algorithm, row.printed_as,
                          std::string(name_of(row.affected)), cell(row.printed_sign), row.true_sign,
                          cell(ratios.least), cell(ratios.greatest), cell(ratios.as_table),
                          cell(row.note)});
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
