// SPDX-License-Identifier: BSD-3-Clause
#include "sim/studies/run_point.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <numeric>
#include <optional>

#include "algorithms/models/message_cost.hpp"
#include "sim/base/error_list.hpp"

namespace tutti::studies {
namespace {

using platforms::Machine;

constexpr std::size_t most_problems_told = 5;

Error run_error(std::string message) { return make_error(ErrorKind::run, "", std::move(message)); }

std::vector<Error> errors_of(const std::vector<std::string>& problems) {
  std::vector<Error> errors;
  for (const auto& problem : problems) {
    if (errors.size() == most_problems_told) {
      errors.push_back(
          run_error(fmt::format("... and {} more problems", problems.size() - most_problems_told)));
      break;
    }
    errors.push_back(run_error(problem));
  }
  return errors;
}

// Open MPI refuses some calls; no simulation of them makes sense.
std::optional<Error> refusal(const Point& point) {
  const auto& [algorithm, args] = point.call;
  if (algorithm->runs == nullptr || algorithm->runs({point.placement.procs, args})) return {};
  return usage_error("",
                     fmt::format("{} {} does not run among {} processes, as in Open MPI",
                                 algorithm->collective, algorithm->name, point.placement.procs),
                     fmt::format("it needs {}", algorithm->restriction));
}

void describe(const Point& point, const platforms::Placement& placement, Record& record) {
  const auto& [algorithm, args] = point.call;
  record.collective = algorithm->collective;
  record.algorithm = algorithm->name;
  record.requested_algorithm = point.requested_algorithm;
  record.algorithm_id = algorithm->id;
  record.procs = point.placement.procs;
  record.nodes = placement.nodes;
  record.ppn = placement.ppn;
  record.map = map_name(point.placement);
  record.message_bytes = args.message_bytes;
  record.segment_bytes = args.segment_bytes;
  record.fanout = args.fanout;
  record.root = args.root;
  record.element_bytes = args.element_bytes;
  record.engine = engines::engine_name(point.engine);
  record.engine_is_chosen = point.engine_is_chosen;
  record.merge_window = point.merge_window;
  if (point.engine != engines::EngineKind::ideal)
    record.contention = point.contention == engines::Contention::on ? "on" : "off";
}

void add_models(const Point& point, const Machine& machine, Record& record) {
  const auto& [algorithm, args] = point.call;
  const algorithms::ModelArgs model{
      point.placement.procs, args,
      machine.combine_Bps.value_or(std::numeric_limits<double>::infinity())};
  if (algorithm->cost == nullptr) return;
  record.model_hockney_s = algorithms::models::hockney(*algorithm, model, machine.hockney);
  record.model_hockney_set = machine.hockney.set;
  record.model_loggp_s = algorithms::models::loggp(*algorithm, model, machine.loggp);
  record.model_loggp_set = machine.loggp.set;
}

void add_times(const std::vector<Seconds>& end_s, Record& record) {
  TUTTI_CHECK(!end_s.empty(), "a job has ranks");
  record.time_s = *std::max_element(end_s.begin(), end_s.end());
  record.time_min_s = *std::min_element(end_s.begin(), end_s.end());
  const double mean_s =
      std::accumulate(end_s.begin(), end_s.end(), 0.0) / static_cast<double>(end_s.size());
  // Rounding must not put the mean of equal times above them.
  record.time_mean_s = std::clamp(mean_s, *record.time_min_s, *record.time_s);
}

void add_counts(const runtime::MessageCounts& counts, Record& record) {
  record.messages = counts.messages;
  record.wire_bytes = counts.wire_bytes;
  record.eager_messages = counts.eager_messages;
  record.detached_messages = counts.detached_messages;
  record.rendezvous_messages = counts.rendezvous_messages;
  record.intra_node_messages = counts.intra_node_messages;
  record.intra_node_bytes = counts.intra_node_bytes;
}

}  // namespace

std::string map_name(const platforms::PlacementRequest& request) {
  switch (request.policy) {
    case platforms::MapPolicy::block:
      return "block";
    case platforms::MapPolicy::round_robin:
      return "round-robin";
    case platforms::MapPolicy::file:
      return "file:" + request.file;
  }
  TUTTI_CHECK(false, "a map policy without a name");
  return {};
}

Result<Answer> run_point(const Point& point, const Machine& machine, runtime::Observer* watcher) {
  if (auto refused = refusal(point)) return *refused;
  auto placement = platforms::place(machine, point.placement);
  if (!placement) return placement.errors();
  engines::TrafficCounter traffic;
  Inside inside(point.inside, machine, *placement);
  engines::Job job{.machine = machine,
                   .placement = *placement,
                   .program = workloads::program_of(point.call),
                   .observers = inside.observers(),
                   .contention = point.contention,
                   .merge_window = point.merge_window};
  if (point.want_traffic) job.observers.push_back(&traffic);
  if (watcher != nullptr) job.observers.push_back(watcher);
  auto outcome = engines::run(point.engine, job);
  if (!outcome.problems.empty()) return errors_of(outcome.problems);
  const bool timed = point.engine != engines::EngineKind::ideal;
  Answer answer;
  describe(point, *placement, answer.record);
  if (timed) add_times(outcome.end_s, answer.record);
  add_counts(outcome.counts, answer.record);
  add_models(point, machine, answer.record);
  answer.traffic = traffic.rows();
  auto seen = inside.answer();
  if (!seen) return run_error("too many messages under way to follow its critical path");
  answer.inside = std::move(*seen);
  const bool look_inside = point.inside.links || point.inside.path || !point.inside.trace.empty();
  if (point.want_ranks || look_inside) answer.host_of = std::move(placement->host_of);
  if (point.want_ranks && timed) answer.end_s = std::move(outcome.end_s);
  return answer;
}

}  // namespace tutti::studies
