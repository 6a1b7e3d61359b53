// SPDX-License-Identifier: BSD-3-Clause
#include "sim/studies/checked_call.hpp"

#include <fmt/format.h>

#include <cmath>

#include "algorithms/models/message_cost.hpp"
#include "sim/studies/run_point.hpp"

namespace tutti::studies {
namespace {

std::string label_of(const Point& point) {
  const auto& args = point.call.args;
  const auto* algorithm = point.call.algorithm;
  std::string label(algorithm->name);
  if (args.segment_bytes > 0)
    label += fmt::format(" {} segments", format_bytes(args.segment_bytes));
  if (args.fanout != algorithm->default_fanout) label += fmt::format(" fan-out {}", args.fanout);
  return label;
}

Seconds cost_of(const Point& point, const platforms::Machine& machine, const std::string& model,
                const ModelParameters& parameters) {
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

CheckedCall checked_call(const Point& point, const platforms::Machine& machine,
                         const std::vector<std::string>& models,
                         const ModelParameters& parameters) {
  const auto placement = platforms::place(machine, point.placement).value();
  CheckedCall call{.collective = std::string(point.call.algorithm->collective),
                   .algorithm = label_of(point),
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
         .times = {.given_s = cost_of(point, machine, model, parameters),
                   .derived_s = cost_of(point, machine, model, derived)}});
  return call;
}

Row row_of(const ModelTimes& times) {
  Row row;
  for (const auto& column : time_columns)
    if (const auto time_s = times.*column.member) row.push_back({column.name, *time_s});
  return row;
}

ModelTimes times_in(const Row& row) {
  ModelTimes times;
  for (const auto& column : time_columns)
    times.*column.member = number_of(cell_in(row, column.name));
  return times;
}

FarOff far_off(const std::vector<CheckedCall>& calls, double most_error) {
  FarOff found;
  for (const auto& call : calls)
    for (const auto& formula : call.formulas) {
      const auto error = model_error(call.times, formula.times);
      const double off = error.error.value_or(error.contention_free_error.value_or(0));
      ++found.all;
      found.above += std::fabs(off) > most_error;
      if (found.worst != nullptr && std::fabs(off) <= std::fabs(found.worst_error)) continue;
      found.worst = &call;
      found.worst_model = formula.model;
      found.worst_error = off;
    }
  return found;
}

}  // namespace tutti::studies
