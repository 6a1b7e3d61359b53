// SPDX-License-Identifier: BSD-3-Clause
#include "sim/jobs/point.hpp"

namespace tutti::jobs {

void Skipped::add(const std::vector<Error>& errors) {
  ++count;
  for (const Error& error : errors)
    if (std::ranges::none_of(reasons, [&](const Error& reason) {
          return reason.place == error.place && reason.line == error.line;
        }))
      reasons.push_back(error);
}

void Skipped::add(const Skipped& others) {
  if (others.count == 0) return;
  count += others.count - 1;
  add(others.reasons);
}

std::string skipped_text(const Skipped& skipped) {
  if (skipped.count == 0) return {};
  std::string text;
  for (const Error& reason : skipped.reasons)
    text += fmt::format("{}{}{}{}{}", text.empty() ? "" : "; ", reason.place,
                        reason.line > 0 ? fmt::format(":{}", reason.line) : "",
                        reason.place.empty() ? "" : ": ", reason.message);
  return fmt::format("{} cannot run and {} skipped: {}", counted(skipped.count, "combination"),
                     skipped.count == 1 ? "is" : "are", text);
}

std::string name_of(const Point& point, std::optional<std::int64_t> ppn) {
  const algorithms::Algorithm* algorithm = point.call.algorithm;
  const algorithms::CollectiveArgs& args = point.call.args;
  std::string name = std::string(algorithm->collective) + ' ';
  if (workloads::is_automatic(point.requested_algorithm)) name += point.requested_algorithm + ": ";
  name += algorithm->name;
  if (algorithms::find_collective(algorithm->collective)->has_message)
    name += ", " + format_bytes(args.message_bytes);
  if (args.segment_bytes > 0) name += ", segment " + format_bytes(args.segment_bytes);
  if (args.fanout > 0) name += fmt::format(", fan-out {}", args.fanout);
  const int procs = point.placement.procs;
  name += ", " + counted(procs, "process");
  if (ppn) name += fmt::format(", {} per node", *ppn);
  if (algorithms::find_collective(algorithm->collective)->rooted)
    name += fmt::format(", root {}", args.root);
  return name;
}

std::string name_of(const Point& point) { return name_of(point, point.placement.ppn); }

std::string name_of(const std::vector<Point>& rivals) {
  const Point& first = rivals.front();
  if (rivals.size() == 1) return name_of(first);
  return fmt::format("{} {}, {}, {}", first.call.algorithm->collective, first.requested_algorithm,
                     format_bytes(first.call.args.message_bytes),
                     counted(first.placement.procs, "process"));
}

std::string name_of(const IoPoint& point) {
  return fmt::format("{}, {}, {}, {}, buffer {}, {}", point.writes ? "write" : "read",
                     point.plan.implementation->name, point.decomposition,
                     counted(point.plan.aggregators, "aggregator"),
                     format_bytes(point.plan.buffer_bytes),
                     counted(point.placement.procs, "process"));
}

std::string name_of(const PingPongPoint& point) {
  const workloads::PingPong& measured = point.measured;
  std::string name = fmt::format("pingpong, {}, {}", workloads::pattern_name(measured.pattern),
                                 format_bytes(measured.message_bytes));
  if (measured.pattern == workloads::PingPongPattern::stream)
    name += fmt::format(", window {}", measured.window);
  return fmt::format("{}, {}", name, path_name(point.job.nodes));
}

}  // namespace tutti::jobs
