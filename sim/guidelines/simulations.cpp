// SPDX-License-Identifier: BSD-3-Clause
#include "sim/guidelines/simulations.hpp"

#include "algorithms/selection/decision.hpp"

namespace tutti::studies::guidelines {
namespace {

using algorithms::CollectiveArgs;
using algorithms::guidelines::find_mockup;
using algorithms::selection::Selection;

// Identifies the selection for the calls inside Open MPI's own algorithms.
std::string call_identity(const Selection* selection) {
  static const Selection by_default;
  const Selection& of = selection == nullptr ? by_default : *selection;
  std::string text =
      fmt::format("{}/{}/{}", of.rule_set, fmt::ptr(of.rules.get()), fmt::ptr(of.replacements));
  for (const auto& [collective, choice] : of.named)
    text += fmt::format("/{}={},{},{}", collective, choice.algorithm->name, choice.segment_bytes,
                        choice.fanout);
  return text;
}

// All settings of a check have the same placement, so the number of ranks determines their nodes.
std::string call_identity(const algorithms::Algorithm& algorithm, const CollectiveArgs& args,
                          int procs) {
  std::string text = fmt::format("{} {} {} {} {} {} {} {} {} {} {}", algorithm.collective,
                                 algorithm.name, args.message_bytes, args.segment_bytes,
                                 args.fanout, args.root, args.element_bytes, args.max_requests,
                                 args.commutative, args.hierarchy != nullptr, procs);
  const Mockup* mockup = find_mockup(algorithm.collective, algorithm.name);
  if (mockup == nullptr)
    return algorithm.made_of == nullptr ? text : text + " by " + call_identity(args.selection);
  // The counts of these calls follow from the arguments.
  for (const auto& call : mockup->calls(args, procs)) {
    const auto decided = algorithms::selection::decided(call, procs);
    text += fmt::format(" ({} x {})", call.parts,
                        call_identity(*decided.algorithm, decided.args, call.ranks(procs)));
  }
  return text;
}

// Step 1 of NREP, for calls that have not settled yet.
Result<PointsRun> settle(Simulations& simulations, Spec spec, const platforms::Machine& machine,
                         const RunPoints& run) {
  spec.message_bytes = {1};
  const auto settings = TUTTI_TRY(make_settings(spec, machine));
  const auto unsettled = simulations.unsettled();
  std::vector<SettlingKey> keys;
  std::vector<StudyPoint> points;
  for (const auto& setting : settings)
    for (const auto& side : setting.sides) {
      const auto key = settling_key(setting, side);
      if (!side.skipped.empty() || !unsettled.contains(key)) continue;
      keys.push_back(key);
      points.push_back(simulation_of(side.point, [&spec, &machine, &side] {
        return settle(side.point, spec.measuring, machine);
      }));
    }
  auto done = run(points);
  for (std::size_t i = 0; i < keys.size(); ++i)
    if (done.answers[i]) simulations.settle(keys[i], settling_in(*done.answers[i]));
  return done;
}

}  // namespace

std::string call_identity(const Point& point) {
  return fmt::format("{} {} {}", engines::engine_name(point.engine),
                     fmt::ptr(point.call.args.counts),
                     call_identity(*point.call.algorithm, point.call.args, point.placement.procs));
}

void Simulations::want(const Point& point, const SettlingKey& settles_as, Take take) {
  std::string identity = call_identity(point);
  if (!measuring_.repetitions)
    identity += fmt::format(" as {} {} {}", std::get<0>(settles_as), std::get<1>(settles_as),
                            fmt::ptr(std::get<2>(settles_as)));
  wanted_.push_back({std::move(identity), &point, settles_as, std::move(take)});
}

std::vector<Simulations::Task> Simulations::tasks() const {
  std::vector<Task> tasks;
  std::set<std::string> seen;
  for (const auto& [identity, point, settles_as, take] : wanted_) {
    if (known_.contains(identity) || !seen.insert(identity).second) continue;
    const auto messages =
        workloads::expected_messages(point->call, point->benchmark, point->placement.procs);
    tasks.push_back({identity, point, settles_as, static_cast<double>(messages)});
  }
  std::ranges::stable_sort(tasks, std::ranges::greater(), &Task::messages);
  return tasks;
}

std::set<SettlingKey> Simulations::unsettled() const {
  std::set<SettlingKey> keys;
  for (const auto& task : tasks())
    if (!settlings_.contains(task.settles_as)) keys.insert(task.settles_as);
  return keys;
}

void Simulations::learn(const std::string& identity, Latencies latencies_s) {
  known_[identity] = std::move(latencies_s);
}

void Simulations::deliver() {
  for (const auto& wanted : wanted_)
    if (const auto latencies = known_.find(wanted.identity); latencies != known_.end())
      wanted.take(latencies->second);
  wanted_.clear();
}

SettlingKey settling_key(const Setting& setting, const Side& side) {
  return {setting.collective, setting.procs, side.mockup};
}

void want(std::vector<Setting>& settings, Simulations& simulations) {
  for (auto& setting : settings)
    for (auto& side : setting.sides)
      if (side.skipped.empty())
        simulations.want(side.point, settling_key(setting, side),
                         [&side](const Latencies& latencies_s) {
                           side.latencies_s = latencies_s;
                           side.times_s = run_medians(latencies_s);
                         });
}

Result<PointsRun> simulate_wanted(Simulations& simulations, const Spec& spec,
                                  const platforms::Machine& machine, const RunPoints& run) {
  const auto tasks = simulations.tasks();
  PointsRun before;
  if (!spec.measuring.repetitions) before = TUTTI_TRY(settle(simulations, spec, machine, run));
  if (before.is_stopped) {
    before.not_run = tasks.size();
    return before;
  }
  std::vector<StudyPoint> points;
  for (const auto& task : tasks) {
    const Seconds settling_s = settling_time(simulations.settlings(), task.settles_as);
    points.push_back(simulation_of(*task.point, [&spec, &machine, &task, settling_s] {
      return measure(*task.point, spec.measuring, settling_s, machine);
    }));
    points.back().messages = task.messages;
  }
  const auto done = run(points);
  for (std::size_t i = 0; i < tasks.size(); ++i)
    if (done.answers[i]) simulations.learn(tasks[i].identity, latencies_in(*done.answers[i]));
  simulations.deliver();
  before.add(done);
  return before;
}

}  // namespace tutti::studies::guidelines
