// SPDX-License-Identifier: BSD-3-Clause
// Replays of threads that wait for locks and conditions, and that share out work: the predicted end
// is that of the really changed program, or the verdict is at least its error.
#include <doctest/doctest.h>

#include "sim/replay/replay.hpp"
#include "sim/replay/suggest.hpp"
#include "tests/support/truth/programs_threads.hpp"
#include "tests/support/truth/replayed.hpp"
#include "tests/support/truth/waits.hpp"

using namespace tutti;
using namespace tutti::studies::replay;
using namespace tutti::tests::truth;
using programs::scaled;

namespace {

struct OfThreads {
  double error = 0;
  ReplayResult result;
};

OfThreads predict_threads(const Case& of) {
  const Log log = run(of.program), truth = run(changed(of.program, of.change));
  const auto trace = read_back(of.program, log);
  const auto unchanged = replay(trace, {});
  CHECK(unchanged.largest_deviation == 0);
  CHECK(unchanged.end_after == log.last() - log.first());
  CHECK(unchanged.before.total()[Metric::critical_contention] ==
        wait_states(log.history)["critical_contention"]);
  auto result = replay(trace, {.hypothesis = hypothesis_of(of.change)});
  const auto expected = static_cast<double>(truth.last() - truth.first());
  const double error = static_cast<double>(result.end_after) / expected - 1;
  MESSAGE(result.end_before, " -> ", result.end_after, " ns, really ", expected, " ns: error ",
          100 * error, " %, verdict ", 100 * result.verdict.fraction, " %, locks ",
          result.verdict.locks.acquisitions, ", conditions ", result.verdict.conditions,
          ", barriers ", result.verdict.shared_work);
  return {std::abs(error), std::move(result)};
}

void check_exact(const Case& of) {
  const auto [error, result] = predict_threads(of);
  CHECK(error < 0.005);
  if (result.verdict.locks.acquisitions == 0) CHECK(result.verdict.fraction < 0.01);
}

void check_threads_bounded(const Case& of) {
  const auto [error, result] = predict_threads(of);
  const bool is_right = error < 0.01, is_bounded = error <= result.verdict.fraction;
  CHECK((is_right || is_bounded));
}

const std::vector<Change> lock_changes{scaled("inside", 2), scaled("inside", 0.25),
                                       scaled("foo", 3),    scaled("foo", 0.25),
                                       {.balance = "foo"},  {.balance = "inside"}};

}  // namespace

TEST_CASE("threads wait for critical sections") {
  for (const Change& change : lock_changes) {
    check_exact(programs::contended({}, change));
    check_exact(programs::contended({}, change, 1));
    check_exact(programs::contended({.threads = 8, .held = 100 * us}, change, 2));
    check_exact(programs::contended({.ranks = 3}, change, 3));
  }
}

TEST_CASE("threads wait for mutexes") {
  for (const Change& change : lock_changes)
    check_exact(programs::contended({.is_critical = false}, change, 4));
}

TEST_CASE("locks without records are known by the names of regions") {
  for (const Change& change : lock_changes)
    for (const bool is_critical : {true, false})
      check_exact(
          programs::contended({.is_critical = is_critical, .has_records = false}, change, 5));
  for (const Change& change : lock_changes)
    check_threads_bounded(
        programs::contended({.has_records = false, .has_blocks = false}, change, 6));
}

TEST_CASE("two threads, which never wait for a third one") {
  for (const Change& change : lock_changes)
    check_exact(programs::contended({.threads = 2}, change, 7));
}

TEST_CASE("locks that are not fair") {
  for (const Change& change : lock_changes)
    for (const std::uint64_t seed : {0, 8, 9})
      check_threads_bounded(programs::contended({.is_fair = false}, change, seed));
}

TEST_CASE("waits for locks are not computation") {
  const Case of = programs::contended({.held = 500 * us}, {});
  const auto trace = read_back(of.program, run(of.program));
  for (const auto& region : imbalances(trace).regions)
    if (region.region.starts_with("!$omp critical")) CHECK(region.excess == 0);
}

TEST_CASE("conditions") {
  for (const bool has_records : {true, false})
    for (const Change& change : {scaled("produce", 2), scaled("produce", 0.25),
                                 scaled("consume", 2), scaled("consume", 0.25)}) {
      check_threads_bounded(programs::queue(400 * us, 100 * us, change, has_records));
      check_threads_bounded(programs::queue(100 * us, 400 * us, change, has_records));
      check_threads_bounded(programs::queue(250 * us, 300 * us, change, has_records));
    }
}

TEST_CASE("tasks that run in a barrier") {
  check_threads_bounded(programs::tasks(1, scaled("foo", 2)));
  CHECK(predict_threads(programs::tasks(1, scaled("foo", 2), 3)).error < 1e-4);
  for (const Change& change : {scaled("foo", 2), scaled("foo", 0.25), scaled("bar", 3)})
    for (const int count : {3, 4, 9, 20}) {
      check_threads_bounded(programs::tasks(1, change, count));
      check_threads_bounded(programs::tasks(3, change, count, 10));
    }
}

TEST_CASE("messages of worker threads, which are not replayed, enter the verdict") {
  for (const Change& change : {scaled("foo", 4), scaled("foo", 0.25), scaled("bar", 4)})
    check_threads_bounded(programs::sends_of_workers(change));
}

TEST_CASE("dynamic loops") {
  for (const Change& change :
       {scaled("foo", 2), scaled("foo", 0.25), scaled("bar", 4), scaled("serial", 4)}) {
    check_threads_bounded(programs::dynamic_loop(1, change));
    check_threads_bounded(programs::dynamic_loop(3, change, 11));
  }
}
