// SPDX-License-Identifier: BSD-3-Clause
#include "sim/validate/checked_call.hpp"

#include "algorithms/models/message_cost.hpp"
#include "platforms/changed_machine.hpp"
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

namespace {

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

}  // namespace

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

}  // namespace tutti::studies
