// SPDX-License-Identifier: BSD-3-Clause
#include "sim/validate/model_summary.hpp"

#include "algorithms/models/message_cost.hpp"
#include "platforms/changed_machine.hpp"
#include "sim/base/quantile.hpp"
#include "sim/jobs/field.hpp"
#include "sim/jobs/memory_estimate.hpp"
#include "sim/jobs/run_point.hpp"

namespace tutti::studies {
namespace {

using engines::Contention;

class CallSimulations {
 public:
  explicit CallSimulations(Point point) : point_(std::move(point)) {
    point_.engine = engines::EngineKind::flow;
    point_.starts.runs = 0;  // formulas start all ranks at once
  }

  // The simulated time; unset once a simulation has failed.
  std::optional<Seconds> simulate(const platforms::Machine& machine, Contention contention) {
    if (!errors_.empty()) return std::nullopt;
    point_.contention = contention;
    const auto answer = run_point(point_, machine);
    if (answer) return answer->record.time_s;
    errors_ = answer.errors();
    return std::nullopt;
  }

  const std::vector<Error>& errors() const { return errors_; }

 private:
  Point point_;
  std::vector<Error> errors_;
};

// The difference of two stages, relative to the whole.
std::optional<double> part(std::optional<Seconds> from_s, std::optional<Seconds> to_s,
                           Seconds whole_s) {
  if (!from_s || !to_s) return std::nullopt;
  return (*to_s - *from_s) / whole_s;
}

std::string label_text(const Point& point) {
  const auto& args = point.call.args;
  const auto* algorithm = point.call.algorithm;
  std::string label(algorithm->name);
  if (args.segment_bytes > 0)
    label += fmt::format(" {} segments", format_bytes(args.segment_bytes));
  if (args.fanout != algorithm->default_fanout) label += fmt::format(" fan-out {}", args.fanout);
  return label;
}

Seconds formula_time(const Point& point, const platforms::Machine& machine,
                     const std::string& model, const ModelParameters& parameters) {
  const auto args = model_args(point, machine);
  const auto& algorithm = *point.call.algorithm;
  return model == "hockney" ? algorithms::models::hockney(algorithm, args, parameters.hockney)
                            : algorithms::models::loggp(algorithm, args, parameters.loggp);
}

struct TimeColumn {
  const char* name;
  std::optional<Seconds> ModelTimes::*member;
};
constexpr TimeColumn time_columns[] = {{"time_s", &ModelTimes::time_s},
                                       {"contention_free_s", &ModelTimes::contention_free_s},
                                       {"private_s", &ModelTimes::private_s},
                                       {"one_rank_nodes_s", &ModelTimes::one_rank_nodes_s},
                                       {"eager_s", &ModelTimes::eager_s}};

std::string place_text(const CheckedCall& call, bool with_ppn) {
  return fmt::format("{}{} x {}", call.procs, with_ppn ? fmt::format("/{}", call.ppn) : "",
                     format_bytes(call.message_bytes));
}

// Groups values by key, in the order of their first values.
template <class Value, class Key>
std::vector<std::vector<const Value*>> group_by(const std::vector<Value>& values, const Key& key) {
  std::vector<std::vector<const Value*>> groups;
  std::map<decltype(key(values.front())), std::size_t> numbers;
  for (const Value& value : values) {
    const auto [group, is_new] = numbers.try_emplace(key(value), groups.size());
    if (is_new) groups.emplace_back();
    groups[group->second].push_back(&value);
  }
  return groups;
}

void add_shares(const std::vector<const ModelEntry*>& group, ModelErrors& errors) {
  std::array<double, error_parts.size()> parts{};
  double sum = 0;
  for (const auto* entry : group)
    for (std::size_t i = 0; i < parts.size(); ++i) {
      const double part = std::fabs((entry->error.*error_parts[i].member).value_or(0));
      parts[i] += part;
      sum += part;
    }
  if (sum <= 0) return;
  for (std::size_t i = 0; i < parts.size(); ++i) errors.shares[i] = parts[i] / sum;
  const auto greatest = std::ranges::max_element(parts);
  errors.mostly = error_parts[static_cast<std::size_t>(greatest - parts.begin())].name;
}

// Ratio of simulated time and formula, at least 1.
double apart(const ModelEntry& entry) {
  const double ratio = entry.call->simulated_s() / entry.formula->time_s();
  return std::max(ratio, 1 / ratio);
}

ModelErrors sum_errors(const std::vector<const ModelEntry*>& group, bool with_ppn) {
  std::vector<double> sizes, factors;
  const ModelEntry* worst = nullptr;
  for (const auto* entry : group) {
    if (!entry->relevant() || entry->formula->time_s() <= 0) continue;
    sizes.push_back(std::fabs(*entry->relevant()));
    factors.push_back(*entry->simulated_over_model());
    if (worst == nullptr || apart(*entry) > apart(*worst)) worst = entry;
  }
  ModelErrors errors{.first = *group.front(), .calls = std::ssize(sizes)};
  if (worst != nullptr) {
    errors.median = median_of(sizes);
    errors.p90 = quantile_of(sizes, 0.9);
    errors.worst = worst->relevant();
    errors.worst_ratio = worst->simulated_over_model();
    errors.worst_at = place_text(*worst->call, with_ppn);
    errors.median_ratio = median_of(factors);
  }
  add_shares(group, errors);
  return errors;
}

// ---- ranking ----

constexpr double least_difference = 0.01;        // relative, between simulated times
constexpr double least_model_difference = 1e-9;  // smaller differences of formulas are rounding

bool is_below(double a, double b, double difference) { return a < b * (1 - difference); }

void count_pair(const ModelEntry& a, const ModelEntry& b, ModelSetting& setting) {
  const auto [faster, slower] =
      a.call->simulated_s() < b.call->simulated_s() ? std::pair(&a, &b) : std::pair(&b, &a);
  if (!is_below(faster->call->simulated_s(), slower->call->simulated_s(), least_difference)) return;
  ++setting.pairs;
  setting.right +=
      is_below(faster->formula->time_s(), slower->formula->time_s(), least_model_difference);
}

// Among equal formulas the slowest algorithm counts as chosen, since the model does not distinguish
// them.
bool is_chosen_before(const ModelEntry& a, const ModelEntry& b) {
  const Seconds a_s = a.formula->time_s(), b_s = b.formula->time_s();
  if (is_below(a_s, b_s, least_model_difference)) return true;
  return !is_below(b_s, a_s, least_model_difference) &&
         a.call->simulated_s() > b.call->simulated_s();
}

ModelSetting make_setting(const std::vector<const ModelEntry*>& rivals) {
  ModelSetting setting;
  const ModelEntry* choice = nullptr;
  for (std::size_t i = 0; i < rivals.size(); ++i) {
    const ModelEntry* entry = rivals[i];
    for (std::size_t j = 0; j < i; ++j) count_pair(*rivals[j], *entry, setting);
    if (setting.best == nullptr || entry->call->simulated_s() < setting.best->simulated_s())
      setting.best = entry->call;
    if (choice == nullptr || is_chosen_before(*entry, *choice)) choice = entry;
  }
  setting.choice = choice->call;
  setting.formula = choice->formula;
  return setting;
}

ModelRanking rank_group(const std::vector<const ModelSetting*>& group, bool with_ppn) {
  ModelRanking ranking{.worst = *group.front(), .worst_at = {}, .settings = std::ssize(group)};
  std::vector<double> regrets;
  for (const auto* setting : group) {
    ranking.pairs += setting->pairs;
    ranking.right += setting->right;
    regrets.push_back(setting->regret());
    ranking.best += regrets.back() <= least_difference;
    if (setting->regret() > ranking.worst.regret()) ranking.worst = *setting;
  }
  ranking.worst_at = place_text(*ranking.worst.choice, with_ppn);
  ranking.median_regret = median_of(regrets);
  ranking.p90_regret = quantile_of(regrets, 0.9);
  return ranking;
}

}  // namespace

SimplifiedMachines::SimplifiedMachines(const platforms::Machine& machine)
    : full(machine),
      apart(platforms::without_nodes(machine)),
      eager(platforms::without_protocol(apart)) {}

Result<ModelTimes> model_times(const Point& point, const SimplifiedMachines& machines,
                               const ModelCheckOptions& options) {
  CallSimulations run(point);
  ModelTimes times;
  if (options.with_contention) times.time_s = run.simulate(machines.full, Contention::on);
  if (options.without_contention)
    times.contention_free_s = run.simulate(machines.full, Contention::off);
  if (options.parts) {
    const Contention own_nics =
        point.call.algorithm->posts_to_all ? Contention::pooled_nics : Contention::private_nics;
    times.private_s = run.simulate(machines.full, own_nics);
    times.one_rank_nodes_s = run.simulate(machines.apart, own_nics);
    times.eager_s = run.simulate(machines.eager, own_nics);
  }
  if (!run.errors().empty()) return run.errors();
  return times;
}

ModelError model_error(const ModelTimes& times, const FormulaTimes& formula) {
  ModelError error;
  if (times.contention_free_s.value_or(0) > 0)
    error.contention_free_error =
        part(times.contention_free_s, formula.given_s, *times.contention_free_s);
  if (times.time_s.value_or(0) <= 0) return error;
  const Seconds whole_s = *times.time_s;
  error.error = part(whole_s, formula.given_s, whole_s);
  error.links = part(times.time_s, times.contention_free_s, whole_s);
  error.nics = part(times.contention_free_s, times.private_s, whole_s);
  error.nodes = part(times.private_s, times.one_rank_nodes_s, whole_s);
  error.protocol = part(times.one_rank_nodes_s, times.eager_s, whole_s);
  error.formula = part(times.eager_s, formula.derived_s, whole_s);
  if (times.eager_s) error.parameters = part(formula.derived_s, formula.given_s, whole_s);
  return error;
}

CheckedCall make_checked_call(const Point& point, const platforms::Machine& machine,
                              const std::vector<std::string>& models,
                              const ModelParameters& parameters) {
  const auto placement = platforms::place(machine, point.placement).value();
  CheckedCall call{.collective = std::string(point.call.algorithm->collective),
                   .algorithm = label_text(point),
                   .procs = point.placement.procs,
                   .nodes = placement.nodes,
                   .ppn = placement.ppn,
                   .map = map_name(point.placement),
                   .message_bytes = point.call.args.message_bytes,
                   .times = {},
                   .formulas = {}};
  const ModelParameters derived = derived_parameters(machine);
  for (const auto& model : models)
    call.formulas.push_back(
        {.model = model,
         .set = model == "hockney" ? parameters.hockney.set : parameters.loggp.set,
         .times = {.given_s = formula_time(point, machine, model, parameters),
                   .derived_s = formula_time(point, machine, model, derived)}});
  return call;
}

Row make_row(const ModelTimes& times) {
  Row row;
  for (const auto& column : time_columns)
    if (const auto time_s = times.*column.member) row.push_back({column.name, *time_s});
  return row;
}

ModelTimes read_times(const Row& row) {
  ModelTimes times;
  for (const auto& column : time_columns)
    times.*column.member = number_of(cell_in(row, column.name));
  return times;
}

FarOff far_off(const std::vector<CheckedCall>& calls, double most_error) {
  FarOff result;
  for (const auto& call : calls)
    for (const auto& formula : call.formulas) {
      const auto error = model_error(call.times, formula.times);
      const double off = error.error.value_or(error.contention_free_error.value_or(0));
      ++result.all;
      result.above += std::fabs(off) > most_error;
      if (result.worst != nullptr && std::fabs(off) <= std::fabs(result.worst_error)) continue;
      result.worst = &call;
      result.worst_model = formula.model;
      result.worst_error = off;
    }
  return result;
}

bool ppn_varies(const std::vector<CheckedCall>& calls) {
  std::map<std::int64_t, std::int64_t> ppn_by_procs;
  return std::ranges::any_of(calls, [&](const CheckedCall& call) {
    return ppn_by_procs.try_emplace(call.procs, call.ppn).first->second != call.ppn;
  });
}

std::optional<double> ModelEntry::simulated_over_model() const {
  if (formula->time_s() <= 0) return std::nullopt;
  return call->simulated_s() / formula->time_s();
}

std::vector<ModelEntry> model_entries(const std::vector<CheckedCall>& calls) {
  std::vector<ModelEntry> entries;
  for (const auto& call : calls)
    for (const auto& formula : call.formulas)
      entries.push_back({&call, &formula, model_error(call.times, formula.times)});
  return entries;
}

std::vector<ModelErrors> model_errors(const std::vector<CheckedCall>& calls) {
  std::vector<ModelErrors> all;
  const auto entries = model_entries(calls);
  for (const auto& group : group_by(entries, [](const ModelEntry& entry) {
         return std::tuple(entry.call->collective, entry.call->algorithm, entry.formula->model);
       }))
    all.push_back(sum_errors(group, ppn_varies(calls)));
  return all;
}

// Only settings with several algorithms whose simulated times are above 0.
std::vector<ModelSetting> model_settings(const std::vector<CheckedCall>& calls) {
  std::vector<ModelSetting> settings;
  const auto entries = model_entries(calls);
  for (auto& rivals : group_by(entries, [](const ModelEntry& entry) {
         const CheckedCall& call = *entry.call;
         return std::tuple(call.collective, call.procs, call.ppn, call.map, call.message_bytes,
                           entry.formula->model);
       })) {
    std::erase_if(rivals, [](const ModelEntry* entry) { return entry->call->simulated_s() <= 0; });
    if (rivals.size() > 1) settings.push_back(make_setting(rivals));
  }
  return settings;
}

std::optional<double> ModelRanking::correct_fraction() const {
  if (pairs == 0) return std::nullopt;
  return static_cast<double>(right) / static_cast<double>(pairs);
}

std::vector<ModelRanking> model_rankings(const std::vector<CheckedCall>& calls) {
  std::vector<ModelRanking> rankings;
  const auto settings = model_settings(calls);
  for (const auto& group : group_by(settings, [](const ModelSetting& setting) {
         return std::pair(setting.choice->collective, setting.formula->model);
       }))
    rankings.push_back(rank_group(group, ppn_varies(calls)));
  return rankings;
}

Result<ModelCheckPlan> plan_model_check(const ModelCheckSpec& spec,
                                        const platforms::Machine& machine, bool force) {
  ModelCheckPlan plan;
  for (const auto& sweep : spec.sweeps)
    for (auto& point : TUTTI_TRY(make_points(sweep, machine)).all)
      if (point.call.algorithm->cost != nullptr && point.placement.procs > 1)
        plan.points.push_back(std::move(point));
  if (plan.points.empty())
    return usage_error("options", "select nothing to compare",
                       "use an algorithm with a formula and at least two processes");
  plan.parameters = TUTTI_TRY(find_parameters(spec.parameters, machine, spec.models));
  if (auto errors = job_errors(plan.points, machine, force); !errors.empty()) return errors;
  return plan;
}

CheckedCalls simulate_calls(const ModelCheckSpec& spec, const ModelCheckPlan& plan,
                            const platforms::Machine& machine, const RunPoints& run) {
  const SimplifiedMachines machines(machine);
  std::vector<StudyPoint> simulations;
  for (const Point& point : plan.points)
    simulations.push_back(simulation_of(point, [&]() -> Result<Row> {
      return make_row(TUTTI_TRY(model_times(point, machines, spec.options)));
    }));
  CheckedCalls checked{.calls = {}, .run = run(simulations)};
  for (std::size_t i = 0; i < plan.points.size(); ++i) {
    const auto& answer = checked.run.answers[i];
    if (!answer) continue;
    checked.calls.push_back(
        make_checked_call(plan.points[i], machine, spec.models, plan.parameters));
    checked.calls.back().times = read_times(*answer);
  }
  return checked;
}

}  // namespace tutti::studies
