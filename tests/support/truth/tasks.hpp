// SPDX-License-Identifier: BSD-3-Clause
// Work that the threads of a rank share. Tasks run in barriers: o after the thread is idle, or L
// after their creation; the barrier ends o after the last thread and task. Loops are dynamic.
#pragma once

#include "tests/support/truth/log.hpp"

namespace tutti::tests::truth {

class Tasks {
 public:
  Tasks(const Program& program, Log& log) : program_(program), log_(log) {}

  Call begin(int me, const Create& what, Time now) {
    Pool& pool = pools_[program_.rank_of(me)];
    const Task task{what, static_cast<std::uint32_t>(me / program_.rank_count), ++created_[me]};
    ++pool.open;
    if (pool.idle.empty()) {
      pool.waiting.push_back(task);
    } else {
      pool.given[pool.idle.front()] = {task, now + L};
      pool.idle.erase(pool.idle.begin());
    }
    return {
        .leave = at(now + o),
        .finish = [=, this](const Span&) { write(me, now, task, OTF2_EvtWriter_ThreadTaskCreate); },
        .region = "!$omp create task @code.f:6"};
  }

  // `then`: the actions that follow.
  Call begin(int me, const TaskBarrier& what, Time now, Actions& then) {
    Pool& pool = pools_[program_.rank_of(me)];
    if (!what.is_entered) log_.enter(me, now, barrier);
    if (!pool.waiting.empty()) {
      pool.given[me] = {pool.waiting.front(), now + o};
      pool.waiting.erase(pool.waiting.begin());
    } else {
      pool.idle.push_back(me);
      if (pool.open == 0 && pool.idle.size() == static_cast<std::size_t>(program_.thread_count))
        pool.ends.push_back(now + o);
    }
    const std::size_t number = pool.numbers[me];
    return {.leave = [=, &pool]() -> std::optional<Time> {
              if (const auto given = pool.given.find(me); given != pool.given.end())
                return given->second.second;
              return pool.ends.size() > number ? std::optional(pool.ends[number]) : std::nullopt;
            },
            .finish =
                [=, this, &pool, &then](const Span& call) {
                  const auto given = pool.given.extract(me);
                  if (given.empty()) return leave(pool, me, call.leave);
                  const Task task = given.mapped().first;
                  running_[me] = task;
                  write(me, call.leave, task, OTF2_EvtWriter_ThreadTaskSwitch);
                  then = {Mark{work, true}, Compute{task.what.region, task.what.duration},
                          Mark{work, false}, EndTask{}, TaskBarrier{true}};
                }};
  }

  Call begin(int me, const EndTask&, Time now) {
    --pools_[program_.rank_of(me)].open;
    return {.leave = at(now), .finish = [=, this](const Span&) {
              write(me, now, running_[me], OTF2_EvtWriter_ThreadTaskComplete);
              write(me, now, Task{{}, static_cast<std::uint32_t>(me / program_.rank_count), 0},
                    OTF2_EvtWriter_ThreadTaskSwitch);
            }};
  }

  Call begin(int me, const Iterate& what, Time now, Actions& then) {
    const std::size_t next = iterations_[{program_.rank_of(me), what.loop}]++;
    if (next < what.iterations.size())
      then = {Compute{what.iterations[next].first, what.iterations[next].second}, what};
    return {.leave = at(now), .finish = [](const Span&) {}};
  }

 private:
  static constexpr const char* barrier = "!$omp implicit barrier @code.f:7";
  static constexpr const char* work = "!$omp task @code.f:6";

  struct Task {
    Create what;
    std::uint32_t creator = 0, generation = 0;
  };
  struct Pool {
    std::vector<Task> waiting;
    std::map<int, std::pair<Task, Time>> given;  // to threads, which begin then
    std::vector<int> idle;                       // threads
    std::map<int, std::size_t> numbers;          // of barriers, by thread
    std::vector<Time> ends;                      // of barriers
    int open = 0;                                // tasks
  };

  void leave(Pool& pool, int me, Time time) {
    ++pool.numbers[me];
    std::erase(pool.idle, me);
    log_.leave(me, time, barrier);
  }

  template <class Write>
  void write(int me, Time time, const Task& task, const Write& record) {
    const auto team = static_cast<std::uint32_t>(program_.team(program_.rank_of(me)));
    log_.write(me, time,
               [=, creator = task.creator, generation = task.generation](auto* to, auto at) {
                 return record(to, nullptr, at, team, creator, generation);
               });
  }

  const Program& program_;
  Log& log_;
  std::map<int, Pool> pools_;  // by rank
  std::map<int, std::uint32_t> created_;
  std::map<int, Task> running_;
  std::map<std::pair<int, int>, std::size_t> iterations_;  // begun, by rank and loop
};

}  // namespace tutti::tests::truth
