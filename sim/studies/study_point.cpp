// SPDX-License-Identifier: BSD-3-Clause
#include "sim/studies/study_point.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "algorithms/counts.hpp"
#include "io_models/cycle_choice.hpp"
#include "sim/base/content_key.hpp"
#include "sim/engines/simgrid_module.hpp"
#include "sim/engines/version.hpp"
#include "sim/studies/extrapolation/extrapolation.hpp"
#include "sim/studies/forked.hpp"
#include "sim/studies/io_limits.hpp"
#include "sim/studies/measured.hpp"
#include "sim/studies/memory_estimate.hpp"
#include "sim/studies/model_version.hpp"
#include "sim/studies/run_io.hpp"
#include "sim/studies/study_values.hpp"

namespace tutti::studies {
namespace {

template <class Record>
Row row_of(const Record& record, std::span<const FieldOf<Record>> fields = columns_of<Record>()) {
  Row row;
  for (const auto& field : fields)
    if (Cell cell = field.get(record); cell.index() != 0)
      row.push_back({std::string(field.name), std::move(cell)});
  return row;
}

// What describes the point.
template <class Record>
Row parameters_in(const Record& record) {
  return row_of(record, parameters_of<Record>());
}

std::string content_of(const std::shared_ptr<const std::string>& text) {
  return text ? content_key(*text) : std::string();
}

// A line each; what is asked for in any other way has the same lines.
class Description {
 public:
  void add(std::string_view name, const std::string& value) {
    if (!value.empty()) text_ += fmt::format("{}={}:{}\n", name, value.size(), value);
  }
  void add(const Row& row) {
    for (const NamedCell& cell : row) add(cell.name, to_text(cell.value));
  }
  const std::string& text() const { return text_; }

 private:
  std::string text_;
};

// What the columns do not say of a call.
void add_contents(const Point& point, Description& description) {
  description.add("map content", content_of(point.placement.map_text));
  description.add("skew content", content_of(point.benchmark.skew.text));
  if (!point.extrapolates) description.add("extrapolates", "off");
  if (point.starts != StartChoice{})
    description.add(
        "starts", fmt::format("{}{}", point.starts.runs, point.starts.are_given ? ", given" : ""));
  if (!point.profiles.empty()) description.add("profiles content", content_key(point.profiles));
  if (point.call.counts) {
    std::string counts;
    for (int rank = 0; rank < point.placement.procs; ++rank)
      counts += fmt::format("{},", point.call.counts->bytes(rank));
    description.add("counts content", content_key(counts));
  }
}

void add_contents(const IoPoint& point, Description& description) {
  description.add("map content", content_of(point.placement.map_text));
  description.add("skew content", content_of(point.benchmark.skew.text));
  description.add("alignment", std::to_string(point.plan.alignment));
  description.add("extrapolates", point.extrapolates ? "auto" : "off");
  description.add(
      "engine", point.engine_is_chosen ? "auto" : std::string(engines::engine_name(point.engine)));
  std::string ranks;
  for (const auto rank : point.plan.aggregator_ranks) ranks += fmt::format("{},", rank);
  description.add("aggregators' ranks", content_key(ranks));
  description.add("access", point.access_content);
}

// Fills all but what is simulated.
StudyPoint made(Row parameters, Description& description, const PointOrigin& origin,
                const std::string& name, bool may_use_simgrid) {
  StudyPoint point;
  point.name = name;
  point.machine = origin.machine;
  description.add("platform", origin.platform);
  Row& row = point.parameters;
  row = {{"platform", origin.platform}, {"platform_hash", origin.machine->content_hash}};
  for (const auto& [key, value] : origin.overrides) {
    description.add(key, to_text(cell_of_text(value)));
    row.push_back({key, cell_of_text(value)});
  }
  point.description = content_key(description.text()).substr(0, 16);
  Description with_versions = description;
  with_versions.add("platform content", origin.machine->content_hash);
  with_versions.add("model", std::to_string(model_version));
  if (may_use_simgrid) with_versions.add("simgrid", engines::simgrid_version());
  point.key = content_key(with_versions.text());
  row.push_back({"command", origin.command});
  row.push_back({"model_version", std::int64_t{model_version}});
  row.push_back({"description", point.description});
  std::ranges::move(parameters, std::back_inserter(row));
  return point;
}

// As `sim run` refuses it, with what is free when its turn comes.
std::optional<Error> too_large(const std::vector<Point>& rivals) {
  for (const Point& rival : rivals)
    if (auto error = extrapolation::too_long(rival)) return error;
  const auto free_bytes = free_memory();
  if (!free_bytes) return std::nullopt;
  for (const Point& rival : rivals)
    if (auto error = check_memory(rival, *free_bytes)) return error;
  return std::nullopt;
}

Result<Row> simulated(const Point& point, const platforms::Machine& machine) {
  auto answer = measured([&] { return run_point(point, machine); }, 0);
  if (!answer) return answer.errors();
  return row_of(answer->record);
}

// SimGrid's engine is one per process: each rival has its own.
Result<Row> fastest(const std::vector<Point>& rivals, const platforms::Machine& machine) {
  std::optional<Record> best;
  for (const Point& rival : rivals) {
    auto child = TUTTI_TRY(Forked::start(rival, machine));
    auto answer = TUTTI_TRY(child.collect());
    if (!best || time_to_compare(answer.record) < time_to_compare(*best))
      best = std::move(answer.record);
  }
  return row_of(*best);
}

// Of a contest, what all rivals share: the winner is not known yet.
Row parameters_of(const std::vector<Point>& rivals, const platforms::Placement& placement) {
  Row row = parameters_in(described(rivals.front(), placement));
  if (rivals.size() > 1)
    std::erase_if(row, [](const NamedCell& cell) {
      return cell.name == "algorithm" || cell.name == "runs_as" || cell.name == "segment_bytes" ||
             cell.name == "fanout" || cell.name == "max_requests" || cell.name == "engine";
    });
  return row;
}

}  // namespace

Result<StudyPoint> study_point(const std::vector<Point>& rivals, const PointOrigin& origin,
                               const std::string& name) {
  const auto placement = TUTTI_TRY(platforms::place(*origin.machine, rivals.front().placement));
  Description description;
  bool may_use_simgrid = false;
  double messages = 0;
  Bytes memory_bytes = 0;
  for (const Point& rival : rivals) {
    description.add(parameters_in(described(rival, placement)));
    add_contents(rival, description);
    may_use_simgrid |= rival.engine == engines::EngineKind::simgrid;
    messages += static_cast<double>(extrapolation::messages_to_simulate(rival));
    memory_bytes = std::max(memory_bytes, memory_estimate(rival));
  }
  StudyPoint point =
      made(parameters_of(rivals, placement), description, origin, name, may_use_simgrid);
  point.messages = messages;
  point.memory_bytes = memory_bytes;
  point.simulate = [rivals, machine = origin.machine]() -> Result<Row> {
    if (auto error = too_large(rivals)) return *std::move(error);
    return rivals.size() == 1 ? simulated(rivals.front(), *machine) : fastest(rivals, *machine);
  };
  return point;
}

Result<StudyPoint> study_point(const IoPoint& point, const PointOrigin& origin,
                               const std::string& name) {
  auto record = TUTTI_TRY(described(point, *origin.machine));
  Row parameters = parameters_in(record);
  Description description;
  description.add(parameters);
  add_contents(point, description);
  StudyPoint made_point =
      made(std::move(parameters), description, origin, name,
           point.engine_is_chosen || point.engine == engines::EngineKind::simgrid);
  made_point.messages = io_messages_estimate(point, *origin.machine);
  made_point.simulate = [point, machine = origin.machine]() -> Result<Row> {
    if (auto error = check_io_limits(point, *machine, free_memory())) return *std::move(error);
    auto answer = measured([&] { return run_io(point, *machine); }, 0);
    if (!answer) return answer.errors();
    return row_of(answer->record);
  };
  return made_point;
}

StudyPoint study_point(const PingPongPoint& point, const PointOrigin& origin,
                       const std::string& name) {
  Row parameters = parameters_in(described(point, *origin.machine));
  Description description;
  description.add(parameters);
  StudyPoint made_point = made(std::move(parameters), description, origin, name,
                               point.job.engine == engines::EngineKind::simgrid);
  made_point.messages = workloads::message_count(point.measured);
  made_point.simulate = [point, machine = origin.machine]() -> Result<Row> {
    auto answer = TUTTI_TRY(run_ping_pong(point, *machine));
    return row_of(answer.record);
  };
  return made_point;
}

StudyPoint study_point(Row parameters, const std::string& content, const PointOrigin& origin,
                       const std::string& name) {
  Description description;
  description.add(parameters);
  description.add("content", content);
  return made(std::move(parameters), description, origin, name, false);
}

std::vector<std::string> parameter_names() {
  std::vector<std::string> names;
  const auto add = [&](const auto& fields) {
    for (const auto& field : fields)
      if (std::ranges::find(names, field.name) == names.end()) names.emplace_back(field.name);
  };
  add(parameters_of<Record>());
  add(parameters_of<IoRecord>());
  add(parameters_of<PingPongRecord>());
  return names;
}

}  // namespace tutti::studies
