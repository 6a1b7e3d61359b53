// SPDX-License-Identifier: BSD-3-Clause
#include "sim/jobs/study_point.hpp"

#include "algorithms/counts.hpp"
#include "io_models/cycle_choice.hpp"
#include "sim/base/hash.hpp"
#include "sim/engines/engine.hpp"
#include "sim/engines/simgrid_module.hpp"
#include "sim/jobs/extrapolation/extrapolation.hpp"
#include "sim/jobs/io_limits.hpp"
#include "sim/jobs/measured.hpp"
#include "sim/jobs/memory_estimate.hpp"
#include "sim/jobs/time_estimate.hpp"
#include "sim/jobs/wire.hpp"

namespace tutti::jobs {

namespace {

template <class Record>
Row row_of(const Record& record, std::span<const FieldOf<Record>> fields = columns_of<Record>()) {
  Row row;
  for (const auto& field : fields)
    if (Cell cell = field.get(record); cell.index() != 0)
      row.push_back({std::string(field.name), std::move(cell)});
  return row;
}

// The columns that describe the point.
template <class Record>
Row parameters_in(const Record& record) {
  return row_of(record, parameters_of<Record>());
}

std::string content_of(const std::shared_ptr<const std::string>& text) {
  return text ? content_key(*text) : std::string();
}

// Text with one line per value, in a normal form: equivalent requests have equal texts.
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

// The contents of the files that --map and --nodes name.
void add_placement(const platforms::PlacementRequest& placement, Description& description) {
  description.add("map content", content_of(placement.map_text));
  if (placement.allocation)
    description.add("nodes content",
                    content_key(fmt::format("{}", fmt::join(placement.allocation->nodes, ","))));
}

// Adds details of a call that its columns do not contain.
void add_contents(const Point& point, Description& description) {
  add_placement(point.placement, description);
  description.add("skew content", content_of(point.benchmark.skew.text));
  for (const auto& keyed : keyed_members)
    std::visit(
        [&](auto member) {
          const auto value = point.*member;
          if (static_cast<double>(value) == keyed.usual) return;
          if constexpr (std::is_same_v<decltype(value), const bool>)
            description.add(keyed.name, value ? "on" : "off");
          else
            description.add(keyed.name, fmt::format("{}", value));
        },
        keyed.member);
  if (point.starts != StartChoice{})
    description.add(
        "starts", fmt::format("{}{}", point.starts.runs, point.starts.are_given ? ", given" : ""));
  if (point.call.scheduled)
    description.add("schedule content", point.call.scheduled->scheduled.schedule->content);
  if (!point.profiles.empty()) description.add("profiles content", content_key(point.profiles));
  if (point.call.counts) {
    std::string counts;
    for (int rank = 0; rank < point.placement.procs; ++rank)
      counts += fmt::format("{},", point.call.counts->bytes(rank));
    description.add("counts content", content_key(counts));
  }
}

void add_contents(const IoPoint& point, Description& description) {
  add_placement(point.placement, description);
  description.add("skew content", content_of(point.benchmark.skew.text));
  description.add("alignment", std::to_string(point.plan.alignment));
  description.add("extrapolates", point.extrapolates ? "auto" : "off");
  if (point.verify) description.add("verify", "on");
  description.add(
      "engine", point.engine_is_chosen ? "auto" : std::string(engines::engine_name(point.engine)));
  std::string ranks;
  for (const auto rank : point.plan.aggregator_ranks) ranks += fmt::format("{},", rank);
  description.add("aggregators' ranks", content_key(ranks));
  description.add("access", point.access_content);
  if (point.only_aggregators_open) description.add("opens", "aggregators");
  if (point.aggregators_per_target != 1)
    description.add("aggregators per target", std::to_string(point.aggregators_per_target));
}

// Makes a point without `simulate`. Adds the platform to the description, the last part of it.
StudyPoint make_study_point(Row parameters, Description& description, const PointOrigin& origin,
                            const std::string& name, bool with_simgrid) {
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
  if (with_simgrid) with_versions.add("simgrid", engines::simgrid_version());
  point.key = content_key(with_versions.text());
  row.push_back({"command", origin.command});
  row.push_back({"model_version", std::int64_t{model_version}});
  row.push_back({"description", point.description});
  std::ranges::move(parameters, std::back_inserter(row));
  return point;
}

// Makes the checks of `sim run` (number of messages, memory), with the free memory at the start of
// the point.
std::optional<Error> check_size(const std::vector<Point>& rivals,
                                const platforms::Machine& machine) {
  for (const Point& rival : rivals)
    if (auto error = extrapolation::too_long(rival)) return error;
  const auto errors = memory_errors(rivals, machine);
  return errors.empty() ? std::nullopt : std::optional(errors.front());
}

// Runs the point and returns the columns of its record.
Result<Row> simulate_point(const Point& point, const platforms::Machine& machine,
                           runtime::Observer* watcher) {
  auto answer = TUTTI_TRY(measured([&] { return run_point(point, machine, watcher); }, 0));
  return row_of(answer.record);
}

// SimGrid allows one engine per process, so each rival that uses it runs in its own process.
Result<Answer> simulate_rival(const Point& rival, const platforms::Machine& machine,
                              runtime::Observer* watcher) {
  const auto run = [&] {
    return measured([&] { return run_point(rival, machine, watcher); }, machine.read_wall_s);
  };
  if (!uses_simgrid(rival)) return run();
  // SimGrid is loaded once before the fork, instead of in each child.
  if (auto error = engines::load_simgrid()) return *std::move(error);
  auto child =
      TUTTI_TRY(ChildProcess::start([&] { return wire::pack(run(), wire::answer_fields); }));
  return wire::collect<Answer>(child, wire::answer_fields);
}

// Runs all rivals, one after the other, and returns the columns of the fastest one.
Result<Row> simulate_fastest(const std::vector<Point>& rivals, const platforms::Machine& machine,
                             runtime::Observer* watcher) {
  std::optional<Record> best;
  for (const Point& rival : rivals) {
    auto answer = TUTTI_TRY(simulate_rival(rival, machine, watcher));
    if (!best || time_to_compare(answer.record) < time_to_compare(*best))
      best = std::move(answer.record);
  }
  return row_of(*best);
}

// The columns that all rivals share, since the fastest is not known yet.
Row parameters_of(const std::vector<Point>& rivals, const platforms::Placement& placement) {
  Row row = parameters_in(describe_point(rivals.front(), placement));
  if (rivals.size() > 1)
    std::erase_if(row, [](const NamedCell& cell) {
      return cell.name == "algorithm" || cell.name == "runs_as" || cell.name == "segment_bytes" ||
             cell.name == "fanout" || cell.name == "max_requests" || cell.name == "engine";
    });
  return row;
}

// The memory of collective I/O is not estimated; with more messages it may be hundreds of MB.
constexpr double most_shared_io_messages = 1e5;

}  // namespace

Result<StudyPoint> study_point(const std::vector<Point>& rivals, const PointOrigin& origin,
                               const std::string& name) {
  const auto placement = TUTTI_TRY(platforms::place(*origin.machine, rivals.front().placement));
  Description description;
  bool with_simgrid = false;
  double messages = 0;
  Seconds estimated_s = 0;
  Bytes memory_bytes = 0;
  for (const Point& rival : rivals) {
    description.add(parameters_in(describe_point(rival, placement)));
    add_contents(rival, description);
    with_simgrid |= uses_simgrid(rival);
    messages += static_cast<double>(extrapolation::messages_to_simulate(rival));
    estimated_s += estimated_seconds(rival, *origin.machine);
    memory_bytes = std::max(memory_bytes, memory_estimate(rival, origin.machine.get()));
  }
  StudyPoint point =
      make_study_point(parameters_of(rivals, placement), description, origin, name, with_simgrid);
  point.messages = messages;
  point.estimated_s = estimated_s;
  point.memory_bytes = memory_bytes;
  point.live = std::make_shared<LiveProgress>();
  point.simulate = [rivals, machine = origin.machine, live = point.live]() -> Result<Row> {
    if (auto error = check_size(rivals, *machine)) return *std::move(error);
    return rivals.size() == 1 ? simulate_point(rivals.front(), *machine, live->watcher())
                              : simulate_fastest(rivals, *machine, live->watcher());
  };
  point.shares_process = !with_simgrid;
  return point;
}

Result<StudyPoint> study_point(const IoPoint& point, const PointOrigin& origin,
                               const std::string& name) {
  auto record = TUTTI_TRY(describe_point(point, *origin.machine));
  Row parameters = parameters_in(record);
  Description description;
  description.add(parameters);
  add_contents(point, description);
  StudyPoint made_point =
      make_study_point(std::move(parameters), description, origin, name, uses_simgrid(point));
  const auto kept = std::make_shared<const IoPoint>(point);
  const auto size = std::make_shared<const IoSize>(*kept, *origin.machine);
  made_point.messages = io_messages_estimate(*size);
  made_point.estimated_s = estimated_seconds(*size);
  size->drop_plan();
  made_point.live = std::make_shared<LiveProgress>();
  made_point.simulate = [kept, size, machine = origin.machine,
                         live = made_point.live]() -> Result<Row> {
    if (auto error = check_io_limits(*size, free_memory())) return *std::move(error);
    auto answer =
        TUTTI_TRY(measured([&] { return run_point(*kept, *machine, live->watcher()); }, 0));
    return row_of(answer.record);
  };
  made_point.shares_process = !uses_simgrid(point) && made_point.messages < most_shared_io_messages;
  return made_point;
}

StudyPoint study_point(const PingPongPoint& point, const PointOrigin& origin,
                       const std::string& name) {
  Row parameters = parameters_in(describe_point(point, *origin.machine));
  Description description;
  description.add(parameters);
  StudyPoint made_point = make_study_point(std::move(parameters), description, origin, name,
                                           point.job.engine == engines::EngineKind::simgrid);
  made_point.messages = workloads::message_count(point.measured);
  made_point.estimated_s = made_point.messages * message_cost_s;
  made_point.simulate = [point, machine = origin.machine]() -> Result<Row> {
    auto answer = TUTTI_TRY(run_point(point, *machine));
    return row_of(answer.record);
  };
  made_point.shares_process = point.job.engine != engines::EngineKind::simgrid;
  return made_point;
}

StudyPoint study_point(Row parameters, const std::string& content, const PointOrigin& origin,
                       const std::string& name) {
  Description description;
  description.add(parameters);
  description.add("content", content);
  return make_study_point(std::move(parameters), description, origin, name, false);
}

StudyPoint simulation_of(const Point& point, std::function<Result<Row>()> simulate) {
  return {.name = name_of(point),
          .simulate = std::move(simulate),
          .shares_process = !uses_simgrid(point),
          .memory_bytes = memory_estimate(point)};
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

}  // namespace tutti::jobs
