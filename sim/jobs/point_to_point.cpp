// SPDX-License-Identifier: BSD-3-Clause
#include "sim/jobs/point_to_point.hpp"

#include "platforms/placement.hpp"
#include "sim/engines/simgrid_module.hpp"
#include "sim/jobs/child_process.hpp"
#include "sim/jobs/run_point.hpp"
#include "sim/jobs/wire.hpp"

namespace tutti::jobs {
namespace {

using engines::EngineKind;
using platforms::Machine;

platforms::Placement placed(const NodePair& nodes) {
  const bool inside = nodes.inside_node();
  return {.host_of = {nodes.from, nodes.to}, .nodes = inside ? 1 : 2, .ppn = inside ? 2 : 1};
}

Result<Seconds> time_here(const Machine& machine, const PairJob& job, const TimedProgram& program) {
  const platforms::Placement placement = placed(job.nodes);
  Seconds time_s = 0;
  const auto outcome = engines::run(
      job.engine, {.machine = machine, .placement = placement, .program = program(time_s)});
  if (!outcome.problems.empty()) return errors_of(outcome.problems);
  return time_s;
}

Result<Seconds> time_in_child(const Machine& machine, const PairJob& job,
                              const TimedProgram& program) {
  constexpr auto fields = [](auto& archive, auto& time_s) { archive(time_s); };
  if (auto error = engines::load_simgrid()) return *std::move(error);
  auto child = TUTTI_TRY(ChildProcess::start([&] {
    return wire::pack(guarded([&] { return time_here(machine, job, program); }), fields);
  }));
  return wire::collect<Seconds>(child, fields);
}

Result<NodePair> named_pair(const Machine& machine, std::string_view text) {
  const auto names = split(text, ',');
  if (names.size() != 2 || names[0].empty() || names[1].empty())
    return usage_error("--between", fmt::format("invalid node pair {}", in_quotes(text)),
                       "expected two names or numbers from 0, for example 0,1");
  std::vector<platforms::HostId> nodes;
  for (const auto name : names) {
    const auto node = platforms::find_node(machine, name);
    if (!node) return usage_error("--between", node.error().message, node.error().hint);
    nodes.push_back(*node);
  }
  return NodePair{nodes[0], nodes[1]};
}

}  // namespace

NodePair first_nodes(const Machine& machine) {
  return {.from = 0, .to = std::min<platforms::HostId>(1, machine.host_count() - 1)};
}

std::string_view path_name(const NodePair& nodes) {
  return nodes.inside_node() ? intra_path : inter_path;
}

Result<NodePair> node_pair(const Machine& machine, const PairRequest& request) {
  const bool wants_intra = request.path == intra_path;
  NodePair nodes = wants_intra ? NodePair{} : first_nodes(machine);
  if (request.between) {
    nodes = TUTTI_TRY(named_pair(machine, *request.between));
  }
  if (nodes.inside_node() && !request.between && !wants_intra)
    return usage_error("--path", "inter requires two nodes, but the platform has one",
                       "use --path intra");
  if (request.path && path_name(nodes) != *request.path)
    return usage_error("--path",
                       fmt::format("{}, but --between names {}", *request.path,
                                   wants_intra ? "two nodes" : "one node twice"),
                       "remove one of the two");
  if (nodes.inside_node() && machine.cores_of(nodes.from) < 2)
    return usage_error(request.between ? "--between" : "--path",
                       fmt::format("two processes need two cores, but node {} has one",
                                   printable(machine.topology->host_name(nodes.from))),
                       "measure between two nodes");
  return nodes;
}

std::vector<Bytes> pair_sizes() {
  std::vector<Bytes> sizes;
  for (Bytes size = 1; size <= Bytes{1} << 20; size *= 2) sizes.push_back(size);
  return sizes;
}

Result<Seconds> time_of(const Machine& machine, const PairJob& job, const TimedProgram& program) {
  TUTTI_CHECK(job.engine != EngineKind::ideal, "the ideal engine is untimed");
  TUTTI_CHECK(std::max(job.nodes.from, job.nodes.to) < machine.host_count(), "no such node");
  return job.engine == EngineKind::simgrid ? time_in_child(machine, job, program)
                                           : time_here(machine, job, program);
}

Result<std::vector<Seconds>> ping_pong_times(const Machine& machine, const PairJob& job,
                                             const PingPongSizes& wanted) {
  std::vector<Seconds> times;
  for (const Bytes size : wanted.sizes) {
    const workloads::PingPong measured{wanted.pattern, size, wanted.window};
    const auto time_s = TUTTI_TRY(time_of(machine, job, [&](Seconds& answer_s) {
      return workloads::ping_pong_program(measured, answer_s);
    }));
    times.push_back(time_s);
  }
  return times;
}

}  // namespace tutti::jobs
