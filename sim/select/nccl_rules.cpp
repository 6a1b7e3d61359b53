// SPDX-License-Identifier: BSD-3-Clause
#include "sim/select/nccl_rules.hpp"

#include "algorithms/rules_files/facts.hpp"
#include "sim/jobs/bus_bandwidth.hpp"
#include "sim/jobs/packed_answer.hpp"
#include "sim/jobs/study_point.hpp"
#include "sim/studies/sweep.hpp"
#include "workloads/nccl_choice.hpp"

namespace tutti::studies::select {
namespace {

namespace files = algorithms::rules_files;

struct NcclPair {
  std::string algorithm, protocol;  // words of the file

  // The request of a call that NCCL_ALGO and NCCL_PROTO force to be the pair.
  std::string request() const {
    std::string name = algorithm;
    std::erase(name, '_');
    return fmt::format("auto:nccl:NCCL_ALGO={}:NCCL_PROTO={}", name, protocol);
  }
};

std::vector<NcclPair> all_pairs() {
  std::vector<NcclPair> pairs;
  for (const auto algorithm : files::nccl_algorithms)
    for (const auto protocol : files::nccl_protocols)
      pairs.push_back({std::string(algorithm), std::string(protocol)});
  return pairs;
}

auto call_of(const NcclTrial& trial) {
  const Point& point = trial.point;
  return std::tuple(point.call.algorithm->collective, point.placement.procs, trial.nodes);
}

// NCCL's name of a collective.
std::string_view nccl_collective(std::string_view collective) {
  if (collective == "reduce_scatter") collective = "reduce_scatter_block";
  for (const auto name : files::nccl_collectives)
    if (files::nccl_collective_here(name) == collective) return name;
  TUTTI_CHECK(false, "NCCL has no " + std::string(collective));
}

struct Winner {
  Bytes from_bytes = 0;
  const NcclTrial* trial = nullptr;
};

// The fastest pair of each size, where it differs from that of the size before.
std::vector<Winner> winners_of(std::span<const NcclTrial> trials,
                               std::span<const std::optional<Seconds>> times_s) {
  std::map<Bytes, std::size_t> fastest;
  for (std::size_t i = 0; i < trials.size(); ++i) {
    if (!times_s[i]) continue;
    const auto [at, is_new] = fastest.emplace(trials[i].bytes, i);
    if (!is_new && *times_s[i] < *times_s[at->second]) at->second = i;
  }
  std::vector<Winner> winners;
  for (const auto& [bytes, index] : fastest) {
    const NcclTrial& trial = trials[index];
    const auto* last = winners.empty() ? nullptr : winners.back().trial;
    if (last != nullptr && last->algorithm == trial.algorithm && last->protocol == trial.protocol)
      continue;
    winners.push_back({winners.empty() ? 0 : bytes, &trial});
  }
  return winners;
}

}  // namespace

Result<std::vector<NcclTrial>> make_nccl_trials(const CellStudy& study,
                                                const platforms::Machine& machine) {
  std::vector<NcclTrial> trials;
  std::optional<Error> problem;
  for (const auto& collective : study.collectives)
    for (const auto& placement : study.axes.placements)
      for (const NcclPair& pair : all_pairs()) {
        Sweep sweep;
        sweep.collective = collective;
        sweep.algorithms = {pair.request()};
        sweep.procs.assign(study.axes.procs.begin(), study.axes.procs.end());
        sweep.message_bytes.assign(study.axes.message_bytes.begin(),
                                   study.axes.message_bytes.end());
        sweep.common = study.common;
        sweep.common.placement = placement;
        if (placement.ppn) sweep.ppn = {*placement.ppn};
        auto points = make_points(sweep, machine);
        if (!points) {
          problem = points.error();
          continue;
        }
        for (Point& point : points->all) {
          const auto placed = TUTTI_TRY(platforms::place(machine, point.placement));
          const Bytes bytes =
              jobs::nccl_bytes(collective, point.placement.procs, point.call.args.message_bytes);
          trials.push_back({std::move(point), placed.nodes, bytes, pair.algorithm, pair.protocol});
        }
      }
  if (trials.empty() && problem) return *std::move(problem);
  std::ranges::stable_sort(trials, {}, call_of);
  return trials;
}

TimedNcclTrials time_trials(const std::vector<NcclTrial>& trials, const platforms::Machine& machine,
                            const RunPoints& run) {
  std::vector<StudyPoint> points;
  for (const NcclTrial& trial : trials)
    points.push_back(simulation_of(
        trial.point, [&trial, &machine] { return packed_answer(trial.point, machine, nullptr); }));
  TimedNcclTrials timed{.times_s = {}, .run = run(points)};
  for (const auto& answer : timed.run.answers)
    timed.times_s.push_back(answer ? unpacked_answer<Answer>(*answer).record.time_s
                                   : std::optional<Seconds>());
  return timed;
}

std::string nccl_tuner_file(const std::vector<NcclTrial>& trials,
                            const std::vector<std::optional<Seconds>>& times_s,
                            const std::vector<std::string>& head) {
  constexpr std::int64_t largest = 4294967295;  // of the plugin's documentation
  std::string text;
  for (const auto& line : head) text += ("# " + line).substr(0, files::nccl_line_limit - 1) + '\n';
  text += "# collective, smallest and largest bytes, algorithm, protocol, channels, nodes, ranks\n";
  for (std::size_t begin = 0; begin < trials.size();) {
    std::size_t end = begin;
    while (end < trials.size() && call_of(trials[end]) == call_of(trials[begin])) ++end;
    const auto winners = winners_of(std::span(trials).subspan(begin, end - begin),
                                    std::span(times_s).subspan(begin, end - begin));
    for (const Winner& winner : winners) {
      const bool is_last = &winner == &winners.back();
      const Bytes to = is_last ? largest : (&winner + 1)->from_bytes - 1;
      const auto& point = winner.trial->point;
      if (winner.from_bytes > largest) break;
      text += fmt::format("{},{},{},{},{},-1,{},{}\n",
                          nccl_collective(point.call.algorithm->collective), winner.from_bytes,
                          std::min<Bytes>(to, largest), winner.trial->algorithm,
                          winner.trial->protocol, winner.trial->nodes, point.placement.procs);
    }
    begin = end;
  }
  return text;
}

}  // namespace tutti::studies::select
