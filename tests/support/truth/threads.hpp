// SPDX-License-Identifier: BSD-3-Clause
// Teams of threads: all threads begin `gap` after the fork; a barrier ends o after the last begin;
// the join ends after all threads have left the team.
#pragma once

// OmpFork and OmpJoin are deprecated.
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"

#include "tests/support/truth/log.hpp"

namespace tutti::tests::truth {

class Threads {
 public:
  Threads(const Program& program, Log& log) : program_(program), log_(log) {}

  Call begin(int me, const Fork&, Time now) {
    rank_of(me).forks.push_back(now);
    return {.leave = at(now), .finish = [=, this](const Span&) { forks(me, now); }};
  }

  Call begin(int me, const Team& team, Time now) {
    Rank& rank = rank_of(me);
    if (!team.begins) {
      rank.ends[me].push_back(now);
      return {.leave = at(now), .finish = [=, this](const Span& call) { team_ends(call); }};
    }
    const std::size_t index = rank.ends[me].size();
    return {.leave = [=, &rank]() -> std::optional<Time> {
              if (rank.forks.size() <= index) return std::nullopt;
              return std::max(now, rank.forks[index] + gap);
            },
            .finish = [=, this](const Span& call) { team_begins(call); }};
  }

  Call begin(int me, const Join&, Time now) {
    Rank& rank = rank_of(me);
    return {.leave = [=, this, &rank]() -> std::optional<Time> {
              Time last = now;
              for (int thread = 0; thread < program_.thread_count; ++thread) {
                const auto& ends = rank.ends[program_.place(program_.rank_of(me), thread)];
                if (ends.size() < rank.forks.size()) return std::nullopt;
                last = std::max(last, ends.back());
              }
              return last;
            },
            .finish = [=, this](const Span& call) { joins(me, call.leave); }};
  }

  // After their last team, workers are idle until the process ends.
  void finish() {
    for (int place = 0; place < program_.place_count(); ++place)
      if (const auto& ends = rank_of(place).ends[place]; is_worker(place) && !ends.empty())
        idle(place, ends.back() - unrecorded(), records_of_rank(place).back().time);
  }

  Call begin(int me, const Barrier& barrier, Time now) {
    Rank& rank = rank_of(me);
    const std::size_t index = rank.counts[me]++;
    if (rank.barriers.size() <= index) rank.barriers.resize(index + 1);
    ++rank.barriers[index].entered;
    rank.barriers[index].last = now;  // begins come in the order of time
    return {.leave = [=, this, &rank]() -> std::optional<Time> {
              const auto& all = rank.barriers[index];
              if (all.entered < program_.thread_count) return std::nullopt;
              return all.last + o;
            },
            .finish =
                [=, this, &rank](const Span& call) {
                  log_.history.waits.push_back({"omp_barrier", call, rank.barriers[index].last});
                },
            .region = barrier.region};
  }

 private:
  using Records = Program::TeamRecords;
  struct Barriers {
    int entered = 0;
    Time last = 0;
  };
  struct Rank {
    std::vector<Time> forks;
    std::map<int, std::vector<Time>> ends;  // of teams, by place
    std::map<int, std::size_t> counts;      // of barriers, by place
    std::vector<Barriers> barriers;
  };

  Rank& rank_of(int place) { return ranks_[program_.rank_of(place)]; }
  std::uint32_t team_id(int place) const {
    return static_cast<std::uint32_t>(program_.team(program_.rank_of(place)));
  }

  bool is_worker(int place) const {
    return place >= program_.rank_count && place < program_.rank_count * program_.thread_count;
  }
  const std::vector<Record>& records_of_rank(int place) const {
    return log_.records[static_cast<std::size_t>(program_.rank_of(place))];
  }
  void idle(int place, Time from, Time to) {
    log_.history.waits.push_back({"idle_threads", {place, from, to}, to});
  }

  // Without records of teams, a worker is idle outside of the parallel region, `gap` longer.
  Time unrecorded() const { return program_.team_records == Records::all ? 0 : gap; }

  void forks(int me, Time now) {
    if (program_.team_records == Records::none) return;
    const auto count = static_cast<std::uint32_t>(program_.thread_count);
    const bool is_old = program_.team_records == Records::omp_fork;
    log_.write(me, now, [=](auto* to, auto time) {
      return is_old ? OTF2_EvtWriter_OmpFork(to, nullptr, time, count)
                    : OTF2_EvtWriter_ThreadFork(to, nullptr, time, OTF2_PARADIGM_OPENMP, count);
    });
  }
  void joins(int me, Time now) {
    if (program_.team_records == Records::none) return;
    const bool is_old = program_.team_records == Records::omp_fork;
    log_.write(me, now, [=](auto* to, auto time) {
      return is_old ? OTF2_EvtWriter_OmpJoin(to, nullptr, time)
                    : OTF2_EvtWriter_ThreadJoin(to, nullptr, time, OTF2_PARADIGM_OPENMP);
    });
  }

  // A worker was idle since it left the preceding team, or since the process began.
  void team_begins(const Span& call) {
    const auto& ends = rank_of(call.place).ends[call.place];
    if (is_worker(call.place))
      idle(call.place,
           ends.empty() ? records_of_rank(call.place).front().time : ends.back() - unrecorded(),
           call.leave + unrecorded());
    if (program_.team_records != Records::all) return;
    log_.write(call.place, call.leave, [id = team_id(call.place)](auto* to, auto time) {
      return OTF2_EvtWriter_ThreadTeamBegin(to, nullptr, time, id);
    });
  }
  void team_ends(const Span& call) {
    if (program_.team_records != Records::all) return;
    log_.write(call.place, call.leave, [id = team_id(call.place)](auto* to, auto time) {
      return OTF2_EvtWriter_ThreadTeamEnd(to, nullptr, time, id);
    });
  }

  const Program& program_;
  Log& log_;
  std::map<int, Rank> ranks_;
};

}  // namespace tutti::tests::truth
