// SPDX-License-Identifier: BSD-3-Clause
#include "workloads/traces/thread_teams.hpp"

#include "sim/base/common.hpp"

namespace tutti::workloads::traces {
namespace {

struct Span {
  Ticks begin = 0, end = 0;
};

// The outermost parallel regions of a location.
struct OfThread {
  struct Region : Span {
    std::vector<Span> barriers = {};  // not those of nested teams
  };
  TraceRank location = 0;
  std::vector<Region> regions = {};
  bool has_records = false;
};

class ThreadReader {
 public:
  ThreadReader(const Trace& trace, TraceRank location) : trace_(trace) {
    made_.location = location;
  }

  OfThread read() {
    std::array<Event, 64> buffer;
    const auto cursor = trace_.events.cursor(made_.location);
    while (const std::size_t count = cursor->read(buffer))
      for (std::size_t i = 0; i < count && !made_.has_records; ++i) take(buffer[i]);
    return std::move(made_);
  }

 private:
  void take(const Event& event) {
    made_.has_records |= event.kind == EventKind::team_begin;
    if (event.kind != EventKind::enter && event.kind != EventKind::leave) return;
    const RegionRole role = trace_.definitions.regions[event.id].role;
    const bool enters = event.kind == EventKind::enter;
    auto& regions = made_.regions;
    if (role == RegionRole::parallel) {
      depth_ += enters ? 1 : -1;
      if (enters && depth_ == 1) regions.push_back({{event.time, event.time}});
      if (!enters && depth_ == 0) regions.back().end = event.time;
    } else if (role == RegionRole::thread_barrier && depth_ == 1) {
      if (enters)
        regions.back().barriers.push_back({event.time, event.time});
      else if (!regions.back().barriers.empty())
        regions.back().barriers.back().end = event.time;
    }
  }

  const Trace& trace_;
  OfThread made_;
  int depth_ = 0;  // of parallel regions
};

// The teams of a process, whose first thread comes first.
class OfProcess {
 public:
  OfProcess(Trace& trace, std::vector<OfThread> threads)
      : trace_(trace), threads_(std::move(threads)) {}

  // False if no thread meets another one.
  bool find() {
    for (const OfThread& thread : threads_)
      trace_.definitions.parallel[thread.location].resize(thread.regions.size());
    teams_.resize(threads_.front().regions.size());
    for (std::size_t thread = 1; thread < threads_.size(); ++thread) assign(thread);
    for (std::size_t i = 0; i < teams_.size(); ++i)
      if (!teams_[i].empty()) add(i);
    return !communicators_.empty();
  }

 private:
  struct Member {
    std::size_t thread = 0, region = 0;
  };

  // Nested teams may bring a thread into a region of the first one more than once: the first
  // counts.
  void assign(std::size_t thread) {
    const auto& of_first = threads_.front().regions;
    const auto& regions = threads_[thread].regions;
    for (std::size_t i = 0; i < regions.size(); ++i) {
      const auto found = std::ranges::upper_bound(of_first, regions[i].begin, {}, &Span::end);
      if (found == of_first.end() || found->begin >= regions[i].end) continue;
      auto& team = teams_[static_cast<std::size_t>(found - of_first.begin())];
      if (team.empty() || team.back().thread != thread) team.push_back({thread, i});
    }
  }

  void add(std::size_t number) {
    auto& members = teams_[number];
    members.insert(members.begin(), {0, number});
    std::vector<TraceRank> locations;
    for (const Member& member : members) locations.push_back(threads_[member.thread].location);
    auto& communicators = trace_.definitions.communicators;
    const auto [found, is_new] = communicators_.try_emplace(locations, communicators.size());
    if (is_new)
      communicators.push_back({"threads of " + trace_.definitions.name(locations.front()),
                               locations, TraceCommunicator::Kind::team});
    const ParallelRegion made{static_cast<std::uint32_t>(found->second), meet(members)};
    for (const Member& member : members)
      trace_.definitions.parallel[threads_[member.thread].location][member.region] = made;
  }

  // Whether the n-th barriers of all members are one: all are in it at the same time.
  bool meet(const std::vector<Member>& members) const {
    const auto& first = barriers(members.front());
    std::vector<Span> common = first;
    for (const Member& member : members) {
      const auto& others = barriers(member);
      if (others.size() != first.size()) return false;
      for (std::size_t i = 0; i < others.size(); ++i) {
        common[i].begin = std::max(common[i].begin, others[i].begin);
        common[i].end = std::min(common[i].end, others[i].end);
      }
    }
    return std::ranges::all_of(common, [](const Span& span) { return span.begin <= span.end; });
  }
  const std::vector<Span>& barriers(const Member& member) const {
    return threads_[member.thread].regions[member.region].barriers;
  }

  Trace& trace_;
  std::vector<OfThread> threads_;
  std::vector<std::vector<Member>> teams_;  // by region of the first thread
  std::map<std::vector<TraceRank>, std::size_t> communicators_;
};

}  // namespace

void find_teams(Trace& trace) {
  auto& definitions = trace.definitions;
  definitions.parallel.clear();
  std::map<TraceRank, std::vector<TraceRank>> processes;
  for (std::size_t i = 0; i < definitions.others.size(); ++i)
    if (definitions.others[i].kind == TraceLocation::Kind::thread)
      processes[definitions.others[i].rank].push_back(
          static_cast<TraceRank>(definitions.ranks.size() + i));
  if (processes.empty()) return;
  definitions.parallel.resize(definitions.locations());
  bool has_found = false;
  for (const auto& [rank, workers] : processes) {
    std::vector<OfThread> threads{ThreadReader(trace, rank).read()};
    for (const TraceRank worker : workers)
      if (!threads.back().has_records) threads.push_back(ThreadReader(trace, worker).read());
    if (!threads.back().has_records) has_found |= OfProcess(trace, std::move(threads)).find();
  }
  if (has_found)
    trace.notes.emplace_back(
        "teams of threads are not recorded: threads whose parallel regions overlap are a team");
}

}  // namespace tutti::workloads::traces
